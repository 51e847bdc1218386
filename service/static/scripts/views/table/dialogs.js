/** Dialogs of those who play: how much help, and what has happened. */

import { closing, openDialog } from "../../dialog.js";
import { element } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { history } from "./verdict.js";

const say = texts(PLAY);
const LEVELS = /** @type {const} */ (["yes-no", "count", "one", "two", "three"]);

/** Return the levels of help that a table allows. @param {string} most @returns {(typeof LEVELS)[number][]} */
export function levelsUpTo(most) {
  return LEVELS.slice(0, LEVELS.indexOf(/** @type {"one"} */ (most)) + 1);
}

/**
 * Ask how much help is wanted.
 * @param {string} most that the table allows
 * @param {(level: string) => void} onlevel
 */
export async function askHint(most, onlevel) {
  const levels = levelsUpTo(most).map((level) => /** @type {const} */ ({ value: level, text: say(`hints_${level}`), kind: "plain" }));
  const answers = [...levels, /** @type {const} */ ({ value: "", text: say("cancel"), kind: "plain" })];
  const level = await openDialog(say("hintTitle"), [element("p", { class: "soft" }, say("hintNote"))], { answers, className: "levels" }).answered;
  if (level) onlevel(level);
}

/** Show what has happened. @param {import("./living.js").TableSession} table */
export async function openHistory(table) {
  const list = history(table);
  const empty = table.entries.length === 0 && element("p", { class: "soft" }, say("nothingYet"));
  await openDialog(say("historyTitle"), [empty, element("div", { class: "scrolls", tabindex: 0 }, list)], { answers: closing(say("close")) }).answered;
  list.stop();
}
