"""What a live game tells on standard output: one line a happening, for people or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.editions import edition
from engine.hints import HintLevel
from service.console import complain, write_json, write_line
from service.live.happenings import Happening, HappeningKind
from service.replay import outcome_of
from service.watch_view import hint_note

if TYPE_CHECKING:
    from engine.referee import Referee
    from vision.shots import Notice
    from vision.tracks import Moment

__all__ = ["Teller", "clock"]


def clock(seconds: float) -> str:
    """Return a time as people read it.

    >>> clock(75.25)
    '1:15.2'
    """
    minutes, rest = divmod(max(0.0, seconds), 60)
    return f"{int(minutes)}:{rest:04.1f}"


class Teller:
    """Tells what happens at a table."""

    def __init__(self, as_json: bool) -> None:
        """Tell it as JSON lines, else in short plain lines."""
        self._json = as_json
        self._told: object = None

    def tell(self, happenings: Sequence[Happening]) -> None:
        """Tell what has happened, in order."""
        for one in happenings:
            self._line(one.to_json(), one.time, _plain(one))

    def notice(self, notice: Notice) -> None:
        """Tell what the source of the pictures has to say: to people on standard error."""
        if self._json:
            self._write({"kind": "source", "t": round(notice.time, 3), "notice": notice.kind, "text": notice.text})
        else:
            complain(notice.text)

    def remark(self, text: str) -> None:
        """Tell what no happening is: to programs on standard error."""
        if self._json:
            complain(text)
        else:
            write_line(text)

    def table(
        self, moment: Moment, sets: Sequence[tuple[int, int, int]], key: str, level: HintLevel = HintLevel.THREE
    ) -> None:
        """Tell what lies there, in the words of the edition ``key``, if it is settled and has changed.

        Of its ``sets`` no more is told than ``level`` allows.
        """
        readings = [track.reading for track in moment]
        state = sorted((reading.name, reading.cell or ()) for reading in readings)
        if not moment.settled or state == self._told:
            return
        self._told = state
        shown = sets if level is HintLevel.THREE else [trio[: level.pieces] for trio in sets[:1] if level.pieces]
        names = [[readings[place].name for place in places] for places in shown]
        found = {"pieces": [reading.name for reading in readings], **_hint(level, len(sets), names)}
        kind = readings[0].kind.value if readings else "piece"
        counted = f"{len(readings)} {'dice' if kind == 'die' else f'{kind}s'}"
        words = edition(key)
        told = "; ".join(" + ".join(words.label(readings[place].piece) for place in places) for places in shown)
        note = hint_note(sets, level)
        text = f"{counted}{', ' if note else ''}{note}{': ' if told else ''}{told}"
        self._line({"kind": "table", "t": round(moment.time, 3), **found, "text": text}, moment.time, text)

    def outcome(self, referee: Referee) -> None:
        """Tell how the game stands in the end."""
        found = outcome_of(referee)
        scores = ", ".join(f"{name} {points}" for name, points in found["scores"].items())
        if self._json:
            self._write({"outcome": found})
            return
        beginning = "The game is over" if found["over"] else "So far"
        write_line(_legible(f"{beginning}: {scores}. {_standing(found)}."))

    def _line(self, found: dict[str, Any], time: float, text: str) -> None:
        if self._json:
            self._write(found)
        else:
            write_line(_legible(f"{clock(time):>8}  {text}"))

    def _write(self, found: dict[str, Any]) -> None:
        write_json(json.dumps(found, ensure_ascii=False))


def _standing(found: dict[str, Any]) -> str:
    """Who has won or lost, or who is ahead or behind so far."""
    best = found["winners"] or found["losers"]
    names, many = " and ".join(best), len(best) > 1
    if found["winners"]:
        return f"{names} {'won' if found['over'] else 'lead' if many else 'leads'}"
    if found["over"]:
        return f"{names} lost"
    return "Nobody is behind" if len(best) == len(found["scores"]) else f"{names} {'are' if many else 'is'} behind"


def _hint(level: HintLevel, count: int, names: list[list[str]]) -> dict[str, Any]:
    """What ``level`` allows to be told of SETs: all, one or two pieces of one, how many, whether there is one."""
    match level:
        case HintLevel.NEVER:
            return {}
        case HintLevel.YES_NO:
            return {"set": count > 0}
        case HintLevel.COUNT:
            return {"count": count}
        case HintLevel.THREE:
            return {"sets": names}
    return {"count": count, "hint": names[0] if names else []}


def _plain(one: Happening) -> str:
    points = "  ".join(f"{name} {change:+}" for name, change in one.points.items())
    mark = {HappeningKind.ODDITY: "?  ", HappeningKind.TIE: "?  "}.get(one.kind, "")
    unsure = "  (unsure)" if one.sure is False and one.kind is HappeningKind.EVENT else ""
    return f"{mark}{one.text}{unsure}{f'  [{points}]' if points else ''}"


def _legible(text: str) -> str:
    """Return ``text`` without anything that a terminal would obey: names are anybody's."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
