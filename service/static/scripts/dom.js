/** Makes elements, and tells people things. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>} Properties */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element of HTML. Functions listen (`onclick`), true and false set and leave out, all else is an attribute.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

/**
 * Make an element of SVG.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

/**
 * @template {Element} Made
 * @param {Made} made
 * @param {Properties} properties
 * @param {(Child | Child[])[]} children
 * @returns {Made}
 */
function filled(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  fill(made, ...children);
  return made;
}

/**
 * Make a button that is not the first thing to do.
 * @param {Child} text
 * @param {(event: any) => unknown} onclick
 * @param {Properties} [more]
 * @returns {HTMLButtonElement}
 */
export function plainButton(text, onclick, more = {}) {
  return element("button", { type: "button", class: "plain", onclick, ...more }, text);
}

/**
 * Put children at the end of an element; null, undefined and false are left out.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      parent.append(child instanceof Node ? child : String(child));
    }
  }
}

/**
 * Put children in the place of what an element holds.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function refill(parent, ...children) {
  parent.replaceChildren();
  fill(parent, ...children);
}

/**
 * Return the element of the shell with an id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** Say something to those who hear the page; nothing is shown. @param {string} text */
export function announce(text) {
  const region = byId("polite");
  region.textContent = "";
  // a text that is the same as before is read again only if it is another change
  setTimeout(() => { region.textContent = text; }, 60);
}

const NOTICE = 8000;

/**
 * Show a notice over the page, which is read out too. It goes after a while, or when it is clicked.
 * @param {string} text
 * @param {{kind?: "bad" | "good" | "doubt", action?: {text: string, run: () => unknown}}} [how]
 */
export function notice(text, { kind = "bad", action } = {}) {
  const gone = () => shown.remove();
  const shown = element("div", { class: `notice ${kind}` }, element("span", {}, text));
  if (action) {
    fill(shown, element("button", { type: "button", class: "plain", onclick: () => { gone(); action.run(); } }, action.text));
  }
  fill(shown, element("button", { type: "button", class: "close", "aria-label": "×", onclick: gone }, "×"));
  byId("notices").replaceChildren(shown);
  if (!action) setTimeout(gone, NOTICE);
}

let counted = 0;

/** Return an id that no element of the page has yet. @param {string} [stem] */
export function newId(stem = "id") {
  counted += 1;
  return `${stem}-${counted}`;
}

/** How long a browser may take to save a file, in milliseconds. */
const SAVING = 10000;

/** Let people save a file. @param {Blob} content @param {string} name */
export function saveAs(content, name) {
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING);
}

/**
 * Have a stylesheet of styles/ in the page; a view waits for it, so that nothing is shown without.
 * @param {string} name
 * @returns {Promise<void>}
 */
export function styles(name) {
  const href = `/static/styles/${name}.css`;
  if (document.head.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => resolve();
    document.head.append(element("link", { rel: "stylesheet", href, onload: done, onerror: done }));
  });
}
