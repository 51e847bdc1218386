/** SETs that were found, as a list of buttons: each has the number and the colour that it has over the picture. */

import { element, refill } from "./dom.js";
import { texts } from "./i18n.js";
import { styleOf } from "./overlay.js";
import { drawPiece } from "./pieces.js";
import { COMMON } from "./texts/common.js";

const say = texts(COMMON);

/** @typedef {{name: string, label: string}} Piece */

/**
 * Return the button of a SET.
 * @param {Piece[]} pieces
 * @param {object} how
 * @param {number} how.index its place in the list
 * @param {boolean} how.sure no piece of it is in doubt
 * @param {boolean} how.isLit it alone is shown
 * @param {boolean} [how.named] the pieces are named where people see it too
 * @param {import("./pieces.js").PieceOptions} how.look
 * @param {() => void} how.onclick
 */
export function setButton(pieces, { index, sure, isLit, named = false, look, onclick }) {
  return element(
    "button",
    { type: "button", class: "plain set", "aria-pressed": String(isLit), onclick },
    element("span", { class: "unseen" }, "SET "),
    badge(index, sure),
    element("span", { class: "trio" }, pieces.map(({ name }) => drawPiece(name, look))),
    element("span", { class: named ? "labels" : "unseen" }, pieces.map(({ label }) => label).join(", "),
      !sure && element("em", {}, ` ${say("doubtful")}`)),
  );
}

/** @param {number} index @param {boolean} sure */
function badge(index, sure) {
  const { colour, casing } = styleOf(index);
  const made = element("span", { class: "badge" }, `${index + 1}${sure ? "" : "?"}`);
  Object.assign(made.style, { backgroundColor: colour, color: casing, borderColor: casing });
  return made;
}

/** Put buttons in the place of those before; the one that had the focus keeps it. @param {HTMLElement} shown @param {HTMLElement[]} buttons */
export function refillSets(shown, buttons) {
  const index = [...shown.children].findIndex((one) => one.contains(document.activeElement));
  refill(shown, buttons.map((button) => element("li", {}, button)));
  if (index >= 0) buttons[Math.min(index, buttons.length - 1)]?.focus();
}
