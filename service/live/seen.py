"""What a moment shows in terms of a game: the layout, what is in doubt, and which track is which piece."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from math import hypot

from engine.layout import Layout, Spot
from engine.tokens import Piece
from service.live.lying import UNSEEN_FROM, Mark, mark, marks
from vision.tracks import Moment, Track
from vision.types import Quad

__all__ = ["Seen", "missing", "seen_in", "unfollowed", "with_told", "without_doubts"]


@dataclass(frozen=True, slots=True)
class Seen:
    """A layout, with the pieces in doubt, and for each place the track and where it lies in the picture.

    What is known to lie there without having been seen has neither.
    """

    layout: Layout = field(default_factory=Layout)
    doubts: frozenset[Piece] = frozenset()
    identities: Mapping[Spot, int] = field(default_factory=dict)
    quads: Mapping[Spot, Quad] = field(default_factory=dict)


def seen_in(moment: Moment, kind: str, on_board: bool) -> Seen:
    """Return what ``moment`` shows of a game with pieces of ``kind`` ("card", "tile", "die").

    On a board pieces lie on their squares, and what lies beside it is somebody's own; elsewhere the place of a piece
    is the number of its track. Of two tracks on one square the surer one counts.
    """
    found: dict[Spot, Track] = {}
    for track in moment.tracks:
        spot: Spot | None = track.reading.cell if on_board else track.identity
        if track.reading.piece.kind != kind or spot is None:
            continue
        if spot not in found or found[spot].reading.confidence < track.reading.confidence:
            found[spot] = track
    return Seen(
        Layout.of({spot: track.reading.piece for spot, track in found.items()}),
        frozenset(track.reading.piece for track in found.values() if _doubtful(track)),
        {spot: track.identity for spot, track in found.items()},
        {spot: track.reading.quad for spot, track in found.items()},
    )


def without_doubts(seen: Seen, base: Seen) -> Seen:
    """Return ``seen`` without what is in doubt and did not lie there, or hardly moved from there, in ``base``."""
    lay: dict[Piece, list[Quad | None]] = {}
    for spot, piece in base.layout.entries:
        lay.setdefault(piece, []).append(base.quads.get(spot))
    kept = {
        spot: piece
        for spot, piece in seen.layout.entries
        if piece not in seen.doubts
        or any(quad is None or _is_near(seen.quads[spot], quad) for quad in lay.get(piece, ()))
    }
    return replace(seen, layout=Layout.of(kept)) if len(kept) < len(seen.layout) else seen


def unfollowed(seen: Seen) -> Seen:
    """Return ``seen`` as it is known when no track is known any more: places that were numbers are made up."""
    made_up = (UNSEEN_FROM + number for number in range(len(seen.layout)))
    spots = {next(made_up) if isinstance(spot, int) else spot: piece for spot, piece in seen.layout.entries}
    return Seen(Layout.of(spots), seen.doubts)


def with_told(seen: Seen, game: Layout, told: Collection[Mark]) -> Layout:
    """Return what has been ``seen``, and of what else lies there by the ``game`` that which was known or ``told``."""
    followed = {spot: piece for spot, piece in seen.layout.entries if spot in seen.identities}
    known = (marks(seen.layout) | set(told)) - marks(Layout.of(followed))
    return Layout.of({spot: piece for spot, piece in game.entries if mark(spot, piece) in known} | followed)


def _doubtful(track: Track) -> bool:
    return track.reading.doubt is not None and not track.corrected


def missing(seen: Seen, moment: Moment) -> frozenset[Piece]:
    """Return the pieces of ``seen`` that have been seen to be gone from their places in ``moment``.

    Those have no track any more, or one that is elsewhere, in a hand perhaps; what a hand merely hides keeps its own.
    What has never been seen cannot be seen to be gone.
    """
    now: dict[Piece, list[Quad]] = {}
    for track in moment.tracks:
        now.setdefault(track.reading.piece, []).append(track.reading.quad)
    return frozenset(
        piece
        for spot, piece in seen.layout.entries
        if spot in seen.quads and not any(_is_near(quad, seen.quads[spot]) for quad in now.get(piece, ()))
    )


def _is_near(quad: Quad, other: Quad) -> bool:
    """Return whether two places of a piece are less than its short side apart."""
    across, down = (quad.centre - other.centre).tolist()
    return hypot(across, down) < other.short_side
