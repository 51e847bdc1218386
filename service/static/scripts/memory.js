/** What this browser remembers: choices, and the keys of tables. Without storage the page works and forgets. */

const PREFIX = "set-referee.";
/** @type {Map<string, unknown>} What could not be stored: null is forgotten. */
const inMemory = new Map();

/**
 * Return what is remembered under a name.
 * @template T
 * @param {string} name
 * @param {T} otherwise returned where nothing is, or nothing of this kind: other versions, and people, write there too
 * @returns {T}
 */
export function recall(name, otherwise) {
  const value = inMemory.has(name) ? inMemory.get(name) : stored(name);
  return value !== null && (otherwise === null || kindOf(value) === kindOf(otherwise)) ? /** @type {T} */ (value) : otherwise;
}

/** @param {string} name @returns {unknown} null where nothing is that can be read */
function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {unknown} value */
function kindOf(value) {
  return Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
}

/**
 * Remember a value, which JSON can hold; null forgets it.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    inMemory.delete(name);
  } catch {
    // private windows may refuse, and a store may be full: it is kept as long as the page is open
    inMemory.set(name, value);
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
  return recall("tables", /** @type {KnownTable[]} */ ([])).filter(isTable);
}

/** @param {any} table of the store, where anything may stand */
function isTable(table) {
  const isText = [table?.id, table?.title, table?.game].every((text) => typeof text === "string");
  return isText && Number.isFinite(table.seen) && kindOf(table.keys) === "object";
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
