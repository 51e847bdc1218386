"""Corrections at a live table: the referee judges again, what is understood gets its name, and so do the tracks."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Corrected
from engine.tokens import Piece
from service.live.correcting import correction_of, standing
from service.live.errors import NotAPieceError, NothingToCorrectError
from service.live.happenings import Happening
from service.live.ledger import Ledger
from service.live.view import View

__all__ = ["Mender"]


class Mender:
    """Puts right what was misread, in the record and in the view alike."""

    def __init__(self, ledger: Ledger, view: View) -> None:
        self._ledger = ledger
        self._view = view
        self._names: list[tuple[int, Piece]] = []
        self._tracks: dict[int, tuple[int | None, ...]] = {}
        """What each correction was about, by its number in the record."""

    def correct(
        self,
        asked: Corrected,
        now: float,
        *,
        identity: int | None = None,
        since: int | None = None,
        force: bool = False,
    ) -> tuple[Happening, ...]:
        """Take it from a person ``now`` that the old name that is ``asked`` about is the new one.

        As of :meth:`LiveTable.correct`: from event ``since`` on, or from where the piece came; at a time of its own or
        ``now``.

        :raises NotAPieceError: the game has no such piece as ``new``.
        :raises NothingToCorrectError: it would change nothing.
        :raises NotPossibleError: pieces could not have come as they did.
        :raises TableFullError: the record is full, or corrections reach back over too much of it.
        """
        old, new = asked.old, asked.new
        if new not in self._ledger.header.edition.deck:
            raise NotAPieceError(str(new), self._ledger.header.edition.title)
        view, referee = self._view, self._ledger.referee
        if old == new or (identity is not None and not view.knows(identity)):
            raise NothingToCorrectError(str(old), str(new), identity)
        tracks = None if identity is None else (identity,)
        stands = since is not None or identity is None or view.stood(identity) == old
        found = correction_of(referee, old, new, since, self._ledger.language, force=force) if stands else None
        if found is None:
            if identity is None and not view.shows(old):
                raise NothingToCorrectError(str(old), str(new))
            self._rename(old, new, tracks)
            return ()
        correction, before = replace(asked, event=found.event), referee.state
        self._ledger.admit(correction)
        told = self._ledger.correct(correction, now if asked.time is None else asked.time)
        if told.ok and told.event is not None:
            self._tracks[told.event] = self._rename(old, new, tracks)
            view.follow(correction, before, referee.state, judged=False, now=now)
        return (told,)

    def _rename(self, old: Piece, new: Piece, tracks: tuple[int | None, ...] | None) -> tuple[int | None, ...]:
        named = self._view.rename(old, new, tracks)
        self._names += [(one, new) for one in named if one is not None]
        return named

    @property
    def last(self) -> int | None:
        """The number of the correction that would be taken back next, if it is one."""
        numbers = standing(self._ledger.referee)
        if not numbers or not isinstance(self._ledger.referee.events[numbers[-1]], Corrected):
            return None
        return numbers[-1]

    def take_back(self, number: int) -> None:
        """Call what correction ``number`` was about what it was called before."""
        correction = self._ledger.referee.events[number]
        if isinstance(correction, Corrected):
            self._rename(correction.new, correction.old, self._tracks.pop(number, None))

    def restart(self) -> None:
        """Take it that no number of a track means what it meant before."""
        self._tracks.clear()

    def take_names(self) -> tuple[tuple[int, Piece], ...]:
        """Return what people have said of tracks since this was last asked."""
        names, self._names = tuple(self._names), []
        return names
