/** What people see and do at a table of Cubed. */

import { drawCubed } from "../../boards.js";
import { element, refill, styles } from "../../dom.js";
import { list, texts } from "../../i18n.js";
import { CUBED } from "../../texts/cubed.js";
import { Hand } from "./hand.js";
import { gamePart, newestHint } from "./part.js";
import { diceOf, row, turnList, turnsOf } from "./turns.js";

const say = texts(CUBED);

/** @typedef {import("./part.js").TableSession} TableSession */

/**
 * Show a table of Cubed.
 * @param {HTMLElement} view
 * @param {TableSession} table
 * @returns {Promise<() => void>} what ends it
 */
export async function show(view, table) {
  const [file] = await Promise.all([table.board(), styles("pieces"), styles("boards")]);
  const label = (/** @type {string} */ name) => table.label(name);
  const chosen = () => {
    board.element.classList.toggle("ready", hand.isReady);
    game.classList.toggle("rolling", hand.slots !== null);
  };
  const hand = new Hand(table, chosen);
  const board = drawCubed(file, { label, onsquare: (at) => void hand.square(at) });
  const turn = element("p", { class: "turn" });
  const others = element("section", { class: "panel others" });
  const turns = element("section", { class: "panel" });
  const head = element("div", { class: "row" }, turn, board.zoom);
  const game = gamePart(table, [head, board.element], [hand.element, others, turns]);
  refill(view, game);
  const update = () => {
    const played = turnsOf(table.entries, file.logo);
    turn.textContent = whose(table, hand);
    board.show(laying(table, played));
    hand.update();
    refill(others, hands(table, hand.player));
    refill(turns, element("h2", {}, say("turns")), turnList(played, label));
  };
  update();
  return table.onchange((news) => { if (news === "state") update(); });
}

/** @param {TableSession} table @param {Hand} hand */
function whose(table, hand) {
  if (table.state.outcome) return say("over");
  if (hand.missing.length > 0) return say("rolls", { players: list(hand.missing) });
  const player = table.state.turn;
  if (player === null) return say("first");
  return player === table.player ? say("yourTurn") : say("turnOf", { player });
}

/**
 * @param {TableSession} table
 * @param {import("./turns.js").Turn[]} turns
 * @returns {import("../../boards.js").Laying}
 */
function laying(table, turns) {
  const placed = [...turns].reverse().find((turn) => turn.dice.some((die) => die.at));
  const hint = newestHint(table.entries);
  const isPlaced = (/** @type {{at?: number[]}} */ die) => die.at !== undefined;
  return {
    laid: table.state.layout.map((piece) => ({ ...piece, as: piece.stands_for })),
    last: /** @type {{at: number[], points?: number}[]} */ ((placed?.dice ?? []).filter(isPlaced)),
    ghosts: /** @type {{name: string, at: number[]}[]} */ ((hint ? diceOf(hint) : []).filter(isPlaced)),
  };
}

/** @param {TableSession} table @param {string | null} player whose hand is shown elsewhere */
function hands(table, player) {
  const { state } = table;
  const others = state.players.filter(({ name }) => name !== player);
  return [
    element("h2", {}, say(player === null ? "all" : "others")),
    ...others.map(({ name }) => element("div", { class: "row" }, element("strong", {}, name),
      row((state.hands?.[name] ?? []).map((die) => ({ name: die })), (die) => table.label(die)))),
    element("p", { class: "small soft" }, say("pouch", { count: state.pile })),
  ];
}
