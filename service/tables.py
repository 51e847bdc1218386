"""The seam between the service and what vision does with dice, tiles and boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from service.errors import MissingLibraryError, ModelsMissingError

if TYPE_CHECKING:
    from service.board_file import AnyBoard
    from vision.load import Limits
    from vision.types import Frame

__all__ = ["BoardRead", "Corners", "ReadsTable", "Table", "open_tables"]

Corners = Sequence[tuple[float, float]]
"""The four corners of a board's grid in a picture: x, y in pixels, clockwise from the board's own top left."""


@dataclass(frozen=True)
class BoardRead:
    """A board read off a photo of it."""

    data: dict[str, Any]
    """What its board file holds."""
    unsure: tuple[str, ...] = ()
    """Sentences about what was not read for certain, or not at all."""


class ReadsTable(Protocol):
    """What the service needs of a reader of dice, tiles and boards."""

    def read_table(
        self,
        data: bytes,
        limits: Limits,
        game: str,
        *,
        board: AnyBoard | None,
        corners: Corners | None,
        empty: bytes | None,
        before: Frame | None,
    ) -> Frame:
        """Return what lies in the photo whose file holds ``data``: each piece with its cell, and the placement.

        ``game`` is "cubed", "junior-1", "junior-2", or "auto" for whichever of them lies there. ``empty`` is a photo of
        the board without tiles, ``before`` what an earlier photo of the same board was read as.

        :raises LoadError: ``data`` or ``empty`` is no photo that can be read within ``limits``.
        """
        ...

    def read_board(
        self,
        data: bytes,
        limits: Limits,
        game: str,
        *,
        corners: Corners | None,
        rows: int | None,
        columns: int | None,
    ) -> BoardRead:
        """Return the board of ``game`` that lies empty in the photo ``data``; ``rows`` and ``columns`` if known.

        :raises LoadError: ``data`` is no photo that can be read within ``limits``.
        :raises NoBoardError: there is no board in it.
        """
        ...

    def check_empty(self, data: bytes, limits: Limits, board: AnyBoard) -> None:
        """Check that the photo ``data`` shows ``board``, as a photo of it without tiles does.

        :raises LoadError: ``data`` is no photo that can be read within ``limits``.
        :raises NoBoardError: it shows no board, or another one.
        """
        ...

    def bare(
        self, data: bytes, limits: Limits, frame: Frame, squares: Sequence[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Return which of ``squares`` of a board of Cubed the photo, read as ``frame``, plainly shows with no die.

        :raises LoadError: ``data`` is no photo that can be read within ``limits``.
        """
        ...

    def learn_wild(self, photos: Sequence[bytes], limits: Limits) -> list[list[float]]:
        """Return an embedding of each Wild face in ``photos``, 32 numbers each; none where no Wild is seen.

        :raises LoadError: one of them is no photo that can be read within ``limits``.
        """
        ...


def open_tables() -> ReadsTable:
    """Return the reader of dice, tiles and boards with the shipped models; takes a moment, so once a process.

    :raises InstallationError: what it needs is not there or damaged.
    """
    try:
        from service.table_reader import NetworkTables
        from vision.model import ModelError
        from vision.table import TableReader
    except ImportError as error:
        raise MissingLibraryError(error) from error
    try:
        return NetworkTables(TableReader.shipped())
    except ModelError as error:
        raise ModelsMissingError(error) from error


@dataclass(frozen=True)
class Table:
    """What is known of a table before a photo of it is read."""

    board: AnyBoard | None = None
    """What is printed on its board."""
    corners: Corners | None = None
    """Where the board lies in the picture."""
    empty: bytes | None = None
    """A photo of the board without tiles."""

    def read(self, reader: ReadsTable, data: bytes, limits: Limits, game: str, before: Frame | None = None) -> Frame:
        """Return what ``reader`` sees in the photo ``data``; errors as its own."""
        return reader.read_table(
            data, limits, game, board=self.board, corners=self.corners, empty=self.empty, before=before
        )
