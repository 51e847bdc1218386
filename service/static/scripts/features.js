/** What pieces have: the features that their names say, and how the pieces of a game look. */

/** @typedef {"card" | "tile" | "die"} Kind */
/** @typedef {"us" | "ravensburger"} Deck */
/** @typedef {"number" | "colour" | "shading" | "shape"} Feature */
/** @typedef {Record<Feature, string>} Features */
/** @typedef {{kind?: Kind, deck: Deck}} Look */

export const FEATURES = /** @type {const} */ (["number", "colour", "shading", "shape"]);

/** @type {Record<Feature, readonly string[]>} */
const VALUES = {
  number: ["1", "2", "3"],
  colour: ["red", "green", "purple"],
  shading: ["solid", "striped", "open"],
  shape: ["oval", "diamond", "squiggle", "rectangle"],
};

/** @type {Record<string, Kind>} What each game is played with. */
const KINDS = { classic: "card", ravensburger: "card", setup: "card", "junior-1": "tile", "junior-2": "tile", cubed: "die" };

/**
 * Return what the pieces of a game look like; of an unknown game their names tell the kind.
 * @param {string} game
 * @returns {Look}
 */
export function lookOf(game) {
  return { kind: KINDS[game], deck: game === "ravensburger" ? "ravensburger" : "us" };
}

/**
 * Return what a piece's name says: "2 red striped diamond", of tiles and dice "2 red diamond".
 * @param {string} name as the service writes it
 * @returns {Features | null} null for a Wild and for what is no name
 */
export function featuresOf(name) {
  const words = name.split(" ");
  const [number, colour, shading, shape] = words.length === 3 ? [words[0], words[1], "solid", words[2]] : words;
  const features = { number, colour, shading, shape };
  const isKnown = words.length < 5 && FEATURES.every((feature) => VALUES[feature].includes(features[feature]));
  return isKnown ? features : null;
}

/**
 * Return the name of a piece.
 * @param {Features} features
 * @param {Kind} [kind] default: a card
 */
export function nameOf(features, kind = "card") {
  return featuresFor(kind).map((feature) => features[feature]).join(" ");
}

/** Return the features that tell the pieces of a kind apart. @param {Kind} kind @returns {readonly Feature[]} */
export function featuresFor(kind) {
  return kind === "card" ? FEATURES : FEATURES.filter((feature) => feature !== "shading");
}

/**
 * Return the values that a feature has; cards by Ravensburger have rectangles in the place of diamonds.
 * @param {Feature} feature
 * @param {Deck} [deck] default: us
 * @returns {readonly string[]}
 */
export function valuesOf(feature, deck = "us") {
  const unknown = deck === "ravensburger" ? "diamond" : "rectangle";
  return VALUES[feature].filter((value) => value !== unknown);
}
