"""From what the face reader says of single faces to the names of one table's dice or tiles.

A face of a die is one of 27, or wild: anything else (CUBED-1, CUBED-14). A tile is one of 27, each of which a game has
once (JUN-1). A table's own Wild can be taught: then faces are compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.tokens import Face, Piece, Tile, full_tiles
from vision.colours import ColourConfig, ink_colour, together
from vision.faces import CLASSES, FaceEvidence
from vision.types import Detection, Doubt, Kind, Problem, Reading

__all__ = ["FaceNamesConfig", "Seen", "face_chance", "is_face", "name_faces", "of_one_size"]

Floats = npt.NDArray[np.float32]
_TILES = full_tiles()
_SYMBOLS, _WILD, _NUMBER, _BLANK, _OTHER = range(len(CLASSES["what"]))
_ANYTHING = [_WILD, _NUMBER, _BLANK, _OTHER]
_NONE = [_NUMBER, _BLANK, _OTHER]
_WHERE = np.array([[t.number.value, t.colour.value, t.shape.value] for t in _TILES], np.intp)
_FEATURES = ("number", "colour", "shape")
_UNLIKE = 6.0
"""In ln units: how much the look of other Wilds speaks against one that is unlike them."""


@dataclass(frozen=True)
class FaceNamesConfig:
    """``doubt``: below this confidence a reading is in doubt; ``whole`` and ``bias``: confidence is the logistic of the
    log-odds of the name, so weighted, plus bias; ``wild_whole`` and ``wild_bias``: the same for a Wild, fitted on their
    own; ``other``: a find that the reader takes for no face (a printed number, a blank square, the side of a die) with
    more than this probability is none, unless the finder is surer of it than ``score``; ``small``: side in pixels below
    which a doubt is put down to size, ``least`` below which there always is one: of smaller faces one in twenty is
    misread for certain, of larger ones one in a hundred; ``frame``: a side this near the border, in longer sides of the
    picture, is cut off; ``near``: cosine with a taught Wild from which on a face is that Wild, below ``unlike`` it is
    not; ``swap``: the most log-probability that one of two like tiles may lose by taking its next likely name. Among
    ``crowd`` or more a piece whose side differs from the usual one by more than the factor ``odd`` is in doubt,
    and by more than ``alien`` no piece.
    """

    doubt: float = 0.8
    whole: float = 1.0
    bias: float = 0.0
    wild_whole: float = 1.0
    wild_bias: float = 0.0
    other: float = 0.6
    score: float = 0.9
    small: float = 14.0
    least: float = 9.5
    frame: float = 0.004
    near: float = 0.8
    unlike: float = 0.5
    swap: float = 4.0
    crowd: int = 6
    odd: float = 1.6
    alien: float = 2.0


@dataclass(frozen=True, eq=False)
class Seen:
    """A piece found and read."""

    detection: Detection
    evidence: FaceEvidence

    @property
    def moved(self) -> Detection:
        """The detection with the corners that the reader has corrected."""
        return replace(self.detection, quad=self.evidence.quad)


def is_face(seen: Seen, config: FaceNamesConfig) -> bool:
    """Return whether the reader agrees that a face is there: sides of dice and squares of a board are none."""
    none = float(np.exp(seen.evidence.logs["what"][_NONE]).sum())
    return none <= config.other or (seen.detection.score >= config.score and none < 0.95)


def face_chance(seen: Seen) -> float:
    """Return how likely the reader sees symbols or a Wild there, in 0..1."""
    return float(np.exp(seen.evidence.logs["what"][[_SYMBOLS, _WILD]]).sum())


def _scores(found: Sequence[Seen], kind: Kind) -> Floats:
    """(n, 28) log-probabilities of the 27 tiles, in the order of ``full_tiles``, and of the Wild (dice only)."""
    logs = {name: np.stack([one.evidence.logs[name] for one in found]) for name in (*_FEATURES, "what")}
    logs["colour"] = _colours(logs["colour"], found)
    tiles = sum(logs[name][:, _WHERE[:, column]] for column, name in enumerate(_FEATURES))
    symbols = logs["what"][:, _SYMBOLS, None]
    wild = np.logaddexp.reduce(logs["what"][:, _ANYTHING], axis=1, keepdims=True)
    if kind is Kind.TILE:
        return np.asarray(np.concatenate([tiles, np.full_like(wild, -40.0)], axis=1), np.float32)
    return np.asarray(np.concatenate([tiles + symbols, wild], axis=1), np.float32)


def _colours(logs: Floats, found: Sequence[Seen]) -> Floats:
    """Colours decided together, as the inks of one box are at most three (see :mod:`vision.colours`)."""
    likely = [index for index, one in enumerate(found) if one.evidence.logs["what"].argmax() == _SYMBOLS]
    sure = np.exp(logs[likely].max(axis=1)) >= ColourConfig().sure
    if not likely or sure.all():
        return logs
    out = logs.copy()
    out[likely] = together(logs[likely], np.stack([ink_colour(found[index].evidence.crop) for index in likely]))
    return out


def _taught(scores: Floats, found: Sequence[Seen], wild: Floats, config: FaceNamesConfig) -> Floats:
    """The scores with what the likeness of each face to the taught ``wild`` (k, 32) says of it."""
    alike = (np.stack([one.evidence.embedding for one in found]) @ wild.T).max(axis=1)
    out = scores.copy()
    out[alike >= config.near, :-1] -= 2 * _UNLIKE
    out[alike < config.unlike, -1] -= _UNLIKE
    return out - np.logaddexp.reduce(out, axis=1, keepdims=True)


def _one_wild(scores: Floats, found: Sequence[Seen], config: FaceNamesConfig) -> Floats:
    """The scores where one box has one Wild: a face unlike the two or more that are alike is hardly another."""
    wilds = np.flatnonzero(scores.argmax(axis=1) == len(_TILES))
    looks = np.stack([one.evidence.embedding for one in found])
    alike = looks[wilds] @ looks[wilds].T
    family = wilds[(alike >= config.near).sum(axis=1) > 1]
    if not len(family):
        return scores
    odd = [index for index in wilds if float((looks[family] @ looks[index]).max()) < config.unlike]
    out = scores.copy()
    out[odd, -1] -= _UNLIKE
    return np.asarray(out - np.logaddexp.reduce(out, axis=1, keepdims=True), np.float32)


def _resolve(scores: Floats, config: FaceNamesConfig) -> tuple[list[int], list[list[int]]]:
    """Names of tiles, no two alike where the less sure one can yield; groups of indices that stay alike."""
    names = [int(row.argmax()) for row in scores]
    holder: dict[int, int] = {}
    clashes: dict[int, list[int]] = {}
    for index in sorted(range(len(names)), key=lambda i: -float(scores[i].max())):
        best = names[index]
        if best in holder:
            free = next((int(n) for n in np.argsort(-scores[index]) if int(n) not in holder), best)
            if free == best or scores[index, best] - scores[index, free] > config.swap:
                clashes.setdefault(best, [holder[best]]).append(index)
                continue
            names[index] = free
        holder[names[index]] = index
    return names, list(clashes.values())


def _piece(name: int, kind: Kind) -> Piece:
    tile: Tile | None = None if name == len(_TILES) else _TILES[name]
    if kind is Kind.TILE and tile is not None:
        return tile
    return Face(tile)


def _confidence(row: Floats, name: int, config: FaceNamesConfig) -> float:
    log = min(float(row[name]), -1e-6)
    odds = log - float(np.log(-np.expm1(log)))
    wild = name == len(_TILES)
    whole, bias = (config.wild_whole, config.wild_bias) if wild else (config.whole, config.bias)
    return float(1 / (1 + np.exp(-(whole * odds + bias))))


def _cut_off(seen: Seen, size: tuple[int, int], config: FaceNamesConfig) -> bool:
    """Whether a side of the face lies on the border of the picture, or beyond it."""
    margin, ends = config.frame * max(size), np.array(size) - 1.0
    low, high = seen.evidence.quad.corners <= margin, seen.evidence.quad.corners >= ends - margin
    return bool(any((side & np.roll(side, -1, axis=0)).any() for side in (low, high)))


def _doubt(seen: Seen, confidence: float, size: tuple[int, int], config: FaceNamesConfig) -> Doubt | None:
    if _cut_off(seen, size, config):
        return Doubt.CUT_OFF
    side = min(seen.evidence.quad.short_side, seen.evidence.quad.long_side)
    if side < (config.least if confidence >= config.doubt else config.small):
        return Doubt.TOO_SMALL
    if confidence >= config.doubt:
        return None
    return Doubt.GLARE if _washed_out(seen) else Doubt.LOW_CONFIDENCE


def _washed_out(seen: Seen) -> bool:
    """Whether a highlight covers a good part of the face."""
    inner = seen.evidence.crop[10:-10, 10:-10].min(axis=2)
    return bool((inner >= 253).mean() > 0.25)


def name_faces(
    found: Sequence[Seen],
    kind: Kind,
    size: tuple[int, int],
    wild: Floats | None = None,
    config: FaceNamesConfig | None = None,
) -> tuple[tuple[Reading, ...], tuple[Problem, ...]]:
    """Return the readings of the dice or tiles of one picture of ``size`` (width, height), in the order given.

    ``wild`` (k, 32) are embeddings of the table's own Wild, None where nobody has taught it.
    """
    config = FaceNamesConfig() if config is None else config
    if not found:
        return (), ()
    scores = _scores(found, kind)
    if kind is Kind.DIE and wild is not None and len(wild):
        scores = _taught(scores, found, wild, config)
    elif kind is Kind.DIE:
        scores = _one_wild(scores, found, config)
    names, clashes = _resolve(scores, config) if kind is Kind.TILE else ([int(r.argmax()) for r in scores], [])
    alike, odd = {index for group in clashes for index in group}, _odd_sizes(found, config.odd, config)
    readings = []
    for index, (seen, name) in enumerate(zip(found, names, strict=True)):
        confidence = _confidence(scores[index], name, config)
        doubt = Doubt.DUPLICATE if index in alike else _doubt(seen, confidence, size, config)
        doubt = Doubt.LOW_CONFIDENCE if doubt is None and index in odd else doubt
        features = _features(seen, name)
        readings.append(Reading(seen.evidence.quad, _piece(name, kind), confidence, features, doubt, kind))
    return tuple(readings), tuple(_duplicate(sorted(group), readings) for group in clashes)


def _odd_sizes(found: Sequence[Seen], factor: float, config: FaceNamesConfig) -> set[int]:
    """Which finds are by ``factor`` larger or smaller than most, so that they are hardly of the same box: print."""
    if len(found) < config.crowd:
        return set()
    sides = np.array([abs(one.evidence.quad.area) ** 0.5 for one in found])
    ratio = sides / max(float(np.median(sides)), 1e-6)
    return set(np.flatnonzero((ratio > factor) | (ratio < 1 / factor)).tolist())


def of_one_size(found: Sequence[Seen], kind: Kind, config: FaceNamesConfig) -> list[Seen]:
    """Return ``found`` without what is no piece at all: of quite another size than most, and not read surely.

    By ``alien`` no perspective makes pieces of one box differ, however surely they are read.
    """
    odd, alien = _odd_sizes(found, config.odd, config), _odd_sizes(found, config.alien, config)
    if not odd:
        return list(found)
    scores = _scores(found, kind)
    sure = [_confidence(row, int(row.argmax()), config) >= config.doubt for row in scores]
    return [one for index, one in enumerate(found) if index not in odd or (sure[index] and index not in alien)]


def _features(seen: Seen, name: int) -> dict[str, float]:
    if name == len(_TILES):
        return {}
    logs = seen.evidence.logs
    return {f: float(np.exp(logs[f][_WHERE[name, column]])) for column, f in enumerate(_FEATURES)}


def _duplicate(group: Sequence[int], readings: Sequence[Reading]) -> Problem:
    text = f"{len(group)} tiles read as {readings[group[0]].name}, of which a game has one: look at them"
    return Problem("duplicate", tuple(group), text)
