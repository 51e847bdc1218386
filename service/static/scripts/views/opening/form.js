/** Opens a table: a game, who plays, and what is played otherwise than usual. */

import { element, fill, newId, refill } from "../../dom.js";
import { language, LANGUAGES, texts } from "../../i18n.js";
import { keep, keepTable, recall } from "../../memory.js";
import { lookOf } from "../../features.js";
import { gameLine, gameTitle } from "../../games.js";
import { drawPiece } from "../../pieces.js";
import { navigate } from "../../router.js";
import { ask, Refusal } from "../../service.js";
import { TABLES } from "../../texts/tables.js";
import { boardField } from "./board.js";
import { nameFields } from "./names.js";
import { limitField, optionFields } from "./options.js";

/** @typedef {import("../../games.js").Game} Game */

const say = texts(TABLES);
/** A piece or two that a game is known by. */
const PICTURES = /** @type {Record<string, string[]>} */ ({
  classic: ["2 red striped diamond"],
  ravensburger: ["1 green striped rectangle"],
  setup: ["3 purple open squiggle"],
  "junior-1": ["1 red oval"],
  "junior-2": ["2 green squiggle"],
  cubed: ["3 purple diamond"],
});

/**
 * Make the form that opens a table.
 * @param {Game[]} games
 * @returns {HTMLElement}
 */
export function openingForm(games) {
  const names = nameFields();
  const limit = limitField();
  const title = element("input", { maxlength: 80, autocomplete: "off" });
  const spoken = element("select", {}, Object.entries(LANGUAGES).map(([tag, name]) => element(
    "option", { value: tag, lang: tag, selected: tag === language() }, name)));
  const button = element("button", { type: "submit", class: "large" }, say("openNow"));
  const fault = element("p", { class: "fault", role: "alert" });
  const boardPlace = element("div", {});
  const optionPlace = element("div", { class: "same" });
  /** @type {Game} */
  let game = games[0];
  /** @type {ReturnType<typeof boardField> | null} */
  let board = null;
  let options = optionFields(game, () => undefined);

  const seats = () => {
    const chosen = options.chosen() ?? {};
    const special = game.options.flatMap((option) => option.seats.filter((one) => one.value === chosen[option.name]));
    names.seats(special[0]?.players ?? game.players);
  };
  const choose = (/** @type {Game} */ wanted) => {
    game = wanted;
    board = game.board ? boardField(game) : null;
    options = optionFields(game, seats);
    refill(boardPlace, board?.element);
    refill(optionPlace, options.element);
    fault.textContent = "";
    seats();
  };
  const open = async () => {
    const [players, chosen, file] = [names.names(), options.chosen(), board ? board.board() : null];
    if (!players || !chosen || (board && !file)) return;
    const called = title.value.trim();
    const table = await ask("POST", "/tables", {
      json: {
        game: game.key, players, options: chosen, language: spoken.value, call_limit: limit.value(),
        ...(file ? { board: file } : {}), ...(called ? { name: called } : {}),
      },
    });
    keep("game", game.key);
    keep("players", players);
    const usual = `${gameTitle(game.key, game.title)}: ${players.join(", ")}`;
    keepTable({ id: table.id, title: called || usual, game: game.key, language: spoken.value, keys: table.keys });
    if (form.isConnected) navigate(`/table/${table.id}`);
  };
  const refused = (/** @type {unknown} */ error) => {
    if (!(error instanceof Refusal)) throw error;
    const [field, text] = parted(error.message);
    if (field === "players") names.refuse(text);
    else if (field === "board" && board) board.refuse(text);
    else fault.textContent = text;
  };
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (button.disabled) return;
    fault.textContent = "";
    button.disabled = true;
    button.textContent = say("opening");
    open().catch(refused).finally(() => {
      button.disabled = false;
      button.textContent = say("openNow");
    });
  };

  const first = games.find(({ key }) => key === recall("game", "")) ?? games[0];
  const form = element("form", { class: "panel stack opening", novalidate: true, "aria-labelledby": "open-title", onsubmit },
    element("h2", { id: "open-title" }, say("open")));
  fill(form, gameChoice(games, first, choose), names.element, boardPlace, element("details", { class: "more" },
    element("summary", {}, say("moreOptions")),
    element("div", { class: "options" }, optionPlace, limit.element,
      element("div", { class: "option" }, element("label", { class: "field" }, say("spoken"), spoken), element("p", { class: "help" }, say("spokenHelp"))),
      element("div", { class: "option" }, element("label", { class: "field" }, say("name"), title), element("p", { class: "help" }, say("nameHelp"))))),
  fault, button);
  choose(first);
  return form;
}

/**
 * Part a refusal of the service into the field and what is wrong there: "players: …", "`board.cubed.rows`: …".
 * @param {string} text
 * @returns {[string, string]}
 */
function parted(text) {
  const match = /^`?(players|board)[^:`]*?([a-z_]*)(?:\[\d+\])*`?: (.*)$/s.exec(text);
  if (!match) return ["", text];
  const [, field, part, fault] = match;
  return [field, part ? `${part}: ${fault}` : fault];
}

/** @param {Game[]} games @param {Game} first @param {(game: Game) => void} choose @returns {HTMLElement} */
function gameChoice(games, first, choose) {
  const name = newId("game");
  const line = element("p", { class: "chosen-line help" }, gameLine(first.key));
  const cards = games.map((game) => {
    const id = newId("line");
    const onchange = () => {
      line.textContent = gameLine(game.key);
      choose(game);
    };
    return element("label", { class: "game" },
      element("input", { type: "radio", name, value: game.key, checked: game === first, onchange, "aria-describedby": id }),
      element("span", { class: "frame" }),
      element("span", { class: `picture ${game.pieces}`, "aria-hidden": "true" }, picture(game)),
      element("span", { class: "words" },
        element("span", { class: "title" }, gameTitle(game.key, game.title)), element("span", { class: "line help", id }, gameLine(game.key))));
  });
  return element("fieldset", {}, element("legend", {}, say("game")), element("div", { class: "games" }, cards), line);
}

/** @param {Game} game @returns {Node[]} */
function picture({ key }) {
  return (PICTURES[key] ?? []).map((piece) => drawPiece(piece, lookOf(key)));
}
