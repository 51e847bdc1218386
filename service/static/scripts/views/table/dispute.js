/** A call that is looked at again: the pictures around it, and the verdict feature by feature. */

import { closing, openDialog } from "../../dialog.js";
import { element, notice, plainButton, refill } from "../../dom.js";
import { number, texts } from "../../i18n.js";
import { Refusal } from "../../service.js";
import { VERDICT } from "../../texts/verdict.js";
import { linesOf, pieceRow, sentenceOf, verdictCard } from "./verdict.js";

const say = texts(VERDICT);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {{number: number, time: number, settled: boolean, layout: string[], picture: boolean}} Still */
/**
 * @typedef {object} Dispute
 * @property {number} number
 * @property {number} at
 * @property {string | null} player
 * @property {string[]} pieces
 * @property {boolean | null} is_set
 * @property {string[]} lines
 * @property {string} text
 * @property {number} place
 * @property {Still[]} stills
 */

/**
 * Have the last call looked at again, and show it. Where that cannot be, the dialog says why.
 * @param {TableSession} table
 * @param {number} [at] the last call before then, in seconds of the table
 */
export async function openDispute(table, at) {
  // pressed twice, or answered after people have left
  const isLate = () => table.status === "ended" || document.querySelector("dialog") !== null;
  try {
    const dispute = await table.ask("POST", "/disputes", at === undefined ? {} : { at });
    if (!isLate()) showDispute(table, dispute);
  } catch (error) {
    if (isLate()) return;
    const code = error instanceof Refusal ? error.code : "";
    if (code === "no-replay" || code === "no-call") withoutPictures(table, code);
    else notice(/** @type {Error} */ (error).message);
  }
}

/** @param {TableSession} table @param {"no-replay" | "no-call"} why */
function withoutPictures(table, why) {
  const judged = [...table.entries].reverse().find(({ judged: is, ok, type }) => is || (ok && (type === "picked" || type === "claimed")));
  const said = why === "no-replay" && (judged ? verdictCard(table, judged) : element("p", {}, say("undecided")));
  openDialog(say("dispute"), [element("p", { class: "soft" }, say(why)), said], look());
}

/**
 * Show a dispute.
 * @param {TableSession} table
 * @param {Dispute} dispute
 */
export function showDispute(table, dispute) {
  const pictures = new Pictures(table, dispute);
  const body = [replay(table, dispute, pictures), decision(table, dispute)];
  void openDialog(say("dispute"), body, look()).answered.then(() => pictures.close());
}

function look() {
  return { answers: closing(say("close")), className: "dispute" };
}

/** The pictures of a dispute, each fetched once: those beside the one that is shown come first. */
class Pictures {
  /** @param {TableSession} table @param {Dispute} dispute */
  constructor(table, dispute) {
    this.table = table;
    this.dispute = dispute;
    this.isOpen = true;
    /** @type {Map<number, Promise<string | null>>} */
    this.addresses = new Map();
    void this.fetchAll();
  }

  async fetchAll() {
    const { place, stills } = this.dispute;
    const order = stills.map((_, index) => index).sort((one, other) => Math.abs(one - place) - Math.abs(other - place));
    for (const index of order) if (this.isOpen) await this.at(index);
  }

  /** @param {number} index @returns {Promise<string | null>} a blob's address; null if there is no picture */
  at(index) {
    let address = this.addresses.get(index);
    if (!address) {
      address = this.fetch(this.dispute.stills[index]);
      this.addresses.set(index, address);
    }
    return address;
  }

  /** @param {Still} still @returns {Promise<string | null>} */
  async fetch(still) {
    if (!still.picture) return null;
    try {
      return URL.createObjectURL(await this.table.fetch(`/disputes/${this.dispute.number}/stills/${still.number}`));
    } catch {
      return null;
    }
  }

  close() {
    this.isOpen = false;
    for (const address of this.addresses.values()) {
      void address.then((known) => { if (known) URL.revokeObjectURL(known); });
    }
  }
}

/** @param {TableSession} table @param {Dispute} dispute @param {Pictures} pictures */
function replay(table, dispute, pictures) {
  const { stills } = dispute;
  let place = dispute.place;
  const picture = element("img", { class: "still", alt: "" });
  const missing = element("p", { class: "soft still" }, say("loading"));
  const when = element("figcaption", { class: "number", "aria-live": "polite" });
  const slider = element("input", { type: "range", min: 0, max: stills.length - 1, value: place, "aria-label": say("step") });
  const go = async (/** @type {number} */ wanted) => {
    place = Math.min(stills.length - 1, Math.max(0, wanted));
    const words = place === dispute.place ? say("atCall") : whenOf(stills[place].time - dispute.at);
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", words);
    refill(when, element("strong", {}, words), element("span", { class: "soft" }, say("shows", { number: place + 1, count: stills.length })));
    back.disabled = place === 0;
    forward.disabled = place === stills.length - 1;
    toCall.setAttribute("aria-pressed", String(place === dispute.place));
    const shown = place;
    const address = await pictures.at(shown);
    if (shown !== place) return;
    picture.hidden = address === null;
    missing.hidden = address !== null;
    missing.textContent = say("noPicture");
    picture.alt = `${say("picture", { when: words })}: ${stills[place].layout.map((name) => table.label(name)).join(", ")}`;
    if (address !== null) picture.src = address;
  };
  slider.addEventListener("input", () => void go(Number(slider.value)));
  const back = stepButton("‹", say("earlier"), () => go(place - 1));
  const forward = stepButton("›", say("later"), () => go(place + 1));
  const toCall = plainButton(say("toCall"), () => void go(dispute.place));
  const arrows = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.target === slider) return;
    event.preventDefault();
    void go(place + step);
  };
  picture.hidden = true;
  void go(place);
  return element("figure", { class: "replay", onkeydown: arrows }, element("div", { class: "frame" }, picture, missing), when, slider,
    element("div", { class: "row steps" }, back, toCall, forward));
}

/** @param {string} sign @param {string} name @param {() => void} run */
function stepButton(sign, name, run) {
  return element("button", { type: "button", class: "plain sign", "aria-label": name, title: name, onclick: run }, sign);
}

/** @param {number} seconds @returns {string} */
function whenOf(seconds) {
  const shown = number(Math.abs(seconds), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return say(seconds < 0 ? "before" : "after", { seconds: shown });
}

/** @param {TableSession} table @param {Dispute} dispute */
function decision(table, { player, pieces, is_set: isSet, lines, text }) {
  const said = text && sentenceOf(text, lines);
  const tone = isSet === null ? "plain" : isSet ? "good" : "bad";
  return element(
    "section", { class: `verdict ${tone}` },
    element("div", { class: "verdict-head" },
      element("span", { class: "verdict-sign", "aria-hidden": "true" }, { good: "✓", bad: "✗", plain: "•" }[tone]),
      element("p", { class: "verdict-text" }, player !== null && `${say("calledBy", { player })}. `, said || say("undecided"))),
    pieces.length > 0 && pieceRow(table, pieces),
    linesOf(lines, pieces),
  );
}
