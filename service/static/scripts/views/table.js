/** A table, in the role of the key that this browser holds. */

import { codeForm } from "../code-form.js";
import { closeDialogs } from "../dialog.js";
import { element, fill, refill, styles } from "../dom.js";
import { texts } from "../i18n.js";
import { forgetTable, keepTable, knownTable } from "../memory.js";
import { navigate } from "../router.js";
import { Refusal } from "../service.js";
import { TableSession } from "../table/session.js";
import { JOIN } from "../texts/join.js";
import { chooseSeat } from "./join.js";

const say = texts(JOIN);

/** @typedef {import("../memory.js").KnownTable} KnownTable */
/** @typedef {"host" | "player" | "spectator" | "camera" | "join"} Role */
/** @typedef {{role: Role, key: string}} Seat */

/** @typedef {{show: (view: HTMLElement, table: TableSession) => Promise<() => void>}} View */

/** What shows a table that is followed. @type {Record<"host" | "player" | "spectator", () => Promise<View>>} */
const VIEWS = {
  host: () => import("./table/host.js"),
  player: () => import("./table/player.js"),
  spectator: () => import("./table/spectator.js"),
};

/** @type {import("../router.js").Show} */
export async function show(view, route) {
  const [id] = route.parts;
  const known = knownTable(id);
  const seat = known && seatOf(known, route.query.get("as"));
  refill(view, element("p", { class: "soft", role: "status" }, say("looking")));
  await Promise.all(["pieces", "table", "player", "choosing"].map(styles));
  if (!known || !seat) {
    problem(view, "unknown");
    return undefined;
  }
  keepTable(known);
  if (seat.role === "camera") {
    const camera = await import("./table/camera.js");
    view.replaceChildren();
    return camera.show(view, { id, key: seat.key, table: { state: { title: known.title } } });
  }
  try {
    const { role, key } = seat;
    if (role === "join") return await chooseSeat(view, { id, key, onlost: (error) => refused(view, id, error) });
    return await follow(view, id, { role, key });
  } catch (error) {
    refused(view, id, error);
    return undefined;
  }
}

/**
 * Return which key to use: the one that is asked for, else the one that may most.
 * @param {KnownTable} known
 * @param {string | null} as "host", "player:Ann", "spectator", "camera", "join"
 * @returns {Seat | undefined}
 */
export function seatOf({ keys }, as) {
  const players = Object.entries(keys.players ?? {});
  /** @type {[Role, string | undefined][]} */
  const all = [["host", keys.host], ["player", players[0]?.[1]], ["spectator", keys.spectator], ["camera", keys.camera], ["join", keys.join]];
  const [wanted, name] = as === null ? [] : as.split(/:(.*)/s);
  if (wanted === "player" && name) {
    const key = players.find(([player]) => player === name)?.[1];
    return key ? { role: "player", key } : undefined;
  }
  const found = all.find(([role, key]) => key && (wanted === undefined || role === wanted));
  return found?.[1] ? { role: found[0], key: found[1] } : undefined;
}

/**
 * Follow a table until the view is left, or the service ends it.
 * @param {HTMLElement} view
 * @param {string} id
 * @param {{role: "host" | "player" | "spectator", key: string}} seat
 * @returns {Promise<() => void>}
 * @throws {Refusal} the table is gone, the key does not open it, or there is no answer
 */
async function follow(view, id, { role, key }) {
  /** @type {(() => void) | undefined} */
  let stop;
  const session = await TableSession.open({ id, key, seen: role !== "player" });
  const end = () => {
    if (session.status !== "ended") return;
    stop?.();
    stop = undefined;
    closeDialogs();
    problem(view, session.end?.code === 4404 ? "gone" : "revoked");
    if (session.end?.code === 4404) forgetTable(id);
  };
  view.replaceChildren();
  if (session.end === null) stop = await (await VIEWS[role]()).show(view, session);
  session.onchange((news) => { if (news === "status") end(); });
  end();
  return () => {
    session.close();
    stop?.();
  };
}

/** Say why a table cannot be shown. @param {HTMLElement} view @param {string} id @param {unknown} error @throws what is no refusal */
function refused(view, id, error) {
  if (!(error instanceof Refusal)) throw error;
  if (error.code === "no-table") {
    forgetTable(id);
    problem(view, "gone");
  } else if (error.status === 401 || error.status === 403) problem(view, "revoked");
  else {
    problem(view, "unreachable", error.message);
    const again = () => navigate(location.pathname + location.search, { replace: true });
    const button = element("button", { type: "button", onclick: again }, say("again"));
    view.querySelector(".problem")?.append(button);
  }
}

/**
 * Say why there is no table here, and what can be done.
 * @param {HTMLElement} view
 * @param {"unknown" | "gone" | "revoked" | "unreachable"} what
 * @param {string} [help]
 */
function problem(view, what, help) {
  const text = help ?? say(/** @type {"goneHelp"} */ (`${what}Help`));
  const panel = element("section", { class: "panel problem stack", role: "alert" }, element("h1", {}, say(what)), element("p", {}, text));
  refill(view, element("div", { class: "narrow stack" }, panel));
  if (what === "unreachable") return;
  fill(panel, codeForm());
  fill(panel, element("a", { href: "/table" }, say("tables")));
}
