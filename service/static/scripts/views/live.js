/** The live view: the SETs that lie there, drawn over the picture of a camera. */

import { announce, element, fill, newId, notice, plainButton, refill, styles } from "../dom.js";
import { lookOf } from "../features.js";
import { gameTitle } from "../games.js";
import { language, texts } from "../i18n.js";
import { keep, recall } from "../memory.js";
import { once } from "../service.js";
import { refillSets, setButton } from "../sets.js";
import { LIVE } from "../texts/live.js";
import { Viewfinder, viewfinderStyles } from "../viewfinder.js";

/** @typedef {import("../games.js").Game} Game */
/** @typedef {import("../overlay.js").Piece} Piece */
/**
 * What is seen without a table; either the SETs come with it, or a hint.
 * @typedef {object} Seen
 * @property {string} game
 * @property {boolean} settled
 * @property {Piece[]} pieces
 * @property {number[][]} [sets]
 * @property {boolean[]} [set_sure]
 * @property {{text: string, pieces: number[]} | null} [hint]
 */
/** @typedef {(typeof LEVELS)[number]} Level how much is told of SETs */
/** @typedef {{level: Level, game: string, board: any, names: boolean}} Choices */

const say = texts(LIVE);
const LEVELS = /** @type {const} */ (["all", "three", "two", "one", "count", "yes-no", "never"]);

/** @type {import("../router.js").Show} */
export async function show(view, { again }) {
  await Promise.all([viewfinderStyles(), styles("live"), styles("sets"), styles("pieces")]);
  const live = new Live(again ? running : null);
  fill(view, ...live.elements());
  if (again) live.viewfinder.goOn();
  running = null;
  document.addEventListener("keydown", live.key);
  return (onlyAgain) => {
    document.removeEventListener("keydown", live.key);
    if (onlyAgain) running = live.viewfinder;
    else live.viewfinder.leave();
  };
}

/** @type {Viewfinder | null} The camera that goes on while the view is shown anew, in another language. */
let running = null;

class Live {
  /** @param {Viewfinder | null} before */
  constructor(before) {
    /** @type {Choices} */
    this.choices = { level: "all", game: "auto", board: null, names: false, ...recall("live", {}) };
    if (!LEVELS.includes(this.choices.level)) this.choices.level = "all";
    if (typeof this.choices.game !== "string") this.choices.game = "auto";
    /** The SET that alone is shown, by its pieces. @type {string | null} */
    this.lit = null;
    this.told = "";
    /** @type {import("../viewfinder.js").Wanted} */
    const wanted = {
      path: "/live",
      hello: () => this.hello(),
      draw: (seen) => this.drawn(seen),
      onseen: (seen) => this.list(seen),
      onchange: (isOn) => this.begun(isOn),
    };
    this.viewfinder = before ?? new Viewfinder(wanted);
    this.viewfinder.wanted = wanted;
    this.found = element("h2", {});
    this.sets = element("ol", { class: "sets" });
    this.key = this.key.bind(this);
    this.begun(this.viewfinder.isOn);
  }

  elements() {
    const side = element("section", { class: "panel found" }, this.levelChoice(), this.found, this.sets, this.more());
    return [
      element("div", { class: "heading" }, element("h1", {}, say("live")), element("p", { class: "soft" }, say("lead"))),
      element("div", { class: "two" }, element("div", {}, this.viewfinder.element, element("p", { class: "small soft" }, say("private"))), side),
    ];
  }

  hello() {
    const { level, game, board } = this.choices;
    return { game, language: language(), ...board && { board }, ...level !== "all" && { hints: level } };
  }

  /** @param {Seen} seen @returns {Partial<import("../overlay.js").Shown>} */
  drawn({ sets = [], set_sure: sure = [], hint }) {
    const lit = sets.findIndex((set) => keyOf(set) === this.lit);
    return { sets, sure, lit: lit < 0 ? null : lit, hint: hint?.pieces, named: this.choices.names };
  }

  /** Whatever was found is not seen any more. */
  forget() {
    this.lit = null;
    this.told = "";
    for (const place of [this.found, this.sets, this.viewfinder.caption]) place.replaceChildren();
  }

  /** @param {boolean} isOn */
  begun(isOn) {
    this.forget();
    if (!isOn) refill(this.sets, element("li", { class: "soft" }, say("unseen")));
  }

