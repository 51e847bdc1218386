"""QR codes of addresses: as a picture for the page, as blocks for a terminal."""

from __future__ import annotations

from io import BytesIO, StringIO

import segno

__all__ = ["MOST_CHARACTERS", "qr_blocks", "qr_svg"]

MOST_CHARACTERS = 300
"""Longest text: more cannot be read off a screen by an ordinary phone."""
_QUIET = 4
"""Modules of quiet zone on each side (ISO/IEC 18004)."""
_TERMINAL_QUIET = 2
"""Fewer will do in a terminal, where every line counts: readers want some."""
_BLACK_ON_WHITE = "\033[38;5;231;48;5;16m"
"""White blocks on black, of the colour cube: what people have made of "white" and "black" does not matter."""
_AS_BEFORE = "\033[0m"


def qr_svg(text: str) -> bytes:
    """Return the QR code of a ``text`` as SVG in UTF-8, black on white, of no size of its own."""
    picture = BytesIO()
    _code(text).save(
        picture, kind="svg", border=_QUIET, dark="#000", light="#fff", omitsize=True, xmldecl=False, svgclass=None,
        lineclass=None,
    )  # fmt: skip
    return picture.getvalue()


def qr_blocks(text: str, columns: int | None = None) -> list[str]:
    """Return the QR code of a ``text`` as lines of half blocks, two modules high, for a terminal that knows colours.

    :param columns: how wide the terminal is; a code that does not fit is left out. None: wide enough.
    """
    blocks = StringIO()
    _code(text).terminal(blocks, border=_TERMINAL_QUIET, compact=True)
    lines = blocks.getvalue().splitlines()
    if columns is not None and len(lines[0]) > columns:
        return []
    return [f"{_BLACK_ON_WHITE}{line}{_AS_BEFORE}" for line in lines]


def _code(text: str) -> segno.QRCode:
    return segno.make_qr(text, error="m")
