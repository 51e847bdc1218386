"""The overlay of a live table: panels that grow with the picture, stay off the pieces, and can be read."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from vision.ink import text_size
from vision.live_overlay import Exhibit, LiveOverlay, LiveView, Message, Playback, Seat, Tag, Tone
from vision.live_panels import Anchor, Panel, Row, best_anchor, blit, clipped, render, wrapped
from vision.types import Image, Quad

NAMES = ("2 green striped diamond", "2 gre str dia", "2 gr st di")


def picture(width: int = 640, height: int = 480) -> Image:
    """A green table."""
    return np.full((height, width, 3), (70, 120, 60), np.uint8)


def card(x: float, y: float, short: float = 60, **more: object) -> Tag:
    """A card with its top left corner at (x, y)."""
    high = 1.5 * short
    quad = Quad.of([(x, y), (x + short, y), (x + short, y + high), (x, y + high)])
    return Tag(quad, NAMES, **more)  # type: ignore[arg-type]


def table(image: Image, columns: int = 4) -> tuple[Tag, ...]:
    """Twelve cards in the middle of the picture."""
    height, width = image.shape[:2]
    short = width / 12
    return tuple(
        card(width * 0.25 + (n % columns) * short * 1.4, height * 0.15 + (n // columns) * short * 1.8, short)
        for n in range(12)
    )


SEATS = (Seat("Ann", "3", "1"), Seat("Čeněk Müller", "5", "2", active=True), Seat("小明", "-1", "3", remark="out"))
WORDS = "Not a SET. Number: two are twos and one is a three; Colour: two are purple and one is red. " * 3


def views(image: Image) -> dict[str, LiveView]:
    """Every state of the overlay."""
    tags = table(image)
    verdict = Message("Not a SET", Tone.BAD)
    shown = Exhibit((image[:60, :40], None, image[:40, :60]), ("one", "two", "three"), verdict, (verdict, verdict))
    past = Playback(41.0, 2.0, 60.0, 40.0)
    return {
        "nothing": LiveView(),
        "plain": LiveView(tags, notes=("3 SETs", "? help")),
        "call": LiveView(tags, SEATS, banner=Message("Čeněk Müller: 4.2 s"), status="hands on the table"),
        "news": LiveView(tags, SEATS, messages=(Message(WORDS, Tone.BAD), Message("fine", Tone.GOOD), Message("?"))),
        "dispute": LiveView(tags, SEATS, exhibit=shown, playback=past, banner=Message("Dispute")),
        "replay": LiveView(tags, SEATS, playback=past),
        "help": LiveView(help=tuple((chr(97 + n), f"does thing {n}") for n in range(20))),
    }


@pytest.mark.parametrize("size", [(640, 480), (480, 640), (1920, 1080), (97, 61), (1, 1)])
@pytest.mark.parametrize("state", views(picture()))
def test_every_state_is_drawn_on_pictures_of_any_size(size: tuple[int, int], state: str) -> None:
    image = picture(*size)
    before = image.copy()
    drawn = LiveOverlay().draw(image, views(image)[state])
    assert drawn.shape == image.shape
    assert drawn.dtype == np.uint8
    assert (image == before).all()
    assert (drawn != image).any() == (state != "nothing")


@pytest.mark.parametrize("state", views(picture()))
def test_what_is_drawn_again_looks_the_same(state: str) -> None:
    overlay, image = LiveOverlay(), picture()
    drawn = [overlay.draw(image, views(image)[state]) for _ in range(4)]
    assert all((one == drawn[0]).all() for one in drawn)


def test_outlines_that_are_kept_are_drawn_on_the_new_picture() -> None:
    overlay, image = LiveOverlay(), picture()
    view = LiveView(table(image), notes=("3 SETs",))
    for _ in range(3):
        overlay.draw(image, view)
    other = np.full_like(image, 200)
    drawn = overlay.draw(other, view)
    assert tuple(drawn[-5, 5]) == (200, 200, 200)
    assert (drawn[72:80, 160:240] != 200).any()


def test_pieces_that_have_moved_are_drawn_where_they_are() -> None:
    overlay, image = LiveOverlay(), picture()
    for _ in range(3):
        overlay.draw(image, LiveView((card(100, 100),)))
    drawn = overlay.draw(image, LiveView((card(400, 200),)))
    assert (drawn[90:200, 90:170] == image[90:200, 90:170]).all()
    assert (drawn[190:300, 390:470] != image[190:300, 390:470]).any()


def test_letters_grow_with_the_picture() -> None:
    overlay = LiveOverlay()
    small, large = overlay.letter(picture()), overlay.letter(picture(1920, 1080))
    assert small >= 10
    assert large == pytest.approx(small * 1080 / 480)


def test_names_leave_the_symbols_clear() -> None:
    """Inside the middle four fifths of each card nothing is written."""
    image = picture(1280, 720)
    tags = table(image)
    bare = LiveOverlay().draw(image, LiveView(tuple(Tag(tag.quad) for tag in tags)))
    named = LiveOverlay().draw(image, LiveView(tags))
    for tag in tags:
        left, top = tag.quad.corners[0].astype(int)
        right, bottom = tag.quad.corners[2].astype(int)
        high = bottom - top
        inside = np.s_[top + int(0.13 * high) : bottom - int(0.13 * high), left + 4 : right - 4]
        assert (bare[inside] == named[inside]).all()
    assert (bare != named).any()


def test_a_name_without_room_is_shortened_and_then_left_out() -> None:
    overlay, image = LiveOverlay(), picture()
    widths = []
    for short in (200, 80, 50, 12):
        tag = card(100, 100, short)
        bare = overlay.draw(image, LiveView((Tag(tag.quad),)))
        drawn = overlay.draw(image, LiveView((tag,)))
        columns = np.flatnonzero((bare != drawn).any(axis=(0, 2)))
        widths.append(int(np.ptp(columns)) if len(columns) else 0)
    assert widths[0] > widths[1] > widths[2] > 0
    assert widths[3] == 0


def test_a_panel_lies_where_no_pieces_are() -> None:
    image = picture()
    full = np.array([[0, 0, 640, 200], [0, 0, 300, 480]], np.float64)
    anchor, cost = best_anchor((640, 480), (200, 100), tuple(Anchor), full, [])
    assert anchor in (Anchor.RIGHT, Anchor.BOTTOM_RIGHT)
    assert cost < 0.1
    assert image.shape == (480, 640, 3)


def test_a_panel_never_hides_another() -> None:
    pieces = np.array([[320, 0, 640, 480]], np.float64)
    taken = [(0.0, 0.0, 320.0, 240.0)]
    anchor, _ = best_anchor((640, 480), (200, 100), (Anchor.TOP_LEFT, Anchor.TOP_RIGHT), pieces, taken)
    assert anchor is Anchor.TOP_RIGHT


def test_a_panel_does_not_jump_for_little() -> None:
    pieces = np.array([[0, 0, 30, 20]], np.float64)
    anchors = (Anchor.TOP_RIGHT, Anchor.TOP_LEFT)
    there, _ = best_anchor((640, 480), (300, 100), anchors, pieces, [], before=Anchor.TOP_LEFT)
    free, _ = best_anchor((640, 480), (300, 100), anchors, pieces, [])
    assert (there, free) == (Anchor.TOP_LEFT, Anchor.TOP_RIGHT)


def test_even_a_corner_of_a_piece_is_spared_where_another_place_is_free() -> None:
    pieces = np.array([[600, 0, 640, 20]], np.float64)
    anchor, _ = best_anchor((640, 480), (300, 100), (Anchor.TOP_RIGHT, Anchor.TOP_LEFT), pieces, [])
    assert anchor is Anchor.TOP_LEFT


@pytest.mark.parametrize(
    "name", ["Ann", "Jürgen Größe", "Žofie Čeněk Řehoř", "François Œuvre", "Ольга", "Ελένη", "小明"]
)
def test_names_of_any_script_have_their_own_letters(name: str) -> None:
    """Letters that the font lacks would all be question marks."""
    plate = render(Panel((Row(name),)), 20, 600)
    unknown = render(Panel((Row("".join(" " if letter == " " else "?" for letter in name)),)), 20, 600)
    assert plate.shape != unknown.shape or (plate != unknown).any()
    letters = {render(Panel((Row(letter),)), 20, 600).tobytes() for letter in set(name) - {" "}}
    assert len(letters) == len(set(name) - {" "})


def test_long_texts_are_cut_and_broken_to_their_room() -> None:
    assert clipped("Ann", 12, 200) == "Ann"
    cut = clipped("Wolfeschlegelsteinhausen", 12, 60)
    assert cut.endswith("…")
    assert text_size(cut, 12)[0] <= 60
    lines = wrapped(WORDS, 12, 300, 4)
    assert len(lines) == 4
    assert lines[-1].endswith("…")
    assert all(text_size(line, 12)[0] <= 300 for line in lines)
    assert " ".join(wrapped("one two three", 12, 60, 9)) == "one two three"
    assert wrapped("", 12, 60, 3) == ("",)


def test_good_bad_and_odd_differ_without_colours() -> None:
    greys = {
        tone: cv2.cvtColor(render(Panel((Row("x", tone=tone),)), 20, 300), cv2.COLOR_BGR2GRAY).astype(int)
        for tone in (Tone.GOOD, Tone.BAD, Tone.ODD)
    }
    for one, two in ((Tone.GOOD, Tone.BAD), (Tone.BAD, Tone.ODD), (Tone.ODD, Tone.GOOD)):
        assert (abs(greys[one] - greys[two]) > 60).sum() > 20


def test_a_sheet_that_hangs_over_the_border_is_cut() -> None:
    canvas = np.zeros((20, 20, 3), np.uint8)
    blit(canvas, np.full((10, 10, 3), 255, np.uint8), (-5, 15))
    assert (canvas[15:, :5] == 255).all()
    assert canvas.sum() == 5 * 5 * 3 * 255
    blit(canvas, np.full((10, 10, 3), 255, np.uint8), (40, 40))
    assert canvas.sum() == 5 * 5 * 3 * 255


def test_the_panels_that_are_kept_are_few() -> None:
    overlay, image = LiveOverlay(), picture(160, 120)
    for number in range(300):
        overlay.draw(image, LiveView(banner=Message(f"{number / 10:.1f} s")))
    assert len(overlay._sheets) <= overlay.config.kept


def test_drawing_is_quick() -> None:
    """The promise is 4 ms at 1280 x 720; here with room for a machine that is busy."""
    overlay, image = LiveOverlay(), picture(1280, 720)
    view = views(image)["news"]
    for _ in range(3):
        overlay.draw(image, view)
    times = []
    for _ in range(10):
        start = time.perf_counter()
        overlay.draw(image, view)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.02
