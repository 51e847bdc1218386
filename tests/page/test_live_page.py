"""The live view: SETs over the picture of a camera, hints, and what is said when there is nothing to see."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.page.browsers import LAPTOP, PHONE, Size
from tests.page.checks import axe, fits, larger_text, look
from tests.page.conftest import Browse, Scheme
from tests.page.faults import Faults
from tests.page.films import Film
from tests.page.keyboard import Keyboard
from tests.page.stills import still_film

pytestmark = pytest.mark.browser

_START = {"en": "Start the camera", "de": "Kamera starten", "fr": "Démarrer la caméra", "cs": "Spustit kameru"}
_FOUND = {"en": "3 SETs", "de": "3 SETs", "fr": "3 SETs", "cs": "3 SETy"}
_REFUSES = """(name) => {
  window.camera = navigator.mediaDevices.getUserMedia;
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", name));
}"""
_DRAWN = "performance.getEntriesByName('overlay-delay').length"


@pytest.fixture(scope="session")
def still(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """A camera over twelve cards with three SETs among them."""
    return still_film(tmp_path_factory.mktemp("still"))


@dataclass
class Said:
    """What a page says to the service: its hellos, and how many pictures."""

    hellos: list[dict[str, object]] = field(default_factory=list)
    pictures: int = 0

    def follow(self, page: Page) -> Said:
        """Listen to every socket of ``page``."""
        page.on("websocket", self._join)
        return self

    def _join(self, socket: WebSocket) -> None:
        socket.on("framesent", self._hear)

    def _hear(self, sent: str | bytes) -> None:
        if isinstance(sent, bytes):
            self.pictures += 1
        elif (message := json.loads(sent))["type"] == "hello":
            self.hellos.append(message)


def _started(page: Page, language: str = "en") -> Locator:
    """Start the camera, and return the buttons of the SETs, of which there are three."""
    page.goto("/live")
    page.get_by_role("button", name=_START[language]).click()
    sets = page.locator(".sets button")
    expect(sets).to_have_count(3, timeout=20_000)
    return sets


def _until(page: Page, expression: str) -> None:
    """Wait until ``expression`` is true; the policy of the page forbids what Playwright has for it."""
    for _ in range(500):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never true: {expression}")


def _drawn(page: Page, more: int) -> None:
    """Wait until so many ``more`` pictures are answered and drawn."""
    _until(page, f"{_DRAWN} >= {page.evaluate(_DRAWN) + more}")


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [(LAPTOP, "light", "en"), (LAPTOP, "dark", "cs"), (PHONE, "light", "de"), (PHONE, "dark", "fr")],
)
def test_sets_are_drawn_over_the_picture_and_listed(
    browse: Browse, still: Film, size: Size, scheme: Scheme, language: str
) -> None:
    """All that lies there is outlined, each SET has its number; everybody can read it, and nothing is cut off."""
    page = browse(size, scheme=scheme, language=language, camera=still)
    page.goto("/live")
    look(page, f"live-start-{size.width}-{scheme}-{language}")
    _started(page, language)
    expect(page.get_by_role("heading", name=_FOUND[language])).to_be_visible()
    expect(page.locator(".overlay [data-piece]")).to_have_count(12)
    numbers = [text.strip() for text in page.locator(".overlay text").all_text_contents()]
    assert sorted(numbers) == ["1"] * 3 + ["2"] * 3 + ["3"] * 3
    look(page, f"live-{size.width}-{scheme}-{language}", full=True)
    assert axe(page) == []
    fits(page)
    larger_text(page)
    fits(page)


def test_outlines_lie_on_the_cards(browse: Browse, still: Film) -> None:
    """The drawing is as large as the picture that is shown."""
    page = browse(camera=still)
    _started(page)
    video, overlay = page.locator("video").bounding_box(), page.locator(".overlay").bounding_box()
    assert video is not None
    assert overlay == pytest.approx(video, abs=1)
    assert page.locator(".overlay").get_attribute("viewBox") == "0 0 1280 720"


def test_a_set_is_lit_by_its_button_or_number(browse: Browse, still: Film) -> None:
    """One SET alone is shown; the same again, or Escape, shows all."""
    page = browse(camera=still)
    sets, numbers = _started(page), page.locator(".overlay [data-set]")
    sets.nth(1).click()
    expect(sets.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(numbers).to_have_count(3)
    look(page, "live-lit")
    page.keyboard.press("3")
    expect(sets.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(sets.nth(1)).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("3")
    expect(numbers).to_have_count(9)
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(numbers).to_have_count(9)


def test_all_is_done_with_the_keyboard(browse: Browse, still: Film) -> None:
    """Start, light a SET, pause and stop without a mouse."""
    page = browse(camera=still)
    page.goto("/live")
    keyboard = Keyboard(page)
    keyboard.use(page.get_by_role("button", name="Start the camera"))
    sets = page.locator(".sets button")
    expect(sets).to_have_count(3, timeout=20_000)
    keyboard.use(sets.first)
    expect(sets.first).to_have_attribute("aria-pressed", "true")
    expect(sets.first).to_be_focused()
    keyboard.reach(page.get_by_role("button", name="Pause"), back=True)
    keyboard.press("Enter")
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    keyboard.use(page.get_by_role("button", name="Stop"))
    expect(page.get_by_role("button", name="Start the camera")).to_be_focused()


def test_the_space_bar_pauses_and_no_picture_is_sent_meanwhile(browse: Browse, still: Film) -> None:
    """What is paused holds its picture."""
    page = browse(camera=still)
    said = Said().follow(page)
    _started(page)
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.locator(".advice")).to_have_text("Paused")
    page.wait_for_timeout(50)  # one may be on its way
    before = said.pictures
    page.wait_for_timeout(250)
    assert said.pictures == before > 0
    page.keyboard.press("Space")
    expect(page.locator(".advice")).to_be_hidden()
    _drawn(page, 2)


def test_another_language_leaves_the_camera_on(browse: Browse, still: Film) -> None:
    """The header's choices draw the view anew; the camera goes on, and the service is told the language."""
    page = browse(camera=still)
    said = Said().follow(page)
    _started(page)
    page.locator("#choices select").select_option("de")
    expect(page.get_by_role("button", name="Beenden")).to_be_visible()
    expect(page.get_by_role("button", name=_START["de"])).to_be_hidden()
    _drawn(page, 3)
    expect(page.locator(".found h2")).to_have_text("3 SETs")
    expect(page.locator(".sets button")).to_have_count(3)
    assert said.hellos[-1]["language"] == "de"


