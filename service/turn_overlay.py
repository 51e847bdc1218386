"""The pictures of a turn: what was laid and scored drawn on the photo after it, and the best turn of a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.tokens import Face, Tile
from service.answer import PhotoAnswer, PieceAnswer
from service.turn_answer import TurnAnswer

if TYPE_CHECKING:
    from vision.board_overlay import BoardDrawing, LineMark
    from vision.load import Limits
    from vision.types import Image, Quad

__all__ = ["board_jpeg", "turn_jpeg"]

_JPEG_QUALITY = 90

Quads = Mapping[tuple[int, ...], "Quad"]
"""The quad of the piece on each place."""


def turn_jpeg(data: bytes, answer: TurnAnswer, limits: Limits) -> bytes:
    """Return the photo ``data``, taken after the turn, as JPEG with what was laid and what it scores.

    :raises LoadError: ``data`` is no photo that can be read within ``limits``.
    """
    from vision.board_overlay import BoardDrawing, Ring, Tag, draw_board
    from vision.load import load

    loaded = load(data, limits)
    quads = _quads(answer.after, loaded.scale)
    new = [(tuple(one.at), "", number if answer.ok else None) for number, one in enumerate(answer.laid, start=1)]
    new += [(tuple(one.at), "swapped", None) for one in answer.swapped]
    new += [(tuple(one.end), "moved", None) for one in answer.moved]
    doubts, faults = ({tuple(at) for at in places} for places in (answer.doubts, answer.faults))
    ringed = {at for at, _, _ in new}
    new += [(at, "", None) for at in sorted(faults - ringed)]
    sets = [(line.at, f"SET {number} +{line.points}") for number, line in enumerate(answer.sets, start=1)]
    drawing = BoardDrawing(
        corners=_grid(answer.board, loaded.scale),
        rings=tuple(Ring(quads[at], text, at in doubts, order, at in faults) for at, text, order in new if at in quads),
        lines=_lines(sets, quads) + _lines([(line.at, "?") for line in answer.open], quads, maybe=True),
        tags=tuple(
            Tag(quads[tuple(one.at)], f"bonus {one.points:+}") for one in answer.bonus if tuple(one.at) in quads
        ),
        total=_total(answer),
        pieces=tuple(quads.values()),
    )
    return _jpeg(draw_board(loaded.image, drawing))


def board_jpeg(data: bytes, answer: PhotoAnswer, limits: Limits) -> bytes:
    """Return the photo ``data`` of a board as JPEG with the SETs that lie on it, or the best turn if there is one.

    :raises LoadError: ``data`` is no photo that can be read within ``limits``.
    """
    from vision.board_overlay import draw_board
    from vision.load import load
    from vision.overlay import draw
    from vision.types import Mark, Quad

    loaded = load(data, limits)
    board: dict[str, Any] = answer.board or {}
    marks = [Mark(Quad.of(piece.quad).scaled(loaded.scale)) for piece in answer.pieces]
    drawn = draw(loaded.image, marks)
    return _jpeg(draw_board(drawn, _board_drawing(answer, board, loaded.scale)))


def _board_drawing(answer: PhotoAnswer, board: Mapping[str, Any], scale: float) -> BoardDrawing:
    from vision.board_overlay import BoardDrawing, Ghost, Tag, square_on
    from vision.types import Quad

    quads = dict(_quads(answer.pieces, scale))
    corners = _grid(board, scale)
    doubts = tuple(Tag(Quad.of(one.quad).scaled(scale), "?") for one in answer.pieces if one.doubt is not None)
    best = board.get("best")
    if best is None or corners is None:
        cells = [[_cell(answer.pieces[index]) for index in trio] for trio in answer.sets]
        sets = [(sorted(trio), str(number)) for number, trio in enumerate(cells, start=1)]
        return BoardDrawing(corners, lines=_lines(sets, quads), tags=doubts, pieces=tuple(quads.values()))
    lifted = _lift(quads, [square_on(corners, board["rows"], board["columns"], (at[0], at[1])) for at in quads])
    ghosts = []
    for number, die in enumerate(best["dice"], start=1):
        row, column = die["at"]
        quad = lifted(square_on(corners, board["rows"], board["columns"], (row, column)))
        named = None if die["as"] is None else Tile.parse(die["as"])
        ghosts.append(Ghost(quad, Face.parse(die["face"]), named, number))
        quads[(row, column)] = quad
    sets = [(line["at"], f"SET {number} +{line['points']}") for number, line in enumerate(best["sets"], start=1)]
    tags = doubts + tuple(Tag(quads[tuple(one["at"])], f"bonus {one['points']:+}") for one in best["bonus"])
    total, pieces = f"best turn: +{best['points']}", tuple(quads.values())
    return BoardDrawing(corners, (), _lines(sets, quads), tags, tuple(ghosts), total, pieces)


def _lift(quads: Quads, squares: Sequence[Quad]) -> Callable[[Quad], Quad]:
    """Return what moves a square of the board to where the top face of a die on it is seen; by the dice that lie."""
    import numpy as np

    from vision.types import Quad

    moves = [quad.centre - square.centre for quad, square in zip(quads.values(), squares, strict=True)]
    shift = np.mean(moves, axis=0) if moves else np.zeros(2, np.float32)
    return lambda square: Quad(square.corners + shift)


def _cell(piece: PieceAnswer) -> list[int]:
    return piece.cell if isinstance(piece.cell, list) else []


def _quads(pieces: Sequence[PieceAnswer], scale: float) -> dict[tuple[int, ...], Quad]:
    """Return the quad of the piece on each place, in the picture ``scale`` times as large; the first of two."""
    from vision.types import Quad

    found: dict[tuple[int, ...], Quad] = {}
    for piece in pieces:
        if isinstance(piece.cell, list):
            found.setdefault(tuple(piece.cell), Quad.of(piece.quad).scaled(scale))
    return found


def _lines(
    sets: Sequence[tuple[Sequence[Sequence[int]], str]], quads: Quads, *, maybe: bool = False
) -> tuple[LineMark, ...]:
    from vision.board_overlay import LineMark

    placed = [([tuple(at) for at in places], text) for places, text in sets]
    return tuple(
        LineMark(tuple(quads[at] for at in places), number, text, maybe)
        for number, (places, text) in enumerate(placed, start=1)
        if all(at in quads for at in places)
    )


def _grid(board: Mapping[str, Any] | None, scale: float) -> Quad | None:
    """Return the corners of the board's grid; None where they are not known."""
    from vision.types import Quad

    return None if board is None or "corners" not in board else Quad.of(board["corners"]).scaled(scale)


def _total(answer: TurnAnswer) -> str:
    """Return the points of the turn and, where they are known, all points of the player after it."""
    text = f"{answer.player}: " if answer.sure else f"{answer.player}, unsure: "
    if not answer.ok:
        return f"{text}does not stand ({answer.clause})"
    text = f"{text}{answer.points:+}"
    return f"{text} = {answer.scores[answer.player]}" if answer.player in answer.scores else text


def _jpeg(image: Image) -> bytes:
    import cv2

    _, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return encoded.tobytes()
