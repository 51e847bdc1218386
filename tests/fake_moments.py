"""Moments without pictures: from the timeline of a film, or by hand, as a tracker would give them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from datasets.film_cubed import cubed_script
from datasets.film_director import Timeline, direct
from datasets.film_script import ScriptSettings, table_script
from datasets.film_stage import StageSettings, card_stage, cubed_stage, junior_stage
from engine.events import Event
from engine.record import Header, read_event, read_header
from engine.referee import Referee
from engine.tokens import Piece, parse_piece
from vision.tracks import Moment, Scene, Track
from vision.types import Doubt, Kind, Quad, Reading

SIZE = (1280, 720)
SETTLE = 0.4
"""Seconds without a change until a moment is settled."""
KINDS = {"classic": Kind.CARD, "ravensburger": Kind.CARD, "junior-2": Kind.TILE, "cubed": Kind.DIE}


def track(
    identity: int, piece: Piece, *, time: float = 0.0, cell: tuple[int, ...] | None = None, doubt: Doubt | None = None
) -> Track:
    """One piece somewhere on the table."""
    x, y = 60.0 + 100 * (identity % 12), 60.0 + 100 * (identity // 12 % 6)
    quad = Quad.of([(x, y), (x + 50, y), (x + 50, y + 80), (x, y + 80)])
    reading = Reading(quad, piece, 0.99, doubt=doubt, kind=Kind(piece.kind), cell=cell)
    return Track(identity, reading, 0.0, time)


def moment(
    time: float,
    tracks: Sequence[Track],
    *,
    settled: bool = True,
    changed: float | None = None,
    scene: Scene | None = None,
) -> Moment:
    """One moment; what is not settled has a hand in it."""
    scene = scene or (Scene.STILL if settled else Scene.HANDS)
    return Moment(time, SIZE, scene, settled, time if changed is None else changed, tuple(tracks))


@dataclass(frozen=True)
class Scripted:
    """A film without its pictures: the timeline, and the record that a referee has to write."""

    timeline: Timeline
    header: Header
    events: tuple[Event, ...]

    @property
    def referee(self) -> Referee:
        """The referee after the whole record."""
        referee = self.header.referee()
        for event in self.events:
            referee.apply(event)
        return referee

    def moments(self, fps: float = 10.0) -> Iterator[Moment]:
        """What a faultless tracker would give."""
        spots = _cells(self.timeline) if self.timeline.script.game == "cubed" else {}
        kind, stirs = KINDS[self.timeline.script.game].value, _stirs(self.timeline)
        last = 0.0
        for number in range(int(self.timeline.length * fps)):
            time = number / fps
            stirred = [min(time, end) for start, end in stirs if start <= time]
            last = max(stirred, default=0.0)
            tracks = [
                track(int(rest.key), parse_piece(rest.name, kind), time=time, cell=spots.get(rest.key))
                for rest in self.timeline.lying(time)
            ]
            yield moment(time, tracks, settled=time - last >= SETTLE, changed=last)


def _stirs(timeline: Timeline) -> list[tuple[float, float]]:
    """From when to when anything goes on."""
    strokes = [(one.start, one.end) for one in timeline.strokes]
    return sorted(strokes + [(one.start, one.end) for one in timeline.effects])


def _cells(timeline: Timeline) -> Mapping[str, tuple[int, ...]]:
    """The square of each die, by its key: dice are numbered in the order in which they are laid."""
    places = [place for step in timeline.script.steps if step.pieces for place in step.places]
    return {str(number): tuple(place) for number, place in enumerate(places)}


@cache
def scripted(game: str, seed: int, settings: ScriptSettings | None = None) -> Scripted:
    """The film of a game that ``seed`` decides."""
    rng = np.random.default_rng(seed)
    stage_settings = StageSettings(size=(320, 180), beside=0.0)
    if game == "cubed":
        board = cubed_stage(rng, stage_settings)
        timeline = direct(rng, cubed_script(rng, board.board, settings), board)
    else:
        script = table_script(game, rng, settings)
        names = sorted({name for step in script.steps for name in step.pieces})
        stage = (
            junior_stage(rng, stage_settings)
            if game == "junior-2"
            else card_stage(rng, stage_settings, script.places, names)
        )
        timeline = direct(rng, script, stage)
    header = read_header(json.dumps(timeline.script.header))
    events = tuple(read_event(json.dumps(event), header) for _, event in timeline.events)
    return Scripted(timeline, header, events)


def renamed(found: Moment, identity: int, piece: Piece) -> Moment:
    """The same moment with one track misread."""
    tracks = tuple(
        replace(one, reading=replace(one.reading, piece=piece)) if one.identity == identity else one
        for one in found.tracks
    )
    return replace(found, tracks=tracks)