def test_a_level_of_hints_tells_no_more(browse: Browse, still: Film) -> None:
    """The service is asked for the hint only, which is shown in the words of the page; the choice is remembered."""
    page = browse(camera=still, language="de")
    said = Said().follow(page)
    _started(page, "de")
    assert said.hellos == [{"type": "hello", "game": "auto", "language": "de"}]
    page.get_by_label("Zeigen").select_option("count")
    expect(page.locator(".found h2")).to_contain_text("3")
    expect(page.locator(".sets button")).to_have_count(0)
    expect(page.locator(".overlay [data-set]")).to_have_count(0)
    assert said.hellos[-1]["hints"] == "count"
    page.get_by_label("Zeigen").select_option("two")
    marked = page.locator(".overlay .area[fill='#f0e442']")
    expect(marked).to_have_count(2)
    look(page, "live-hint")
    page.reload()
    expect(page.get_by_label("Zeigen")).to_have_value("two")


def test_a_game_on_a_board_needs_its_file(browse: Browse, still: Film) -> None:
    """The game and its board are said to the service; a file that is no board is refused here."""
    page = browse(camera=still)
    said = Said().follow(page)
    _started(page)
    page.get_by_text("Game and names").click()
    page.get_by_role("combobox", name="Game").select_option("cubed")
    file = page.get_by_label("Choose a board file")
    file.set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b'{"game": "junior-1"}'})
    expect(page.locator("#notices")).to_contain_text("no board file")
    page.get_by_role("button", name="Use the example board").click()
    expect(page.get_by_text("Board: ", exact=False)).to_be_visible()
    assert said.hellos[-1]["game"] == "cubed"
    look(page, "live-cubed", full=True)


