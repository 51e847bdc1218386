/** Dialogs of those who play: how much help, and what has happened. */

import { element, newId } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { history } from "./verdict.js";

const say = texts(PLAY);
const LEVELS = /** @type {const} */ (["yes-no", "count", "one", "two", "three"]);

/**
 * Open a dialog, which is taken away when it is closed.
 * @param {string} title
 * @param {import("../../dom.js").Child[]} children
 * @param {{close: string, className?: string, onclose?: () => void}} how
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, children, { close, className = "", onclose }) {
  const id = newId("title");
  /** @type {HTMLDialogElement} */
  const dialog = element(
    "dialog", { class: className, "aria-labelledby": id }, element("h2", { id }, title), children,
    element("div", { class: "row end" }, element("button", { type: "button", class: "plain", onclick: () => dialog.close() }, close)),
  );
  const opener = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (/** @type {Event} */ event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Return the levels of help that a table allows. @param {string} most @returns {(typeof LEVELS)[number][]} */
export function levelsUpTo(most) {
  return LEVELS.slice(0, LEVELS.indexOf(/** @type {"one"} */ (most)) + 1);
}

/**
 * Ask how much help is wanted.
 * @param {string} most that the table allows
 * @param {(level: string) => void} onlevel
 */
export function askHint(most, onlevel) {
  const choose = (/** @type {string} */ level) => {
    dialog.close();
    onlevel(level);
  };
  const buttons = levelsUpTo(most).map((level) => element(
    "button", { type: "button", class: "plain wide", onclick: () => choose(level) }, say(level)));
  const body = [element("p", { class: "soft" }, say("hintNote")), element("div", { class: "stack" }, buttons)];
  const dialog = openDialog(say("hintTitle"), body, { close: say("cancel") });
}

/** Show what has happened. @param {import("./living.js").TableSession} table */
export function openHistory(table) {
  const list = history(table);
  const empty = table.entries.length === 0 && element("p", { class: "soft" }, say("nothingYet"));
  openDialog(say("historyTitle"), [empty, element("div", { class: "scrolls", tabindex: 0 }, list)], { close: say("close"), onclose: list.stop });
}
