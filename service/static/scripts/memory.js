/** What this browser remembers: choices, and the keys of tables. Without storage the page works and forgets. */

const PREFIX = "set-referee.";
/** @type {Map<string, unknown>} What is known where nothing can be stored. */
const inMemory = new Map();

/**
 * Return what is remembered under a name.
 * @template T
 * @param {string} name
 * @param {T} otherwise returned where nothing is
 * @returns {T}
 */
export function recall(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return /** @type {T} */ (inMemory.get(name) ?? otherwise);
  }
}

/**
 * Remember a value, which JSON can hold; null forgets it.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  inMemory.set(name, value);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // private windows may refuse: it is kept as long as the page is open
  }
}

/**
 * A table that this browser has keys of.
 * @typedef {object} KnownTable
 * @property {string} id
 * @property {string} title what people call it
 * @property {string} game
 * @property {string} [language] of its sentences
 * @property {number} seen when it was used last, in milliseconds since 1970
 * @property {{host?: string, join?: string, spectator?: string, camera?: string, players?: Record<string, string>}} keys
 */

const MOST_TABLES = 12;

/** Return the tables that this browser knows, the one used last first. @returns {KnownTable[]} */
export function knownTables() {
  return recall("tables", /** @type {KnownTable[]} */ ([]));
}

/** Return a table that this browser knows. @param {string} id @returns {KnownTable | undefined} */
export function knownTable(id) {
  return knownTables().find((table) => table.id === id);
}

/**
 * Remember a table; keys that are known already stay.
 * @param {Omit<KnownTable, "seen">} table
 */
export function keepTable(table) {
  const before = knownTable(table.id);
  const players = { ...before?.keys.players, ...table.keys.players };
  const kept = { ...before, ...table, keys: { ...before?.keys, ...table.keys, players }, seen: Date.now() };
  keep("tables", [kept, ...knownTables().filter((one) => one.id !== table.id)].slice(0, MOST_TABLES));
}

/** Forget a table and its keys. @param {string} id */
export function forgetTable(id) {
  keep("tables", knownTables().filter((table) => table.id !== id));
}
