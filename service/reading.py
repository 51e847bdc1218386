"""The seam between the service and vision: opens the reader, reads bytes, draws what was read.

Vision is imported when it is first needed, so that ``--help`` and refusals of bad usage need neither OpenCV nor models.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from service import tables
from service.choice import all_cards, better
from service.errors import ArgumentError, MissingLibraryError, ModelsMissingError
from service.game import Game
from service.settings import Settings

if TYPE_CHECKING:
    from service.answer import PhotoAnswer
    from service.board_answer import Asked
    from vision.load import Limits
    from vision.types import Frame

__all__ = ["Reads", "Referee", "limits_of", "open_reader", "overlay_jpeg", "upright_jpeg"]

_JPEG_QUALITY = 90


class Reads(Protocol):
    """What the service needs of a reader of photos."""

    def read(self, data: bytes, limits: Limits | None = None) -> Frame:
        """Return what lies in the photo whose file holds ``data``.

        :raises LoadError: ``data`` is no photo that can be read within ``limits``.
        """
        ...


def open_reader() -> Reads:
    """Return the reader with the shipped models; takes a moment, so once a process.

    :raises MissingLibraryError: OpenCV or onnxruntime cannot be loaded.
    :raises ModelsMissingError: the models are not there or damaged.
    """
    try:
        from vision.model import ModelError
        from vision.reader import Reader
    except ImportError as error:
        raise MissingLibraryError(error) from error
    try:
        return Reader.shipped()
    except ModelError as error:
        raise ModelsMissingError(error) from error


def limits_of(settings: Settings) -> Limits:
    """Return vision's limits for these settings.

    :raises MissingLibraryError: OpenCV cannot be loaded.
    """
    try:
        from vision.load import Limits
    except ImportError as error:
        raise MissingLibraryError(error) from error
    return Limits(max_bytes=settings.max_bytes, max_pixels=settings.max_pixels)


@dataclass(frozen=True)
class Referee:
    """A reader with the limits of this deployment: bytes in, answers and overlays out."""

    reader: Reads
    limits: Limits

    @classmethod
    def opened(cls, settings: Settings, reader: Reads | None = None) -> Referee:
        """Return one that uses ``reader``, by default the shipped models.

        :raises InstallationError: OpenCV, onnxruntime or the models cannot be loaded.
        """
        limits = limits_of(settings)
        return cls(open_reader() if reader is None else reader, limits)

    @cached_property
    def table_reader(self) -> tables.ReadsTable:
        """The reader of dice, tiles and boards, opened with the first photo that needs it.

        :raises InstallationError: its models cannot be loaded.
        """
        return tables.open_tables()

    def frame(self, data: bytes, game: Game = Game.AUTO, table: tables.Table | None = None) -> Frame:
        """Return what lies in the photo ``data``; ``auto`` looks for dice and tiles where cards are not all there is.

        :raises LoadError: ``data`` is no photo that can be read.
        :raises InstallationError: what reads dice and tiles cannot be loaded.
        """
        known = table or tables.Table()
        if not game.has_cards or known.board is not None:
            return known.read(self.table_reader, data, self.limits, game.value)
        frame = self.reader.read(data, self.limits)
        if game is not Game.AUTO or all_cards(frame):
            return frame
        other = known.read(self.table_reader, data, self.limits, game.value)
        return replace(better(frame, other), ms=frame.ms + other.ms)

    def answer(self, file: str, data: bytes, game: Game = Game.AUTO, asked: Asked | None = None) -> PhotoAnswer:
        """Return what lies in the photo ``data``, called ``file`` in the answer; ``asked`` says more than ``game``.

        :raises LoadError: ``data`` is no photo that can be read.
        :raises ServiceError: what is asked does not fit what lies there.
        """
        from service.answer import answer_frame
        from service.board_answer import Asked
        from service.mended import mended

        asked = asked or Asked(game)
        frame = mended(self.frame(data, asked.game, asked.table), asked.said)
        if asked.table.corners is not None:
            self._check_corners(data, asked, frame)
        return answer_frame(file, frame, asked)

    def _check_corners(self, data: bytes, asked: Asked, frame: Frame) -> None:
        """Check that the corners fit between which ``frame`` was read.

        :raises ArgumentError: they do not; says where the board is seen, if it is.
        """
        from service.corners import fault_between, other_corners

        fault, table = fault_between(frame), asked.table
        if fault is not None and table.corners is not None:
            plain = self.frame(data, asked.game, replace(table, corners=None))
            reason = other_corners(table.corners, plain, table.board) or fault
            raise ArgumentError(f"--corners: these corners do not fit the photo: {reason}")

    def overlay(self, data: bytes, answer: PhotoAnswer) -> bytes:
        """Return the photo ``data`` as JPEG with the pieces and SETs of its ``answer`` drawn on it."""
        if answer.board is not None:
            from service.turn_overlay import board_jpeg

            return board_jpeg(data, answer, self.limits)
        return overlay_jpeg(data, answer, self.limits)


def upright_jpeg(data: bytes, limits: Limits) -> bytes:
    """Return the photo ``data``, upright, as JPEG: for browsers that cannot show its format.

    :raises LoadError: ``data`` is no photo that can be read within ``limits``.
    """
    import cv2

    from vision.load import load

    _, encoded = cv2.imencode(".jpg", load(data, limits).image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return encoded.tobytes()


def overlay_jpeg(data: bytes, answer: PhotoAnswer, limits: Limits) -> bytes:
    """Return the photo ``data``, upright, as JPEG with the pieces and SETs of ``answer`` drawn on it.

    :raises LoadError: ``data`` is no photo that can be read within ``limits``.
    """
    import cv2

    from vision.load import load
    from vision.overlay import draw
    from vision.types import Mark, Quad

    loaded = load(data, limits)
    groups: dict[int, list[int]] = {}
    for number, trio in enumerate(answer.sets, start=1):
        for index in trio:
            groups.setdefault(index, []).append(number)
    marks = [
        Mark(
            Quad.of(piece.quad).scaled(loaded.scale),
            str(piece.id),
            tuple(groups.get(piece.id, ())),
            piece.doubt is not None,
        )
        for piece in answer.pieces
    ]
    _, encoded = cv2.imencode(".jpg", draw(loaded.image, marks), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return encoded.tobytes()
