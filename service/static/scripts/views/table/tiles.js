/** Face 2 of SET Junior: whose turn it is, where players search in turn, and what they have won. */

import { element, plainButton, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { JUNIOR } from "../../texts/junior.js";
import { tokens, whose } from "./junior-common.js";
import { redraw, tell } from "./part.js";

const say = texts(JUNIOR);

/** @typedef {import("./part.js").TableSession} TableSession */

/** What face 2 has beside the tiles and the call, which all games of calls have. */
export class Tiles {
  /** @param {TableSession} table */
  constructor(table) {
    this.table = table;
    this.turn = element("div", { class: "row" });
    this.score = element("section", { class: "panel" });
    this.element = element("div", { class: "game" }, this.turn, this.score);
  }

  update() {
    const { state } = this.table;
    redraw(this.turn, [element("p", { class: "turn" }, whose(this.table)), this.mayPass && this.passing()]);
    this.turn.hidden = state.turn === null;
    refill(this.score, element("h2", {}, say("won")), tokens(state, "sets"));
  }

  /** Whether whoever searches may give it up here. */
  get mayPass() {
    const { turn, legal } = this.table.state;
    return legal.moves.includes("passed") && (this.table.role === "host" || turn === this.table.player);
  }

  passing() {
    const pass = () => tell(this.table, { type: "passed", player: this.table.state.turn });
    return plainButton(say("pass"), pass, { "data-key": "pass" });
  }
}
