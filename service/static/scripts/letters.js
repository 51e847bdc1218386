/** Letters for the colours on drawn pieces, for people who cannot tell the colours apart: off until they are wanted. */

import { language } from "./i18n.js";
import { keep, recall } from "./memory.js";

/** @typedef {{red: string, green: string, purple: string}} Letters */

/** @type {Record<import("./i18n.js").Language, Letters>} */
const LETTERS = {
  en: { red: "R", green: "G", purple: "P" },
  de: { red: "R", green: "G", purple: "L" },
  fr: { red: "R", green: "Ve", purple: "Vi" },
  cs: { red: "Č", green: "Z", purple: "F" },
};

/** Return whether letters are wanted. @returns {boolean} */
export function wantsLetters() {
  return recall("letters", false);
}

/** Remember whether letters are wanted. @param {boolean} wanted */
export function chooseLetters(wanted) {
  keep("letters", wanted || null);
}

/** Return the letters of the page's language where they are wanted. @returns {Letters | undefined} */
export function colourLetters() {
  return wantsLetters() ? LETTERS[language()] : undefined;
}
