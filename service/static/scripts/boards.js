/**
 * Boards as grids of squares that people look at, tap, and walk over with the arrow keys.
 *
 * Rows, columns and squares are counted from 0, as the referee's sentences count them.
 */

import { element, refill } from "./dom.js";
import { number, texts } from "./i18n.js";
import { drawPiece } from "./pieces.js";
import { BOARDS } from "./texts/boards.js";

const say = texts(BOARDS);
/** What a board has at most; the service refuses more, and people look at files before it has seen them. */
const MOST = { lines: 99, squares: 3 };
/** Most columns whose squares are large enough for fingers where the whole board is seen on a wide screen. */
const SMALL = 16;

/** @typedef {number[]} Place [row, column], on face 1 of the Junior board [square, row, column] */

/**
 * What is on a board. Only the game of the board says which of them it has.
 * @typedef {object} Laying
 * @property {{name: string, at: Place | null, as?: string | null}[]} [laid] pieces; `as` is what a Wild stands for
 * @property {{at: Place, points?: number}[]} [last] what was laid in the last turn, and what it scored
 * @property {{name: string, at: Place, as?: string | null}[]} [ghosts] pieces that a hint would lay
 */

/**
 * @typedef {object} BoardOptions
 * @property {(name: string) => string} label what people call a piece
 * @property {(at: Place) => void} [onsquare] a square was tapped, or chosen with the keyboard
 */

/**
 * @typedef {object} Board
 * @property {HTMLElement} element
 * @property {(laying: Laying) => void} show draws what has changed
 */

/**
 * @typedef {object} Content what one square shows
 * @property {string} name for screen readers
 * @property {string[]} marks classes
 * @property {import("./dom.js").Child[]} parts
 */

/** @typedef {{element: HTMLElement, put: (row: number, column: number, content: Content) => void}} Grid */

/** @type {Record<string, (row: number, column: number, rows: number, columns: number) => [number, number]>} */
const STEPS = {
  ArrowUp: (row, column) => [row - 1, column],
  ArrowDown: (row, column) => [row + 1, column],
  ArrowLeft: (row, column) => [row, column - 1],
  ArrowRight: (row, column) => [row, column + 1],
  Home: (row) => [row, 0],
  End: (row, _, __, columns) => [row, columns - 1],
  PageUp: (_, column) => [0, column],
  PageDown: (_, column, rows) => [rows - 1, column],
};

/**
 * Return a grid of squares, of which one can be reached with the Tab key and the others with the arrow keys.
 * @param {string} label
 * @param {[number, number]} size rows and columns
 * @param {[number, number]} first the square that Tab reaches to begin with
 * @param {((row: number, column: number) => void) | undefined} onsquare
 * @param {boolean} [numbered] with the numbers of rows and columns
 * @returns {Grid}
 */
function grid(label, [rows, columns], first, onsquare, numbered = false) {
  const squares = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (__, column) => element(
    "div", { role: "gridcell", class: "square", tabindex: -1, "data-row": row, "data-column": column },
  )));
  // each square says its own row and column
  const head = (/** @type {string} */ text) => element("div", { class: "head", "aria-hidden": "true" }, text);
  const heads = element("div", { class: "heads", "aria-hidden": "true" },
    head(""), squares[0].map((_, column) => head(number(column))));
  const lines = squares.map((line, row) => element("div", { role: "row", class: "line" }, numbered && head(number(row)), line));
  const made = element("div", { role: "grid", class: "grid", "aria-label": label }, numbered && heads, lines);
  made.style.setProperty("--columns", String(columns));
  reach(made, squares, first, onsquare);
  return { element: made, put: (row, column, content) => draw(squares[row][column], content) };
}

/**
 * @param {HTMLElement} made
 * @param {HTMLElement[][]} squares
 * @param {[number, number]} first
 * @param {((row: number, column: number) => void) | undefined} onsquare
 */