  /** @param {Seen} seen */
  list(seen) {
    const { game, sets, set_sure: sure = [], hint, pieces, settled } = seen;
    const names = new Map(pieces.map((piece) => [piece.id, piece]));
    const told = JSON.stringify([pieces.length > 0, sets?.map((set) => set.map((id) => names.get(id)?.name)), sure, hint, this.lit]);
    if (told === this.told) return;
    this.told = told;
    const text = hint ? hint.text : sets ? say(sets.length ? "sets" : "nothing", { count: sets.length }) : "";
    const shown = pieces.length ? text : "";
    if (settled && shown && shown !== this.found.textContent) announce(shown);
    refill(this.found, shown);
    refill(this.viewfinder.caption, shown);
    refillSets(this.sets, (sets ?? []).map((set, index) => {
      const trio = /** @type {Piece[]} */ (set.map((id) => names.get(id)).filter(Boolean));
      const key = keyOf(set);
      return setButton(trio, { index, sure: sure[index] !== false, isLit: key === this.lit, look: lookOf(game), onclick: () => this.light(key) });
    }));
  }

  /** @param {string | null} key of a SET; the same again shows all */
  light(key) {
    this.lit = key === this.lit ? null : key;
    this.viewfinder.redraw();
    if (this.viewfinder.seen) this.list(/** @type {any} */ (this.viewfinder.seen));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    const set = this.sets.querySelectorAll("button")[Number(event.key) - 1];
    if (set) set.click();
    else if (event.key === "Escape") this.light(null);
    else if (event.key === " " && !target.closest("button, summary, a")) this.viewfinder.pause();
    else return;
    event.preventDefault();
  }

  /** @param {Partial<Choices>} changed */
  choose(changed) {
    Object.assign(this.choices, changed);
    keep("live", this.choices);
  }

  /** Choose what the service has to know, which begins anew. @param {Partial<Choices>} changed */
  ask(changed) {
    this.choose(changed);
    this.forget();
    this.viewfinder.again();
  }

  levelChoice() {
    const options = LEVELS.map((level) => element(
      "option", { value: level, selected: level === this.choices.level }, say(level === "all" || level === "never" ? level : `hints_${level}`)));
    const change = (/** @type {Event} */ event) => {
      this.ask({ level: /** @type {Level} */ (/** @type {HTMLSelectElement} */ (event.target).value) });
    };
    return element("label", { class: "field" }, say("level"), element("select", { onchange: change }, options));
  }

  more() {
    const names = element("input", { type: "checkbox", checked: this.choices.names, onchange: () => {
      this.choose({ names: names.checked });
      this.viewfinder.redraw();
    } });
    const games = element("div", { class: "stack" });
    this.showGames(games).catch((error) => notice(error.message));
    return element("details", {}, element("summary", {}, say("gameAndNames")),
      element("div", { class: "stack" }, element("label", { class: "row" }, names, say("names")), games,
        element("p", { class: "small soft keys" }, say("keys"))));
  }

  /** @param {HTMLElement} place */
  async showGames(place) {
    const { games } = await once("/games");
    const options = [["auto", say("anyGame")], ...games.map((/** @type {Game} */ game) => [game.key, gameTitle(game.key, game.title)])];
    const board = element("div", { class: "stack" });
    const chosen = () => games.find((/** @type {Game} */ game) => game.key === this.choices.game);
    const showBoard = () => refill(board, this.boardChoice(chosen(), showBoard));
    const change = (/** @type {Event} */ event) => {
      this.ask({ game: /** @type {HTMLSelectElement} */ (event.target).value, board: null });
      showBoard();
    };
    fill(place, element("label", { class: "field" }, say("game"), element("select", { onchange: change },
      options.map(([key, title]) => element("option", { value: key, selected: key === this.choices.game }, title)))), board);
    showBoard();
  }

  /** @param {Game | undefined} game @param {() => void} changed */
  boardChoice(game, changed) {
    if (!game?.board) return null;
    const take = (/** @type {any} */ board) => {
      this.ask({ board });
      changed();
    };
    const read = async (/** @type {Event} */ event) => {
      const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
      const board = file && await readBoard(file, game.key);
      if (board) take(board);
      else if (file) notice(say("nofile"));
    };
    const { board } = this.choices;
    const id = newId("board");
    return element("div", { class: "stack" },
      element("p", { class: "help" }, board ? say("chosen", { name: board.name ?? board.game }) : say("boardhelp")),
      element("div", { class: "row" },
        element("input", { type: "file", id, class: "unseen", accept: ".json,application/json", onchange: read }),
        element("label", { class: "button plain", for: id }, say("chooseBoard")),
        game.example_board && plainButton(say("example"), () => take(game.example_board))));
  }
}

/** @param {File} file @param {string} game @returns {Promise<any>} the board file, null where it is none of the game's */
async function readBoard(file, game) {
  try {
    const board = JSON.parse(await file.text());
    return board?.game === game ? board : null;
  } catch {
    return null;
  }
}

/** @param {number[]} set */
function keyOf(set) {
  return [...set].sort((a, b) => a - b).join(" ");
}
