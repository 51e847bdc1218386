/**
 * Draws pieces and SETs over a picture or a video that is scaled to fit its frame.
 *
 * Each SET has its own colour, line style and number, so that nobody needs to see colours to tell them apart; a piece in
 * several SETs has one outline for each, nested. Colours are those of Okabe and Ito; each line is cased in black or white,
 * so that it shows on card and cloth. It is SVG, whose nodes stay from one picture of a video to the next.
 */

import { svg } from "./dom.js";

/** @typedef {[number, number]} Point */
/** @typedef {[string, Record<string, string | number>, string?]} Shape name, attributes and text of an SVG element */

/**
 * @typedef {object} Piece
 * @property {number} id
 * @property {string} name
 * @property {string} label
 * @property {Point[]} quad corners in pixels of the picture: clockwise, from the upright piece's top left
 * @property {string | null} [doubt]
 * @property {boolean} [hidden]
 */

/**
 * @typedef {object} Shown
 * @property {[number, number]} size of the picture, in pixels
 * @property {Piece[]} pieces
 * @property {number[][]} [sets] the pieces of each SET, by id
 * @property {boolean[]} [sure] whether no piece of the SET is in doubt
 * @property {number | null} [lit] the SET that alone is shown
 * @property {number[]} [hint] pieces that are marked as a hint
 * @property {boolean} [named] whether the names of pieces are written on them
 */

/** @typedef {{colour: string, casing: string, dash: number[], double: boolean}} Style */

const BLACK = "#101010";
const WHITE = "#ffffff";
const DOUBT = "#f0e442";
const COLOURS = [
  ["#0072b2", WHITE], ["#e69f00", BLACK], ["#009e73", WHITE], ["#cc79a7", BLACK], ["#d55e00", WHITE], ["#56b4e9", BLACK],
  ["#f0e442", BLACK],
];
/** Strokes and gaps of solid, dashed, dotted, double and dash-dotted lines, in widths of the line. */
const DASHES = [[], [4.5, 3], [0.01, 2.2], [], [5, 2.4, 0.01, 2.4]];
const DOUBLE = 3;
const DASHED = [3.5, 2.6];

/** Sizes in CSS pixels, or in parts of the short side of a piece. */
const PEN = { thin: 1.5, part: 0.038, thick: 4.5, casing: 1.1, band: 0.26, bold: 1.6 };
const CHIP = { least: 5.5, small: 7.5, part: 0.12, large: 12, tiny: 22, beyond: 1.15 };
const NAME = { small: 9, part: 0.15, large: 14, letter: 0.56 };
/** From so many SETs on, a piece shows only the first few of its own. */
const CROWDED = 12;
const FEW = 3;

/** Return the look of a SET by its place in the list. @param {number} index @returns {Style} */
export function styleOf(index) {
  const [colour, casing] = COLOURS[index % COLOURS.length];
  const dash = index % DASHES.length;
  return { colour, casing, dash: DASHES[dash], double: dash === DOUBLE };
}

const between = (/** @type {number} */ least, /** @type {number} */ value, /** @type {number} */ most) =>
  Math.min(most, Math.max(least, value));
const short = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** What is over a picture: put `element` into the same positioned box. */
export class Overlay {
  /** @param {{onpiece?: (id: number) => void, onset?: (index: number) => void}} [listening] without: only to be looked at */
  constructor({ onpiece, onset } = {}) {
    this.onpiece = onpiece;
    this.onset = onset;
    const heard = onpiece ? { role: "group" } : { "aria-hidden": "true" };
    this.element = svg("svg", { class: "overlay", preserveAspectRatio: "xMidYMid meet", ...heard });
    /** @type {Map<number, SVGGElement>} */
    this.groups = new Map();
    /** @type {Shown | null} */
    this.shown = null;
    this.width = 0;
    this.height = 0;
    this.element.addEventListener("click", (event) => this.press(event));
    this.element.addEventListener("keydown", (event) => this.press(event));
    this.resized = new ResizeObserver(([entry]) => this.fit(entry.contentRect));
    this.resized.observe(this.element);
  }

  /** @param {{width: number, height: number}} box in CSS pixels */
  fit({ width, height }) {
    this.width = width;
    this.height = height;
    if (this.shown) this.show(this.shown);
  }

