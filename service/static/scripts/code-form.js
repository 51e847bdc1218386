/** The form into which people type the code of a table. */

import { element, newId } from "./dom.js";
import { texts } from "./i18n.js";
import { navigate } from "./router.js";
import { JOIN } from "./texts/join.js";

const say = texts(JOIN);
const LENGTH = 6;

/**
 * Return the form; it leads to the address of the code.
 * @param {string} [value]
 * @param {string} [wrong] why that code leads nowhere
 * @returns {HTMLFormElement}
 */
export function codeForm(value = "", wrong = "") {
  const [helpId, faultId] = [newId("help"), newId("fault")];
  const fault = element("p", { class: "fault", id: faultId, role: "alert" }, wrong);
  const field = element("input", {
    name: "code", class: "code", maxlength: 20, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    enterkeyhint: "go", "aria-describedby": `${helpId} ${faultId}`, "aria-invalid": wrong ? "true" : null, value,
  });
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    const code = field.value.replace(/[\s-]/g, "").toLowerCase();
    if (code.length === LENGTH) navigate(`/j/${encodeURIComponent(code)}`);
    else {
      fault.textContent = say("codeShort");
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
  };
  return element("form", { class: "stack tight code-form", novalidate: true, onsubmit: go },
    element("label", { class: "field" }, say("code"), field), element("p", { class: "help", id: helpId }, say("codeHelp")), fault,
    element("button", { type: "submit" }, say("go")));
}
