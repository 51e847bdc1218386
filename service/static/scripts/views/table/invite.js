/** How others come to the table: a QR code, a link, and a code to type. */

import { element, notice, plainButton, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { ask, once, Refusal, request } from "../../service.js";
import { INVITING } from "../../texts/inviting.js";
import { endingWith, living } from "./living.js";

const say = texts(INVITING);
/** The part of its time after which a code is asked for anew: its time then begins again. */
const RENEW = 0.7;
const RETRY = 5;
const COMMAND = "set-referee serve --https --host 0.0.0.0";

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Part} Part */
/** @typedef {"join" | "camera"} Purpose what the key is for */

/** Return whether only this computer itself is at a host name. @param {string} name */
function isLoopback(name) {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127\./.test(name);
}

/** Return the address under which phones reach this page; null if they cannot. @returns {Promise<string | null>} */
async function reachableOrigin() {
  if (!isLoopback(location.hostname)) return location.origin;
  const { addresses } = await once("/addresses");
  return addresses[0] ?? null;
}

/**
 * Return an invitation to the table, with a code that does not end while it is shown.
 * @param {TableSession} table
 * @param {{key: () => string, purpose: Purpose}} how a key that may be given away: another window may have made a new one
 * @returns {Part}
 */
export function invitation(table, { key, purpose }) {
  const place = element("div", { class: `invitation ${purpose}` }, element("p", { class: "soft" }, say("inviting")));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let shown = "";
  let picture = "";
  let stopped = false;
  const renew = async () => {
    clearTimeout(timer);
    let wait = RETRY;
    try {
      const { code, seconds } = await table.ask("POST", "/invitations", { key: key() });
      wait = seconds * RENEW;
      if (code !== shown && !stopped) await show(code);
      shown = code;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!shown) refill(place, element("p", { class: "notice bad" }, error.message));
    }
    if (!stopped) timer = setTimeout(renew, 1000 * wait);
  };
  const show = async (/** @type {string} */ code) => {
    const origin = await reachableOrigin();
    const link = `${origin ?? location.origin}/j/${code}`;
    const drawn = await request("POST", "/qr", { json: { text: link } });
    URL.revokeObjectURL(picture);
    picture = URL.createObjectURL(await drawn.blob());
    refill(place, invited({ link, code, picture, purpose, isReachable: origin !== null }));
  };
  // a service that was started anew knows no codes any more
  let before = table.status;
  const part = living(table, place, () => {
    if (table.status === "open" && before !== "open") void renew();
    before = table.status;
  }, ["status"]);
  void renew();
  return endingWith(part, () => {
    stopped = true;
    clearTimeout(timer);
    URL.revokeObjectURL(picture);
  });
}

/** @param {{link: string, code: string, picture: string, purpose: Purpose, isReachable: boolean}} what @returns {Node[]} */
function invited({ link, code, picture, purpose, isReachable }) {
  const half = Math.ceil(code.length / 2);
  const help = say(/** @type {"joinHelp"} */ (`${purpose}Help`));
  const made = [
    isReachable ? element("img", { class: "qr", src: picture, alt: say("qr", { link }), width: 240, height: 240 }) : startAgain("unreachable"),
    element("div", { class: "invited" },
      element("p", {}, isReachable ? help : say("hereOnly")),
      element("p", { class: "link" }, link.replace(/^http:\/\//, "").replace(code, "")),
      element("p", { class: "code", "aria-label": say("code", { code: [...code].join(" ") }) }, code.slice(0, half), " ", code.slice(half)),
      element("div", { class: "row" }, copyButton(link), shareButton(link))),
  ];
  if (isReachable && purpose === "camera" && link.startsWith("http:")) made.push(startAgain("needsHttps"));
  return made;
}

/** @param {"unreachable" | "needsHttps"} why */
function startAgain(why) {
  return element("p", { class: "notice doubt" }, element("span", {}, say(why), " ", element("code", {}, COMMAND)));
}

/** @param {string} link */
function copyButton(link) {
  if (!navigator.clipboard?.writeText) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    notice(say("copied"), { kind: "good" });
  };
  return plainButton(say("copy"), () => void copy().catch(() => notice(say("notCopied"))));
}

/** @param {string} link */
function shareButton(link) {
  if (!navigator.share) return null;
  // who closes the choice again has shared nothing
  const share = () => void navigator.share({ url: link, title: "Set Referee" }).catch(() => undefined);
  return plainButton(say("share"), share);
}

/**
 * Return who is there already, and who is not.
 * @param {TableSession} table
 * @returns {Part}
 */
export function joined(table) {
  const listed = element("ul", { class: "joined", "aria-label": say("joined") });
  return living(table, listed, () => refill(listed, table.state.players.map(({ name, connected }) => element(
    "li", { class: connected ? "there" : "" },
    element("span", { "aria-hidden": "true" }, connected ? "✓" : "…"), ` ${name} `,
    element("span", { class: "help" }, say(connected ? "isThere" : "isAwaited")),
  ))));
}

/**
 * Make a new key for those who take a seat, and end the old one: codes that went astray are worth nothing then.
 * @param {TableSession} table
 * @param {string | undefined} old
 * @returns {Promise<string>} the new key
 */
export async function newJoinKey(table, old) {
  const { key } = await table.ask("POST", "/keys", { role: "join" });
  if (old) await ask("DELETE", `/tables/${table.id}/keys/${old.split(".")[0]}`, { key: table.key });
  return key;
}
