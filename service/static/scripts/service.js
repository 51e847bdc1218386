/** Asks the service over HTTP. */

import { texts } from "./i18n.js";
import { REFUSALS } from "./texts/refusals.js";

const say = texts(REFUSALS);
/**
 * Codes of refusals that people meet, in words of the page's language.
 * @type {Record<string, keyof typeof REFUSALS["en"] | import("./i18n.js").Common>}
 */
const KNOWN = {
  "too-many-requests": "later",
  busy: "later",
  full: "full",
  stopping: "stopping",
  "store-gone": "store",
  "store-full": "store",
  "no-table": "noTable",
  "bad-key": "key",
  "no-invitation": "invitation",
  "seat-taken": "seat",
  "too-many-bytes": "large",
  "too-many-pixels": "large",
  "not-a-picture": "picture",
  "unsupported-format": "picture",
  moved: "moved",
  "no-call": "noCall",
  "no-replay": "noReplay",
};

/** What the service refuses, or that it cannot be reached: `message` is for people, `code` for programs. */
export class Refusal extends Error {
  /** @param {string} code @param {string} text @param {number} status 0 where there was no answer */
  constructor(code, text, status) {
    super(code in KNOWN ? say(KNOWN[code]) : text);
    this.code = code;
    this.status = status;
  }
}

/**
 * @typedef {object} Asked
 * @property {string} [key] of a table
 * @property {unknown} [json] sent as JSON
 * @property {FormData} [form] sent as a form
 * @property {string} [text] sent as it is
 * @property {number} [last] newest entry of the journal that is known (If-Match)
 * @property {AbortSignal} [signal]
 */

/**
 * Ask the service, and return its answer whatever it holds.
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {Asked} [asked]
 * @returns {Promise<Response>}
 * @throws {Refusal} it refuses, or there is no answer
 */
export async function request(method, path, { key, json, form, text, last, signal } = {}) {
  const headers = new Headers();
  if (key) headers.set("Authorization", `Bearer ${key}`);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  if (text !== undefined) headers.set("Content-Type", "application/x-ndjson");
  if (last !== undefined) headers.set("If-Match", `"${last}"`);
  const body = json === undefined ? form ?? text : JSON.stringify(json);
  let response;
  try {
    response = await fetch(`/api/v1${path}`, { method, headers, body, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal("unreachable", say("unreachable"), 0);
  }
  if (!response.ok) throw await refused(response);
  return response;
}

/** @param {Response} response @returns {Promise<Refusal>} */
async function refused(response) {
  try {
    const { code, text } = (await response.json()).error;
    return new Refusal(String(code), String(text), response.status);
  } catch {
    return new Refusal("no-answer", say("status", { status: String(response.status) }), response.status);
  }
}

/**
 * Ask the service, and return the JSON it answers; null where the answer is empty.
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {Asked} [asked]
 * @returns {Promise<any>}
 * @throws {Refusal} it refuses, or there is no answer
 */
export async function ask(method, path, asked) {
  const response = await request(method, path, asked);
  return response.status === 204 ? null : response.json();
}

/** @type {Map<string, Promise<any>>} */
const fetched = new Map();

/**
 * Return what the service says once and for all at a path, such as /games; it is asked only once.
 * @param {string} path below /api/v1
 * @returns {Promise<any>}
 * @throws {Refusal} it refuses, or there is no answer
 */
export function once(path) {
  const known = fetched.get(path);
  if (known) return known;
  const asked = ask("GET", path);
  fetched.set(path, asked);
  asked.catch(() => fetched.delete(path));
  return asked;
}
