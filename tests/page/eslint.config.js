import js from "@eslint/js";
import globals from "globals";

/** What no script of the page may do: text from outside into markup, code from text, styles that the policy forbids. */
const forbidden = [
  { selector: "MemberExpression[property.name=/^(inner|outer)HTML$/]", message: "Use textContent or element()." },
  { selector: "CallExpression[callee.property.name=/^(insertAdjacentHTML|write|writeln|setHTMLUnsafe)$/]", message: "Use element()." },
  { selector: "CallExpression[callee.property.name='setAttribute'][arguments.0.value='style']", message: "Use element.style." },
  { selector: "CallExpression[callee.name=/^(alert|confirm|prompt)$/]", message: "Use a <dialog>." },
];

export default [
  { ignores: ["**/node_modules/"] },
  js.configs.recommended,
  {
    files: ["**/*.js"],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: { ecmaVersion: 2020, sourceType: "module", globals: globals.browser },
    rules: {
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", 80],
      "max-params": ["error", 5],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-restricted-syntax": ["error", ...forbidden],
      "no-script-url": "error",
      "no-shadow": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { files: ["**/*worker.js"], languageOptions: { globals: { ...globals.worker, ...globals.serviceworker } } },
  { files: ["tests/page/*.js"], languageOptions: { ecmaVersion: 2022, globals: globals.node } },
];