  /** Show what lies there now. @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    const [width, height] = shown.size;
    change(this.element, { viewBox: `0 0 ${width} ${height}` });
    const unit = Math.max(width / (this.width || width), height / (this.height || height));
    const gone = new Set(this.groups.keys());
    for (const piece of shown.pieces) {
      gone.delete(piece.id);
      const group = this.group(piece);
      draw(group, shapes(piece, shown, unit));
      if (this.onpiece) change(group, { "aria-label": spoken(group, piece.label) });
    }
    for (const id of gone) {
      this.groups.get(id)?.remove();
      this.groups.delete(id);
    }
  }

  /** Show nothing. */
  clear() {
    if (this.shown) this.show({ size: this.shown.size, pieces: [] });
  }

  /** @param {Piece} piece @returns {SVGGElement} */
  group({ id, hidden }) {
    let group = this.groups.get(id);
    if (!group) {
      group = svg("g", { "data-piece": id, ...this.onpiece && { role: "button", tabindex: 0 } });
      this.groups.set(id, group);
      this.element.append(group);
    }
    change(group, { class: `lies${hidden ? " hidden" : ""}` });
    return group;
  }

  /** Return the piece at a place of the window, in CSS pixels. @param {number} x @param {number} y @returns {number | null} */
  pick(x, y) {
    const matrix = this.element.getScreenCTM();
    if (!matrix || !this.shown) return null;
    const at = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return this.shown.pieces.find(({ quad }) => holds(quad, [at.x, at.y]))?.id ?? null;
  }

  /** @param {MouseEvent | KeyboardEvent} event */
  press(event) {
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    const target = /** @type {Element} */ (event.target);
    const set = target.closest("[data-set]")?.getAttribute("data-set");
    const piece = target.closest("[data-piece]")?.getAttribute("data-piece");
    if (set && this.onset) this.onset(Number(set));
    else if (piece && this.onpiece) this.onpiece(Number(piece));
    else return;
    event.preventDefault();
  }

  /** Listen no more. */
  close() {
    this.resized.disconnect();
    this.element.remove();
  }
}

/** @param {Element} group @param {string} label @returns {string} the label, and the marks that are seen beside it */
function spoken(group, label) {
  const marks = [...group.querySelectorAll("text")].map((text) => (text.textContent ?? "").trim()).filter((text) => !label.includes(text));
  return [label, ...marks].join(" ");
}

/** @param {Element} node @param {Record<string, string | number>} attributes */
function change(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
  }
}

/** Make the children of a group what they should be, with as few changes as possible. @param {Element} group @param {Shape[]} wanted */
function draw(group, wanted) {
  wanted.forEach(([name, attributes, text], index) => {
    const old = group.children[index];
    const node = old?.tagName === name ? old : svg(/** @type {"path"} */ (name));
    change(node, attributes);
    // the space is not drawn; it parts the texts for those who hear them
    if (text !== undefined && node.textContent !== `${text} `) node.textContent = `${text} `;
    if (!old) group.append(node);
    else if (old !== node) old.replaceWith(node);
  });
  while (group.children.length > wanted.length) group.lastElementChild?.remove();
}

/** @param {Piece} piece @param {Shown} shown @param {number} unit pixels of the picture in one of the screen @returns {Shape[]} */
function shapes(piece, shown, unit) {
  const { sets = [], sure = [], lit = null, hint = [], named = false } = shown;
  const of = sets.map((_, index) => index).filter((index) => sets[index].includes(piece.id) && (lit === null || lit === index));
  const few = sets.length > CROWDED ? of.slice(0, FEW) : of;
  const side = shortSide(piece.quad) / unit;
  const isLit = lit !== null && of.length > 0;
  const wanted = /** @type {Shape[]} */ ([area(piece.quad, isLit ? styleOf(of[0]).colour : "none")]);
  if (hint.includes(piece.id)) wanted.push(...hinted(piece.quad, side, unit));
  else if (few.length === 0 || piece.doubt) wanted.push(...neutral(piece, unit));
  wanted.push(...rings(piece.quad, few, side, unit * (isLit ? PEN.bold : 1)));
  if (named) wanted.push(...writing(piece, side, unit));
  if (side < CHIP.tiny) return wanted;
  wanted.push(...chips(piece.quad, few, sure, side, unit));
  if (piece.doubt) wanted.push(...questionMark(piece.quad, side, unit));
  return wanted;
}

