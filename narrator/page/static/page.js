// The page: a tap sends its form, and the answer replaces the shown document.

import { ask, events, Refused } from "./asking.js";
import { anotherActs, fieldsOf, forget, forgetStruck, keep, restore, rolled, rollKept } from "./drafts.js";
import { morph } from "./morph.js";

/** Words are judged so many milliseconds after a key. */
const PAUSE = 250;

/** @type {EventSource | null} */
let entries = null;
/** @type {AbortController | null} */
let words = null;
/** Only the answer to the last request is shown. */
let turn = 0;
let pause = 0;

/**
 * Show a document. If it has another address, scroll to its top.
 * @param {string} text
 */
function show(text) {
  const now = new DOMParser().parseFromString(text, "text/html");
  const { path, said } = now.body.dataset;
  const isElsewhere = path !== document.body.dataset.path;
  document.title = now.title;
  forgetStruck(now.body);
  morph(document.body, now.body);
  dress();
  if (isElsewhere) {
    if (path && path !== location.pathname) history.pushState(null, "", path);
    scrollTo(0, 0);
    document.getElementById("main")?.focus({ preventScroll: true });
  }
  restore();
  if (said) say(said);
  listen();
}

/**
 * Tell screen readers.
 * @param {string} text
 */
function say(text) {
  const place = document.getElementById("said");
  if (place) place.textContent = text;
}

/**
 * Send a form and show the answer.
 * @param {HTMLFormElement} form
 * @param {string} tap
 * @param {HTMLElement | null} [pressed]
 */
async function send(form, tap, pressed) {
  const mine = ++turn;
  words?.abort();
  for (const told of document.querySelectorAll(".refused")) told.remove();
  const fields = { ...fieldsOf(form, pressed), at: [location.pathname] };
  form.setAttribute("aria-busy", "true");
  try {
    const text = await (await ask(`/page/${tap}`, fields)).text();
    if (tap === "roll") rolled();
    else if (tap !== "look") forget(form);
    if (mine === turn) show(text);
    // A line with a question comes back in the document. Any other is done.
    const line = /** @type {HTMLInputElement | null} */ (document.getElementById("say"));
    if (tap === "say" && line) line.value = line.defaultValue;
    if (mine === turn && document.querySelector(".card.waiting")) await write(location.pathname.slice(1));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "not_allowed") location.assign("/enter");
    if (error.code === "stale_scene" || error.code === "page_closed") await refresh();
    refuse(form, error.message);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/**
 * Show an error in its form. If the form is gone or in the bar, show it at the top.
 * @param {HTMLFormElement} form
 * @param {string} message
 */
function refuse(form, message) {
  const told = document.createElement("p");
  told.className = "bad refused";
  told.setAttribute("role", "alert");
  told.textContent = message;
  const main = document.getElementById("main");
  if (main?.contains(form)) form.append(told);
  else main?.prepend(told);
  told.scrollIntoView({ block: "nearest" });
}

/**
 * Go to an address of the page.
 * @param {string} path
 */
async function go(path) {
  const mine = ++turn;
  words?.abort();
  try {
    const answer = await ask(path);
    if (answer.redirected && new URL(answer.url).pathname === "/enter") return location.assign("/enter");
    const text = await answer.text();
    if (mine === turn) show(text);
    if (mine === turn && location.pathname === "/") await choose();
  } catch (error) {
    if (error instanceof Refused) say(error.message);
    else throw error;
  }
}

/** Load the current address again. */
const refresh = () => go(location.pathname);

/** Restore the kept choices of the roll. */
async function choose() {
  const kept = rollKept();
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("roll"));
  if (!kept || !form) return;
  const mine = ++turn;
  try {
    const text = await (await ask("/page/look", { ...kept, at: ["/"] })).text();
    if (mine === turn) show(text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message);
  }
}

/**
 * Show a model's words for a roll as they come. Waiting cards keep their places.
 * @param {string} page
 */
async function write(page) {
  words = new AbortController();
  let isDone = false;
  try {
    const wants = { headers: { Accept: "text/event-stream" }, signal: words.signal };
    for await (const [name, told] of events(await ask("/page/words", { page: [page] }, wants))) {
      if (name === "error") throw new Refused(told.error.message, told.error.code);
      isDone ||= name === "done";
      if (name === "card") {
        for (const place of document.querySelectorAll(`[data-slot="${CSS.escape(told.slot)}"]`)) {
          const card = new DOMParser().parseFromString(told.html, "text/html").body.firstElementChild;
          const waiting = place.querySelector(".waiting");
          if (card && waiting) waiting.replaceWith(card);
        }
      }
    }
    if (!isDone) throw new Refused("The model did not finish. These words are from the deck.", "away");
    for (const each of document.querySelectorAll(".card.waiting")) each.remove();
    say("The words have arrived.");
  } catch (error) {
    if (error instanceof Refused) {
      await refresh();
      say(error.message);
    } else if (!(error instanceof DOMException)) throw error;
  }
}

/**
 * Ask a model to write cards for the scene, and show their number.
 * @param {HTMLFormElement} form
 */
async function stage(form) {
  const place = form.querySelector("p");
  const button = form.querySelector("button");
  if (!place || !button) return;
  button.disabled = true;
  let number = 0;
  try {
    const wants = { headers: { Accept: "text/event-stream" } };
    const path = `/v1/campaigns/${encodeURIComponent(document.body.dataset.campaign ?? "")}/stage`;
    place.textContent = "Asking the model …";
    for await (const [name, told] of events(await ask(path, {}, wants))) {
      if (name === "card") place.textContent = `${++number} cards so far`;
      if (name === "error") throw new Refused(told.error.message, told.error.code);
    }
    place.textContent = `${number} cards written. They come first from now on.`;
    say(place.textContent);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.textContent = error.message;
  } finally {
    button.disabled = false;
  }
}

