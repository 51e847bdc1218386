/** Tells what was dealt where no camera looks on: by a photo of the table, or by choosing the pieces. */

import { chooseName, featureWord, wordOf } from "../../choosing.js";
import { announce, element, notice, plainButton, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { featuresFor, featuresOf, valuesOf } from "../../features.js";
import { Reading } from "../../reading.js";
import { once } from "../../service.js";
import { DEALING } from "../../texts/dealing.js";
import { deckOf, kindOf, living, pieceOf } from "./living.js";
import { standing, tell } from "./part.js";

const say = texts(DEALING);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Entry} Entry */
/** @typedef {import("../../features.js").Feature} Feature */
/** @typedef {{type: "dealt", count: number} | {type: "laid", count: 1, player: string}} Due what has to be told */

/** Return what is to be dealt or laid, and told by people; null where nothing is. @param {TableSession} table @returns {Due | null} */
export function dueByHand({ state }) {
  if (state.camera.connected || state.outcome) return null;
  const deal = state.legal.due.find(({ task }) => task === "deal");
  if (deal) return { type: "dealt", count: deal.count };
  const lays = state.game === "setup" && state.turn !== null && state.legal.moves.includes("laid");
  return lays ? { type: "laid", count: 1, player: /** @type {string} */ (state.turn) } : null;
}

/**
 * Return the pieces that have come to the table in this round, whether they lie there still or not.
 * @param {Entry[]} entries
 * @returns {Set<string>}
 */
export function dealtPieces(entries) {
  /** @type {Set<string>} */
  let dealt = new Set();
  for (const entry of standing(entries)) {
    if (entry.type === "shuffled") dealt = new Set();
    if (entry.type === "dealt" || entry.type === "laid") for (const name of entry.pieces ?? []) dealt.add(name);
  }
  return dealt;
}

/**
 * Return what tells a deal; hidden while none is due, or while a camera looks on.
 * @param {TableSession} table
 * @returns {import("./living.js").Part}
 */
export function dealing(table) {
  const section = element("section", { class: "panel stack dealing", "aria-labelledby": "deal-title" });
  const title = element("h2", { id: "deal-title" });
  const chosen = element("ul", { class: "chosen-pieces" });
  const grid = element("div", { class: "pick-grid" });
  const status = element("p", { class: "help" });
  const button = element("button", { type: "button", onclick: () => void tellAll() });
  /** @type {string[]} */
  let names = [];
  /** @type {string[]} */
  let all = [];

  const draw = () => {
    const due = dueByHand(table);
    section.hidden = !due;
    if (!due) return;
    const lying = new Set(table.state.layout.map(({ name }) => name));
    names = names.filter((name) => !lying.has(name));
    title.textContent = due.type === "laid" ? say("layTitle", { player: due.player }) : say("dealTitle");
    refill(chosen, names.map((name, place) => chosenPiece(table, name, () => void correct(place), () => drop(place))));
    chosen.hidden = names.length === 0;
    button.disabled = names.length === 0;
    button.textContent = due.type === "laid" ? say("layTell") : say("dealTell", { chosen: names.length, count: due.count });
    button.classList.toggle("plain", names.length !== due.count);
    drawGrid(due);
  };
  const drop = (/** @type {number} */ place) => {
    names = names.filter((_, index) => index !== place);
    draw();
  };
  const correct = async (/** @type {number} */ place) => {
    const name = await chooseName({ name: names[place], kind: kindOf(table), deck: deckOf(table) });
    if (name !== null && !names.includes(name)) names = names.map((one, index) => (index === place ? name : one));
    draw();
  };
  const add = (/** @type {string} */ name) => {
    if (names.includes(name)) names = names.filter((one) => one !== name);
    else names = dueByHand(table)?.type === "laid" ? [name] : [...names, name];
    announce(say("dealTell", { chosen: names.length, count: dueByHand(table)?.count ?? 0 }));
    draw();
  };
  const picker = grouped(table, add);
  const drawGrid = (/** @type {Due} */ due) => {
    const gone = new Set([...dealtPieces(table.entries), ...table.state.layout.map(({ name }) => name)]);
    picker.show(all.filter((name) => !gone.has(name) || names.includes(name)), new Set(names), due.type === "dealt" && names.length >= due.count);
  };
  const tellAll = async () => {
    const due = dueByHand(table);
    if (!due) return;
    const event = due.type === "laid" ? { type: "laid", player: due.player, card: names[0] } : { type: "dealt", cards: names };
    button.disabled = true;
    if (await tell(table, event)) names = [];
    draw();
    if (section.hidden) section.closest("main")?.focus({ preventScroll: true });
  };
  const photo = async (/** @type {File} */ file) => {
    status.textContent = say("reading");
    const due = dueByHand(table);
    const { pieces } = await new Reading(file, table.state.game).read();
    const lying = new Set(table.state.layout.map(({ name }) => name));
    const fresh = [...new Set(pieces.map(({ name }) => name))].filter((name) => !lying.has(name));
    names = fresh;
    status.textContent = say(fresh.length === due?.count ? "photoRead" : "photoOther", { count: fresh.length });
    announce(status.textContent);
    draw();
  };
  const onphoto = (/** @type {File} */ file) => void photo(file).catch((error) => { status.textContent = ""; notice(error.message); });
  void once("/games").then(({ games }) => {
    all = games.find((/** @type {import("../../games.js").Game} */ game) => game.key === table.state.game)?.names ?? [];
    draw();
  }).catch((error) => notice(error.message));
  refill(grid, picker.element);
  refill(section, title, element("div", { class: "row" }, photoButton(onphoto), element("span", { class: "help" }, say("photoHelp"))), status,
    chosen, element("div", { class: "row" }, button, pileOutButton(table)), element("details", {}, element("summary", {}, say("chooseByHand")), grid));
  return living(table, section, draw);
}

