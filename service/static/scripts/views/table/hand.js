/** The dice of one player of Cubed, and what people do with them where no camera sees it. */

import { element } from "../../dom.js";
import { list, texts } from "../../i18n.js";
import { drawPiece } from "../../pieces.js";
import { CUBED } from "../../texts/cubed.js";
import { askFace, palette, third } from "./faces.js";
import { newestHint, redraw, seatChoice, tell } from "./part.js";
import { turnsOf } from "./turns.js";

const say = texts(CUBED);

/** @typedef {import("../../dom.js").Child} Child */
/** @typedef {import("./part.js").TableSession} TableSession */
/** @typedef {{task: string, count: number, player: string | null, optional: boolean}} Due */

/** What the player at this device, or the one whom a host plays for, holds and does. */
export class Hand {
  /**
   * @param {TableSession} table
   * @param {() => void} onchoice dice were chosen or put back
   */
  constructor(table, onchoice) {
    this.table = table;
    this.onchoice = onchoice;
    this.element = element("section", { class: "panel hand" });
    /** @type {string | null} Who plays here; null for those who only look on. */
    this.player = table.player;
    /** @type {string | null} Whom the game waits for, as far as a host has heard. */
    this.awaited = null;
    /** @type {number[]} Places in the hand of the dice that are chosen. */
    this.chosen = [];
    /** @type {(string | null)[] | null} The dice of a roll as far as they are told. */
    this.slots = null;
    /** What `chosen` and `slots` belong to. */
    this.about = "";
    this.byHand = false;
    this.busy = false;
  }

  get state() {
    return this.table.state;
  }

  /** @returns {string[]} */
  get dice() {
    return (this.player && this.state.hands?.[this.player]) || [];
  }

  /** Who has to roll before play goes on. @returns {string[]} */
  get missing() {
    return this.state.legal.due.filter((due) => !due.optional).map((due) => String(due.player));
  }

  /** @returns {Due | undefined} the roll that this player has to make, or may make */
  get due() {
    return this.state.legal.due.find((due) => due.player === this.player);
  }

  /** Whether the first SET may be announced now. */
  get isOpening() {
    return this.state.turn === null && this.missing.length === 0 && !this.state.outcome;
  }

  /** Whether the player may lay dice now. */
  get isInTurn() {
    return this.state.turn === this.player && this.missing.length === 0 && !this.state.outcome;
  }

  /** Whether a square may be tapped now. */
  get isReady() {
    return this.isInTurn && this.chosen.length === 1;
  }

  /** Show what has changed. */
  update() {
    this.follow();
    const about = JSON.stringify([this.player, this.dice, this.due, this.isOpening, this.isInTurn]);
    if (about !== this.about) {
      this.about = about;
      this.chosen = [];
      this.slots = this.due && !this.due.optional ? filled(this.dice, this.due.count) : null;
    }
    this.draw();
  }

  /** A host plays for whoever has to do something. */
  follow() {
    if (this.table.role !== "host") return;
    const awaited = this.missing[0] ?? this.state.turn;
    if (this.player === null || (awaited !== null && awaited !== this.awaited)) {
      this.player = awaited ?? this.state.players[0].name;
    }
    this.awaited = awaited;
  }

  draw() {
    this.element.hidden = this.player === null || this.state.outcome !== null;
    if (this.element.hidden) return;
    const mine = this.table.role === "player";
    const heading = mine ? say("mine") : say("hand", { player: String(this.player) });
    const choice = seatChoice(this.table, this.player, say("seat"), (player) => { this.player = player; this.update(); });
    redraw(this.element, [element("h2", {}, heading), choice, ...this.parts(), ...this.hint()]);
    this.onchoice();
  }

  /** @returns {Child[]} */
  parts() {
    if (this.state.camera.connected && !this.byHand) return this.watched();
    if (this.slots && this.due) return this.rolling(this.slots, this.due);
    if (this.isOpening) return [this.row(3), this.said("choose"), this.actions(this.announcing(), this.again())];
    if (this.isInTurn) return [this.row(1), this.laying(), this.actions(this.ending(), this.again())];
    return [this.row(0), this.waiting(), this.actions(this.again())];
  }

  /** @returns {Child[]} what is seen where a camera looks on */
  watched() {
    const tellByHand = () => { this.byHand = true; this.draw(); };
    return [this.row(0), this.said("watched"), this.actions(this.button("byHand", tellByHand, { plain: true }))];
  }

  /**
   * @param {keyof typeof CUBED["en"] | import("../../i18n.js").Common} key
   * @param {Record<string, string | number>} [values]
   */
  said(key, values) {
    return element("p", { class: "what" }, say(key, values));
  }

  waiting() {
    if (this.missing.length > 0) return this.said("rolls", { players: list(this.missing) });
    return this.state.turn === null ? null : this.said("waits", { player: this.state.turn });
  }

  /** @param {...Child} buttons */
  actions(...buttons) {
    return element("div", { class: "row moves" }, buttons);
  }

  /**
   * @param {keyof typeof CUBED["en"] | import("../../i18n.js").Common} key
   * @param {() => unknown} onclick
   * @param {{plain?: boolean, disabled?: boolean}} [how]
   */
  button(key, onclick, { plain = false, disabled = false } = {}) {
    const kind = plain ? "plain" : null;
    return element("button", { type: "button", class: kind, disabled: disabled || this.busy, "data-key": key, onclick }, say(key));
  }

