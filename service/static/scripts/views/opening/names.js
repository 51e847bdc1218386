/** The names of those who play: fields that come and go. */

import { element, fill, newId, plainButton } from "../../dom.js";
import { texts } from "../../i18n.js";
import { recall } from "../../memory.js";
import { TABLES } from "../../texts/tables.js";

const say = texts(TABLES);
const LONGEST = 40;
const USUAL = 2;

/** @typedef {[number, number]} Seats fewest and most who can play */

/** Return a name as it looks: those that look alike are the same. @param {string} name */
function look(name) {
  return name.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean).join(" ");
}

/**
 * Return what is wrong with the names, by place; null where nothing is.
 * @param {string[]} names
 * @returns {(string | null)[]}
 */
export function faultsOf(names) {
  const seen = new Set();
  return names.map((name) => {
    const known = seen.has(look(name));
    seen.add(look(name));
    if (!name) return say("noName");
    if ([...name].length > LONGEST) return say("longName");
    // what cannot be seen, and spaces that look like others
    if (/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(name)) return say("plainName");
    return known ? say("sameName") : null;
  });
}

/**
 * Make the fields for names. They begin with the names of last time.
 * @returns {{element: HTMLElement, seats: (seats: Seats) => void, names: () => string[] | null, refuse: (text: string) => void}}
 *   `seats` says how many can play; `names` are null, and the fields say why, if a table cannot be opened with them
 */
export function nameFields() {
  /** @type {string[]} */
  const before = recall("players", []);
  const rows = element("ol", { class: "names" });
  const help = element("p", { class: "help" });
  const fault = element("p", { class: "fault", role: "alert" });
  const more = plainButton(`+ ${say("add")}`, () => add().focus());
  /** @type {Seats} */
  let allowed = [1, 1];
  const fields = () => /** @type {HTMLInputElement[]} */ ([...rows.querySelectorAll("input")]);

  const add = (name = "") => {
    const row = nameRow(name, () => { row.remove(); number(); more.focus(); });
    rows.append(row);
    number();
    return /** @type {HTMLInputElement} */ (row.querySelector("input"));
  };
  const number = () => {
    fields().forEach((field, index) => {
      field.setAttribute("aria-label", say("player", { number: index + 1 }));
      field.placeholder = say("player", { number: index + 1 });
      const button = field.parentElement?.querySelector("button");
      button?.setAttribute("aria-label", say("remove", { number: index + 1 }));
      if (button) button.hidden = fields().length <= allowed[0];
    });
    more.hidden = fields().length >= allowed[1];
    fault.textContent = "";
  };
  const seats = (/** @type {Seats} */ wanted) => {
    allowed = wanted;
    const [least, most] = wanted;
    while (fields().length < Math.min(most, Math.max(least, USUAL))) add(before[fields().length]);
    for (const field of fields().slice(most)) if (!field.value.trim()) field.closest("li")?.remove();
    help.textContent = least === most ? say("only", { count: most }) : say("seats", { least, most });
    number();
  };
  const names = () => {
    const written = fields().map((field) => field.value.trim());
    const faults = faultsOf(written);
    fields().forEach((field, index) => mark(field, faults[index]));
    const [least, most] = allowed;
    if (written.length < least) fault.textContent = say("few", { count: least });
    else fault.textContent = written.length > most ? say("many", { count: most }) : "";
    const wrong = fields().find((_, index) => faults[index]);
    wrong?.focus();
    return wrong || fault.textContent ? null : written;
  };
  before.forEach((name) => add(name));
  const made = element("fieldset", { class: "stack tight" }, element("legend", {}, say("players")));
  fill(made, rows, more, help, fault);
  return { element: made, seats, names, refuse: (text) => { fault.textContent = text; } };
}

/** @param {string} name @param {() => void} remove @returns {HTMLElement} */
function nameRow(name, remove) {
  const field = element("input", { value: name, maxlength: LONGEST, autocomplete: "off", enterkeyhint: "next" });
  field.addEventListener("input", () => mark(field, null));
  return element("li", {}, field, element("button", { type: "button", class: "plain sign", onclick: remove }, "×"));
}

/** Say at a field what is wrong with it. @param {HTMLInputElement} field @param {string | null} fault */
export function mark(field, fault) {
  const holder = field.closest("li, .option");
  holder?.querySelector(".fault")?.remove();
  field.removeAttribute("aria-describedby");
  field.toggleAttribute("aria-invalid", Boolean(fault));
  if (!fault || !holder) return;
  field.setAttribute("aria-invalid", "true");
  const id = newId("fault");
  field.setAttribute("aria-describedby", id);
  fill(holder, element("p", { class: "fault", id }, fault));
}
