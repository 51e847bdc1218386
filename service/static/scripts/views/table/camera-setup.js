/** Which camera looks on: this device's, that of another phone, or none. */

import { element, plainButton, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { knownTable } from "../../memory.js";
import { INVITING } from "../../texts/inviting.js";
import { cameraPanel } from "./camera.js";
import { invitation } from "./invite.js";
import { endingWith } from "./living.js";
import { panel } from "./panel.js";

const say = texts(INVITING);

/** @typedef {import("./living.js").TableSession} TableSession */

/**
 * Return the choice of a camera: open until one looks on or the game has begun, and as long as it is this device's.
 * @param {TableSession} table
 * @returns {import("./panel.js").Panel}
 */
export function cameraSetup(table) {
  const about = element("p", { class: "help" });
  const place = element("div", {});
  const section = element("section", { class: "panel stack tight camera-setup", "aria-labelledby": "camera-title" },
    element("h2", { id: "camera-title" }, say("cameraTitle")), about);
  /** @type {(() => void) | undefined} */
  let stopOwn;
  /** @type {import("./living.js").Part | undefined} */
  let invited;
  const rest = () => {
    stopOwn?.();
    invited?.stop();
    [stopOwn, invited] = [undefined, undefined];
    place.replaceChildren();
  };
  const own = () => {
    rest();
    stopOwn = cameraPanel(place, { id: table.id, key: knownTable(table.id)?.keys.camera ?? table.key }, { begin: true });
    draw();
  };
  const other = (/** @type {string} */ key) => {
    rest();
    invited = invitation(table, { key: () => key, purpose: "camera" });
    refill(place, invited);
    draw();
  };
  const none = () => { rest(); draw(); };
  const ownButton = element("button", { type: "button", onclick: own }, say("cameraOwn"));
  const key = knownTable(table.id)?.keys.camera;
  const otherButton = key ? plainButton(say("cameraOther"), () => other(key)) : null;
  const stopButton = plainButton(say("cameraStop"), none);
  section.append(element("div", { class: "row" }, ownButton, otherButton, stopButton), place);
  const draw = () => {
    const { connected, scene } = table.state.camera;
    if (connected && invited) rest();
    ownButton.hidden = Boolean(stopOwn);
    if (otherButton) otherButton.hidden = Boolean(stopOwn || invited);
    stopButton.hidden = !stopOwn && !invited;
    stopButton.textContent = say(stopOwn ? "cameraStop" : "cancel");
    about.textContent = connected ? say("cameraLooks", { scene: sceneOf(scene) }).trim() : say("cameraNone");
  };
  const opens = () => Boolean(stopOwn || invited) || (!table.state.camera.connected && table.entries.length === 0);
  return endingWith(panel(table, section, opens, draw), rest);
}

/** @param {string | null} scene */
function sceneOf(scene) {
  return scene && `scene_${scene}` in INVITING.en ? say(/** @type {"scene_still"} */ (`scene_${scene}`)) : scene ?? "";
}
