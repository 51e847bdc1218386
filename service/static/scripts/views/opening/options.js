/** Options of a game: what can be chosen at a table, explained in a line each. */

import { element, fill, newId } from "../../dom.js";
import { texts } from "../../i18n.js";
import { COMMON } from "../../texts/common.js";
import { OPTIONS } from "../../texts/options.js";
import { TABLES } from "../../texts/tables.js";
import { mark } from "./names.js";

/** @typedef {boolean | number | string | null} Value */
/** @typedef {{value: Value, players: [number, number]}} Seats */
/** @typedef {{name: string, text: string, values: Value[] | null, default: Value, clause: string, seats: Seats[]}} Option */
/** @typedef {keyof typeof OPTIONS["en"]} Key */

const say = texts(OPTIONS);
const sayTable = texts(TABLES);
const HINTS = "hints";
/** Seconds after a call. */
const LIMITS = [3, 5, 10, 15, 30];

/** @param {string} key @returns {string | null} the text, null where there is none */
function known(key) {
  return key in OPTIONS.en || key in COMMON.en ? say(/** @type {Key} */ (key)) : null;
}

/** @param {string} game @param {string} name of an option */
function stem(game, name) {
  return name === HINTS ? HINTS : `${game}_${name}`;
}

/** Return the name of an option, and its line. @param {string} game @param {Option} option */
function described(game, { name, text }) {
  const key = stem(game, name);
  return { title: known(key) ?? name.replace(/_/g, " "), help: known(`${key}_help`) ?? text };
}

/**
 * @typedef {object} Choice a control that holds the value of an option
 * @property {HTMLElement} element
 * @property {() => Value | undefined} value undefined, and the control says why, where it is none
 */

/**
 * Make the controls for the options of a game.
 * @param {{key: string, options: Option[]}} game
 * @param {() => void} onchange
 * @returns {{element: HTMLElement, chosen: () => Record<string, Value> | null}} `chosen` has what differs from the defaults
 */
export function optionFields({ key, options }, onchange) {
  const made = element("div", { class: "same", onchange });
  const choices = options.map((option) => /** @type {const} */ ([option, control(key, option)]));
  fill(made, choices.map(([, choice]) => choice.element));
  const chosen = () => {
    /** @type {Record<string, Value>} */
    const found = {};
    for (const [option, choice] of choices) {
      const value = choice.value();
      if (value === undefined) return null;
      if (value !== option.default) found[option.name] = value;
    }
    return found;
  };
  return { element: made, chosen };
}

/** @param {string} game @param {Option} option @returns {Choice} */
function control(game, option) {
  if (option.values === null) return numberField(game, option);
  return option.values.length === 2 ? switchField(game, option) : selectField(game, option);
}

/** A switch: two values, the one that means no (false, or no bound) first. @param {string} game @param {Option} option @returns {Choice} */
function switchField(game, option) {
  const [no, yes] = option.values?.[0] === true || option.values?.[0] === 0 ? [option.values[1], option.values[0]] : option.values ?? [];
  const { title, help } = described(game, option);
  const id = newId("help");
  const box = element("input", { type: "checkbox", checked: option.default === yes, "aria-describedby": id });
  const made = element("div", { class: "option" }, element("label", { class: "tick" }, box, title), element("p", { class: "help", id }, help));
  return { element: made, value: () => (box.checked ? yes : no) };
}

/** @param {string} game @param {Option} option @returns {Choice} */
function selectField(game, option) {
  const values = option.values ?? [];
  const key = stem(game, option.name);
  const entries = values.map((value) => known(`${key}_${value}`) ?? String(value));
  const { title, help } = described(game, option);
  const { element: made, select } = selection(title, help, entries, values.indexOf(option.default));
  return { element: made, value: () => values[select.selectedIndex] };
}

/** @param {string} title @param {string} help @param {string[]} entries @param {number} chosen */
function selection(title, help, entries, chosen) {
  const id = newId("help");
  const select = element("select", { "aria-describedby": id }, entries.map((text, index) => element("option", { selected: index === chosen }, text)));
  const made = element("div", { class: "option" }, element("label", { class: "field" }, title, select), element("p", { class: "help", id }, help));
  return { element: made, select };
}

/** A whole number from 0, or nothing. @param {string} game @param {Option} option @returns {Choice} */
function numberField(game, option) {
  const { title, help } = described(game, option);
  const field = element("input", { inputmode: "numeric", maxlength: 3, size: 4, value: option.default === null ? "" : String(option.default) });
  field.addEventListener("input", () => mark(field, null));
  const made = element("div", { class: "option" }, element("label", { class: "field" }, title, field), element("p", { class: "help" }, help));
  const value = () => {
    const written = field.value.trim();
    if (written === "") return null;
    if (/^\d+$/.test(written)) return Number(written);
    mark(field, sayTable("whole"));
    field.focus();
    return undefined;
  };
  return { element: made, value };
}

/** How long a player has after a call. @returns {{element: HTMLElement, value: () => number | null}} */
export function limitField() {
  const entries = [say("limit_none"), ...LIMITS.map((count) => say("limit_seconds", { count }))];
  const { element: made, select } = selection(say("call_limit"), say("call_limit_help"), entries, 0);
  return { element: made, value: () => (select.selectedIndex ? LIMITS[select.selectedIndex - 1] : null) };
}
