/** Which view an address shows, and going from one to another without loading the page again. */

/**
 * @typedef {object} Route
 * @property {string} path
 * @property {string[]} parts what the address names: the id of a table, a code
 * @property {URLSearchParams} query
 * @property {boolean} again the same address is shown anew, in another language
 */

/** @type {{pattern: RegExp, place: "photo" | "live" | "table", load: () => Promise<{show: Show}>}[]} */
const PLACES = [
  { pattern: /^\/(?:photo)?$/, place: "photo", load: () => import("./views/photo.js") },
  { pattern: /^\/live$/, place: "live", load: () => import("./views/live.js") },
  { pattern: /^\/table$/, place: "table", load: () => import("./views/tables.js") },
  { pattern: /^\/j(?:\/([^/]*))?$/, place: "table", load: () => import("./views/join.js") },
  { pattern: /^\/table\/([^/]+)$/, place: "table", load: () => import("./views/table.js") },
];

/**
 * What is to be done when a view is left; `again`: only to be shown anew.
 * @typedef {(again: boolean) => void} Leave
 */

/**
 * A view: it fills the element, and returns what leaves it.
 * @typedef {(view: HTMLElement, route: Route) => Promise<Leave | void> | Leave | void} Show
 */

/** @typedef {{place: "photo" | "live" | "table", load: () => Promise<{show: Show}>, route: Route}} Found */

/** Return the view of the address that is shown; an unknown one is the first view's. @param {boolean} again @returns {Found} */
export function current(again) {
  const path = location.pathname;
  for (const { pattern, place, load } of PLACES) {
    const match = pattern.exec(path);
    if (match) {
      const parts = match.slice(1).filter(Boolean).map(decoded);
      return { place, load, route: { path, parts, query: new URLSearchParams(location.search), again } };
    }
  }
  history.replaceState(null, "", "/");
  return current(again);
}

/** @param {string} part of an address @returns {string} what it says; as it is where it is not well written */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Go to an address of the page. @param {string} address @param {{replace?: boolean}} [how] */
export function navigate(address, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  document.dispatchEvent(new CustomEvent("navigate"));
}

/** Return whether a click on a link stays within the page. @param {MouseEvent} event @param {HTMLAnchorElement} link */
export function staysHere(event, link) {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const isOurs = link.origin === location.origin && PLACES.some(({ pattern }) => pattern.test(link.pathname));
  return isPlain && isOurs && !link.target && !link.hasAttribute("download");
}
