/**
 * Cards, tiles and dice drawn as SVG from their names ("2 red striped diamond", "2 red diamond", "wild").
 *
 * Everything is geometry in millimetres of a card: 57 x 88, symbols across it. Only presentation attributes are used,
 * and nothing has an id, so that any number of pieces can stand on a page with a strict Content-Security-Policy.
 */

import { svg } from "./dom.js";
import { featuresOf } from "./features.js";
import { colourLetters } from "./letters.js";

/** @typedef {import("./features.js").Kind} Kind */
/** @typedef {import("./features.js").Deck} Deck */
/** @typedef {import("./features.js").Features} Features */
/** @typedef {[number, number]} Point */
/** @typedef {{path: string, stripes: string, speckle: string}} Outline paths around (0, 0), the long axis along x */

/**
 * @typedef {object} PieceOptions
 * @property {Kind} [kind] default: a card if the name has a shading, else a die
 * @property {Deck} [deck] default: us
 * @property {string} [label] what screen readers say; without it the drawing is decoration
 * @property {boolean} [lying] a card on its long side
 * @property {Record<string, string>} [letters] a letter for "red", "green", "purple", drawn in the corner; by default those that are wanted
 * @property {string | null} [as] what a Wild stands for
 */

/** @type {Record<Deck, Record<string, string>>} Each at least 4.5 to 1 on white. */
const INKS = {
  us: { red: "#d92b2f", green: "#0a7d45", purple: "#5c2a91" },
  ravensburger: { red: "#c22f3a", green: "#0b7f78", purple: "#3f2c80" },
};

/** The edge of a face is a line of one pixel, however small the piece is. */
const FACE = { fill: "#ffffff", stroke: "#b9bcc4", "stroke-width": 1, "vector-effect": "non-scaling-stroke" };
const CARD = { width: 57, height: 88, corner: 5, pitch: 25.5, scale: "1" };
const SQUARE = { width: 60, height: 60, pitch: 17.8, scale: "0.86 0.72" };
const CORNERS = { tile: 4, die: 13 };
/** The rounded edge of a die around its face. */
const EDGE = { x: 2.3, y: 2.3, width: 55.4, height: 55.4, rx: 11.5, fill: "none", stroke: "#e4e6ee", "stroke-width": 3 };
/** Width of a symbol's edge, distance and width of its stripes, distance and width of speckles. */
const LINES = { edge: 1.9, stripes: 2.4, stripe: 0.85, speckles: 2.1, speckle: 1.25 };

/** Half of a squiggle, from its upper right tip to the left end; the other half is the same, turned about the centre. */
/** @type {Record<Deck, Point[]>} */
const WAVES = {
  us: [
    [18.7, -5.5], [17.3, -8.4], [15.2, -9.1], [12.5, -7.8], [9.5, -6], [5.7, -5.1], [1.9, -5.6], [-2.3, -7.1],
    [-6.5, -8.1], [-10.6, -7.9], [-14.4, -6.4], [-17.1, -3.3], [-18.5, 0.9],
  ],
  ravensburger: [
    [17.2, -5], [16.2, -7.6], [14.6, -8.3], [12.3, -7.4], [9.8, -5.7], [6.7, -4.9], [3.2, -5.4], [-1.4, -6.7],
    [-5.8, -7.9], [-9.5, -8.3], [-13.3, -6.9], [-16.2, -3.5], [-17.3, 0.7],
  ],
};

/**
 * @param {Point[]} half
 * @returns {Point[]} the closed Catmull-Rom curve through `half` and its copy, turned by 180 degrees
 */
function wave(half) {
  const knots = [...half, ...half.map(([x, y]) => /** @type {Point} */ ([-x, -y]))];
  const steps = 5;
  const knot = (/** @type {number} */ index) => knots[(index + knots.length) % knots.length];
  return knots.flatMap((_, index) => Array.from({ length: steps }, (__, step) => {
    const t = step / steps;
    const around = [knot(index - 1), knot(index), knot(index + 1), knot(index + 2)];
    return /** @type {Point} */ ([0, 1].map((axis) => {
      const [a, b, c, d] = around.map((point) => point[axis]);
      return (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t ** 2 + (3 * b - a - 3 * c + d) * t ** 3) / 2;
    }));
  }));
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} radius of the rounded ends along x
 * @returns {Point[]} two half ellipses with straight lines between: a stadium, or an ellipse if `radius` is width / 2
 */
