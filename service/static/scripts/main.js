/** The shell: header, languages, themes, and the view that the address asks for. */

import { closeDialogs } from "./dialog.js";
import { byId, element, refill } from "./dom.js";
import { chooseLanguage, language, LANGUAGES, texts } from "./i18n.js";
import { chooseLetters, wantsLetters } from "./letters.js";
import { keep, recall } from "./memory.js";
import { drawPiece } from "./pieces.js";
import { current, navigate, staysHere } from "./router.js";
import { SHELL } from "./texts/shell.js";

const say = texts(SHELL);
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
/** When the colours of the dark count. */
const DARK = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };
/** @typedef {import("./i18n.js").Language} Language */

/** @type {import("./router.js").Leave | void} What leaves the view that is shown. */
let leave;
let shown = 0;

async function show(again = false) {
  const mine = ++shown;
  const { place, load, route } = current(again);
  leave?.(again);
  leave = undefined;
  byId("polite").textContent = "";
  closeDialogs();
  drawShell(place);
  byId("view").setAttribute("aria-busy", "true");
  try {
    const { show: draw } = await load();
    if (mine !== shown) return;
    const left = await draw(freshView(place), route);
    if (mine === shown) leave = left;
    else left?.(false);
  } catch (error) {
    console.error(error);
    if (mine === shown) refill(freshView(place), element("p", { class: "notice bad", role: "alert" }, say("broken")));
  } finally {
    if (mine === shown) byId("view").removeAttribute("aria-busy");
  }
  if (mine === shown && !again) arrive(byId("view"));
}

/** Put an empty element in the place of the view before: what that one still draws is seen nowhere. @param {string} place */
function freshView(place) {
  const view = element("main", { id: "view", tabindex: -1, class: `view ${place}`, "aria-busy": "true" });
  byId("view").replaceWith(view);
  return view;
}

/** @param {HTMLElement} view */
function arrive(view) {
  const heading = view.querySelector("h1")?.textContent;
  document.title = heading && heading !== "Set Referee" ? `${heading} – Set Referee` : "Set Referee";
  if (shown > 1) {
    scrollTo(0, 0);
    view.focus({ preventScroll: true });
  }
}

/** @param {string} place */
function drawShell(place) {
  document.documentElement.lang = language();
  byId("skip").textContent = say("skip");
  byId("developers").textContent = say("developers");
  byId("places").setAttribute("aria-label", say("places"));
  refill(byId("places"), ["photo", "live", "table"].map((name) => element(
    "a",
    { href: `/${name}`, "aria-current": name === place ? "page" : null },
    say(/** @type {"photo" | "live" | "table"} */ (name)),
  )));
  refill(byId("choices"), languageChoice(), lettersButton(), themeButton());
}

function languageChoice() {
  const options = Object.entries(LANGUAGES).map(([tag, name]) => element(
    "option", { value: tag, lang: tag, selected: tag === language() }, name,
  ));
  const change = (/** @type {Event} */ event) => {
    chooseLanguage(/** @type {Language} */ (/** @type {HTMLSelectElement} */ (event.target).value));
    void show(true).then(() => byId("choices").querySelector("select")?.focus());
  };
  return element("select", { "aria-label": say("language"), onchange: change }, options);
}

function lettersButton() {
  const change = () => {
    chooseLetters(!wantsLetters());
    void show(true).then(() => byId("choices").querySelector("button")?.focus());
  };
  const name = { "aria-label": say("letters"), title: say("letters") };
  return element("button", { type: "button", class: "plain sign", "aria-pressed": String(wantsLetters()), ...name, onclick: change },
    drawPiece("1 red solid oval", { kind: "tile", letters: { red: "A" } }));
}

function themeButton() {
  const theme = THEMES.find((one) => one === recall("theme", "auto")) ?? "auto";
  // the first press changes what is seen
  const others = matchMedia(DARK.auto).matches ? THEMES : [THEMES[0], THEMES[2], THEMES[1]];
  const next = others[(others.indexOf(theme) + 1) % others.length];
  const change = () => {
    keep("theme", next);
    byId("dark").setAttribute("media", DARK[next]);
    const button = themeButton();
    byId("choices").lastElementChild?.replaceWith(button);
    button.focus();
  };
  const signs = { auto: "◐", light: "☀", dark: "☾" };
  const name = say("theme", { theme: say(theme) });
  return element("button", { type: "button", class: "plain sign", "aria-label": name, title: name, onclick: change },
    signs[theme]);
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.("a[href]");
  if (link instanceof HTMLAnchorElement && staysHere(event, link)) {
    event.preventDefault();
    if (link.href !== location.href) navigate(link.pathname + link.search);
    else void show();
  }
});
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("view").focus();
});
document.addEventListener("navigate", () => void show());
addEventListener("popstate", () => void show());
void show();

if ("serviceWorker" in navigator && isSecureContext) {
  // with a certificate that the browser was told to accept it may refuse: the page works without
  workOffline(navigator.serviceWorker).catch(() => undefined);
}

/** Have the shell kept for times without a network. @param {ServiceWorkerContainer} workers */
async function workOffline(workers) {
  if (!workers.controller) workers.addEventListener("controllerchange", keepShell, { once: true });
  await workers.register("/service-worker.js");
}

/** What the page is made of came before its worker: ask for it once more, so that the worker keeps it. */
function keepShell() {
  for (const { name } of performance.getEntriesByType("resource")) {
    if (name.startsWith(`${location.origin}/static/`)) fetch(name).catch(() => undefined);
  }
}
