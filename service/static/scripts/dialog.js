/** Dialogs: what stands before everything else until it is closed. */

import { element, newId, refill } from "./dom.js";

/**
 * Open a dialog. Escape closes it, and the focus goes back to where it was.
 * @param {string} title
 * @param {{onclose?: () => void, wide?: boolean}} [how]
 * @returns {{dialog: HTMLDialogElement, body: HTMLElement, close: () => void}} `body` is for what it holds
 */
export function openDialog(title, { onclose, wide = false } = {}) {
  const id = newId("dialog");
  const body = element("div", { class: "stack" });
  const dialog = element("dialog", { "aria-labelledby": id, class: wide ? "wide" : null }, element("h2", { id }, title), body);
  const gone = () => {
    dialog.remove();
    onclose?.();
  };
  // old browsers have no modal dialogs
  const isModal = typeof dialog.showModal === "function";
  dialog.addEventListener("close", gone);
  document.body.append(dialog);
  if (isModal) dialog.showModal();
  else dialog.setAttribute("open", "");
  return { dialog, body, close: () => (isModal ? dialog.close() : gone()) };
}

/**
 * Ask before something is done.
 * @param {string} question
 * @param {{yes: string, no: string, danger?: boolean, more?: Node | null}} how what the buttons say; `more` stands under the question
 * @returns {Promise<boolean>}
 */
export function askFirst(question, { yes, no, danger = false, more = null }) {
  return new Promise((done) => {
    let agreed = false;
    const { body, close } = openDialog(question, { onclose: () => done(agreed) });
    const agree = () => { agreed = true; close(); };
    refill(body, more, element("div", { class: "row" },
      element("button", { type: "button", class: danger ? "danger" : null, onclick: agree }, yes),
      element("button", { type: "button", class: "plain", onclick: close }, no)));
  });
}