function reach(made, squares, first, onsquare) {
  let reached = squares[first[0]][first[1]];
  const move = (/** @type {HTMLElement | undefined} */ square) => {
    if (!square) return;
    reached.tabIndex = -1;
    reached = square;
    square.tabIndex = 0;
  };
  const of = (/** @type {Event} */ event) => {
    const square = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".square"));
    return square && { square, row: Number(square.dataset.row), column: Number(square.dataset.column) };
  };
  move(reached);
  made.addEventListener("focusin", (event) => move(of(event)?.square));
  made.addEventListener("click", (event) => {
    const found = of(event);
    if (found) onsquare?.(found.row, found.column);
  });
  made.addEventListener("keydown", (event) => {
    const found = of(event);
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") onsquare?.(found.row, found.column);
    else if (event.key in STEPS) {
      const [row, column] = STEPS[event.key](found.row, found.column, squares.length, squares[0].length);
      squares[row]?.[column]?.focus();
    } else return;
    event.preventDefault();
  });
}

/** @param {HTMLElement} square @param {Content} content */
function draw(square, { name, marks, parts }) {
  const looks = [name, ...marks].join("|");
  if (square.dataset.looks === looks) return;
  square.dataset.looks = looks;
  square.className = ["square", ...marks].join(" ");
  square.setAttribute("aria-label", name);
  refill(square, parts);
}

/**
 * @template {{at: Place | null}} Item
 * @param {Item[] | undefined} items
 * @returns {Map<string, Item>} by place
 */
function byPlace(items = []) {
  return new Map(items.map((item) => [String(item.at), item]));
}

/** @param {string[]} names */
const listed = (...names) => names.filter(Boolean).join(", ");

/**
 * @param {{name: string, as?: string | null}} piece
 * @param {(name: string) => string} label
 */
function called({ name, as }, label) {
  return name === "wild" && as ? say("wild", { piece: label(as) }) : label(name);
}

/** @param {{points?: number}} turn */
function gain({ points = 0 }) {
  return points > 0 && element("span", { class: "gain", "aria-hidden": "true" }, `+${points}`);
}

/** @param {{points?: number}} turn */
function fresh({ points }) {
  return listed(say("last"), points === undefined ? "" : say("points", { count: points }));
}

/**
 * Draw a board of Cubed.
 * @param {{rows: number, columns: number, logo: Place[], bonus?: {at: Place, points: number}[]}} file the board file
 * @param {BoardOptions} options
 * @returns {Board & {zoom: HTMLElement}} `zoom` is a button that makes the squares large enough for fingers
 * @throws {RangeError | TypeError} this is no board
 */
export function drawCubed(file, { label, onsquare }) {
  const size = /** @type {[number, number]} */ ([file.rows, file.columns]);
  if (!size.every((lines) => Number.isInteger(lines) && lines > 0 && lines <= MOST.lines)) throw new RangeError(`no size of a board: ${size}`);
  const middle = /** @type {[number, number]} */ (file.logo[1]);
  const squares = grid(say("board"), size, middle, onsquare && ((row, column) => onsquare([row, column])), true);
  const bonuses = byPlace(file.bonus);
  const logo = new Set(file.logo.map(String));
  const show = (/** @type {Laying} */ laying) => {
    const [laid, last, ghosts] = [byPlace(laying.laid), byPlace(laying.last), byPlace(laying.ghosts)];
    for (let row = 0; row < file.rows; row += 1) {
      for (let column = 0; column < file.columns; column += 1) {
        const key = String([row, column]);
        const found = { die: laid.get(key), turn: last.get(key), ghost: ghosts.get(key) };
        const print = { bonus: bonuses.get(key)?.points ?? 0, logo: logo.has(key) };
        squares.put(row, column, cubedSquare({ ...found, ...print, row, column }, label));
      }
    }
  };
  show({});
  return { ...framed(squares.element, file.columns), show };
}

/**
 * @typedef {object} CubedSquare
 * @property {number} row
 * @property {number} column
 * @property {{name: string, as?: string | null} | undefined} die
 * @property {{points?: number} | undefined} turn
 * @property {{name: string, as?: string | null} | undefined} ghost
 * @property {number} bonus
 * @property {boolean} logo
 */

/**
 * @param {CubedSquare} square
 * @param {(name: string) => string} label
 * @returns {Content}
 */
