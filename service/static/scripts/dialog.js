/** Dialogs: what stands over the page until people have answered. */

import { element, newId } from "./dom.js";

/** @typedef {{value: string, text: string, kind?: "plain" | "danger"}} Answer a button that closes the dialog */

/** @typedef {HTMLDialogElement & {answered: Promise<string>}} Dialog `answered` tells with which value it was closed: Escape means "" */

/**
 * Open a dialog. It takes itself away when it is closed; the focus goes back to where it was.
 * @param {string} title
 * @param {import("./dom.js").Child[]} children
 * @param {{answers: Answer[], className?: string}} how
 * @returns {Dialog}
 */
export function openDialog(title, children, { answers, className = "" }) {
  const id = newId("title");
  const dialog = element(
    "dialog", { class: className, "aria-labelledby": id }, element("h2", { id }, title), children,
    element("form", { method: "dialog", class: "row answers" }, answers.map(({ value, text, kind }) => element("button", { value, class: kind }, text))),
  );
  document.body.append(dialog);
  dialog.showModal();
  /** @type {Promise<string>} */
  const answered = new Promise((done) => dialog.addEventListener("close", () => {
    dialog.remove();
    done(dialog.returnValue);
  }));
  return Object.assign(dialog, { answered });
}

/** Close whatever is asked or shown over a view that is left: the answer is no. */
export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close("");
}

/**
 * Return the one answer of a dialog that only shows something.
 * @param {string} text
 * @returns {Answer[]}
 */
export function closing(text) {
  return [{ value: "", text, kind: "plain" }];
}

/**
 * Ask before something is done that cannot be undone.
 * @param {string} question
 * @param {{yes: string, no: string, danger?: boolean, more?: Node}} how what the buttons say; `more` stands under the question
 * @returns {Promise<boolean>}
 */
export async function askFirst(question, { yes, no, danger = false, more }) {
  /** @type {Answer[]} */
  const answers = [{ value: "yes", text: yes, kind: danger ? "danger" : undefined }, { value: "", text: no, kind: "plain" }];
  return await openDialog(question, [more], { answers, className: "question" }).answered === "yes";
}