/** @param {Point[]} quad @param {string} fill @returns {Shape} what is touched, tinted where it is lit */
function area(quad, fill) {
  return ["path", { class: "area", d: path(quad), fill, "fill-opacity": 0.22, stroke: "none", "pointer-events": "all" }];
}

/** @param {Piece} piece @param {number} unit @returns {Shape[]} */
function neutral({ quad, doubt }, unit) {
  const style = { colour: doubt ? DOUBT : WHITE, casing: BLACK, dash: doubt ? DASHED : [], double: false };
  return outline(inset(quad, -PEN.thin * unit), style, PEN.thin * unit, unit);
}

/** @param {Point[]} quad @param {number} side @param {number} unit @returns {Shape[]} */
function hinted(quad, side, unit) {
  const width = between(PEN.thin * 2, side * PEN.part * 2, PEN.thick * 1.5) * unit;
  const style = { colour: DOUBT, casing: BLACK, dash: [], double: false };
  return [...outline(inset(quad, -width), style, width, unit), area(quad, DOUBT)];
}

/** @param {Point[]} quad @param {number[]} of SETs @param {number} side @param {number} unit @returns {Shape[]} */
function rings(quad, of, side, unit) {
  const room = side * PEN.band / Math.max(1, of.length);
  const width = between(PEN.thin, Math.min(side * PEN.part, room / 2), PEN.thick);
  return of.flatMap((index, place) => {
    const pitch = (width + PEN.casing * 1.6) * unit;
    return outline(inset(quad, pitch * (place - 0.5)), styleOf(index), width * unit, unit);
  });
}

/** @param {Point[]} quad @param {Style} style @param {number} width @param {number} unit @returns {Shape[]} a line and its casing */
function outline(quad, { colour, casing, dash, double }, width, unit) {
  const line = { class: "line", d: path(quad), fill: "none", "stroke-linecap": dash.length ? "round" : "butt", "stroke-linejoin": "round" };
  const gaps = dash.length ? dash.map((part) => short(part * width)).join(" ") : "none";
  const wide = width * (double ? 1.5 : 1);
  const both = /** @type {Shape[]} */ ([
    ["path", { ...line, stroke: casing, "stroke-width": short(wide + 2 * PEN.casing * unit), "stroke-dasharray": "none", "stroke-linecap": "butt" }],
    ["path", { ...line, stroke: colour, "stroke-width": short(wide), "stroke-dasharray": gaps }],
  ]);
  if (double) both.push(["path", { ...line, stroke: casing, "stroke-width": short(wide / 3), "stroke-dasharray": "none" }]);
  return both;
}

/** @param {Point[]} quad @param {number[]} of @param {boolean[]} sure @param {number} side @param {number} unit @returns {Shape[]} */
function chips(quad, of, sure, side, unit) {
  const room = breadth(quad) * CHIP.beyond;
  const wanted = between(CHIP.small, side * CHIP.part, CHIP.large) * unit;
  const radius = Math.max(CHIP.least * unit, Math.min(wanted, room / (2.1 * of.length)));
  const step = radius * 2.1;
  const [x, y] = middleOf(lowest(quad));
  const inRow = Math.max(1, Math.floor(room / step + 0.01));
  return of.flatMap((index, place) => {
    const row = Math.floor(place / inRow);
    const many = Math.min(inRow, of.length - row * inRow);
    const at = /** @type {Point} */ ([x + (place % inRow - (many - 1) / 2) * step, y - row * step]);
    return chip(at, radius, `${index + 1}${sure[index] === false ? "?" : ""}`, styleOf(index), { "data-set": index });
  });
}

/** @param {Point[]} quad @param {number} side @param {number} unit @returns {Shape[]} */
function questionMark(quad, side, unit) {
  const radius = between(CHIP.small, side * CHIP.part, CHIP.large) * unit;
  const at = quad.reduce((best, corner) => (corner[0] - corner[1] > best[0] - best[1] ? corner : best));
  return chip(at, radius, "?", { colour: DOUBT, casing: BLACK, dash: [], double: false }, {});
}

