/** What lies on the table, as drawn pieces: as the camera sees them, or in rows. */

import { element, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { kindOf, living, pieceOf } from "./living.js";

const say = texts(PLAY);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("../../table/session.js").SeenPiece} SeenPiece */
/** @typedef {{name: string, label: string, id?: number, at?: number[] | null, doubt?: string | null}} LyingPiece `id` is the camera's */
/** @typedef {{piece: LyingPiece, x: number, y: number, width: number, height: number, turn: number}} Spot in hundredths of the table, degrees */

/**
 * @typedef {object} LyingOptions
 * @property {(piece: LyingPiece) => void} [onpiece] makes every piece a button
 * @property {Set<string>} [chosen] names of the pieces that are chosen
 */

/** Pieces that have moved less than this part of the table's width lie where they lay. */
const STILL = 0.008;
/** So many pieces have to be seen before they are drawn where they lie, and so many have room side by side at least. */
const FEW = 3;
const ROOM = 4;

/**
 * Return what lies there, kept up to date. Where a camera looks on and the session was opened with `seen`, pieces lie as
 * it sees them.
 * @param {TableSession} table
 * @param {LyingOptions} [options]
 * @returns {import("./living.js").Part}
 */
export function lyingPieces(table, options = {}) {
  const shown = element("div", { class: "lying" });
  let before = "";
  const draw = () => {
    const view = viewOf(table);
    const pieces = view?.spots.map(({ piece }) => piece) ?? table.state.layout.map(
      ({ name, at }) => ({ name, at, label: table.label(name) }));
    const now = JSON.stringify([view?.spots.map(rounded) ?? pieces, options.chosen ? [...options.chosen] : []]);
    if (now === before) return;
    before = now;
    redrawn(shown, () => {
      if (pieces.length === 0) refill(shown, element("p", { class: "soft" }, say("nothingLies")));
      else if (view) refill(shown, asSeen(table, view, options, draw));
      else refill(shown, inRows(table, pieces, options, draw));
    });
  };
  return living(table, shown, draw, ["state", "seen"]);
}

/** Draw anew; the piece that had the focus keeps it. @param {HTMLElement} shown @param {() => void} draw */
function redrawn(shown, draw) {
  const active = document.activeElement;
  const name = active instanceof HTMLElement && shown.contains(active) ? active.dataset.name : undefined;
  draw();
  if (name === undefined) return;
  const again = [...shown.querySelectorAll("button")].find((button) => button.dataset.name === name);
  again?.focus({ preventScroll: true });
}

/** @param {TableSession} table @param {LyingPiece} piece @param {LyingOptions} options @param {() => void} draw */
function drawn(table, piece, { onpiece, chosen }, draw) {
  const lying = kindOf(table) === "card";
  if (!onpiece) return element("li", { class: "spot" }, pieceOf(table, piece.name, { lying, named: true }));
  const press = () => {
    onpiece(piece);
    draw();
  };
  return element("li", { class: "spot" }, element(
    "button",
    {
      type: "button", class: `tap${piece.doubt ? " in-doubt" : ""}`, "aria-label": piece.label, title: piece.label, onclick: press,
      "data-name": piece.name, "aria-pressed": chosen ? String(chosen.has(piece.name)) : null,
    },
    pieceOf(table, piece.name, { lying }),
  ));
}

/** @param {TableSession} table @param {LyingPiece[]} pieces @param {LyingOptions} options @param {() => void} draw */
function inRows(table, pieces, options, draw) {
  return element("ul", { class: `rows ${kindOf(table)}s` }, pieces.map((piece) => drawn(table, piece, options, draw)));
}

/** @param {TableSession} table @param {{spots: Spot[], high: number}} view @param {LyingOptions} options @param {() => void} draw */
function asSeen(table, { spots, high }, options, draw) {
  const items = spots.map((spot) => {
    const item = drawn(table, spot.piece, options, draw);
    item.style.left = `${100 * (spot.x - spot.width / 2)}%`;
    item.style.top = `${100 * (spot.y - spot.height / 2) / high}%`;
    item.style.width = `${100 * spot.width}%`;
    item.style.transform = `rotate(${spot.turn}deg)`;
    return item;
  });
  const list = element("ul", { class: "as-seen" }, items);
  list.style.aspectRatio = `1 / ${high}`;
  list.style.maxWidth = `calc(var(--lying-height, 100vh) / ${high})`;
  return list;
}

/**
 * Return where the camera sees each piece, and how high what they cover is, in its widths; null where no camera looks on,
 * or sees too little. What the referee does not know of is shown among the others, not far from them.
 * @param {TableSession} table
 * @returns {{spots: Spot[], high: number} | null}
 */
export function viewOf(table) {
  const { layout } = table.state;
  const seen = table.seen?.pieces.filter(({ hidden }) => !hidden) ?? [];
  const names = new Set(layout.map(({ name }) => name));
  const known = seen.filter(({ name }) => names.size === 0 || names.has(name));
  if (known.length === 0 || known.length < Math.min(FEW, layout.length || FEW) || layout.some(({ at }) => at !== null)) return null;
  const boxes = seen.map((piece) => ({ piece, ...boxOf(piece, kindOf(table) === "card") }));
  const { left, top, wide, high } = framed(boxes.filter(({ piece }) => known.includes(piece)));
  const spots = boxes.map(({ piece: { name, label, id, doubt, cell }, x, y, width, height, turn }) => ({
    piece: { name, label, id, doubt, at: cell }, x: (x - left) / wide, y: (y - top) / wide, width: width / wide, height: height / wide, turn,
  }));
  return { spots: spots.filter(({ x, y }) => x > 0 && x < 1 && y > 0 && y < high), high };
}

/** Return what pieces cover, with room for a few where they are fewer. @param {Omit<Spot, "piece">[]} boxes */
function framed(boxes) {
  const side = Math.max(...boxes.map(({ width, height }) => Math.hypot(width, height)));
  const [xs, ys] = [boxes.map(({ x }) => x), boxes.map(({ y }) => y)];
  const spread = Math.max(...xs) - Math.min(...xs) + side;
  const wide = Math.max(spread, ROOM * side);
  const left = Math.min(...xs) - (side + wide - spread) / 2;
  return { left, top: Math.min(...ys) - side / 2, wide, high: (Math.max(...ys) - Math.min(...ys) + side) / wide };
}

/** @param {SeenPiece} piece @param {boolean} lying its drawing lies on its long side @returns {Omit<Spot, "piece">} */
function boxOf({ quad }, lying) {
  const [[ax, ay], [bx, by], , [dx, dy]] = quad;
  const x = quad.reduce((sum, point) => sum + point[0], 0) / 4;
  const y = quad.reduce((sum, point) => sum + point[1], 0) / 4;
  const [across, along] = [Math.hypot(bx - ax, by - ay), Math.hypot(dx - ax, dy - ay)];
  const upright = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  if (!lying) return { x, y, width: across, height: along, turn: half(upright) };
  return { x, y, width: along, height: along * 57 / 88, turn: half(upright - 90) };
}

/** Return the same turn of a piece that looks alike upside down, within a right angle of none. @param {number} degrees */
function half(degrees) {
  const turned = ((degrees % 180) + 180) % 180;
  return Math.round(turned > 90 ? turned - 180 : turned);
}

/** @param {Spot} spot */
function rounded({ piece, x, y, turn }) {
  return [piece.id, piece.name, piece.doubt, Math.round(x / STILL), Math.round(y / STILL), Math.round(turn / 4)];
}