def test_names_are_written_on_the_cards(browse: Browse, still: Film) -> None:
    """In words that fit."""
    page = browse(camera=still)
    _started(page)
    page.get_by_text("Game and names").click()
    page.get_by_label("Write the names").check()
    expect(page.locator(".overlay text", has_text="one")).not_to_have_count(0)
    look(page, "live-names")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("NotAllowedError", "Allow it"),
        ("NotFoundError", "Plug one in"),
        ("NotReadableError", "Another program"),
        ("TypeError", "could not be opened"),
    ],
)
def test_a_camera_that_cannot_be_used_is_explained(browse: Browse, still: Film, error: str, told: str) -> None:
    """One sentence says what to do, and then it works."""
    page = browse(PHONE, camera=still)
    page.goto("/live")
    page.evaluate(_REFUSES, error)
    page.get_by_role("button", name="Start the camera").click()
    expect(page.get_by_role("alert").filter(has_text=told)).to_be_visible()
    look(page, f"live-{error}")
    assert axe(page) == []
    fits(page)
    page.evaluate("() => { navigator.mediaDevices.getUserMedia = window.camera; }")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".sets button")).to_have_count(3, timeout=20_000)


def test_plain_http_elsewhere_has_no_camera(browse: Browse) -> None:
    """The page says how to get https, and that photos do without."""
    page = browse(PHONE)
    page.add_init_script(
        "Object.defineProperty(navigator, 'mediaDevices', { value: undefined });"
        "Object.defineProperty(window, 'isSecureContext', { value: false });"
    )
    page.goto("/live")
    page.get_by_role("button", name="Start the camera").click()
    expect(page.get_by_role("alert").filter(has_text="set-referee serve --https")).to_be_visible()
    look(page, "live-insecure")
    page.get_by_role("link", name="Use a photo instead").click()
    expect(page).to_have_url(re.compile("/photo$"))


def test_a_camera_that_is_pulled_out_is_missed(browse: Browse, still: Film) -> None:
    """The page says so, and stops what it sent."""
    page = browse(camera=still)
    _started(page)
    page.evaluate("document.querySelector('video').srcObject.getTracks()[0].dispatchEvent(new Event('ended'))")
    expect(page.get_by_role("alert").filter(has_text="Plug it in again")).to_be_visible()
    expect(page.locator(".overlay [data-piece]")).to_have_count(0)


_TWO_CAMERAS = """
  window.asked = [];
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = ({ video }) => {
    window.asked.push(video.deviceId?.exact ?? video.facingMode);
    return open({ video: true });
  };
  const list = ["front", "back"].map((deviceId) => ({ kind: "videoinput", deviceId, label: `The ${deviceId} one` }));
  mediaDevices.enumerateDevices = async () => list;
  MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
  MediaStreamTrack.prototype.applyConstraints = async ({ advanced: [{ torch }] }) => { window.asked.push(torch); };
  navigator.wakeLock.request = async (kind) => {
    window.asked.push(kind);
    return { release: () => window.asked.push("asleep") };
  };
"""


