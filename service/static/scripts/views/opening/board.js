/** The board of a table: the example, the one of last time, a photo of the empty board, or a file. */

import { drawCubed, drawJunior } from "../../boards.js";
import { element, fill, newId, refill } from "../../dom.js";
import { language, texts } from "../../i18n.js";
import { keep, recall } from "../../memory.js";
import { ask, once } from "../../service.js";
import { TABLES } from "../../texts/tables.js";

const say = texts(TABLES);
const PHOTOS = "image/*,.heic,.heif";

/**
 * Make the choice of a board.
 * @param {{key: string, example_board: any}} game
 * @returns {{element: HTMLElement, board: () => any, refuse: (text: string) => void}} `board` is null, and the choice says why, while there is none
 */
export function boardField(game) {
  const last = recall(`board.${game.key}`, null);
  /** @type {any} */
  let chosen = last ?? game.example_board;
  const told = element("div", { class: "stack tight", role: "status" });
  const fault = element("p", { class: "fault", role: "alert" });
  const pick = (/** @type {any} */ board, /** @type {(Node | null)[]} */ ...before) => {
    chosen = board;
    fault.textContent = "";
    refill(told, ...before, board && shown(game.key, board));
  };
  const refuse = (/** @type {unknown} */ error) => {
    pick(null);
    fault.textContent = error instanceof Error ? error.message : String(error);
  };
  const made = element("fieldset", { class: "stack tight board-choice" }, element("legend", {}, say("board")));
  const name = newId("board");
  const choice = (/** @type {Node | string} */ text, /** @type {boolean} */ checked, /** @type {() => void} */ onchange) =>
    element("label", { class: "tick" }, element("input", { type: "radio", name, checked, onchange }), text);
  const upload = (/** @type {"boardPhoto" | "boardFile"} */ kind) => {
    const field = fileField(kind, (file) => void (kind === "boardPhoto" ? photo(file) : written(file)).catch(refuse));
    field.hidden = true;
    const label = choice(say(kind), false, () => pick(null));
    return { label, field };
  };
  const photo = async (/** @type {File} */ file) => {
    pick(null, element("p", { class: "busy" }, say("boardReading")));
    const form = new FormData();
    form.append("photo", file, file.name);
    const { board, unsure } = await ask("POST", `/boards?game=${game.key}`, { form });
    const doubts = unsure.length ? element("ul", { class: "notice doubt list" }, unsure.map((/** @type {string} */ text) => element("li", {}, text))) : null;
    pick(board, element("p", {}, say("boardRead")), doubts);
  };
  const written = async (/** @type {File} */ file) => {
    try {
      pick(JSON.parse(await file.text()));
    } catch {
      throw new Error(say("boardNoJson"));
    }
  };
  const [camera, file] = [upload("boardPhoto"), upload("boardFile")];
  const example = element("span", {}, say("boardExample"), element("span", { class: "help" }, ` ${say("boardExampleHelp")}`));
  fill(made, last && choice(say("boardLast"), true, () => pick(last)), choice(example, !last, () => pick(game.example_board)),
    camera.label, camera.field, file.label, file.field, fault, told);
  made.addEventListener("change", () => {
    for (const { label, field } of [camera, file]) field.hidden = !label.querySelector("input")?.checked;
  });
  pick(chosen);
  const board = () => {
    if (chosen) keep(`board.${game.key}`, chosen === game.example_board ? null : chosen);
    else if (!fault.textContent) fault.textContent = say("boardMissing");
    if (!chosen) made.querySelector("input")?.focus();
    return chosen;
  };
  return { element: made, board, refuse };
}

/** @param {"boardPhoto" | "boardFile"} kind @param {(file: File) => void} onfile @returns {HTMLElement} */
function fileField(kind, onfile) {
  const id = newId("file");
  const isPhoto = kind === "boardPhoto";
  const field = element("input", {
    type: "file", id, class: "unseen", accept: isPhoto ? PHOTOS : "application/json,.json",
    onchange: () => { if (field.files?.[0]) onfile(field.files[0]); field.value = ""; },
  });
  return element("div", {}, field, element("label", { for: id, class: "button plain" }, say(isPhoto ? "boardChoosePhoto" : "boardChooseFile")));
}

/** A board that can be looked at, as far as it is one. @param {string} game @param {any} board @returns {HTMLElement} */
function shown(game, board) {
  const details = element("details", { class: "drawn" }, element("summary", {}, say("boardShown")));
  const draw = async () => {
    if (details.childElementCount > 1) return;
    try {
      const { labels } = await once(`/games/${game}/labels?language=${language()}`);
      const how = { label: (/** @type {string} */ name) => labels[name] ?? name };
      details.append((game === "cubed" ? drawCubed(board, how) : drawJunior(board, how)).element);
    } catch {
      // what is no board the service refuses, and says why
      details.append(element("p", { class: "fault" }, say("boardNoJson")));
    }
  };
  details.addEventListener("toggle", () => void draw());
  return details;
}
