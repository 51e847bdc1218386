/** Asks people before something is done that cannot be undone. */

import { element, newId } from "./dom.js";

/**
 * Ask first. Escape means no; the focus goes back to where it was.
 * @param {string} question
 * @param {{yes: string, no: string, danger?: boolean, more?: Node}} how what the buttons say; `more` stands under the question
 * @returns {Promise<boolean>}
 */
export function askFirst(question, { yes, no, danger = false, more }) {
  const id = newId("question");
  const dialog = element(
    "dialog", { class: "question", "aria-labelledby": id }, element("h2", { id }, question), more,
    element("form", { method: "dialog", class: "row" },
      element("button", { value: "yes", class: danger ? "danger" : null }, yes),
      element("button", { value: "", class: "plain" }, no)),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => {
    dialog.remove();
    done(dialog.returnValue === "yes");
  }));
}
