/** What the games are called in the language of the page. */

import { texts } from "./i18n.js";
import { GAMES } from "./texts/games.js";

const say = texts(GAMES);

/** @typedef {keyof typeof GAMES["en"]} Key */
/**
 * A game as the service lists it.
 * @typedef {object} Game
 * @property {string} key
 * @property {string} title
 * @property {[number, number]} players fewest and most
 * @property {boolean} board whether it is played on a board
 * @property {import("./features.js").Kind} pieces
 * @property {import("./views/opening/options.js").Option[]} options
 * @property {string[]} names of all its pieces
 * @property {any} example_board a board file, null where there is no board
 */

/** Return the name of a game; one that the page does not know has the service's. @param {string} key @param {string} title */
export function gameTitle(key, title) {
  return key in GAMES.en ? say(/** @type {Key} */ (key)) : title;
}

/** Return what is played in a game, in a line. @param {string} key */
export function gameLine(key) {
  return `${key}_line` in GAMES.en ? say(/** @type {Key} */ (`${key}_line`)) : "";
}

/** Return what a table is called: its own name, else that of its game. @param {{name: string | null, game: string, title: string}} state */
export function tableTitle({ name, game, title }) {
  return name ?? gameTitle(game, title);
}