  /**
   * @param {number} most how many dice may be chosen; with none the dice are only seen
   * @returns {HTMLElement}
   */
  row(most) {
    const dice = this.dice.map((name, index) => (most === 0
      ? drawPiece(name, { kind: "die", label: this.table.label(name) })
      : element("button", {
        type: "button", class: "face", "aria-label": this.table.label(name), "aria-pressed": String(this.chosen.includes(index)),
        "data-key": `die-${index}`, onclick: () => this.choose(index, most),
      }, drawPiece(name, { kind: "die" }))));
    return element("div", { class: "dice" }, dice);
  }

  /** @param {number} index @param {number} most */
  choose(index, most) {
    const others = this.chosen.filter((one) => one !== index);
    this.chosen = others.length < this.chosen.length ? others : [...others, index].slice(-most);
    this.draw();
  }

  /** @param {{type: string, [field: string]: unknown}} event */
  async tell(event) {
    this.busy = true;
    this.draw();
    await tell(this.table, { player: this.player, ...event });
    this.busy = false;
    this.draw();
  }

  // Rolls.

  /** @param {(string | null)[]} slots @param {Due} due @returns {Child[]} */
  rolling(slots, due) {
    const pick = (/** @type {string} */ name) => {
      const free = slots.indexOf(null);
      if (free >= 0) slots[free] = name;
      this.draw();
    };
    const isTold = !slots.includes(null);
    const back = () => { this.slots = null; this.draw(); };
    return [
      this.asked(due),
      element("div", { class: "dice" }, slots.map((name, index) => this.slot(slots, name, index))),
      palette((name) => this.table.label(name), pick, { wild: true }),
      this.actions(
        this.button("rolled", () => this.tell({ type: "rolled", faces: [...slots] }), { disabled: !isTold }),
        due.optional && this.button("back", back, { plain: true })),
    ];
  }

  /** @param {Due} due */
  asked(due) {
    const fresh = due.count - this.dice.length;
    if (due.optional) return due.task === "reroll" ? this.said("reroll") : this.said("roll", { count: due.count });
    return this.dice.length > 0 ? this.said("refill", { count: fresh }) : this.said("roll", { count: due.count });
  }

  /** @param {(string | null)[]} slots @param {string | null} name @param {number} index */
  slot(slots, name, index) {
    if (name === null) return element("span", { class: "slot", role: "img", "aria-label": say("slot") });
    const take = () => { slots[index] = null; this.draw(); };
    const label = say("out", { piece: this.table.label(name) });
    const isKept = this.due && !this.due.optional && index < this.dice.length;
    if (isKept) return element("span", { class: "face" }, drawPiece(name, { kind: "die", label: this.table.label(name) }));
    return element("button", { type: "button", class: "face", "aria-label": label, "data-key": `slot-${index}`, onclick: take },
      drawPiece(name, { kind: "die" }));
  }

  again() {
    const { due } = this;
    if (!due?.optional) return null;
    const begin = () => {
      this.slots = filled(due.task === "reroll" ? this.dice : [], due.count);
      this.draw();
    };
    return this.button("rollAgain", begin, { plain: true });
  }

  // The first SET, and turns.

  announcing() {
    return this.button("announce", () => this.announce(), { disabled: this.chosen.length !== 3 });
  }

  async announce() {
    const faces = this.chosen.map((index) => this.dice[index]);
    const names = await this.namesOf(faces);
    if (names) await this.tell({ type: "announced", faces, ...(names.length > 0 ? { as: names } : {}) });
  }

  /**
   * Ask what the Wilds of a SET stand for; the last one needs no question.
   * @param {string[]} faces three of them
   * @returns {Promise<string[] | null>} null if people do not say it
   */
  async namesOf(faces) {
    const known = faces.filter((face) => face !== "wild");
    const names = [];
    for (let left = faces.length - known.length; left > 0; left -= 1) {
      const name = left > 1 ? await this.askName() : third(known[0], known[1]);
      if (name === null) return null;
      known.push(name);
      names.push(name);
    }
    return names;
  }

  askName() {
    return askFace(say("stands"), (name) => this.table.label(name), say("back"));
  }

  laying() {
    const [index] = this.chosen;
    if (index === undefined) return this.said("lay");
    return this.dice[index] === "wild" ? this.said("wild") : this.said("square", { piece: this.table.label(this.dice[index]) });
  }

  ending() {
    const turn = turnsOf(this.table.entries).pop();
    const hasLaid = turn !== undefined && turn.player === this.player && !turn.ended && turn.laid > 0;
    const [key, type] = hasLaid ? /** @type {const} */ (["end", "turn_ended"]) : /** @type {const} */ (["pass", "passed"]);
    return this.button(key, () => this.tell({ type }), { plain: true });
  }

  /** A square of the board was tapped: the die that is chosen goes there. @param {number[]} at */
  async square(at) {
    if (!this.isReady || this.busy) return;
    const face = this.dice[this.chosen[0]];
    const there = this.state.layout.find((piece) => String(piece.at) === String(at));
    if (there?.name === "wild") {
      await this.tell({ type: "swapped", face, at });
      return;
    }
    const name = face === "wild" && !there ? await this.askName() : undefined;
    if (name !== null) await this.tell({ type: "laid", face, at, ...(name ? { as: name } : {}) });
  }

  /** @returns {Child[]} */
  hint() {
    // a host has a choice of hints for all games
    if (this.state.hints === "never" || this.table.role === "host") return [];
    const told = newestHint(this.table.entries);
    const ask = () => this.tell({ type: "asked", level: this.state.hints });
    return [
      told && element("p", { class: "told" }, told.text),
      this.actions(this.button("askHint", ask, { plain: true, disabled: this.missing.length > 0 })),
    ];
  }
}

/** @param {string[]} dice @param {number} count @returns {(string | null)[]} */
function filled(dice, count) {
  return Array.from({ length: count }, (_, index) => dice[index] ?? null);
}