/** @param {Point} at @param {number} radius @param {string} text @param {Style} style @param {Record<string, number>} also @returns {Shape[]} */
function chip([x, y], radius, text, { colour, casing }, also) {
  const letters = { "font-size": short(radius * (text.length > 2 ? 1 : 1.35)), "font-weight": 700, "text-anchor": "middle", "pointer-events": "none" };
  return [
    ["circle", { class: "chip", cx: short(x), cy: short(y), r: short(radius), fill: colour, stroke: casing, "stroke-width": short(radius / 6), ...also }],
    ["text", { ...letters, x: short(x), y: short(y + radius * 0.47), fill: casing, stroke: "none" }, text],
  ];
}

/** @param {Piece} piece @param {number} side @param {number} unit @returns {Shape[]} the name, a few words in a line */
function writing({ quad, label }, side, unit) {
  const size = between(NAME.small, side * NAME.part, NAME.large) * unit;
  const lines = wrapped(label, Math.max(6, breadth(quad) / (size * NAME.letter)));
  const [x, y] = centre(quad);
  const look = {
    "font-size": short(size), "font-weight": 600, "text-anchor": "middle", fill: WHITE, stroke: BLACK,
    "stroke-width": short(size / 4), "stroke-linejoin": "round", "paint-order": "stroke", "pointer-events": "none",
  };
  return lines.map((line, row) => ["text", { ...look, x: short(x), y: short(y + (row - lines.length / 2 + 0.8) * size * 1.15) }, line]);
}

/** @param {string} text @param {number} letters of a line @returns {string[]} */
function wrapped(text, letters) {
  return text.split(" ").reduce((/** @type {string[]} */ lines, word) => {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
    return lines;
  }, []);
}

/** @param {Point[]} quad */
function path(quad) {
  return `M${quad.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}Z`;
}

/** @param {Point[]} quad */
function shortSide(quad) {
  return Math.min(...sides(quad).map(([[ax, ay], [bx, by]]) => Math.hypot(bx - ax, by - ay)));
}

/** @param {Point[]} quad @returns {[Point, Point][]} */
function sides(quad) {
  return quad.map((corner, index) => [corner, quad[(index + 1) % quad.length]]);
}

/** @param {[Point, Point]} side @returns {Point} */
function middleOf([[ax, ay], [bx, by]]) {
  return [(ax + bx) / 2, (ay + by) / 2];
}

/** @param {Point[]} quad @returns {[Point, Point]} the side that is lowest in the picture */
function lowest(quad) {
  return sides(quad).reduce((best, side) => (middleOf(side)[1] > middleOf(best)[1] ? side : best));
}

/** @param {Point[]} quad @returns {number} pixels from its left to its right */
function breadth(quad) {
  const xs = quad.map(([x]) => x);
  return Math.max(...xs) - Math.min(...xs);
}

/** @param {Point[]} quad @returns {Point} */
function centre(quad) {
  return [quad.reduce((sum, [x]) => sum + x, 0) / quad.length, quad.reduce((sum, [, y]) => sum + y, 0) / quad.length];
}

/** @param {Point[]} quad @param {Point} at @returns {boolean} */
function holds(quad, [x, y]) {
  const turns = sides(quad).map(([[ax, ay], [bx, by]]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax));
  return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0);
}

/** @param {Point[]} quad @param {number} distance in pixels @returns {Point[]} each side moved inwards, outwards where negative */
function inset(quad, distance) {
  const lines = sides(quad).map(([[ax, ay], [bx, by]]) => {
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const [nx, ny] = [-(by - ay) / length, (bx - ax) / length];
    return [nx, ny, nx * ax + ny * ay + distance];
  });
  return quad.map((corner, index) => crossing(lines[(index + quad.length - 1) % quad.length], lines[index]) ?? corner);
}

/** @param {number[]} one @param {number[]} other @returns {Point | null} where two lines nx x + ny y = d meet */
function crossing([ax, ay, ad], [bx, by, bd]) {
  const turn = ax * by - ay * bx;
  return Math.abs(turn) < 0.05 ? null : [(ad * by - bd * ay) / turn, (ax * bd - bx * ad) / turn];
}