function oval(width, height, radius) {
  return Array.from({ length: 48 }, (_, step) => {
    const turn = ((step + 0.5) / 48 - 0.25) * 2 * Math.PI;
    const side = Math.sign(Math.cos(turn)) * (width / 2 - radius);
    return [side + radius * Math.cos(turn), (height / 2) * Math.sin(turn)];
  });
}

/** @type {Record<Deck, Record<string, Point[]>>} Outlines, clockwise with y down. */
const POINTS = {
  us: {
    oval: oval(40, 19.3, 9.65),
    diamond: [[0, -10], [21, 0], [0, 10], [-21, 0]],
    squiggle: wave(WAVES.us),
    rectangle: [[-19.5, -8], [19.5, -8], [19.5, 8], [-19.5, 8]],
  },
  ravensburger: {
    oval: oval(38.6, 17.2, 19.3),
    diamond: [[0, -9], [19.5, 0], [0, 9], [-19.5, 0]],
    squiggle: wave(WAVES.ravensburger),
    rectangle: [[-18.5, -7.5], [18.5, -7.5], [18.5, 7.5], [-18.5, 7.5]],
  },
};

/**
 * @param {Point[]} points
 * @param {number} x
 * @returns {Point | null} top and bottom of the outline at `x`
 */
function reach(points, x) {
  const found = points.flatMap(([left, top], index) => {
    const [right, bottom] = points[(index + 1) % points.length];
    return left < x === right < x ? [] : [top + ((bottom - top) * (x - left)) / (right - left)];
  });
  return found.length < 2 ? null : [Math.min(...found), Math.max(...found)];
}

const short = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);

/**
 * @param {Point[]} points
 * @returns {string} lines across the symbol, a little inside its edge
 */
function stripes(points) {
  const many = 9;
  return Array.from({ length: 2 * many + 1 }, (_, index) => (index - many) * LINES.stripes).map((x) => {
    const ends = reach(points, x);
    return ends ? `M${short(x)} ${short(ends[0])}V${short(ends[1])}` : "";
  }).join("");
}

/**
 * @param {Point[]} points
 * @returns {string} dots at places that look as if they were thrown there, and are always the same
 */
function speckle(points) {
  const scatter = (/** @type {number} */ seed) => ((Math.sin(seed * 12.9898) * 43758.5453) % 1) * LINES.speckles * 0.45;
  const dots = [];
  for (let column = -10; column <= 10; column += 1) {
    for (let row = -6; row <= 6; row += 1) {
      const x = column * LINES.speckles + scatter(column * 31 + row);
      const y = (row + (column & 1) / 2) * LINES.speckles + scatter(column * 17 + row * 57 + 5);
      const ends = reach(points, x);
      if (ends && y > ends[0] + 1 && y < ends[1] - 1) dots.push(`M${short(x)} ${short(y)}h0`);
    }
  }
  return dots.join("");
}

/**
 * @param {Point[]} points
 * @returns {Outline}
 */
function outline(points) {
  const path = `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}Z`;
  return { path, stripes: stripes(points), speckle: speckle(points) };
}

/** @type {Record<Deck, Record<string, Outline>>} */
const OUTLINES = { us: outlines(POINTS.us), ravensburger: outlines(POINTS.ravensburger) };

/**
 * @param {Record<string, Point[]>} points
 * @returns {Record<string, Outline>}
 */
function outlines(points) {
  return Object.fromEntries(Object.entries(points).map(([shape, edge]) => [shape, outline(edge)]));
}

/**
 * @param {Features} features
 * @param {Deck} deck
 * @returns {SVGElement} one symbol around (0, 0), its long axis along x
 */
function symbol({ colour, shading, shape }, deck) {
  const ink = INKS[deck][colour];
  const { path, ...fillings } = OUTLINES[deck][shape];
  const edge = { d: path, stroke: ink, "stroke-width": LINES.edge, "stroke-linejoin": "round" };
  const body = svg("path", { ...edge, fill: shading === "solid" ? ink : "none" });
  if (shading !== "striped") return body;
  const [d, width] = deck === "us" ? [fillings.stripes, LINES.stripe] : [fillings.speckle, LINES.speckle];
  const filling = { d, stroke: ink, "stroke-width": width, "stroke-linecap": deck === "us" ? "butt" : "round" };
  return svg("g", { fill: "none" }, svg("path", filling), body);
}

/**
 * @param {Features} features
 * @param {Deck} deck
 * @param {{pitch: number, scale: string}} size
 * @returns {SVGElement} the symbols of a piece around (0, 0), one above the other
 */
