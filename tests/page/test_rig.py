"""The rig itself: what it must notice, it notices, on a page made for that."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.browsers import PHONE, SMALL
from tests.page.checks import axe, fits, larger_text, reads_well
from tests.page.conftest import Browse
from tests.page.faults import Faults
from tests.page.films import Film, Films, to_mjpeg
from tests.page.keyboard import Keyboard
from tests.page.phones import asleep

pytestmark = pytest.mark.browser

_PLAIN = """<!doctype html><html lang="en"><title>Scratch</title><meta name="viewport" content="width=device-width">
<main><h1>Scratch</h1><a href="#a">one</a> <button>two</button> <label>three <input></label> BODY</main>"""
_POLICY = "default-src 'self'; script-src 'self'; style-src 'self'"


def scratch(page: Page, body: str = "") -> None:
    """Show a page with ``body`` under a strict policy, at the address of the service."""

    def answer(route: Route) -> None:
        headers = {"Content-Security-Policy": _POLICY, "Content-Type": "text/html"}
        route.fulfill(body=_PLAIN.replace("BODY", body), headers=headers)

    page.route("**/scratch", answer)
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    page.goto("/scratch")


def noticed(faults: Faults, text: str) -> bool:
    """Return whether a fault with ``text`` was found, and forgive it."""
    faults.allow(text)
    return any(text in fault for fault in faults.found)


def test_a_plain_page_has_no_faults(browse: Browse, faults: Faults) -> None:
    page = browse()
    scratch(page)
    assert axe(page) == []
    fits(page)
    faults.check()
    assert any(address.endswith("/scratch") for address in faults.asked)


def test_errors_are_noticed(browse: Browse, faults: Faults) -> None:
    page = browse()
    scratch(page)
    page.evaluate("console.error('one went wrong')")
    page.evaluate("setTimeout(() => { throw new Error('two went wrong'); })")
    page.wait_for_timeout(50)
    with pytest.raises(AssertionError, match="one went wrong"):
        faults.check()
    assert noticed(faults, "one went wrong")
    assert noticed(faults, "two went wrong")


def test_breaches_of_the_policy_are_noticed(browse: Browse, faults: Faults) -> None:
    page = browse()
    scratch(page, """<p style="color: red">red</p><script>document.title = "bad";</script>""")
    assert page.title() == "Scratch"
    assert noticed(faults, "against the policy: style-src")
    assert noticed(faults, "against the policy: script-src")
    faults.allow("Content Security Policy")


def test_requests_to_elsewhere_are_noticed(browse: Browse, faults: Faults) -> None:
    page = browse()
    scratch(page)
    page.evaluate("new Image().src = 'http://elsewhere.example/x.png'")
    page.evaluate("try { new WebSocket('ws://elsewhere.example/') } catch {}")
    page.wait_for_timeout(50)
    assert noticed(faults, "a request leaves the service: http://elsewhere.example/x.png")
    faults.allow("against the policy|Content Security Policy")


def test_axe_works_under_a_strict_policy(browse: Browse, faults: Faults) -> None:
    page = browse()
    scratch(page, "<img src='/favicon.ico'><button></button>")
    found = "\n".join(axe(page))
    assert "image-alt" in found
    assert "button-name" in found
    faults.check()


def test_what_is_too_wide_is_noticed(browse: Browse) -> None:
    page = browse(SMALL)
    scratch(page, "<p>" + "long" * 20 + "</p>")
    with pytest.raises(AssertionError, match="longlong"):
        fits(page)


def test_texts_with_open_values_are_noticed(browse: Browse) -> None:
    page = browse()
    scratch(page, "<p>Ann has {count} SETs</p>")
    with pytest.raises(AssertionError, match="Ann has"):
        reads_well(page)


def test_a_phone_sleeps(browse: Browse) -> None:
    page = browse(PHONE)
    scratch(page)
    before = page.evaluate("Date.now()")
    page.evaluate("document.addEventListener('visibilitychange', () => { document.title += document.hidden; })")
    with asleep(page):
        assert page.evaluate("[document.visibilityState, navigator.onLine]") == ["hidden", False]
    assert page.evaluate("[document.visibilityState, navigator.onLine]") == ["visible", True]
    assert page.evaluate("Date.now()") >= before + 60_000
    assert page.title() == "Scratchtruefalse"


def test_text_can_be_larger(browse: Browse) -> None:
    page = browse(PHONE)
    scratch(page)
    before = page.get_by_role("link").bounding_box()
    larger_text(page)
    after = page.get_by_role("link").bounding_box()
    assert before is not None
    assert after is not None
    assert after["height"] > 1.8 * before["height"]


def test_a_keyboard_reaches_everything_and_a_mouse_is_noticed(browse: Browse, faults: Faults) -> None:
    page = browse()
    scratch(page)
    keyboard = Keyboard(page)
    keyboard.use(page.get_by_role("button", name="two"))
    keyboard.write(page.get_by_role("textbox"), "written")
    expect(page.get_by_role("textbox")).to_have_value("written")
    keyboard.reach(page.get_by_role("link"), back=True)
    faults.check()
    with pytest.raises(AssertionError, match="does not reach"):
        keyboard.reach(page.get_by_role("heading"))
    page.get_by_role("button").click()
    assert noticed(faults, "a keyboard alone, but mousedown")


def test_people_differ(browse: Browse) -> None:
    german = browse(PHONE, scheme="dark", language="de", calm=True)
    scratch(german)
    seen = "[navigator.language, matchMedia('(prefers-color-scheme: dark)').matches, innerWidth, devicePixelRatio]"
    assert german.evaluate(seen) == ["de-DE", True, 390, 2]
    other = browse()
    scratch(other)
    assert other.evaluate(seen) == ["en-GB", False, 1280, 1]
    german.evaluate("localStorage.setItem('key', 'mine')")
    tab = browse(beside=german)
    scratch(tab)
    assert tab.evaluate("localStorage.getItem('key')") == "mine"
    assert other.evaluate("localStorage.getItem('key')") is None


_WATCH = """async () => {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: 1280, height: 720 } });
  const video = document.querySelector("video");
  video.srcObject = stream;
  for (let frames = 0; frames < 5; frames++) await new Promise((done) => video.requestVideoFrameCallback(done));
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 1280, height: 720 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(video, 0, 0);
  const colour = (x) => [...context.getImageData(x, 360, 1, 1).data.slice(0, 3)];
  const [track] = stream.getVideoTracks();
  const devices = await navigator.mediaDevices.enumerateDevices();
  const names = devices.filter(({ kind }) => kind === "videoinput").map(({ label }) => label);
  const { frameRate } = track.getSettings();
  return { names, frameRate, size: [video.videoWidth, video.videoHeight], colours: [160, 480, 800, 1120].map(colour) };
}"""


def video(path: Path, fps: float, pictures: int) -> Path:
    """Write a video of four stripes: black, red, grey and white."""
    stripes = np.repeat(np.array([[0, 0, 0], [40, 40, 200], [128, 128, 128], [250, 250, 250]], np.uint8), 320, 0)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (1280, 720))
    for _ in range(pictures):
        writer.write(np.tile(stripes, (720, 1, 1)))
    writer.release()
    return path


def test_films_keep_their_speed(tmp_path: Path) -> None:
    seconds = to_mjpeg(video(tmp_path / "slow.mp4", 15, 6), tmp_path / "slow.mjpeg", hold=0.5)
    assert seconds == pytest.approx(6 / 15 + 0.5)
    with pytest.raises(OSError, match="25"):
        to_mjpeg(video(tmp_path / "odd.mp4", 25, 2), tmp_path / "odd.mjpeg")


def test_a_camera_plays_a_film(browse: Browse, tmp_path: Path) -> None:
    path = tmp_path / "film.mjpeg"
    seconds = to_mjpeg(video(tmp_path / "film.mp4", 30, 30), path)
    page = browse(camera=Film(path, seconds, (), {"players": []}, ()))
    scratch(page, "<video autoplay muted playsinline></video>")
    seen = page.evaluate(_WATCH)
    assert seen["size"] == [1280, 720]
    assert seen["frameRate"] == 30
    assert seen["names"] == ["Back camera"]
    for colour, wanted in zip(
        seen["colours"], [(0, 0, 0), (200, 40, 40), (128, 128, 128), (250, 250, 250)], strict=True
    ):
        assert colour == pytest.approx(wanted, abs=12)


def test_without_a_camera_there_is_none(browse: Browse) -> None:
    page = browse()
    scratch(page)
    refused = "navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'a camera', (error) => error.name)"
    assert page.evaluate(refused) == "NotFoundError"


def test_films_are_of_games(films: Films) -> None:
    film = films.get("cubed", picks=1)
    assert film.path.stat().st_size > 1_000_000
    assert film.board is not None
    assert len(film.players) == 2
    assert film.seconds > film.events[-1]["t"] > film.calls[0][0]
    assert films.get("cubed", picks=1) == film
