"""A phone or laptop that is the camera of a table, and the parts that send and draw its pictures."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.page.browsers import LAPTOP, PHONE, Size
from tests.page.checks import axe, fits, look
from tests.page.conftest import Browse, Scheme
from tests.page.films import Film
from tests.page.stills import still_film

pytestmark = pytest.mark.browser

_QUAD = [[100, 100], [200, 100], [200, 250], [100, 250]]


@pytest.fixture(scope="session")
def still(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """A camera over twelve cards."""
    return still_film(tmp_path_factory.mktemp("still"))


@pytest.fixture
def opened(api: httpx.Client) -> dict[str, Any]:
    """A table that was just opened: its id and keys."""
    answer: dict[str, Any] = api.post("/tables", json={"game": "classic", "players": ["Ann", "Ben"]}).json()
    return answer


def _as_camera(page: Page, table: dict[str, Any]) -> None:
    """Come to ``table`` with the key of its camera, as somebody does who has scanned the code."""
    page.goto("/live")
    known = {"id": table["id"], "title": "Club", "game": "classic", "keys": {"camera": table["keys"]["camera"]}}
    page.evaluate(
        "async (known) => { const { keepTable } = await import('/static/scripts/memory.js'); keepTable(known); }", known
    )
    page.goto(f"/table/{table['id']}")


def _seen(api: httpx.Client, table: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {table['keys']['host']}"}
    camera: dict[str, Any] = api.get(f"/tables/{table['id']}", headers=headers).json()["camera"]
    return camera


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (LAPTOP, "dark")])
def test_a_device_becomes_the_camera_of_a_table(
    browse: Browse, api: httpx.Client, still: Film, opened: dict[str, Any], size: Size, scheme: Scheme
) -> None:
    """One press, and the table sees what lies there."""
    page = browse(size, scheme=scheme, camera=still)
    _as_camera(page, opened)
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator(".overlay [data-piece]")).to_have_count(12, timeout=20_000)
    assert _seen(api, opened)["connected"]
    look(page, f"camera-{size.width}-{scheme}", full=True)
    assert axe(page) == []
    fits(page)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Start the camera")).to_be_focused()


def test_another_camera_takes_over_and_gives_back(browse: Browse, still: Film, opened: dict[str, Any]) -> None:
    """Who was the camera is told, and may take over again."""
    first, second = browse(camera=still), browse(PHONE, camera=still)
    for page in first, second:
        _as_camera(page, opened)
        page.get_by_role("button", name="Start the camera").click()
        expect(page.locator(".overlay [data-piece]")).not_to_have_count(0, timeout=20_000)
    expect(first.get_by_role("alert").filter(has_text="Another camera")).to_be_visible()
    look(first, "camera-taken")
    first.get_by_role("button", name="Take over again").click()
    expect(first.locator(".overlay [data-piece]")).not_to_have_count(0, timeout=20_000)
    expect(second.get_by_role("alert").filter(has_text="Another camera")).to_be_visible()


def test_a_table_that_is_gone_needs_no_camera(
    browse: Browse, api: httpx.Client, still: Film, opened: dict[str, Any]
) -> None:
    """There is nothing to try again."""
    page = browse(camera=still)
    _as_camera(page, opened)
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator(".figures")).to_contain_text("pictures", timeout=20_000)
    api.delete(f"/tables/{opened['id']}", headers={"Authorization": f"Bearer {opened['keys']['host']}"})
    expect(page.get_by_role("alert").filter(has_text="no such table")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_the_way_is_given_what_it_can_take(browse: Browse) -> None:
    """Slow answers make pictures poorer and then smaller, quick ones bring them back, one step at a time."""
    page = browse()
    page.goto("/live")
    sizes = page.evaluate("""async () => {
      const { Pace } = await import("/static/scripts/capture.js");
      const pace = new Pace();
      const now = () => [pace.quality, pace.width(1280)];
      const [slow, quick] = [{ trip: 2000, encoding: 20, waiting: 0 }, { trip: 100, encoding: 20, waiting: 0 }];
      const sizes = [now()];
      for (let i = 0; i < 9; i += 1) { pace.learn(slow); sizes.push(now()); }
      for (let i = 0; i < 24; i += 1) pace.learn(quick);
      sizes.push(now());
      pace.learn(quick);
      sizes.push(now());
      pace.learn({ ...quick, waiting: 500000 });
      sizes.push(now());
      return sizes;
    }""")
    assert sizes[0] == [0.8, 1280]
    assert sizes[1] == [0.65, 1280]
    assert sizes[3:10] == [[0.5, 800]] * 7
    assert sizes[10:] == [[0.5, 800], [0.65, 960], [0.5, 800]]


def test_answers_are_told_from_each_other(browse: Browse) -> None:
    """Of two pictures on their way the answer is about the one that was taken when it says; the older one is lost."""
    page = browse()
    page.goto("/live")
    taken = page.evaluate("""async () => {
      const { Frames } = await import("/static/scripts/capture.js");
      const frames = new Frames(document.createElement("video"), { waiting: 0, isOpen: true, send: () => true });
      frames.sent = [{ taken: 1000, sent: 1001 }, { taken: 1100, sent: 1101 }];
      const unmeasured = frames.hear({ type: "seen", time: 5.1 });
      frames.sent = [{ taken: 1000, sent: 1001 }, { taken: 1100, sent: 1101 }, { taken: 1200, sent: 1201 }];
      frames.hear({ type: "clock", offset: -4, error: 0.01 });
      const measured = frames.hear({ type: "seen", time: 5.1 });
      const left = frames.sent.length;
      frames.hear({ type: "error", error: {} });
      const none = frames.hear({ type: "seen", time: 5.2 });
      frames.close();
      return { unmeasured, measured, left, none };
    }""")
    assert taken == {"unmeasured": 1000, "measured": 1100, "left": 1, "none": None}


def test_only_one_picture_is_on_its_way(browse: Browse, still: Film) -> None:
    """While an answer is awaited nothing is sent, and what is never answered does not stop it for ever."""
    page = browse(camera=still)
    page.goto("/live")
    counts = page.evaluate("""async () => {
      const { Frames } = await import("/static/scripts/capture.js");
      const video = document.createElement("video");
      video.muted = true;
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
      await video.play();
      const sent = [];
      const frames = new Frames(video, { waiting: 0, isOpen: true, send: (message) => sent.push(message) });
      const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));
      const pictures = () => sent.filter((message) => message instanceof ArrayBuffer).length;
      frames.start();
      await rest(150);
      const counts = [pictures()];
      frames.hear({ type: "rate", fps: 20, width: 320, bytes: 1000000 });
      while (pictures() === 0) await rest(10);
      await rest(200);
      counts.push(pictures());
      frames.hear({ type: "seen", time: 0 });
      while (pictures() === 1) await rest(10);
      counts.push(pictures());
      frames.sent.forEach((one) => { one.sent -= 10000; });
      while (pictures() === 2) await rest(10);
      counts.push(pictures());
      frames.close();
      video.srcObject.getTracks()[0].stop();
      const head = new Uint8Array(sent[1]).slice(0, 2);
      return { counts, told: sent[0].type, late: performance.now() / 1000 - sent[0].at, head: [...head] };
    }""")
    assert counts["counts"] == [0, 1, 2, 3]
    assert counts["told"] == "frame"
    assert 0 < counts["late"] < 30
    assert counts["head"] == [0xFF, 0xD8]


_OVERLAY = """async (quad) => {
  const { Overlay } = await import("/static/scripts/overlay.js");
  const { styles } = await import("/static/scripts/dom.js");
  await styles("overlay");
  const box = document.createElement("div");
  Object.assign(box.style, { position: "fixed", left: "0", top: "0", width: "800px", height: "600px" });
  document.body.append(box);
  window.heard = [];
  window.overlay = new Overlay({
    onpiece: (id) => window.heard.push(`piece ${id}`),
    onset: (index) => window.heard.push(`set ${index}`),
  });
  box.append(window.overlay.element);
  const moved = (x) => quad.map(([a, b]) => [a / 2 + x, b / 2]);
  window.piece = (id, x, more = {}) => ({ id, name: "", label: `card ${id}`, quad: moved(x), ...more });
  const pieces = [7, 8, 9].map((id, place) => window.piece(id, 100 * place));
  window.shown = { size: [400, 300], pieces, sets: [[7, 8, 9]], sure: [true] };
  window.overlay.show(window.shown);
}"""


def _overlay(page: Page) -> None:
    """Show an overlay of 400 x 300 pixels in 800 x 600: cards 7, 8 and 9 side by side, which are a SET."""
    page.goto("/live")
    page.evaluate(_OVERLAY, _QUAD)


def test_an_overlay_is_as_its_picture_and_keeps_its_nodes(browse: Browse) -> None:
    """Places of the window are those of the picture; what only moves is the same node still."""
    page = browse()
    _overlay(page)
    assert page.evaluate("[[150, 150], [390, 200], [10, 10]].map(([x, y]) => overlay.pick(x, y))") == [7, 8, None]
    box = page.locator("[data-piece='8'] .area").bounding_box()
    assert box == pytest.approx({"x": 300, "y": 100, "width": 100, "height": 150}, abs=1)
    kept = page.evaluate("""() => {
      const line = () => overlay.element.querySelector("[data-piece='8'] .line");
      const before = line();
      overlay.show({ ...shown, pieces: [piece(8, 120), piece(7, 0)] });
      return [before === line(), overlay.groups.size, overlay.pick(430, 150)];
    }""")
    assert kept == [True, 2, 8]


def test_pieces_and_sets_of_an_overlay_are_pressed(browse: Browse) -> None:
    """By mouse or keys; a number is that of its SET, all else of its card."""
    page = browse()
    _overlay(page)
    page.mouse.click(150, 150)
    page.locator("[data-piece='8']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.locator("[data-piece='9'] [data-set]").click()
    assert page.evaluate("heard") == ["piece 7", "piece 8", "piece 9", "set 0"]
    assert page.get_by_role("button", name="card 8").count() == 1


def test_doubts_hints_and_a_lit_set_look_their_own(browse: Browse) -> None:
    """A doubt is dashed and has a mark; of many SETs the one that is lit is alone."""
    page = browse()
    _overlay(page)
    page.evaluate("""() => overlay.show({
      ...shown, pieces: [piece(7, 0), piece(8, 100, { doubt: "glare" }), piece(9, 200)], sure: [false],
    })""")
    assert page.locator("[data-piece='8'] text").all_text_contents() == ["1? ", "? "]
    assert page.locator("[data-piece='8'] .line[stroke-dasharray]:not([stroke-dasharray='none'])").count() == 1
    page.evaluate("() => overlay.show({ ...shown, sets: [[7, 8, 9], [7, 8, 9]], lit: 1 })")
    assert page.locator("[data-piece='7'] text").all_text_contents() == ["2 "]
    page.evaluate("() => overlay.show({ ...shown, sets: [], hint: [9] })")
    assert page.locator(".area[fill='#f0e442']").count() == 1
    page.evaluate("() => overlay.clear()")
    assert page.locator("[data-piece]").count() == 0