function symbols(features, deck, { pitch, scale }) {
  const count = Number(features.number);
  const places = Array.from({ length: count }, (_, index) => (index - (count - 1) / 2) * pitch);
  const moved = (/** @type {number} */ y) => `translate(0 ${short(y)}) scale(${scale})`;
  return svg("g", {}, ...places.map((y) => svg("g", { transform: moved(y) }, symbol(features, deck))));
}

/**
 * @param {Deck} deck
 * @returns {SVGElement} the mark of a Wild around (0, 0): a star of six rays, two of each colour
 */
function star(deck) {
  const inks = Object.values(INKS[deck]);
  return svg("g", {}, Array.from({ length: 6 }, (_, index) => svg("path", {
    d: "M0-25L5.5-10.5L0-3.5L-5.5-10.5Z", fill: inks[index % 3], transform: `rotate(${index * 60})`,
  })));
}

/**
 * @param {string} text
 * @param {Point} at
 * @param {string} ink
 * @returns {SVGElement}
 */
function letter(text, [x, y], ink) {
  const attributes = { x, y, fill: ink, "font-size": 15, "font-weight": 700, "font-family": "system-ui, sans-serif" };
  const made = svg("text", { ...attributes, "text-anchor": "middle" });
  made.textContent = text;
  return made;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} corner
 * @returns {SVGElement}
 */
function face(width, height, corner) {
  return svg("rect", { x: 0.4, y: 0.4, width: width - 0.8, height: height - 0.8, rx: corner, ...FACE });
}

/**
 * @param {Features} features
 * @param {PieceOptions} options
 * @returns {SVGElement[]}
 */
function cardParts(features, { deck = "us", lying = false, letters }) {
  const { width, height, corner } = CARD;
  const shown = symbols(features, deck, CARD);
  shown.setAttribute("transform", `translate(${width / 2} ${height / 2})`);
  const card = svg("g", lying ? { transform: `translate(${height} 0) rotate(90)` } : {});
  card.append(face(width, height, corner), shown);
  const mark = letters?.[features.colour];
  return mark ? [card, letter(mark, [9, 15], INKS[deck][features.colour])] : [card];
}

/**
 * @param {Features | null} features null for a Wild
 * @param {PieceOptions} options
 * @returns {SVGElement[]}
 */
function squareParts(features, { deck = "us", kind, letters }) {
  const middle = SQUARE.width / 2;
  const parts = [face(SQUARE.width, SQUARE.height, CORNERS[kind === "tile" ? "tile" : "die"])];
  if (kind !== "tile") parts.push(svg("rect", EDGE));
  const shown = features ? symbols(features, deck, SQUARE) : star(deck);
  shown.setAttribute("transform", `translate(${middle} ${middle}) rotate(90)`);
  parts.push(shown);
  const mark = features && letters?.[features.colour];
  if (features && mark) parts.push(letter(mark, [11, 17], INKS[deck][features.colour]));
  return parts;
}

/**
 * @param {Deck} [deck]
 * @returns {SVGElement} the corner of a Wild that stands for something
 */
function badge(deck = "us") {
  const ground = svg("circle", { r: 27, fill: "#fff3c4", stroke: "#8a6a00", "stroke-width": 2.5 });
  return svg("g", { transform: "translate(47.5 12.5) scale(0.44)" }, ground, star(deck));
}

/**
 * Draw a piece.
 *
 * @param {string} name "2 red striped diamond", "2 red diamond" or "wild"; anything else is drawn as a question mark
 * @param {PieceOptions} [how]
 * @returns {SVGSVGElement} scales to any width; 57 x 88 (a card), 88 x 57 (a lying one) or square
 */
export function drawPiece(name, how = {}) {
  const options = { letters: colourLetters(), ...how };
  const features = featuresOf(options.as && name === "wild" ? options.as : name);
  const kind = options.kind ?? (name.split(" ").length === 4 ? "card" : "die");
  const box = kind === "card" ? CARD : SQUARE;
  const [width, height] = options.lying && kind === "card" ? [box.height, box.width] : [box.width, box.height];
  const named = options.label ? { role: "img", "aria-label": options.label } : { "aria-hidden": "true" };
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: `piece ${kind}`, ...named });
  if (!features && name !== "wild") drawing.append(face(width, height, 5), letter("?", [width / 2, height / 2 + 3], "#555"));
  else if (features && kind === "card") drawing.append(...cardParts(features, options));
  else drawing.append(...squareParts(features, { ...options, kind }));
  if (name === "wild" && features) drawing.append(badge(options.deck));
  return /** @type {SVGSVGElement} */ (drawing);
}
