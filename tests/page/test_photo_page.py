"""The photo view: photos come in by every way there is, SETs are lit, a piece is corrected, the picture is saved."""

from __future__ import annotations

import base64
import json
from io import BytesIO
from pathlib import Path

import pillow_heif
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.page.browsers import LAPTOP, PHONE, Size
from tests.page.checks import axe, fits, larger_text, look, reads_well
from tests.page.conftest import Browse, Scheme
from tests.page.faults import Faults
from tests.page.keyboard import Keyboard
from vision.load import load

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "service" / "static"
DEMO = STATIC / "demo.jpg"
"""Twelve cards with three SETs, drawn by our own renderer."""


def opened(page: Page) -> Page:
    """Go to the view."""
    page.goto("/photo")
    expect(page.locator(".drop")).to_be_visible()
    return page


def read(page: Page, photo: Path = DEMO) -> Page:
    """Have a photo read, and wait for its SETs."""
    opened(page).locator('input[type="file"]').last.set_input_files(photo)
    expect(page.locator(".sets button").first).to_be_visible()
    return page


def heic(folder: Path) -> Path:
    """Return the demo picture as an iPhone would send it."""
    pillow_heif.register_heif_opener()
    path = folder / "IMG_0001.HEIC"
    Image.open(DEMO).save(path, format="HEIF", quality=80)
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_sets_of_a_photo_are_shown(browse: Browse, size: Size, scheme: Scheme) -> None:
    page = read(browse(size, scheme=scheme))
    expect(page.locator("#headline")).to_have_text("3 SETs")
    expect(page.locator(".sets button")).to_have_count(3)
    expect(page.locator(".overlay [data-piece]")).to_have_count(12)
    expect(page.locator(".figure img")).to_have_js_property("complete", True)
    look(page, f"photo-read-{'phone' if size is PHONE else 'laptop'}-{scheme}", full=True)
    assert axe(page) == []
    fits(page)


@pytest.mark.parametrize("language", ["de", "fr", "cs"])
def test_labels_and_texts_are_in_the_language_of_the_page(browse: Browse, language: str) -> None:
    page = read(browse(PHONE, language=language))
    look(page, f"photo-read-{language}", full=True)
    words = {"de": "eine rote leere Raute", "fr": "un losange rouge", "cs": "jeden červený"}[language]
    expect(page.locator(".sets")).to_contain_text(words)
    reads_well(page)


def test_another_language_reads_the_photo_in_its_words(browse: Browse) -> None:
    page = read(browse())
    page.locator("#choices select").select_option("de")
    expect(page.locator(".sets")).to_contain_text("eine rote leere Raute")


def test_a_photo_of_an_iphone(browse: Browse, tmp_path: Path) -> None:
    page = read(browse(PHONE), heic(tmp_path))
    expect(page.locator("#headline")).to_have_text("3 SETs")
    image = page.locator(".figure img")
    expect(image).to_have_js_property("complete", True)
    expect(image).to_have_js_property("naturalWidth", 1600)
    look(page, "photo-heic")


def test_a_photo_is_dropped_and_pasted(browse: Browse) -> None:
    page = opened(browse())
    hand_over = """async ([kind, data]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const moved = new DataTransfer();
      moved.items.add(new File([bytes], "table.jpg", { type: "image/jpeg" }));
      const event = kind === "drop"
        ? new DragEvent("drop", { dataTransfer: moved, bubbles: true, cancelable: true })
        : new ClipboardEvent("paste", { clipboardData: moved, bubbles: true });
      document.querySelector("main").dispatchEvent(event);
    }"""
    data = base64.b64encode(DEMO.read_bytes()).decode()
    page.evaluate(hand_over, ["drop", data])
    expect(page.locator("#headline")).to_have_text("3 SETs")
    page.get_by_role("button", name="Another photo").click()
    page.evaluate(hand_over, ["paste", data])
    expect(page.locator("#headline")).to_have_text("3 SETs")


