/** What the games are called in the language of the page. */

import { texts } from "./i18n.js";
import { GAMES } from "./texts/games.js";

const say = texts(GAMES);

/** @typedef {keyof typeof GAMES["en"]} Key */
/** @typedef {{key: string, title: string, players: [number, number], board: boolean, pieces: import("./features.js").Kind, options: import("./views/opening/options.js").Option[], names: string[], example_board: any}} Game as the service lists it */

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