def test_a_device_with_two_cameras_and_a_light(browse: Browse, still: Film) -> None:
    """The back camera comes first, another one is remembered; the light goes on and off, the screen stays on."""
    page = browse(PHONE, camera=still)
    page.add_init_script(_TWO_CAMERAS)
    page.goto("/live")
    page.get_by_role("button", name="Start the camera").click()
    light = page.get_by_role("button", name="Light")
    light.click()
    expect(light).to_have_attribute("aria-pressed", "true")
    light.click()
    expect(light).to_have_attribute("aria-pressed", "false")
    page.get_by_role("combobox", name="Camera").select_option(label="The back one")
    _until(page, "asked.length >= 5")
    fits(page)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Start the camera").click()
    expect(light).to_be_visible()
    assert page.evaluate("asked") == ["environment", "screen", True, False, "back", "asleep", "back", "screen"]


def test_a_page_that_nobody_sees_sends_nothing(browse: Browse, still: Film) -> None:
    """What is hidden rests, and goes on when it is seen again."""
    page = browse(camera=still)
    said = Said().follow(page)
    _started(page)
    page.evaluate("() => { Object.defineProperty(document, 'hidden', { value: true, configurable: true }); }")
    page.wait_for_timeout(50)  # one may be on its way
    before = said.pictures
    page.wait_for_timeout(250)
    assert said.pictures == before
    page.evaluate("() => { delete document.hidden; }")
    _drawn(page, 2)


def test_the_picture_fills_the_screen(browse: Browse, still: Film) -> None:
    """There it says what was found, for a room to read."""
    page = browse(camera=still)
    _started(page)
    page.get_by_role("button", name="Full screen").click()
    expect(page.locator(".caption")).to_have_text("3 SETs")
    expect(page.locator(".caption")).to_be_visible()
    look(page, "live-full")
    page.evaluate("document.exitFullscreen()")
    expect(page.locator(".caption")).to_be_hidden()


def test_leaving_the_view_turns_the_camera_off(browse: Browse, still: Film) -> None:
    """No light stays on at the device."""
    page = browse(camera=still)
    _started(page)
    page.evaluate("window.track = document.querySelector('video').srcObject.getTracks()[0]")
    page.get_by_role("link", name="Photo").first.click()
    _until(page, "window.track.readyState === 'ended'")


def test_a_service_that_was_away_is_found_again(browse: Browse, faults: Faults, still: Film) -> None:
    """The drawing goes, the page says why, and comes back by itself."""
    faults.allow("ERR_INTERNET_DISCONNECTED")
    page = browse(camera=still)
    said = Said().follow(page)
    sets = _started(page)
    page.context.set_offline(True)
    page.evaluate("() => { dispatchEvent(new Event('online')); }")  # what was open is given up
    expect(page.locator(".advice")).to_contain_text("connection")
    expect(page.locator(".overlay [data-piece]")).to_have_count(0)
    page.context.set_offline(False)
    _drawn(page, 3)
    expect(sets).to_have_count(3)
    assert len(said.hellos) >= 2


def test_a_dark_picture_says_so(browse: Browse, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where nothing can be seen the page says what to do."""
    page = browse(PHONE, camera=_dark(tmp_path_factory), language="cs")
    page.goto("/live")
    page.get_by_role("button", name=_START["cs"]).click()
    expect(page.locator(".advice")).to_have_text("Příliš tma. Rozsviťte.", timeout=20_000)
    look(page, "live-dark")


def test_measures_are_kept_in_bounds(browse: Browse, still: Film) -> None:
    """Each picture that is drawn has its delay, from when it was taken."""
    page = browse(camera=still)
    _started(page)
    _drawn(page, 5)
    delays = page.evaluate("performance.getEntriesByName('overlay-delay').map(({ duration }) => duration)")
    assert all(0 < delay < 5_000 for delay in delays)
    expect(page.locator(".figures")).to_contain_text("pictures a second")


def _dark(tmp_path_factory: pytest.TempPathFactory) -> Film:
    folder = tmp_path_factory.mktemp("dark")
    picture = folder / "dark.png"
    cv2.imwrite(str(picture), np.zeros((720, 1280, 3), np.uint8))
    return still_film(folder, picture)
