"""Moments between processes: plain values without what a live table has no use for, in a fifth of the bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from engine.tokens import parse_piece
from service.workers.nouns import Sight
from vision.tracks import Advice, Moment, Scene, Track
from vision.types import Deck, Doubt, Kind, Quad, Reading

__all__ = ["PackedSight", "packed", "unpacked"]

_Piece: TypeAlias = tuple[
    int, str, str, float, str | None, tuple[int, ...] | None, float, float, bool, bool
]  # identity, kind, name, confidence, doubt, cell, first, last, hidden, corrected


@dataclass(frozen=True, slots=True)
class PackedSight:
    """A :class:`Sight`; ``quads`` are the corners of all pieces, (n, 4, 2) float32."""

    time: float
    size: tuple[int, int]
    scene: str
    settled: bool
    changed: float
    deck: str | None
    advice: str | None
    pieces: tuple[_Piece, ...]
    quads: bytes
    still: bytes | None
    ms: tuple[float, float]
    fresh: bool


def packed(sight: Sight) -> PackedSight:
    """Return a sight for the way to another process; features and placement are left behind."""
    moment = sight.moment
    quads = np.array([track.reading.quad.corners for track in moment], np.float32)
    return PackedSight(
        moment.time,
        moment.size,
        moment.scene.value,
        moment.settled,
        moment.changed,
        None if moment.deck is None else moment.deck.value,
        None if moment.advice is None else moment.advice.value,
        tuple(map(_piece, moment)),
        quads.tobytes(),
        sight.still,
        (moment.ms, sight.ms),
        sight.fresh,
    )


def _piece(track: Track) -> _Piece:
    reading = track.reading
    return (
        track.identity,
        reading.kind.value,
        reading.name,
        reading.confidence,
        None if reading.doubt is None else reading.doubt.value,
        reading.cell,
        track.first,
        track.last,
        track.hidden,
        track.corrected,
    )


def unpacked(one: PackedSight) -> Sight:
    """Return the sight again."""
    quads = np.frombuffer(one.quads, np.float32).reshape(-1, 4, 2)
    moment = Moment(
        one.time,
        one.size,
        Scene(one.scene),
        one.settled,
        one.changed,
        tuple(_track(piece, Quad(corners)) for piece, corners in zip(one.pieces, quads, strict=True)),
        None if one.deck is None else Deck(one.deck),
        ms=one.ms[0],
        advice=None if one.advice is None else Advice(one.advice),
    )
    return Sight(moment, one.still, one.ms[1], one.fresh)


def _track(piece: _Piece, quad: Quad) -> Track:
    identity, kind, name, confidence, doubt, cell, first, last, hidden, corrected = piece
    reading = Reading(
        quad,
        parse_piece(name, kind),
        confidence,
        doubt=None if doubt is None else Doubt(doubt),
        kind=Kind(kind),
        cell=cell,
    )
    return Track(identity, reading, first, last, hidden, corrected)
