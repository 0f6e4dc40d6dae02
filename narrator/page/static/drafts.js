// Keeps unsent text and choices over a reload or a restart of the server. An X-card deletes them.

const FORM = "roll";

/**
 * @param {HTMLInputElement} field
 */
const key = (field) => `draft ${field.id}`;

/**
 * Keep the value of a field, or of a whole form.
 * @param {EventTarget | null} target
 */
export function keep(target) {
  if (!(target instanceof HTMLInputElement)) return;
  if ("draft" in target.dataset) sessionStorage.setItem(key(target), target.value);
  if (target.form && "keep" in target.form.dataset) {
    sessionStorage.setItem(FORM, JSON.stringify(fieldsOf(target.form)));
  }
}

/** Put kept text back into its fields. */
export function restore() {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-draft]"))) {
    const kept = sessionStorage.getItem(key(field));
    if (kept && field.value !== kept && document.activeElement !== field) {
      field.value = kept;
      if (!field.form?.dataset.live) field.closest("details")?.setAttribute("open", "");
      if (field.closest("[data-check]")) field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
}

/**
 * The kept choices of the roll, or null.
 * @returns {Record<string, string[]> | null}
 */
export function rollKept() {
  const kept = sessionStorage.getItem(FORM);
  return kept && JSON.parse(kept);
}

/**
 * Forget the sent fields of a form. Once a roll is settled, also forget its choices.
 * @param {HTMLFormElement} form
 */
export function forget(form) {
  for (const field of form.querySelectorAll("input")) {
    sessionStorage.removeItem(key(field));
    if ("clear" in field.dataset) {
      field.value = "";
      field.closest("details.add")?.removeAttribute("open");
    }
  }
  if (form.dataset.post === "settle") {
    sessionStorage.removeItem(FORM);
    sessionStorage.removeItem("draft intent");
    sessionStorage.removeItem("rolled");
  }
}

/** Remember the intent that was rolled. */
export function rolled() {
  sessionStorage.setItem("rolled", sessionStorage.getItem("draft intent") ?? "");
}

/** Clear the intent of the last roll when another character acts. */
export function anotherActs() {
  const intent = /** @type {HTMLInputElement | null} */ (document.getElementById("intent"));
  if (!intent || intent.value !== sessionStorage.getItem("rolled")) return;
  intent.value = "";
  sessionStorage.removeItem("draft intent");
}

/**
 * Forget everything and clear the fields after something was struck out, here or elsewhere.
 * @param {HTMLElement} body of the new page
 */
export function forgetStruck(body) {
  const struck = body.dataset.struck ?? "0";
  const known = sessionStorage.getItem("struck");
  if (known !== null && Number(struck) > Number(known)) {
    sessionStorage.clear();
    for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-draft]"))) {
      field.value = "";
    }
    document.getElementById("words")?.replaceChildren();
  }
  if (body.dataset.campaign) sessionStorage.setItem("struck", struck);
}

/**
 * The fields of a form with all their values.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [pressed]
 * @returns {Record<string, string[]>}
 */
export function fieldsOf(form, pressed) {
  const data = new FormData(form, pressed ?? undefined);
  /** @type {Record<string, string[]>} */
  const fields = {};
  for (const name of new Set(data.keys())) fields[name] = data.getAll(name).map(String);
  return fields;
}
