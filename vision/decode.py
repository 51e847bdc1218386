"""From evidence about single crops to readings of one table: the deck, its colours and its single cards together.

Principles: a table shows one printed deck; a deck holds each card once; a doubtful answer says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.tokens import Card, Colour, Face, Number, Piece, Shading, Shape, Tile
from vision.classify import FEATURES, Evidence
from vision.colours import ColourConfig, ink_colour, is_colourless, together, without_colours
from vision.types import Deck, Detection, Doubt, Kind, Problem, Quad, Reading

__all__ = ["DecodeConfig", "Decoded", "decode", "reading_order", "recognise_deck"]

Floats = npt.NDArray[np.float32]
_UNKNOWN_COLOUR = np.full(3, -np.log(3), np.float32)


@dataclass(frozen=True)
class DecodeConfig:
    """``doubt``: below this confidence a reading is in doubt; ``whole``, ``least`` and ``bias``: confidence is the
    logistic of the log-odds of the name by all looks at the piece, and by the look that speaks most against it, so
    weighted, plus bias; ``deck_margin``: log-likelihood by which one deck must be likelier;
    ``small``: short side in pixels below which a doubt is put down to size; ``swap``: the most log-probability a
    duplicate may lose by taking its next likely name; ``glare``: share of a crop that must be blown out for a doubt to
    be put down to it; ``frame``: a side this near the border of the picture, in its longer sides, may be cut off;
    ``white``: where paper is at this level in every channel, what is printed thinly is gone.
    """

    doubt: float = 0.8
    whole: float = 1.0
    least: float = 0.0
    bias: float = 0.0
    deck_margin: float = 1.0
    small: float = 22.0
    swap: float = 4.0
    glare: float = 0.12
    frame: float = 0.004
    white: float = 252.0


@dataclass(frozen=True, eq=False)
class Decoded:
    """The readings of one table in reading order, its deck, and what is odd about it."""

    readings: tuple[Reading, ...]
    deck: Deck | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True, eq=False)
class _Named:
    """One piece with the log-probability of every name it may have: ``scores`` over all 108, see :func:`_scores`.

    ``logs`` are as the whole table has them, its deck and its colours; ``own`` and ``least`` are the evidence of the
    piece alone, in that deck, by all looks and by the least favourable one.
    """

    evidence: Evidence
    logs: dict[str, Floats]
    own: dict[str, Floats]
    least: dict[str, Floats]
    scores: Floats
    name: int


def recognise_deck(found: Sequence[Evidence], margin: float) -> Deck | None:
    """Return the deck that all shapes together speak for, None when they hardly tell."""
    if not found:
        return None
    shapes = np.stack([evidence.logs["shape"] for evidence in found])
    diamond, rectangle = np.exp(shapes[:, Shape.DIAMOND]), np.exp(shapes[:, Shape.RECTANGLE])
    us = np.log(np.maximum(1 - rectangle, 1e-3)).sum()
    ravensburger = np.log(np.maximum(1 - diamond, 1e-3)).sum()
    if abs(us - ravensburger) < margin:
        return None
    return Deck.US if us > ravensburger else Deck.RAVENSBURGER


def _kinds_together(found: Sequence[Evidence]) -> list[Evidence]:
    """The same pieces, each a card or none by its own look and by what the others are: tables are rarely mixed."""
    cards = np.array([_card_share(e.detection) for e in found])
    others = (cards.sum() - cards + 0.5) / max(len(found), 1)
    odds = cards / (1 - cards) * (others / (1 - others)) ** 2
    kinds = Counter(e.detection.kind for e in found if e.detection.kind is not Kind.CARD)
    usual = kinds.most_common(1)[0][0] if kinds else Kind.TILE
    out = []
    for evidence, share in zip(found, (odds / (1 + odds)).tolist(), strict=True):
        own = evidence.detection.kind if evidence.detection.kind is not Kind.CARD else usual
        kind = Kind.CARD if share >= 0.5 else own
        out.append(
            replace(evidence, detection=replace(evidence.detection, kind=kind, kind_score=max(share, 1 - share)))
        )
    return out


def _card_share(detection: Detection) -> float:
    """The probability that a detection is a card, kept off 0 and 1."""
    share = detection.kind_score if detection.kind is Kind.CARD else 1 - detection.kind_score
    return min(max(share, 0.001), 0.999)


def _for_deck(logs: dict[str, Floats], deck: Deck | None) -> dict[str, Floats]:
    """The same log-probabilities with the shape that the deck does not have left out; rectangle counts as bar."""
    shape = logs["shape"].copy()
    absent = Shape.DIAMOND if deck is Deck.RAVENSBURGER else Shape.RECTANGLE
    if deck is not None:
        shape[absent] = -30.0
        shape -= np.log(np.exp(shape).sum())
    return {**logs, "shape": np.asarray(shape, np.float32)}


def _colours(cards: Sequence[Evidence]) -> dict[int, Floats]:
    """The colour log-probabilities by the id of the evidence, where the whole table changes them."""
    config = ColourConfig()
    if all(np.exp(evidence.logs["colour"].max()) >= config.sure for evidence in cards):
        return {}
    logs = np.stack([evidence.logs["colour"] for evidence in cards])
    inks = np.stack([ink_colour(evidence.crop, config) for evidence in cards])
    return {id(e): row for e, row in zip(cards, together(logs, inks, config), strict=True)}


def _scores(logs: dict[str, Floats]) -> Floats:
    """(108,) log-probabilities of all names: number, colour, shading and any of the four shapes."""
    number, colour, shading, shape = (logs[name] for name in FEATURES)
    total = number[:, None, None, None] + colour[None, :, None, None] + shading[None, None, :, None] + shape
    return np.asarray(total.reshape(-1), np.float32)


def _card(index: int) -> Card:
    number, rest = divmod(index, 36)
    colour, rest = divmod(rest, 12)
    shading, shape = divmod(rest, 4)
    return Card(Number(number), Colour(colour), Shading(shading), Shape(shape))


def _resolve(named: list[_Named], swap: float) -> tuple[list[_Named], list[list[int]]]:
    """Let no card lie twice: the less sure of two takes its next likely free name if that is not too unlikely.

    Returns the pieces and the groups of indices that stay duplicates.
    """
    order = sorted(range(len(named)), key=lambda i: -float(named[i].scores.max()))
    holder: dict[int, int] = {}
    clashes: dict[int, list[int]] = {}
    out = list(named)
    for index in order:
        best = int(named[index].scores.argmax())
        if best in holder:
            free = next(int(n) for n in np.argsort(-named[index].scores) if int(n) not in holder)
            if named[index].scores[best] - named[index].scores[free] > swap:
                clashes.setdefault(best, [holder[best]]).append(index)
                continue
            out[index] = replace(named[index], name=free)
        holder[out[index].name] = index
    return out, list(clashes.values())


def _is_wild(evidence: Evidence) -> bool:
    return evidence.detection.kind is Kind.DIE and evidence.wild > 0.5


def _log_probability(named: _Named, logs: dict[str, Floats]) -> float:
    """Of the piece as it is named, by ``logs``: a wild face shows no symbols, tiles and dice have no shading."""
    evidence, card = named.evidence, _card(named.name)
    kind, log = evidence.detection.kind, float(np.log(max(evidence.detection.kind_score, 1e-6)))
    if _is_wild(evidence):
        return log + float(np.log(evidence.wild))
    features = FEATURES if kind is Kind.CARD else tuple(name for name in FEATURES if name != "shading")
    log += sum(float(logs[name][getattr(card, name).value]) for name in features)
    return log + (float(np.log1p(-evidence.wild)) if kind is Kind.DIE else 0.0)


def _log_odds(log: float) -> float:
    log = min(log, -1e-6)
    return log - float(np.log(-np.expm1(log)))


def _confidence(named: _Named, config: DecodeConfig) -> float:
    """Calibrated probability that the name is right: a logistic of its log-odds (Platt 1999).

    What the piece itself shows counts, not what the table made of it: a name that it does not bear out is in doubt.
    """
    log = _log_probability(named, named.own)
    whole, least = _log_odds(log), _log_odds(min(log, _log_probability(named, named.least)))
    return float(1 / (1 + np.exp(-(config.whole * whole + config.least * least + config.bias))))


def _washed_out(evidence: Evidence, share: float) -> bool:
    """Whether a mirror-like highlight covers more than ``share`` of the crop: blown out, and much brighter."""
    grey = evidence.crop.min(axis=2)
    height, width = grey.shape
    inner = grey[height // 8 : -height // 8, width // 8 : -width // 8]
    return bool((inner >= 253).mean() > share and np.percentile(inner, 40) < 215)


def _overexposed(named: _Named, white: float) -> bool:
    """Whether paper is clipped to white, and the name rests on thin lines or their absence."""
    if _card(named.name).shading is Shading.SOLID:
        return False
    height, width = named.evidence.crop.shape[:2]
    inner = named.evidence.crop[height // 6 : -height // 6 : 3, width // 6 : -width // 6 : 3].min(axis=2)
    return bool((inner >= white).mean() > 0.4)


def _cut_off(quad: Quad, size: tuple[int, int] | None, frame: float) -> bool:
    """Whether a side lies on the border of a picture of ``size`` (width, height), or beyond it."""
    if size is None:
        return False
    margin, ends = frame * max(size), np.array(size) - 1.0
    low, high = quad.corners <= margin, quad.corners >= ends - margin
    return bool(any((side & np.roll(side, -1, axis=0)).any() for side in (low, high)))


def _doubt(named: _Named, confidence: float, oddity: Doubt | None, config: DecodeConfig) -> Doubt | None:
    if oddity is not None:
        return oddity
    if confidence >= config.doubt:
        return Doubt.OVEREXPOSED if _overexposed(named, config.white) else None
    if named.evidence.detection.quad.short_side < config.small:
        return Doubt.TOO_SMALL
    return Doubt.GLARE if _washed_out(named.evidence, config.glare) else Doubt.LOW_CONFIDENCE


def _piece(named: _Named, kind: Kind) -> Piece:
    card = _card(named.name)
    if kind is Kind.CARD:
        return card
    tile = Tile(card.number, card.colour, card.shape if card.shape is not Shape.RECTANGLE else Shape.DIAMOND)
    if kind is Kind.TILE:
        return tile
    return Face(None) if _is_wild(named.evidence) else Face(tile)


def _reading(named: _Named, oddity: Doubt | None, config: DecodeConfig) -> Reading:
    card = _card(named.name)
    features = {name: float(np.exp(named.logs[name][getattr(card, name).value])) for name in FEATURES}
    kind = named.evidence.detection.kind
    if kind is not Kind.CARD:
        features = {} if _is_wild(named.evidence) else {k: v for k, v in features.items() if k != "shading"}
    confidence = _confidence(named, config)
    doubt = _doubt(named, confidence, oddity, config)
    return Reading(named.evidence.detection.quad, _piece(named, kind), confidence, features, doubt, kind)


def reading_order(readings: Sequence[Reading]) -> list[int]:
    """Return the numbers of the readings in the order in which one reads: from the top, left to right in a row.

    A row is as high as half a typical piece.
    """
    if not readings:
        return []
    height = float(np.median([min(r.quad.short_side, r.quad.long_side) for r in readings]))
    rows = sorted(range(len(readings)), key=lambda i: float(readings[i].quad.centre[1]))
    out: list[int] = []
    row: list[int] = []
    for index in rows:
        if row and readings[index].quad.centre[1] - readings[row[0]].quad.centre[1] > 0.6 * height:
            out += sorted(row, key=lambda i: float(readings[i].quad.centre[0]))
            row = []
        row.append(index)
    return out + sorted(row, key=lambda i: float(readings[i].quad.centre[0]))


def _alike(named: Sequence[_Named]) -> list[set[int]]:
    """Groups of tiles that read alike: a game has each tile once (JUN-1)."""
    groups: dict[str, set[int]] = {}
    for index, piece in enumerate(named):
        if piece.evidence.detection.kind is Kind.TILE:
            groups.setdefault(str(_piece(piece, Kind.TILE)), set()).add(index)
    return [group for group in groups.values() if len(group) > 1]


def decode(
    found: Sequence[Evidence], config: DecodeConfig | None = None, size: tuple[int, int] | None = None
) -> Decoded:
    """Return the readings of one table from the evidence about its pieces.

    ``size`` is the (width, height) of the picture that their quads are pixels of: what its border cuts is in doubt.
    """
    config = DecodeConfig() if config is None else config
    found = _kinds_together(found)
    cards = [evidence for evidence in found if evidence.detection.kind is Kind.CARD]
    deck = recognise_deck(cards, config.deck_margin)
    colourless = bool(found) and is_colourless(evidence.crop for evidence in found)
    colours = {id(evidence): _UNKNOWN_COLOUR for evidence in found} if colourless else _colours(cards)
    named = []
    for evidence in found:
        decided = {} if id(evidence) not in colours else {"colour": colours[id(evidence)]}
        its_deck = deck if evidence.detection.kind is Kind.CARD else Deck.US
        shown = decided if colourless else {}
        own, least = (_for_deck({**seen, **shown}, its_deck) for seen in (evidence.logs, evidence.least))
        logs = {**own, **decided}
        scores = _scores(logs)
        named.append(_Named(evidence, logs, own, least, scores, int(scores.argmax())))
    is_card = [i for i, n in enumerate(named) if n.evidence.detection.kind is Kind.CARD]
    resolved, groups = _resolve([named[i] for i in is_card], 0.0 if colourless else config.swap)
    for place, piece in zip(is_card, resolved, strict=True):
        named[place] = piece
    clashing = [*({is_card[i] for i in group} for group in groups), *_alike(named)]
    oddities = {
        i: Doubt.CUT_OFF for i, n in enumerate(named) if _cut_off(n.evidence.detection.quad, size, config.frame)
    }
    oddities |= {i: Doubt.DUPLICATE for group in clashing for i in group}
    readings = [_reading(n, oddities.get(i), config) for i, n in enumerate(named)]
    if colourless:
        doubted, problem = without_colours(readings[i] for i in reading_order(readings))
        return Decoded(doubted, deck, (problem,))
    order = reading_order(readings)
    place_of = {index: place for place, index in enumerate(order)}
    duplicates = sorted((tuple(sorted(place_of[i] for i in group)), readings[min(group)].name) for group in clashing)
    problems = tuple(_duplicate(pieces, name) for pieces, name in duplicates)
    return Decoded(tuple(readings[i] for i in order), deck, problems)


def _duplicate(pieces: tuple[int, ...], name: str) -> Problem:
    ids = " and ".join(str(piece) for piece in pieces)
    both = "both" if len(pieces) == 2 else "all"
    text = f"pieces {ids} {both} read as {name}, which a deck holds only once: look at them"
    return Problem("duplicate", pieces, text)
