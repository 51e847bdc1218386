"""A misread piece set right with a few keys: which piece, which feature, which value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.editions import edition, shown
from engine.tokens import Face, Piece
from vision.live_overlay import Message, Tone
from vision.tracks import Track

__all__ = ["Mending", "Misread", "misread_of_pieces", "misread_of_tracks"]

_HOW = "↑ ↓ feature · ← → {feature} · m next piece · y it is so · Esc no"


@dataclass(frozen=True, slots=True)
class Misread:
    """A piece that may be misread; ``identity`` is its track, None for one that may be gone."""

    piece: Piece
    identity: int | None = None


def misread_of_tracks(tracks: Sequence[Track]) -> tuple[Misread, ...]:
    """Return what lies there, pieces in doubt first."""
    ordered = sorted(tracks, key=lambda track: track.reading.doubt is None)
    return tuple(Misread(track.reading.piece, track.identity) for track in ordered)


def misread_of_pieces(pieces: Sequence[Piece], tracks: Sequence[Track]) -> tuple[Misread, ...]:
    """Return the ``pieces`` of a dispute, with the tracks that read so now."""
    identities = {track.reading.piece: track.identity for track in tracks}
    return tuple(Misread(piece, identities.get(piece)) for piece in pieces)


@dataclass(frozen=True, slots=True)
class Mending:
    """What people are about to correct.

    ``choices`` are the pieces to choose from, ``place`` the chosen one, ``new`` what it is said to be, ``feature`` the
    number of the feature that is changed; ``key`` names the edition.
    """

    choices: tuple[Misread, ...]
    key: str
    new: Piece
    place: int = 0
    feature: int = 0

    @classmethod
    def begun(cls, choices: Sequence[Misread], key: str) -> Mending | None:
        """Return the mending of the first of the ``choices``; None if there are none."""
        return cls(tuple(choices), key, choices[0].piece) if choices else None

    @property
    def chosen(self) -> Misread:
        """The piece that is about to be corrected."""
        return self.choices[self.place]

    def next(self) -> Mending:
        """Choose the next piece."""
        place = (self.place + 1) % len(self.choices)
        return replace(self, place=place, new=self.choices[place].piece)

    def turned(self, steps: int) -> Mending:
        """Choose another feature."""
        return replace(self, feature=(self.feature + steps) % len(edition(self.key).features))

    def changed(self, steps: int) -> Mending:
        """Give the feature its next value, of those that the edition has."""
        alike = self._alike()
        if self.new not in alike:  # the edition has no such piece: it has the others
            alike = (self.new, *alike)
        return replace(self, new=alike[(alike.index(self.new) + steps) % len(alike)])

    def _alike(self) -> tuple[Piece, ...]:
        """Every piece that differs from ``new`` in the chosen feature only; of a Wild every other face."""
        deck = edition(self.key).deck
        if isinstance(self.new, Face) and self.new.is_wild:
            return deck
        rest = _but(self.new, self.feature)
        return tuple(
            piece
            for piece in deck
            if not (isinstance(piece, Face) and piece.is_wild) and _but(piece, self.feature) == rest
        )

    @property
    def banner(self) -> Message:
        """What is about to be corrected, and into what."""
        words = edition(self.key)
        old, new = words.label(self.chosen.piece), words.label(self.new)
        return Message(f"Misread? {old}" if self.new == self.chosen.piece else f"{old} → {new}", Tone.ODD)

    @property
    def status(self) -> str:
        """The keys that do it."""
        words = edition(self.key)
        return _HOW.format(feature=words.title_of(words.features[self.feature]))


def _but(piece: Piece, feature: int) -> tuple[int, ...]:
    """The values of a piece without that of one feature."""
    values = tuple(shown(piece).values)
    return (*values[:feature], *values[feature + 1 :])