function cubedSquare({ row, column, die, turn, ghost, bonus, logo }, label) {
  const shown = die ?? ghost;
  const name = listed(
    say("square", { row, column }),
    die ? called(die, label) : say("empty"),
    !die && ghost ? say("ghost", { piece: called(ghost, label) }) : "",
    logo && !die ? say("logo") : "",
    bonus ? say("bonus", { points: bonus }) : "",
    die && turn ? fresh(turn) : "",
  );
  const marks = [bonus && "bonus", logo && "logo", die && "laid", !die && ghost && "ghost", die && turn && "last"];
  const print = bonus && !shown ? element("span", { class: "print", "aria-hidden": "true" }, `+${bonus}`) : null;
  const drawn = shown && drawPiece(shown.name, { kind: "die", as: shown.as });
  return { name, marks: /** @type {string[]} */ (marks.filter(Boolean)), parts: [print, drawn, die && turn && gain(turn)] };
}

/**
 * @param {HTMLElement} squares
 * @param {number} columns
 * @returns {{element: HTMLElement, zoom: HTMLElement}} the board in a frame that scrolls, and what makes it larger
 */
function framed(squares, columns) {
  const frame = element("div", { class: "frame" }, squares);
  const turn = () => {
    const near = frame.classList.toggle("near");
    zoom.textContent = say(near ? "far" : "near");
    const reached = frame.querySelector(".last") ?? frame.querySelector(".square[tabindex='0']");
    if (near) reached?.scrollIntoView({ block: "nearest", inline: "center" });
  };
  const zoom = element("button", { type: "button", class: columns > SMALL ? "plain zoom" : "plain zoom small" }, say("near"));
  zoom.addEventListener("click", turn);
  const made = element("div", { class: "board cubed" }, frame);
  made.style.setProperty("--columns", String(columns));
  return { element: made, zoom };
}

/**
 * Draw face 1 of a Junior board.
 * @param {{squares: string[][][]}} file the board file
 * @param {BoardOptions} options
 * @returns {Board}
 * @throws {RangeError | TypeError} this is no board
 */
export function drawJunior(file, { label, onsquare }) {
  if (file.squares.length > MOST.squares) throw new RangeError(`too many squares: ${file.squares.length}`);
  const squares = file.squares.map((_, square) => grid(
    say("magic", { square }), [3, 3], [0, 0], onsquare && ((row, column) => onsquare([square, row, column])),
  ));
  const show = (/** @type {Laying} */ laying) => {
    const [laid, last, ghosts] = [byPlace(laying.laid), byPlace(laying.last), byPlace(laying.ghosts)];
    file.squares.forEach((lines, square) => lines.forEach((line, row) => line.forEach((print, column) => {
      const at = [square, row, column];
      const found = { tile: laid.get(String(at))?.name, turn: last.get(String(at)), ghost: ghosts.has(String(at)) };
      squares[square].put(row, column, juniorSpace({ at, print, ...found }, label));
    })));
  };
  show({});
  const numbered = squares.map((one, square) => element("div", { class: "magic" },
    element("span", { class: "head", "aria-hidden": "true" }, number(square)), one.element));
  return { element: element("div", { class: "board junior" }, numbered), show };
}

/**
 * @param {{at: Place, print: string, tile: string | undefined, turn: {points?: number} | undefined, ghost: boolean}} space
 * @param {(name: string) => string} label
 * @returns {Content}
 */
function juniorSpace({ at: [square, row, column], print, tile, turn, ghost }, label) {
  const name = listed(
    say("space", { square, row, column }),
    tile ? label(tile) : say("open", { piece: label(print) }),
    !tile && ghost ? say("ghost", { piece: label(print) }) : "",
    tile && turn ? fresh(turn) : "",
  );
  const marks = [tile ? "laid" : "printed", !tile && ghost && "ghost", tile && turn && "last"];
  const drawn = drawPiece(tile ?? print, { kind: "tile" });
  return { name, marks: /** @type {string[]} */ (marks.filter(Boolean)), parts: [drawn, tile && turn && gain(turn)] };
}
