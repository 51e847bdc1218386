"""What a camera without a table is told of the SETs that lie there: all of them, or as much as a hint tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from engine.editions import edition
from engine.game import hint_of_sets
from engine.hints import HintLevel
from engine.labels import Language
from engine.sentences import say
from service.answer import sets_among
from service.board_answer import Asked
from service.board_file import AnyBoard
from service.game import Game
from service.hub.house import House
from service.tables import Table
from vision.tracks import Moment
from vision.types import Frame

__all__ = ["MOST_SETS", "Lookout", "sets_told"]

MOST_SETS = 2000
"""So many SETs are told of at the most: all 81 cards have 1080, a few dozen Wilds as many as there are trios."""


class Lookout:
    """Finds the SETs of one camera anew only when names, doubts, identities or squares have changed.

    A piece that a hand hides for a moment still lies there, and so do its SETs.
    """

    def __init__(
        self, house: House, game: Game, board: AnyBoard | None, language: Language, level: HintLevel | None
    ) -> None:
        """Tell all SETs, or with a ``level`` a hint in a ``language``."""
        self._house, self._language, self._level = house, language, level
        self._asked = Asked(game, Table(board))
        self._key: object = None
        self._told: Mapping[str, object] = {}

    async def told(self, moment: Moment) -> Mapping[str, object]:
        """Return the fields that a ``seen`` message of this ``moment`` has besides those of a table."""
        key = (
            moment.deck,
            tuple((track.identity, track.reading.name, track.reading.doubt, track.reading.cell) for track in moment),
        )
        if key != self._key:
            # Most take less than a millisecond, but a board of Cubed or a few dozen Wilds take longer.
            work = partial(sets_told, moment, self._asked, self._level, self._language)
            self._told = await self._house.in_thread(work)
            self._key = key
        return self._told


def sets_told(moment: Moment, asked: Asked, level: HintLevel | None, language: Language) -> Mapping[str, object]:
    """Return ``game``, and ``sets`` with ``set_sure``, or the ``hint`` of a ``level``; pieces by identity."""
    readings = tuple(track.reading for track in moment)
    frame = Frame(moment.size, readings, moment.deck, 0.0, {})
    game = asked.game.settled(frame)
    sets = (sets_among(frame, asked) or [])[:MOST_SETS]
    sure = [not any(readings[place].doubt for place in trio) for trio in sets]
    if level is None:
        identities = [track.identity for track in moment]
        return {"game": game, "sets": [[identities[place] for place in trio] for trio in sets], "set_sure": sure}
    surest = [trio for _, trio in sorted(zip(sure, sets, strict=True), key=lambda one: not one[0])]
    return {"game": game, "hint": _hint(moment, surest, game, level, language)}


def _hint(
    moment: Moment, sets: Sequence[tuple[int, int, int]], game: Game, level: HintLevel, language: Language
) -> Mapping[str, object] | None:
    """Return what a ``level`` tells of the ``sets``, of which the first is shown."""
    if level is HintLevel.NEVER:
        return None
    pieces = [tuple(moment.tracks[place].reading.piece for place in trio) for trio in sets]
    text = say(hint_of_sets(pieces, level), edition(game), language)
    shown = [moment.tracks[place].identity for place in sets[0][: level.pieces]] if sets else []
    return {"text": text, "pieces": shown, "level": level}
