/** The turns of Cubed, and what each scored. */

import { element } from "../../dom.js";
import { texts } from "../../i18n.js";
import { drawPiece } from "../../pieces.js";
import { CUBED } from "../../texts/cubed.js";
import { pointsFor, standing } from "./part.js";

const say = texts(CUBED);
const MOST_SHOWN = 40;
const PLAYED = ["announced", "laid", "swapped", "passed", "turn_ended"];
const LAST = ["announced", "passed", "turn_ended"];

/** @typedef {import("./part.js").Entry} Entry */
/** @typedef {{name: string, as?: string, at?: number[], points?: number}} Die */
/** @typedef {{player: string, dice: Die[], points: number, texts: string[], laid: number, ended: boolean}} Turn */

/**
 * Return the turns of a journal, oldest first.
 * @param {Entry[]} entries
 * @param {number[][]} [logo] where the first SET lies
 * @returns {Turn[]}
 */
export function turnsOf(entries, logo = []) {
  /** @type {Turn[]} */
  const turns = [];
  for (const entry of standing(entries)) {
    if (!entry.player || !PLAYED.includes(entry.type ?? "")) continue;
    let turn = turns[turns.length - 1];
    if (!turn || turn.ended || turn.player !== entry.player) {
      turn = { player: entry.player, dice: [], points: 0, texts: [], laid: 0, ended: false };
      turns.push(turn);
    }
    add(turn, entry.type === "announced" ? { ...entry, places: logo } : entry);
  }
  return turns;
}

/** @param {Turn} turn @param {Entry} entry */
function add(turn, entry) {
  const points = pointsFor(entry, turn.player);
  turn.points += points;
  turn.dice.push(...diceOf(entry).map((die) => (entry.type === "laid" ? { ...die, points } : die)));
  turn.laid += entry.type === "laid" ? 1 : 0;
  turn.ended = LAST.includes(entry.type ?? "");
  if (entry.type !== "turn_ended") turn.texts.push(entry.text);
}

/**
 * Return the dice that an entry is about.
 * @param {Entry} entry
 * @returns {Die[]}
 */
export function diceOf({ pieces = [], places = [], named = [] }) {
  const names = [...named];
  return pieces.map((name, index) => ({ name, at: places[index], as: name === "wild" ? names.shift() : undefined }));
}

/**
 * Return dice in a row.
 * @param {Die[]} dice
 * @param {(name: string) => string} label
 */
export function row(dice, label) {
  return element("span", { class: "dice" }, dice.map(({ name, as }) => drawPiece(name, {
    kind: "die", as, label: name === "wild" && as ? `${label(name)}, ${label(as)}` : label(name),
  })));
}

/**
 * Return the turns as a list, the newest first.
 * @param {Turn[]} turns
 * @param {(name: string) => string} label
 */
export function turnList(turns, label) {
  if (turns.length === 0) return element("p", { class: "soft" }, say("none"));
  const shown = turns.slice(-MOST_SHOWN).reverse();
  return element("ol", { class: "turns", reversed: true, start: turns.length }, shown.map((turn) => element("li", {},
    element("p", { class: "row" },
      element("strong", {}, turn.player), row(turn.dice, label),
      element("span", { class: "number scored" }, say("points", { count: turn.points }))),
    turn.texts.map((text) => element("p", { class: "small soft" }, text)))));
}