def test_keys_and_taps_light_a_set(browse: Browse) -> None:
    page = read(browse())
    second = page.locator(".sets button").nth(1)
    page.keyboard.press("2")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".overlay circle[data-set]")).to_have_count(3)
    page.keyboard.press("0")
    expect(page.locator(".overlay circle[data-set]")).to_have_count(9)
    page.locator('.overlay circle[data-set="1"]').first.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "false")


def test_a_piece_is_corrected_without_a_mouse(browse: Browse) -> None:
    page = read(browse())
    keyboard = Keyboard(page)
    first = page.locator(".overlay [data-piece]").first
    was = first.get_attribute("aria-label")
    keyboard.use(first)
    expect(page.locator(".piece-dialog")).to_be_visible()
    look(page, "photo-piece")
    assert axe(page) == []
    keyboard.press("Enter")
    expect(page.locator(".choosing")).to_be_visible()
    look(page, "photo-choosing")
    assert axe(page) == []
    keyboard.press("ArrowRight")
    keyboard.use(page.get_by_role("button", name="That is it"))
    expect(page.locator(".choosing")).to_have_count(0)
    expect(page.locator(".overlay [data-piece]").first).not_to_have_attribute("aria-label", was or "")
    page.locator(".pieces summary").press("Enter")
    expect(page.locator(".pieces")).to_contain_text("said by you")


def test_the_picture_with_the_sets_is_saved(browse: Browse, tmp_path: Path) -> None:
    page = read(browse())
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save with SETs drawn").click()
    assert waiting.value.suggested_filename == "demo.sets.jpg"
    path = tmp_path / "saved.jpg"
    waiting.value.save_as(path)
    saved, plain = load(path.read_bytes()), load(DEMO.read_bytes())
    assert saved.size == plain.size
    assert abs(saved.image.astype(int) - plain.image).mean() > 1


def test_what_is_no_photo_is_said(browse: Browse, faults: Faults, tmp_path: Path) -> None:
    faults.allow("status of 415")
    page = opened(browse(PHONE))
    text = tmp_path / "notes.jpg"
    text.write_text("no photo at all")
    page.locator('input[type="file"]').last.set_input_files(text)
    expect(page.get_by_role("alert").filter(has_text="This is no picture that can be read")).to_be_visible()
    look(page, "photo-refused")
    assert axe(page) == []
    buffer = BytesIO()
    Image.new("RGB", (640, 480), (20, 90, 40)).save(buffer, "JPEG")
    empty = tmp_path / "empty.jpg"
    empty.write_bytes(buffer.getvalue())
    page.locator('input[type="file"]').last.set_input_files(empty)
    expect(page.locator("#headline")).to_have_text("Nothing found")
    expect(page.locator(".result")).to_contain_text("Lay the cards face up")
    look(page, "photo-nothing")


def test_a_board_file_names_the_squares(browse: Browse) -> None:
    examples = STATIC.parent / "examples"
    page = opened(browse())
    page.locator('input[type="file"]').last.set_input_files(examples / "cubed-after.jpg")
    expect(page.locator(".result")).to_contain_text("choose the board file")
    page.locator(".more summary").click()
    page.locator('.more input[type="file"]').set_input_files(examples / "cubed.json")
    expect(page.locator(".sets button").first).to_be_visible()
    look(page, "photo-cubed", full=True)
    assert json.loads((examples / "cubed.json").read_text())["game"] == "cubed"


def test_a_photo_stays_while_another_view_is_looked_at(browse: Browse) -> None:
    page = read(browse())
    page.get_by_role("link", name="Table").click()
    expect(page.locator(".sets")).to_have_count(0)
    page.get_by_role("link", name="Photo").click()
    expect(page.locator(".sets button")).to_have_count(3)


def test_large_text_on_a_phone(browse: Browse) -> None:
    page = read(browse(PHONE))
    larger_text(page)
    look(page, "photo-200", full=True)
    fits(page)


def test_letters_tell_the_colours(browse: Browse) -> None:
    page = read(browse(language="de"))
    button = page.get_by_role("button", name="Buchstaben für die Farben der Teile")
    expect(page.locator(".sets .piece text")).to_have_count(0)
    button.click()
    expect(page.locator(".sets button").first.locator(".piece text")).to_have_text(["G", "R", "L"])
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
