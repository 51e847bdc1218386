/** Face 2 of SET Junior: ten tiles, and who sees a SET calls. */

import { element, notice, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { drawPiece } from "../../pieces.js";
import { JUNIOR } from "../../texts/junior.js";
import { palette } from "./faces.js";
import { tokens, watched, whose } from "./junior-common.js";
import { newestHint, redraw, seatChoice, tell } from "./part.js";

const say = texts(JUNIOR);

/** @typedef {import("../../dom.js").Child} Child */
/** @typedef {import("./part.js").TableSession} TableSession */

/** The tiles, the call, and what the players have won. */
export class Tiles {
  /** @param {TableSession} table */
  constructor(table) {
    this.table = table;
    /** @type {string | null} Who plays here; null for those who only look on. */
    this.player = table.role === "host" ? table.state.players[0].name : table.player;
    /** @type {Set<string>} Tiles that are chosen: three of a call, or those that are dealt. */
    this.chosen = new Set();
    /** What `chosen` belongs to. */
    this.about = "";
    this.byHand = false;
    this.whose = element("p", { class: "turn" });
    this.tiles = element("div", { class: "tiles" });
    this.panel = element("section", { class: "panel" });
    this.score = element("section", { class: "panel" });
    this.element = element("div", { class: "game two" },
      element("div", {}, this.whose, this.tiles), element("div", { class: "side" }, this.panel, this.score));
  }

  get state() {
    return this.table.state;
  }

  /** Whether the three tiles of the call are chosen here. */
  get isPicking() {
    const { caller } = this.state;
    return caller !== null && (this.table.role === "host" || caller === this.table.player);
  }

  /** What a host deals, if anything is due. */
  get due() {
    return this.table.role === "host" ? this.state.legal.due.find(({ task }) => task === "deal") : undefined;
  }

  update() {
    const about = JSON.stringify([this.state.caller, this.due, this.state.layout]);
    if (about !== this.about) this.chosen = new Set();
    this.about = about;
    this.draw();
  }

  draw() {
    const { caller } = this.state;
    this.whose.textContent = caller === null ? whose(this.table) || say("look") : say("called", { player: caller });
    const names = this.state.layout.map(({ name }) => name);
    redraw(this.tiles, names.length > 0 ? names.map((name) => this.tile(name)) : [element("p", {}, say("waits"))]);
    redraw(this.panel, this.parts());
    this.panel.hidden = this.player === null || this.state.outcome !== null;
    refill(this.score, element("h2", {}, say("won")), tokens(this.state, "sets"));
  }

  /** @param {string} name */
  tile(name) {
    const label = this.table.label(name);
    if (!this.isPicking) return element("div", { class: "face" }, drawPiece(name, { kind: "tile", label }));
    return element("button", {
      type: "button", class: "face", "aria-label": label, "aria-pressed": String(this.chosen.has(name)), "data-key": name,
      onclick: () => this.choose(name, 3),
    }, drawPiece(name, { kind: "tile" }));
  }

  /** @param {string} name @param {number} most */
  choose(name, most) {
    if (!this.chosen.delete(name) && this.chosen.size < most) this.chosen.add(name);
    this.draw();
  }

  /** @returns {Child[]} */
  parts() {
    if (this.isPicking) return this.picking();
    const choice = seatChoice(this.table, this.player, say("seat"), (player) => { this.player = player; });
    return [choice, this.actions(this.calling(), this.event("no_set", "noSet"), this.event("passed", "pass"), this.hint()),
      this.told(), ...this.dealing()];
  }

  /** @returns {Child[]} */
  picking() {
    const player = this.state.caller;
    const pick = () => tell(this.table, { type: "picked", player, cards: [...this.chosen] });
    const giveUp = () => tell(this.table, { type: "gave_up", player });
    return [element("p", {}, say("pick")), this.actions(
      this.button("picked", pick, { disabled: this.chosen.size !== 3 }), this.button("gaveUp", giveUp, { plain: true }))];
  }

  /** @returns {Child[]} what a host tells where no camera sees it */
  dealing() {
    if (this.table.role === "host" && this.state.legal.due.some(({ task }) => task === "shuffle")) {
      return [this.actions(this.button("shuffle", () => tell(this.table, { type: "shuffled" })))];
    }
    const { due } = this;
    if (!due) return [];
    if (this.state.camera.connected && !this.byHand) return [watched(() => { this.byHand = true; this.draw(); })];
    const lying = new Set(this.state.layout.map(({ name }) => name));
    const pick = (/** @type {string} */ name) => this.choose(name, due.count);
    const deal = () => tell(this.table, { type: "dealt", cards: [...this.chosen] });
    return [
      element("p", {}, say("deal", { count: due.count })),
      palette((name) => this.table.label(name), pick, { kind: "tile", without: lying, chosen: this.chosen }),
      this.actions(this.button("dealt", deal, { disabled: this.chosen.size !== due.count })),
    ];
  }

  /** @param {...Child} buttons */
  actions(...buttons) {
    return element("div", { class: "row actions" }, buttons);
  }

  /**
   * @param {keyof typeof JUNIOR["en"]} key
   * @param {() => unknown} onclick
   * @param {{plain?: boolean, disabled?: boolean}} [how]
   */
  button(key, onclick, { plain = false, disabled = false } = {}) {
    return element("button", { type: "button", class: plain ? "plain" : null, disabled, "data-key": key, onclick }, say(key));
  }

  calling() {
    const call = () => this.table.call(this.table.role === "host" ? String(this.player) : undefined)
      .catch((error) => notice(error.message));
    return this.state.legal.moves.includes("called") && this.button("call", call);
  }

  /** @param {string} type @param {"noSet" | "pass"} key */
  event(type, key) {
    const run = () => tell(this.table, { type, player: this.player });
    return this.state.legal.moves.includes(type) && this.button(key, run, { plain: true });
  }

  hint() {
    const ask = () => tell(this.table, { type: "asked", player: this.player, level: this.state.hints });
    return this.state.hints !== "never" && this.button("hint", ask, { plain: true });
  }

  told() {
    const told = newestHint(this.table.entries);
    return told && element("p", { class: "told" }, told.text);
  }
}