/**
 * Judge the user's own words.
 * @param {HTMLElement} own
 */
async function judge(own) {
  const form = own.closest("form");
  const place = own.querySelector(".fits");
  const take = own.querySelector("button");
  const slot = own.dataset.check ?? "";
  if (!form || !place || !take) return;
  const fields = fieldsOf(form);
  if (![...own.querySelectorAll("input")].some((each) => "draft" in each.dataset && each.value.trim())) {
    place.textContent = "";
    take.disabled = true;
    return;
  }
  let told;
  try {
    told = await (await ask("/page/check", { ...fields, slot: [slot], at: [location.pathname] })).json();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    told = { fits: false, text: error.message };
  }
  place.textContent = told.text;
  say(told.text);
  place.className = `fits ${told.fits ? "ok" : "bad"}`;
  take.disabled = !told.fits;
}

/**
 * Offer lines that complete the typed text.
 * @param {HTMLInputElement} field
 */
async function complete(field) {
  const list = document.getElementById("words");
  if (!list) return;
  try {
    const { lines } = await (await ask("/page/complete", { text: [field.value] })).json();
    list.replaceChildren(...lines.map((/** @type {string} */ line) => new Option(line, line)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    list.replaceChildren(); // typing goes on without completions
  }
}

/**
 * Show what somebody else wrote, once the running request is done.
 * @param {number} seq of the entry
 */
function hear(seq) {
  if (seq <= Number(document.body.dataset.seq)) return;
  if (document.querySelector("[aria-busy]")) setTimeout(hear, PAUSE, seq);
  else if (document.getElementById("roll") && rollKept()) choose();
  else refresh();
}

/** Listen for entries of others while the page is visible. */
function listen() {
  const { campaign, seq } = document.body.dataset;
  if (document.hidden || !campaign) {
    entries?.close();
    entries = null;
  } else if (!entries || entries.readyState === EventSource.CLOSED) {
    entries = new EventSource(`/v1/campaigns/${encodeURIComponent(campaign)}/entries?after=${seq}`);
    entries.addEventListener("entry", (event) => {
      hear(Number(event.lastEventId));
    });
  }
}

/** Apply the stored theme and curtain. */
function dress() {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  const isDrawn = localStorage.getItem("curtain") === "drawn";
  document.documentElement.toggleAttribute("data-curtain", isDrawn);
  document.getElementById("curtain")?.setAttribute("aria-pressed", String(isDrawn));
}

/** Enter with the code from the address, or with a typed one. */
async function enter() {
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("enter"));
  const code = location.hash.slice(1);
  if (code) history.replaceState(null, "", location.pathname);
  if (!form) return;
  const come = async (/** @type {string} */ told) => {
    try {
      await ask("/v1/session", { code: told.trim() });
      location.replace("/");
    } catch (error) {
      const place = form.querySelector("[role=alert]");
      if (place && error instanceof Refused) place.textContent = error.message;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    come(String(new FormData(form).get("code")));
  });
  if (code) await come(code);
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id === "enter") return;
  event.preventDefault();
  if ("stage" in form.dataset) stage(form);
  else if (form.dataset.post && !form.hasAttribute("aria-busy")) send(form, form.dataset.post, event.submitter);
});

document.addEventListener("change", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.name === "who" && field.form?.id === "roll") anotherActs();
  keep(field);
  const form = field.form;
  if (form?.dataset.live && (field.type === "radio" || field.type === "checkbox") && !field.name.startsWith("own.") &&
    !field.name.startsWith("pick.")) send(form, form.dataset.live);
  const own = /** @type {HTMLElement | null} */ (field.closest("[data-check]"));
  if (own) judge(own);
});

document.addEventListener("input", (event) => {
  keep(event.target);
  const field = /** @type {HTMLInputElement} */ (event.target);
  const own = /** @type {HTMLElement | null} */ (field.closest("[data-check]"));
  clearTimeout(pause);
  if (own) pause = setTimeout(() => judge(own), PAUSE);
  if ("complete" in field.dataset) pause = setTimeout(() => complete(field), PAUSE / 3);
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = target.closest("a");
  if (link?.getAttribute("href")?.startsWith("/") && !event.ctrlKey && !event.metaKey && event.button === 0) {
    event.preventDefault();
    go(link.pathname);
  }
  if (target.closest("[data-close]")) target.closest("details.aspect")?.removeAttribute("open");
  if (target.closest("#theme")) {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    localStorage.setItem("theme", isDark ? "light" : "dark");
    dress();
  }
  if (target.closest("#curtain")) {
    localStorage.setItem("curtain", document.documentElement.hasAttribute("data-curtain") ? "open" : "drawn");
    dress();
  }
});

document.addEventListener("keydown", (event) => {
  const field = event.target instanceof HTMLInputElement && event.target.type === "text" ? event.target : null;
  if (event.key === "Enter" && field?.form?.matches("#roll, .branch, .hit")) {
    // Otherwise Enter would press the first button of the form.
    event.preventDefault();
    const own = /** @type {HTMLElement | null} */ (field.closest("[data-check]"));
    if (own) judge(own).then(() => own.querySelector("button")?.click());
  }
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    document.getElementById("say")?.focus();
  }
  if (/^[1-9]$/.test(event.key)) {
    const cards = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".card h3 button, .card h3 input"));
    cards[Number(event.key) - 1]?.click();
  }
});

addEventListener("popstate", refresh);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && document.body.dataset.campaign) refresh();
  listen();
});

dress();
forgetStruck(document.body);
restore();
listen();
enter();
if (location.pathname === "/") choose();