/** @param {TableSession} table @param {string} name @param {() => void} correct @param {() => void} drop */
function chosenPiece(table, name, correct, drop) {
  const piece = table.label(name);
  return element("li", {},
    element("button", { type: "button", class: "tap", title: piece, "aria-label": say("correctPiece", { piece }), onclick: correct },
      pieceOf(table, name, { lying: true })),
    element("button", { type: "button", class: "plain sign", "aria-label": say("takeOff", { piece }), onclick: drop }, "×"));
}

/** @param {TableSession} table */
function pileOutButton(table) {
  if (table.state.game === "setup") return null;
  return plainButton(say("pileOut"), () => void tell(table, { type: "pile_out" }));
}

/** @param {(file: File) => void} onphoto */
function photoButton(onphoto) {
  const field = element("input", { type: "file", id: "deal-photo", class: "unseen", accept: "image/*,.heic,.heif" });
  field.addEventListener("change", () => {
    if (field.files?.[0]) onphoto(field.files[0]);
    field.value = "";
  });
  return element("div", {}, field, element("label", { for: "deal-photo", class: "button" }, say("photo")));
}

/**
 * Return pieces to choose from, narrowed down by what they have: a press for two ovals leaves nine cards.
 * @param {TableSession} table
 * @param {(name: string) => void} onpick
 */
function grouped(table, onpick) {
  const filters = element("div", { class: "filters" });
  const list = element("ul", { class: "choosable" });
  /** @type {Partial<Record<Feature, string>>} */
  let wanted = {};
  /** @type {[string[], Set<string>, boolean]} */
  let last = [[], new Set(), false];
  const has = (/** @type {string} */ name, /** @type {Feature} */ feature) => featuresOf(name)?.[feature];
  const show = (/** @type {string[]} */ names, /** @type {Set<string>} */ chosen, /** @type {boolean} */ isFull) => {
    last = [names, chosen, isFull];
    refill(filters, rows());
    const shown = names.filter((name) => Object.entries(wanted).every(([feature, value]) => has(name, /** @type {Feature} */ (feature)) === value));
    refill(list, shown.map((name) => element("li", {}, element("button", {
      type: "button", class: "tap", "aria-pressed": String(chosen.has(name)), "aria-label": table.label(name), title: table.label(name),
      disabled: isFull && !chosen.has(name), "data-key": name, onclick: () => pick(name),
    }, pieceOf(table, name, { lying: true })))));
  };
  const again = () => show(...last);
  const focus = (/** @type {HTMLElement} */ place, /** @type {string} */ key) => {
    const found = /** @type {HTMLElement | null} */ (place.querySelector(`[data-key="${CSS.escape(key)}"]`));
    found?.focus({ preventScroll: true });
  };
  const pick = (/** @type {string} */ name) => {
    onpick(name);
    focus(list, name);
  };
  const narrow = (/** @type {Feature} */ feature, /** @type {string} */ value) => {
    wanted = { ...wanted, [feature]: wanted[feature] === value ? undefined : value };
    wanted = Object.fromEntries(Object.entries(wanted).filter(([, one]) => one));
    again();
    focus(filters, `${feature} ${value}`);
  };
  const rows = () => featuresFor(kindOf(table)).map((feature) => element(
    "div", { class: "filter", role: "group", "aria-label": featureWord(feature) },
    valuesOf(feature, deckOf(table)).map((value) => plainButton(wordOf(feature, value), () => narrow(feature, value), { "aria-pressed": String(wanted[feature] === value), "data-key": `${feature} ${value}` })),
  ));
  return { element: element("div", { class: "stack" }, filters, list), show };
}
