"""Follows the pieces of a table from picture to picture.

A glance at each picture tells where something moves or reaches in; pieces are found and read only where that was, once
it is over. Names are voted: the log-probabilities of all looks at a piece are summed for each feature. A piece keeps
its identity by its place, or where that has changed by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Generic, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from engine.tokens import Piece
from vision.advice import AdviceConfig, Adviser, advice_of
from vision.eyes import Eyes, Found, Named
from vision.followed import Followed, Patch, Patches, difference, pairs_by_name, pairs_by_place
from vision.geometry import transform
from vision.motion import Attention, Glance, MotionConfig
from vision.tracks import Moment, Scene
from vision.types import Detection, Doubt, Image, Quad, Reading

__all__ = ["Tracker", "TrackerConfig"]

E = TypeVar("E")
Matrix = npt.NDArray[np.float64]
_FOR_GOOD = (Doubt.CUT_OFF, Doubt.DUPLICATE, Doubt.TOO_SMALL)
"""Doubts that more looks from the same place will not settle."""
_RIM = 0.1
"""Corners closer than this to the border, in short sides, may be where the picture cuts a piece off."""


@dataclass(frozen=True)
class TrackerConfig:
    """Seconds, unless something else is said.

    A table is settled when nothing has changed for ``settle``. Pieces are looked at when nothing has moved for
    ``calm``. ``votes`` looks make a name, ``most_votes`` where it stays in doubt, of which the last ``kept`` count. A
    piece is gone after ``misses`` looks that do not find it, and known again by its name for ``remembered``. A piece is
    in the same place with an IoU of ``same`` or more, and looks the same when patches differ by less than ``changed``
    levels; one that is not found beside a hand is hidden. The camera has moved when most pieces have, by more than
    ``shifted`` of their short sides. Where the share ``wide`` of the pieces move at once, that is looked into every
    ``glimpse``; a camera that has moved so is taken for one in a hand for ``carried``, and after ``held`` of that the
    table settles in spite of it. Meanwhile a piece is not gone sooner than after ``carried``, and one left out of sight
    not before ``out_of_sight``. Then pieces overlap by ``touching`` from one picture to the next. What newly lies
    across the border, read with a confidence of ``plain`` or more, may be in a hand for ``held``, and for twice that
    where something keeps moving. The bare table is learned every ``learning``.
    """

    settle: float = 0.4
    calm: float = 0.07
    votes: int = 3
    most_votes: int = 6
    kept: int = 8
    misses: int = 2
    remembered: float = 4.0
    same: float = 0.35
    touching: float = 0.15
    changed: float = 14.0
    shifted: float = 0.02
    wide: float = 0.8
    glimpse: float = 0.2
    carried: float = 1.0
    held: float = 2.0
    plain: float = 0.5
    out_of_sight: float = 20.0
    learning: float = 0.5
    motion: MotionConfig = field(default_factory=MotionConfig)
    advice: AdviceConfig = field(default_factory=AdviceConfig)


@dataclass(eq=False)
class _Look(Generic[E]):
    """One look at a calm picture: what is found, and what is to be made of it."""

    found: Found
    glance: Glance
    patches: Patches
    time: float
    fresh: list[tuple[Detection, E, Followed[E] | None]] = field(default_factory=list)
    held: bool = False


class Tracker(Generic[E]):
    """Follows one table. Knows no clock: every picture comes with its time."""

    def __init__(self, eyes: Eyes[E], config: TrackerConfig | None = None) -> None:
        """Follow what ``eyes`` see."""
        self.config = config or TrackerConfig()
        self._eyes = eyes
        self._attention = Attention(self.config.motion)
        self._adviser = Adviser(self.config.advice)
        self._identities = count(1)
        self._pieces: list[Followed[E]] = []
        self._lost: list[Followed[E]] = []
        self._named = Named(())
        self._size: tuple[int, int] | None = None
        self._time = 0.0
        self._moved = self._changed = self._learnt = self._looked = self._stable = -1e9
        self._carried_since = self._carried_until = -1e9
        self._dirty, self._shaken, self._pending = True, False, False
        self._holding_since = np.inf

    def see(self, image: Image, time: float) -> Moment:
        """Return what is known of the table after a (height, width, 3) uint8 BGR picture at ``time``.

        A time before the last one counts as the last one.
        """
        start = perf_counter()
        self._time = time = max(time, self._time)
        self._fit(image)
        glance = self._attention.glance(image, time, [piece.quad for piece in self._pieces])
        if glance.dark:
            self._moved = self._changed = time
            self._dirty = True
            return self._moment(Scene.DARK, False, start, image, glance)
        self._notice(glance, time)
        if time - self._moved >= self.config.calm:
            if self._dirty or self._wanting():
                self._look(image, glance)
        elif self._carried(time) or self._is_wide(glance):
            self._look_moving(image, glance)
        scene = Scene.HANDS if glance.reaching.any() else Scene.STILL if glance.still else Scene.MOVING
        settled = self._is_settled(scene)
        if settled and scene is Scene.STILL and time - self._learnt >= self.config.learning:
            self._attention.learn(glance, [piece.quad for piece in self._pieces])
            self._learnt = time
        return self._moment(scene, settled, start, image, glance)

    def correct(self, identity: int, piece: Piece | None) -> None:
        """Take a person's word for what a piece is, as long as it stays; None takes that back.

        :raises KeyError: no such piece lies there.
        """
        for one in self._pieces:
            if one.identity == identity:
                one.corrected = piece
                return
        raise KeyError(identity)

    def look_again(self) -> None:
        """Find and read everything anew with the next picture, whatever has moved."""
        self._dirty = self._shaken = True

    # What one glance tells.

    def _fit(self, image: Image) -> None:
        """Pictures of another size show the same table, as far as is known."""
        size = (image.shape[1], image.shape[0])
        if self._size is not None and size != self._size:
            factors = np.array(size, np.float32) / np.array(self._size, np.float32)
            for piece in self._pieces:
                piece.quad = Quad(np.asarray((piece.quad.corners + 0.5) * factors - 0.5, np.float32))
            self.look_again()
        self._size = size

    def _notice(self, glance: Glance, time: float) -> None:
        """Note what has moved or been covered."""
        if glance.shaken:
            self._shaken = True
        busy = glance.moving | glance.reaching
        if not busy.any():
            return
        self._dirty = True
        self._changed = time
        if not glance.still:
            self._moved = time
        for piece in self._pieces:
            if not piece.touched and glance.share(busy, piece.quad) > 0:
                piece.touched = True

    def _wanting(self) -> bool:
        """Whether more looks at some piece would make its name surer."""
        return any(self._wants(piece) for piece in self._pieces if not piece.hidden)

    def _wants(self, piece: Followed[E]) -> bool:
        if piece.corrected is not None:
            return False
        reading = piece.reading
        doubtful = reading is not None and reading.doubt is not None and reading.doubt not in _FOR_GOOD
        return piece.looks < (self.config.most_votes if doubtful else self.config.votes)

    def _carried(self, time: float) -> bool:
        """Whether the camera is held in a hand: it has moved again and again."""
        return time < self._carried_until

    def _feel(self, moved: bool, glance: Glance) -> None:
        """Note whether a hand carries the camera: it has ``moved``, or what it does has not come to rest since."""
        if glance.still or not (moved or (self._carried(self._time) and self._is_wide(glance))):
            return
        if not self._carried(self._time):
            self._carried_since = self._time
        self._carried_until = self._time + self.config.carried

    def _is_settled(self, scene: Scene) -> bool:
        """Whether the tracks show the whole table as it is."""
        if self._wanting():
            return False
        if self._carried(self._time) and self._time - self._carried_since >= self.config.held:
            return not self._pending and self._time - self._stable >= self.config.settle
        return scene is Scene.STILL and not self._dirty and self._time - self._moved >= self.config.settle

    def _is_wide(self, glance: Glance) -> bool:
        """Whether nearly all pieces move at the same time: then it is the camera."""
        moving = [bool(glance.moving[glance.cells_of(p.quad, 1)].any()) for p in self._pieces if not p.hidden]
        return not moving or float(np.mean(moving)) >= self.config.wide

    # Looks.

    def _look_moving(self, image: Image, glance: Glance) -> None:
        """Look although something moves, which is likely the camera: read now and then, only follow in between."""
        if self._time - self._looked >= self.config.glimpse:
            self._look(image, glance)
            return
        if not self._carried(self._time):
            return
        found = [detection.quad for detection in self._eyes.find(image).detections]
        pairs = pairs_by_place([piece.quad for piece in self._pieces], found, self.config.touching)
        moved = [(self._pieces[our], self._pieces[our].quad) for our, _ in pairs]
        for our, theirs in pairs:
            self._pieces[our].quad = found[theirs]
        matrix = self._shift(moved)
        if matrix is not None:
            self._carry({id(piece) for piece, _ in moved}, matrix)

    def _carry(self, known: set[int], matrix: Matrix) -> None:
        """The camera has moved by ``matrix``: what is not ``known`` to lie elsewhere has moved with the rest."""
        for piece in self._pieces:
            if id(piece) not in known:
                piece.quad = Quad(transform(piece.quad.corners, matrix))

    def _look(self, image: Image, glance: Glance) -> None:
        """Find pieces, read those that are new or were touched, and decide what has become of the others."""
        look = _Look[E](self._eyes.find(image), glance, Patches(image), self._time)
        before = [(piece.identity, piece.name) for piece in self._pieces]
        self._lost = [piece for piece in self._lost if look.time - piece.missed_since <= self.config.remembered]
        self._looked = self._time
        if self._shaken or not glance.still:
            for piece in self._pieces:
                piece.touched = True
        self._read(look)
        moved = self._assign(look)
        self._pending = self._account(look) or look.held
        self._holding_since = min(self._holding_since, look.time) if look.held else np.inf
        self._name(look)
        if [(piece.identity, piece.name) for piece in self._pieces] != before:
            self._stable = self._time
        self._feel(moved is not None, glance)
        if self._carried(self._time):
            self._attention.forget()
        elif moved is not None:
            self._attention.follow(glance, [piece.quad for piece in self._pieces], moved)
        elif self._shaken:
            self._attention.forget()
            self._attention.learn(glance, [piece.quad for piece in self._pieces])
        self._shaken = False
        self._dirty = self._pending or not glance.still

    def _read(self, look: _Look[E]) -> None:
        """Read what is found, but for the pieces that lie there untouched and are well known."""
        detections = look.found.detections
        quads = [detection.quad for detection in detections]
        at = {theirs: our for our, theirs in pairs_by_place([p.quad for p in self._pieces], quads, self.config.same)}
        wanted: list[tuple[Detection, Followed[E] | None]] = []
        for number, detection in enumerate(detections):
            piece = self._pieces[at[number]] if number in at else None
            if piece is None or piece.touched or self._wants(piece):
                wanted.append((detection, piece))
            else:
                piece.seen(piece.quad, look.time)
        evidence = self._eyes.look(look.found, [detection for detection, _ in wanted])
        look.fresh = [(detection, one, piece) for (detection, piece), one in zip(wanted, evidence, strict=True)]

    def _assign(self, look: _Look[E]) -> Matrix | None:
        """Give the fresh evidence to the pieces it is about; return how the camera has moved, if it has."""
        names = self._first_names(look)
        calm = (look.glance.still and not look.glance.reaching.any()) or self._carried(look.time)
        homeless: list[int] = []
        voted: list[tuple[Followed[E], Quad]] = []
        for number, ((_, evidence, piece), reading) in enumerate(zip(look.fresh, names, strict=True)):
            if reading is None:
                continue
            if piece is None or self._is_other(piece, reading):
                held = reading.confidence >= self.config.plain and self._is_held(self._eyes.quad(evidence))
                look.held |= held
                if not held:
                    homeless.append(number)
                continue
            if self._is_unlike(piece, reading):
                continue
            voted.append((piece, piece.quad))
            self._take_in(piece, evidence, calm)
        served = {id(piece) for piece, _ in voted}
        free = [one for one in self._pieces if id(one) not in served and (one.touched or one.missed)] + self._lost
        quads = [self._eyes.quad(look.fresh[number][1]) for number in homeless]
        theirs = [(_name_of(names[n]), quad) for n, quad in zip(homeless, quads, strict=True)]
        moved = {j: free[i] for i, j in pairs_by_name([(one.names, one.quad) for one in free], theirs)}
        for place, number in enumerate(homeless):
            _, evidence, rival_of = look.fresh[number]
            piece = moved.get(place)
            if piece is not None:
                voted.append((piece, piece.quad))
                piece.quad, piece.held = quads[place], piece.held or not calm
                piece.vote(evidence, quads[place], look.time, self.config.kept)
                if piece in self._lost:
                    self._lost.remove(piece)
                    self._pieces.append(piece)
            elif look.glance.near(quads[place]) or (not look.glance.still and not self._may_arrive(look)):
                continue
            elif rival_of is None or rival_of in moved.values():
                self._arrive(evidence, quads[place], held=not calm)
            elif self._is_replaced(rival_of, theirs[place][0]):
                self._arrive(evidence, quads[place], held=not calm)
                self._take_off(rival_of, look.time)
        matrix = self._shift(voted)
        if matrix is not None:
            self._carry(
                {id(piece) for piece, _ in voted} | {id(p) for p in self._pieces if p.first == look.time}, matrix
            )
        return matrix

    def _is_held(self, quad: Quad) -> bool:
        """Whether what has just come to lie across the border of the picture may be in a hand beyond it."""
        known = any(piece.told for piece in self._pieces) and not self._shaken and not self._carried(self._time)
        lately = self._time - self._moved < self.config.held > (self._time - self._holding_since) / 2
        return known and lately and self._corners_outside(quad, _RIM * quad.short_side) >= 1

    def _take_in(self, piece: Followed[E], evidence: E, calm: bool) -> None:
        """Let a look vote, unless it shows a part of a piece of which all has been seen."""
        quad = self._eyes.quad(evidence)
        if calm:
            piece.let_go()
        if piece.looks >= self.config.votes and self._corners_outside(quad):
            piece.rival = None
            piece.seen(quad, self._time)
            piece.looks += self._wants(piece)
        else:
            piece.vote(evidence, quad, self._time, self.config.kept)

    def _first_names(self, look: _Look[E]) -> list[Reading | None]:
        """What each fresh look alone says, in the light of all that lies there."""
        fresh = {id(piece) for _, _, piece in look.fresh if piece is not None}
        known = [p for p in self._pieces if p.evidence and id(p) not in fresh and not p.touched]
        together = [self._eyes.together(piece.evidence, piece.quad) for piece in known]
        alone = [evidence for _, evidence, _ in look.fresh]
        return list(self._eyes.name(look.found, [*together, *alone]).readings[len(together) :])

    def _is_other(self, piece: Followed[E], reading: Reading) -> bool:
        """Whether a look at the place of ``piece`` plainly shows another one."""
        if not piece.names or reading.name in piece.names or reading.doubt is not None:
            return False
        return piece.looks >= self.config.votes or piece.touched

    def _is_unlike(self, piece: Followed[E], reading: Reading) -> bool:
        """Whether a look after a hand was there shows hardly a piece, and not this one: it may have been bare table."""
        return piece.touched and reading.doubt is not None and reading.name not in piece.names and bool(piece.names)

    def _is_replaced(self, piece: Followed[E], name: str | None) -> bool:
        """Whether what lies at the place of ``piece`` has had the same other name for two looks in a row."""
        again = piece.rival == name
        piece.rival = name
        piece.last = self._time
        return again

    def _may_arrive(self, look: _Look[E]) -> bool:
        """Whether what is new in a moving picture lies there, and is not being carried through it."""
        return self._carried(look.time) or not any(piece.told for piece in self._pieces)

    def _arrive(self, evidence: E, quad: Quad, held: bool) -> None:
        piece = Followed[E](next(self._identities), quad, self._time, self._time, held=held)
        piece.vote(evidence, quad, self._time, self.config.kept)
        self._pieces.append(piece)

    def _shift(self, voted: Sequence[tuple[Followed[E], Quad]]) -> Matrix | None:
        """How most pieces have moved and turned, (3, 3) in pixels: then it was the camera; else None."""
        if len(voted) < 3 or 2 * len(voted) < len(self._pieces):
            return None
        shifts = [np.abs(piece.quad.centre - before.centre).max() / before.short_side for piece, before in voted]
        if float(np.median(shifts)) <= self.config.shifted:
            return None
        before = np.concatenate([quad.corners for _, quad in voted])
        after = np.concatenate([piece.quad.corners for piece, _ in voted])
        found, _ = cv2.estimateAffinePartial2D(before, after, method=cv2.RANSAC)
        turned = np.asarray(found, np.float64)
        return np.vstack([turned, [0.0, 0.0, 1.0]]) if turned.shape == (2, 3) else None

    def _account(self, look: _Look[E]) -> bool:
        """Decide what has become of pieces that were not found; return whether that takes another look."""
        pending = False
        patches = look.patches.of([piece.quad for piece in self._pieces])
        for piece, patch in zip(list(self._pieces), patches, strict=True):
            if piece.last == look.time and piece.rival is None:
                piece.patch = patch
            elif piece.name is None:
                self._pieces.remove(piece)
            elif self._is_displaced(piece):
                self._take_off(piece, look.time)
            elif look.glance.near(piece.quad) or self._is_outside(piece):
                piece.hidden, piece.touched, piece.missed = True, True, 0
            elif not look.glance.still and not self._carried(look.time):
                piece.touched = True
            elif piece.rival is None and piece.told and self._looks_the_same(piece, patch):
                piece.seen(piece.quad, look.time)
                piece.looks += self._wants(piece)
            elif piece.rival is not None and piece.last == look.time:
                pending = True
            else:
                pending |= not self._is_gone(piece, look.time)
        return pending

    def _is_outside(self, piece: Followed[E]) -> bool:
        """Whether a part of a piece is out of the picture, for the camera has moved."""
        least = 1 if self._carried(self._time) else 2
        return self._corners_outside(piece.quad) >= least and self._time - piece.last <= self.config.out_of_sight

    def _corners_outside(self, quad: Quad, margin: float = 0.0) -> int:
        """How many corners are not in the picture, or within ``margin`` pixels of its border."""
        assert self._size is not None  # noqa: S101  a picture has been seen
        last = np.array(self._size, np.float32) - 1 - np.float32(margin)
        return int(((quad.corners < margin) | (quad.corners > last)).any(axis=1).sum())

    def _is_displaced(self, piece: Followed[E]) -> bool:
        """Whether another piece is found where this one, not found, has lain."""
        found = [other.quad for other in self._pieces if other.last == self._time and other.rival is None]
        return bool(pairs_by_place([piece.quad], found, self.config.same))

    def _looks_the_same(self, piece: Followed[E], patch: Patch) -> bool:
        return not self._shaken and piece.patch is not None and difference(patch, piece.patch) < self.config.changed

    def _is_gone(self, piece: Followed[E], time: float) -> bool:
        """Whether a piece has not been found for long enough; then it is taken off the table."""
        if not piece.missed:
            piece.missed_since = time
        piece.missed += 1
        piece.hidden = False
        patience = self.config.carried if self._carried(time) else 0.0
        if piece.missed < self.config.misses or time - piece.missed_since < patience:
            return False
        self._take_off(piece, piece.missed_since)
        return True

    def _take_off(self, piece: Followed[E], time: float) -> None:
        """Take a piece off the table; it is remembered for a while."""
        piece.missed_since, piece.rival = time, None
        if piece in self._pieces:
            self._pieces.remove(piece)
        if piece.name is not None:
            self._lost.append(piece)

    def _name(self, look: _Look[E]) -> None:
        """Name the whole table by all looks."""
        known = [piece for piece in self._pieces if piece.evidence]
        self._named = self._eyes.name(look.found, [self._eyes.together(piece.evidence, piece.quad) for piece in known])
        for piece, reading in zip(known, self._named.readings, strict=True):
            piece.reading = reading
        ghosts = [piece for piece in known if piece.reading is None and piece.looks >= self.config.votes]
        self._pieces = [piece for piece in self._pieces if piece not in ghosts]

    # What is told.

    def _moment(self, scene: Scene, settled: bool, start: float, image: Image, glance: Glance) -> Moment:
        told = [piece.track() for piece in self._pieces if self._is_told(piece)]
        tracks = tuple(track for track in told if track is not None)
        advice = advice_of(scene, tracks, image, glance.small, self.config.advice)
        return Moment(
            self._time,
            self._size or (0, 0),
            scene,
            settled,
            self._changed,
            tracks,
            self._named.deck,
            self._named.placement,
            1000 * (perf_counter() - start),
            self._adviser.of(advice, self._time),
        )

    def _is_told(self, piece: Followed[E]) -> bool:
        piece.told |= piece.reading is not None and not self._wants(piece)
        return piece.told


def _name_of(reading: Reading | None) -> str:
    """The name by which a piece is known again; what is in doubt is not."""
    assert reading is not None  # noqa: S101  only pieces that are some are homeless
    return reading.name if reading.doubt is None or reading.doubt in _FOR_GOOD else ""
