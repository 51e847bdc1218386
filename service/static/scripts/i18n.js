/** The languages of the page. Each view brings its own texts; sentences of the referee come from the service. */

import { keep, recall } from "./memory.js";
import { COMMON } from "./texts/common.js";

/** @typedef {"en" | "de" | "fr" | "cs"} Language */
/** @typedef {string | {one?: string, few?: string, many?: string, other: string}} Text a text, or one for each plural */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {keyof typeof COMMON["en"]} Common */

/** @type {Record<Language, string>} What each language calls itself. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", cs: "Čeština" };

/** @type {Language} */
let chosen = begin();

/** @returns {Language} */
function begin() {
  const wanted = [recall("language", ""), ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return /** @type {Language} */ (wanted.find((tag) => tag in LANGUAGES) ?? "en");
}

/** Return the language of the page. @returns {Language} */
export function language() {
  return chosen;
}

/** Choose the language of the page, and remember it. @param {Language} wanted */
export function chooseLanguage(wanted) {
  chosen = wanted;
  keep("language", wanted);
}

/**
 * Return what says the texts of a table, and those that all views have, in the language of the page: `{name}` stands
 * for a value, and of plurals the one that fits the value `count` is taken.
 * @template {Record<string, Text>} Table
 * @param {{en: Table} & Record<Language, {[Key in keyof Table]: Text}>} tables
 * @returns {(key: keyof Table & string | Common, values?: Values) => string}
 */
export function texts(tables) {
  return (key, values = {}) => {
    const text = tables[chosen][key] ?? COMMON[chosen][/** @type {Common} */ (key)];
    if (text === undefined) {
      console.error(`no text ${key} in ${chosen}`);
      return key;
    }
    return written(text, values);
  };
}

/** @param {Text} text @param {Values} values @returns {string} */
function written(text, values) {
  const form = typeof text === "string" ? text : text[plural(Number(values.count))] ?? text.other;
  // no line begins with a mark, before which French has a space
  const bound = form.replace(/ ([?!:;»…])/g, "\u00a0$1").replace(/« /g, "«\u00a0");
  return bound.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : String(value);
  });
}

/** @param {number} count @returns {"one" | "few" | "many" | "other"} */
function plural(count) {
  return /** @type {"one" | "few" | "many" | "other"} */ (new Intl.PluralRules(chosen).select(count));
}

/**
 * Write a number as the language of the page does.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(value, options) {
  return new Intl.NumberFormat(chosen, options).format(value);
}

/** Write a list of words as the language of the page does. @param {string[]} words */
export function list(words) {
  return "ListFormat" in Intl ? new Intl.ListFormat(chosen).format(words) : words.join(", ");
}
