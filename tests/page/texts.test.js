/** What the page says: every text in every language, with the same values and every plural in it. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const SCRIPTS = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "service", "static", "scripts");
const LANGUAGES = ["en", "de", "fr", "cs"];

/** @param {string} folder @returns {string[]} every script below it */
function scripts(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? scripts(path) : path.endsWith(".js") ? [path] : [];
  });
}

/** The values that stand in a text or in any of its plurals. */
const values = (text) => [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
const forms = (text) => (typeof text === "string" ? [text] : Object.values(text));

/** The plurals that each language has for whole numbers. */
const plurals = Object.fromEntries(LANGUAGES.map((language) => {
  const rules = new Intl.PluralRules(language);
  return [language, [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))]];
}));

const tables = [];
for (const path of scripts(join(SCRIPTS, "texts"))) {
  for (const [name, table] of Object.entries(await import(pathToFileURL(path)))) {
    if (table !== null && typeof table === "object" && "en" in table) tables.push([name, table]);
  }
}
const written = scripts(SCRIPTS).filter((path) => !path.includes(join("scripts", "texts")))
  .map((path) => readFileSync(path, "utf8")).join("\n");

/** Names that scripts put together, such as `hints_${level}`. */
const HOLE = /\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g;
const madeNames = [...written.matchAll(/`([^`\s]*)`/g)].map(([, name]) => name.split(HOLE))
  .filter((parts) => parts.length > 1 && parts.every((part) => /^[\w-]*$/.test(part)) && parts.join(""))
  .map((parts) => new RegExp(`^${parts.join(".+")}$`));
const isSaid = (key) => written.includes(`"${key}"`) || madeNames.some((name) => name.test(key));

test("there are texts", () => assert.ok(tables.length > 0));

for (const [name, table] of tables) {
  test(`${name} stands in all languages`, () => {
    assert.deepEqual(Object.keys(table).sort(), [...LANGUAGES].sort());
    for (const language of LANGUAGES) {
      assert.deepEqual(Object.keys(table[language]).sort(), Object.keys(table.en).sort(), language);
    }
  });

  test(`${name} has the same values in all languages, and no text is empty`, () => {
    for (const [key, text] of Object.entries(table.en)) {
      for (const language of LANGUAGES) {
        assert.deepEqual(values(table[language][key]), values(text), `${key} in ${language}`);
        assert.ok(forms(table[language][key]).every((form) => form.trim()), `${key} in ${language} is empty`);
      }
    }
  });

  test(`${name} has the plurals of each language`, () => {
    for (const language of LANGUAGES) {
      for (const [key, text] of Object.entries(table[language])) {
        if (typeof text === "string") continue;
        const missing = plurals[language].filter((form) => !(form in text));
        assert.deepEqual(missing, [], `${key} in ${language}`);
      }
    }
  });
}

test("every text that is said by its name exists", () => {
  const known = new Set(tables.flatMap(([, table]) => Object.keys(table.en)));
  const said = [...written.matchAll(/\bsay\("([^"]+)"/g)].map(([, key]) => key);
  assert.deepEqual(said.filter((key) => !known.has(key)), []);
});

for (const [name, table] of tables) {
  test(`every text of ${name} is said`, () => assert.deepEqual(Object.keys(table.en).filter((key) => !isSaid(key)), []));
}

test("what several views say stands once, and under its own name", () => {
  const all = tables.filter(([name]) => name !== "OPTIONS").flatMap(([name, table]) => Object.keys(table.en).map((key) => (
    { name, key, text: JSON.stringify(LANGUAGES.map((language) => table[language][key])) })));
  const isTwice = (one) => all.some(({ name, key, text }) => name !== one.name && (text === one.text || (name === "COMMON" && key === one.key)));
  assert.deepEqual(all.filter(isTwice).map(({ name, key }) => `${name}.${key}`), []);
});
