/** What the referee has said: one verdict, the last one, all of them. */

import { announce, element, refill } from "../../dom.js";
import { list, texts } from "../../i18n.js";
import { featuresFor, featuresOf } from "../../features.js";
import { VERDICT } from "../../texts/verdict.js";
import { living, pieceOf } from "./living.js";

const say = texts(VERDICT);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Part} Part */
/** @typedef {import("../../table/session.js").Entry} Entry */
/** @typedef {"good" | "bad" | "doubt" | "plain"} Tone */

const SIGNS = { good: "✓", bad: "✗", doubt: "!", plain: "•" };
const THREE = new Set(["picked", "claimed"]);
/** Types that are news, but no verdict to keep looking at. */
const PASSING = new Set(["called", "dealt", "shuffled", "no_set", "pile_out", "tied", "rolled"]);

/** Return how an entry is meant. @param {Entry} entry @returns {Tone} */
export function toneOf(entry) {
  if (entry.kind === "tie" || entry.kind === "oddity") return "doubt";
  if (entry.kind !== "event") return "plain";
  if (entry.ok === false) return entry.judged || THREE.has(entry.type ?? "") ? "bad" : "doubt";
  if (entry.type === "undone" || entry.type === "asked") return "plain";
  return Object.values(entry.points ?? {}).some((value) => value > 0) ? "good" : "plain";
}

/**
 * Return a verdict as a card.
 * @param {TableSession} table
 * @param {Entry} entry
 * @returns {HTMLElement}
 */
export function verdictCard(table, entry) {
  const tone = THREE.has(entry.type ?? "") && entry.ok ? "good" : toneOf(entry);
  return element(
    "article",
    { class: `verdict ${tone}` },
    element("div", { class: "verdict-head" },
      element("span", { class: "verdict-sign", "aria-hidden": "true" }, SIGNS[tone]),
      element("p", { class: "verdict-text" }, saidOf(entry)),
      pointsOf(entry)),
    piecesShown(table, entry),
    linesOf(entry.lines ?? [], entry.pieces ?? []),
    changesOf(entry),
    entry.clause && element("p", { class: "clause" }, say("clause", { clause: entry.clause })),
  );
}

/**
 * Return a sentence without what its lines say already.
 * @param {string} text
 * @param {string[]} [lines]
 * @returns {string}
 */
export function sentenceOf(text, lines = []) {
  if (lines.length === 0) return text;
  const mark = "\u0000";
  const marked = lines.reduce((rest, line) => rest.replace(line, mark), text);
  return marked.replace(/\s*\u0000[\s;.\u0000]*/g, " ").trim() || text; // eslint-disable-line no-control-regex
}

/** @param {Entry} entry */
function saidOf(entry) {
  if (entry.kind === "tie") return say("tie", { players: list(Object.keys(entry.times ?? {})) });
  return sentenceOf(entry.text, entry.lines);
}

/** @param {Entry} entry */
function pointsOf(entry) {
  const points = Object.entries(entry.points ?? {});
  return points.length > 0 && element("ul", { class: "gains" }, points.map(([player, value]) => {
    const written = `${value < 0 ? "−" : "+"}${Math.abs(value)}`;
    return element("li", { class: value < 0 ? "loss" : "gain" }, say("gain", { player, points: written }));
  }));
}

/** @param {TableSession} table @param {Entry} entry */
function piecesShown(table, entry) {
  const pieces = entry.type === "dealt" ? [] : entry.pieces ?? [];
  return pieces.length > 0 && pieceRow(table, pieces);
}

/** Return pieces in a row. @param {TableSession} table @param {string[]} names */
export function pieceRow(table, names) {
  return element("ul", { class: "piece-row" }, names.map((name) => element("li", {}, pieceOf(table, name, { named: true }))));
}

/**
 * Return the verdict feature by feature, each with a sign where it is clear which feature it is.
 * @param {string[]} lines
 * @param {string[]} pieces
 */
export function linesOf(lines, pieces) {
  if (lines.length === 0) return null;
  const fits = agreements(pieces);
  return element("ul", { class: "lines" }, lines.map((line, place) => {
    const fit = fits.length === lines.length ? fits[place] : null;
    if (fit === null) return element("li", {}, line);
    return element("li", { class: fit ? "fits" : "fails" },
      element("span", { class: "line-sign", "aria-hidden": "true" }, fit ? "✓" : "✗"), element("span", {}, line),
      element("span", { class: "unseen" }, ` (${say(fit ? "fits" : "fails")})`));
  }));
}

/** @param {string[]} names of three pieces @returns {boolean[]} whether each feature is the same on all, or different on all */
function agreements(names) {
  const pieces = names.map(featuresOf);
  if (pieces.length !== 3 || pieces.some((piece) => piece === null)) return [];
  return featuresFor(names[0].split(" ").length === 4 ? "card" : "die").map((feature) => new Set(pieces.map((piece) => piece?.[feature])).size !== 2);
}

/** @param {Entry} entry */
function changesOf(entry) {
  if (entry.kind !== "correction") return null;
  const word = (/** @type {boolean} */ ok) => say(ok ? "right" : "wrong");
  const changes = (entry.changes ?? []).map(({ event, before, after }) => element("li", {},
    say("change", { number: event + 1, before: word(before.ok), after: word(after.ok) })));
  return changes.length > 0 ? element("ul", { class: "changes" }, changes) : element("p", { class: "soft" }, say("noChange"));
}

/** Whether an entry is something to keep looking at. @param {Entry} entry */
export function isVerdict(entry) {
  if (entry.kind === "correction") return true;
  return entry.kind === "event" && !PASSING.has(entry.type ?? "");
}

/**
 * Return the last verdict; a new one, and all other news, is read out. What is only news stands above it as a line.
 * @param {TableSession} table
 * @returns {Part}
 */
export function lastVerdict(table) {
  const shown = element("section", { class: "last-verdict" });
  const draw = (/** @type {Entry | undefined} */ entry) => {
    const verdict = newest(table.entries, isVerdict);
    const news = newest(table.entries, (one) => !(one.type === "called" && one.ok) && one.kind !== "tie");
    const line = news && news !== verdict ? element("p", { class: `news ${toneOf(news)}` }, saidOf(news)) : null;
    refill(shown, line, verdict && verdictCard(table, verdict));
    shown.hidden = !line && !verdict;
    if (entry) announce([saidOf(entry), ...entry.lines ?? []].join(" "));
  };
  return living(table, shown, draw, ["entry"]);
}

/** @param {Entry[]} entries @param {(entry: Entry) => boolean} wanted */
function newest(entries, wanted) {
  for (let place = entries.length - 1; place >= 0; place -= 1) if (wanted(entries[place])) return entries[place];
  return undefined;
}

/**
 * Return everything that has happened, the newest first.
 * @param {TableSession} table
 * @returns {Part}
 */
export function history(table) {
  const shown = element("ol", { class: "history", reversed: true });
  const draw = (/** @type {Entry | undefined} */ entry) => {
    if (entry) shown.prepend(past(entry));
    else refill(shown, [...table.entries].reverse().map(past));
  };
  return living(table, shown, draw, ["entry"]);
}

/** @param {Entry} entry */
function past(entry) {
  const tone = toneOf(entry);
  const text = entry.kind === "tie" ? saidOf(entry) : entry.text;
  return element("li", { class: tone },
    element("span", { class: "verdict-sign", "aria-hidden": "true" }, SIGNS[tone]),
    element("span", { class: "when number soft" }, clockOf(entry.t)), element("span", {}, text));
}

/** Return seconds as minutes and seconds. @param {number} seconds */
export function clockOf(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
