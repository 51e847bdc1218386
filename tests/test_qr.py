"""QR codes say what they should: a reader reads them off the picture and off the terminal."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from service.qr import MOST_CHARACTERS, qr_blocks, qr_svg

ADDRESS = "https://192.168.1.20:8000/j/k7m4qx"
TEXTS = [
    ADDRESS,
    "x",
    "https://[fd00::20]:8000/",
    "Zwölf žluťoučkých karet ◆",
    "https://club.example/" + "k7m4qx/" * 20,
]
Picture = npt.NDArray[np.uint8]

_HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
_SVG = "{http://www.w3.org/2000/svg}"


def read(modules: npt.NDArray[np.bool_], scale: int = 6) -> str:
    """What a reader finds in white and black modules (True: white)."""
    picture: Picture = np.kron(modules.astype(np.uint8) * 255, np.ones((scale, scale), np.uint8))
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.copyMakeBorder(picture, 40, 40, 40, 40, 0, value=(255,)))
    return text


def drawn(svg: bytes) -> npt.NDArray[np.bool_]:
    """The modules of a picture: a white ground, and runs of black along each row."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own
    width, height = (int(side) for side in root.attrib["viewBox"].split()[2:])
    ground, lines = root.findall(f"{_SVG}path")
    assert ground.attrib == {"fill": "#fff", "d": f"M0 0h{width}v{height}h-{width}z"}
    assert lines.attrib["stroke"] == "#000"
    modules = np.ones((height, width), bool)
    x, y = 0.0, 0.0
    for command, numbers in re.findall(r"([Mmh])([-\d. ]+)", lines.attrib["d"]):
        found = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if command == "h":
            modules[int(y), int(x) : int(x + found[0])] = False
            x += found[0]
        else:
            x, y = (found[0], found[1]) if command == "M" else (x + found[0], y + found[1])
    return modules


@pytest.mark.parametrize("text", TEXTS)
def test_the_picture_says_the_text(text: str) -> None:
    modules = drawn(qr_svg(text))
    assert read(modules) == text
    assert modules[:4].all()
    assert modules[:, -4:].all()


def test_the_picture_needs_nothing_that_the_page_forbids() -> None:
    svg = qr_svg(ADDRESS)
    assert not re.search(rb"style|class|script|href|<\?", svg)
    assert svg.startswith(b'<svg xmlns="http://www.w3.org/2000/svg" viewBox=')


@pytest.mark.parametrize("text", [ADDRESS, "https://laptop.local:8000"])
def test_the_terminal_says_the_text(text: str) -> None:
    lines = qr_blocks(text)
    plain = [line.removeprefix("\033[38;5;231;48;5;16m").removesuffix("\033[0m") for line in lines]
    assert not any("\033" in line for line in plain)
    halves = np.array([[_HALVES[block] for block in line] for line in plain], bool)
    modules = halves.transpose(0, 2, 1).reshape(-1, halves.shape[1])
    assert read(modules) == text


def test_what_does_not_fit_the_terminal_is_left_out() -> None:
    lines = qr_blocks(ADDRESS)
    width = len(re.sub(r"\033\[[\d;]*m", "", lines[0]))
    assert qr_blocks(ADDRESS, width) == lines
    assert qr_blocks(ADDRESS, width - 1) == []


def test_the_longest_text_is_drawn() -> None:
    assert drawn(qr_svg("ž" * MOST_CHARACTERS)).shape == (101, 101)
