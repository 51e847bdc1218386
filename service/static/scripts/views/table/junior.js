/** What people see and do at a table of SET Junior: face 1 of the board here, face 2 in tiles.js. */

import { drawJunior } from "../../boards.js";
import { element, refill, styles } from "../../dom.js";
import { texts } from "../../i18n.js";
import { JUNIOR } from "../../texts/junior.js";
import { palette } from "./faces.js";
import { tokens, watched, whose } from "./junior-common.js";
import { gamePart, newestHint, pointsFor, redraw, standing, tell } from "./part.js";
import { Tiles } from "./tiles.js";
import { diceOf } from "./turns.js";

const say = texts(JUNIOR);

/** @typedef {import("./part.js").TableSession} TableSession */

/**
 * Show a table of SET Junior.
 * @param {HTMLElement} view
 * @param {TableSession} table
 * @returns {Promise<() => void>} what ends it
 */
export async function show(view, table) {
  await Promise.all([styles("pieces"), styles("boards")]);
  const part = table.state.game === "junior-1" ? new Spaces(table, await table.board()) : new Tiles(table);
  refill(view, part.element);
  part.update();
  return table.onchange((news) => { if (news === "state") part.update(); });
}

/** Face 1: tiles on the spaces that show them. */
class Spaces {
  /** @param {TableSession} table @param {{squares: string[][][]}} file */
  constructor(table, file) {
    this.table = table;
    this.board = drawJunior(file, { label: (name) => table.label(name), onsquare: (at) => void this.lay(at) });
    this.whose = element("p", { class: "turn" });
    this.panel = element("section", { class: "panel" });
    this.score = element("section", { class: "panel" });
    const head = element("div", { class: "row" }, this.whose);
    this.element = gamePart(table, [head, this.board.element], table.role === "spectator" ? [] : [this.panel, this.score]);
    /** @type {string | null} The tile that is chosen. */
    this.chosen = null;
    this.byHand = false;
  }

  get state() {
    return this.table.state;
  }

  /** Whether people tell here which tile they lay. */
  get isInTurn() {
    const mayTell = this.table.role === "host" || (this.table.role === "player" && this.state.turn === this.table.player);
    return mayTell && this.state.outcome === null;
  }

  update() {
    const laid = new Set(this.state.layout.map(({ name }) => name));
    if (!this.isInTurn || (this.chosen && laid.has(this.chosen))) this.chosen = null;
    this.whose.textContent = whose(this.table);
    this.board.show({ laid: this.state.layout, last: this.last(), ghosts: this.ghosts() });
    this.board.element.classList.toggle("ready", this.chosen !== null);
    redraw(this.panel, [element("h2", {}, say("tiles")), ...this.choice(laid)]);
    this.panel.hidden = !this.isInTurn;
    refill(this.score, element("h2", {}, say("score")), tokens(this.state, "tokens"));
  }

  /** @returns {import("../../boards.js").Laying["last"]} */
  last() {
    const laid = standing(this.table.entries).filter((entry) => entry.type === "laid").pop();
    const at = laid && diceOf(laid)[0]?.at;
    return at && laid.player ? [{ at, points: pointsFor(laid, laid.player) }] : [];
  }

  ghosts() {
    const hint = newestHint(this.table.entries);
    return (hint ? diceOf(hint) : []).flatMap(({ name, at }) => (at ? [{ name, at }] : []));
  }

  /** @param {Set<string>} laid @returns {import("../../dom.js").Child[]} */
  choice(laid) {
    if (this.state.camera.connected && !this.byHand) return [watched(() => { this.byHand = true; this.update(); })];
    const label = (/** @type {string} */ name) => this.table.label(name);
    const pick = (/** @type {string} */ name) => { this.chosen = this.chosen === name ? null : name; this.update(); };
    const chosen = new Set(this.chosen ? [this.chosen] : []);
    return [
      element("p", {}, this.chosen ? say("space", { piece: label(this.chosen) }) : say("lay")),
      palette(label, pick, { kind: "tile", without: laid, chosen }),
    ];
  }

  /** @param {number[]} at */
  async lay(at) {
    const tile = this.chosen;
    if (tile === null) return;
    await tell(this.table, { type: "laid", player: this.state.turn, tile, at });
  }
}
