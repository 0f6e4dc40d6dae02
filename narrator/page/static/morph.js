// Updates the shown document to a new one. Equal parts stay untouched, and so do focus, scrolling and open details.

/** Attributes that only the user changes. */
const THEIRS = new Set(["open", "value", "checked"]);

/**
 * Make one element equal to another.
 * @param {Element} old
 * @param {Element} now
 */
export function morph(old, now) {
  for (const { name } of [...old.attributes]) {
    if (!now.hasAttribute(name) && !THEIRS.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) !== value && name !== "open") old.setAttribute(name, value);
  }
  if (old instanceof HTMLInputElement && now instanceof HTMLInputElement) {
    if (old.type === "radio" || old.type === "checkbox") old.checked = now.hasAttribute("checked");
    return;
  }
  const shown = [...old.childNodes];
  const wanted = [...now.childNodes];
  wanted.forEach((node, place) => {
    const there = shown[place];
    if (!there) old.append(node);
    else if (!isSame(there, node)) there.replaceWith(node);
    else if (there instanceof Element && node instanceof Element) morph(there, node);
    else if (there.nodeValue !== node.nodeValue) there.nodeValue = node.nodeValue;
  });
  shown.slice(wanted.length).forEach((node) => node.remove());
}

/**
 * Whether one may become the other: the tags are equal, and so are ids and names.
 * @param {Node} old
 * @param {Node} now
 */
function isSame(old, now) {
  if (old.nodeName !== now.nodeName) return false;
  if (!(old instanceof Element) || !(now instanceof Element)) return true;
  return old.id === now.id && old.getAttribute("name") === now.getAttribute("name") &&
    (!(old instanceof HTMLInputElement) || old.type !== "radio" || old.value === now.getAttribute("value"));
}
