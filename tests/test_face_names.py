"""Names of the faces of one table: tiles once each, Wilds taught, doubts said."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from engine.tokens import Tile
from vision.classify import ClassifyConfig
from vision.decode import DecodeConfig
from vision.face_names import FaceNamesConfig, Seen, is_face, name_faces, of_one_size
from vision.faces import CLASSES, FaceConfig, FaceEvidence
from vision.types import Detection, Doubt, Kind, Quad

SIZE = (640, 480)
SQUARE = Quad.of([(100, 100), (140, 100), (140, 140), (100, 140)])
GREY = np.full((64, 64, 3), 200, np.uint8)
NEAR_WILD = np.eye(32, dtype=np.float32)[0]
UNLIKE = np.eye(32, dtype=np.float32)[5]


def spread(width: int, at: int, sure: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Log-probabilities of ``width`` classes, ``sure`` of the one at ``at``."""
    shares = np.full(width, (1 - sure) / (width - 1), np.float32)
    shares[at] = sure
    return np.log(shares)


def seen(
    name: str,
    sure: float = 0.995,
    what: str | None = None,
    what_sure: float = 0.995,
    quad: Quad = SQUARE,
    score: float = 0.8,
    embedding: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = UNLIKE,
    raised: float = 1.0,
) -> Seen:
    """A find that reads as ``name``; what is no symbol, ``what_sure``, might be one."""
    kind = what or ("wild" if name == "wild" else "symbols")
    tile = None if name == "wild" else Tile.parse(name)
    places = (0, 0, 0) if tile is None else (tile.number.value, tile.colour.value, tile.shape.value)
    certain = 0.4 if tile is None else sure
    logs = {
        feature: spread(len(CLASSES[feature]), at, certain)
        for feature, at in zip(("number", "colour", "shape"), places, strict=True)
    }
    shares = np.full(5, 1e-4, np.float32)
    shares[0 if kind != "symbols" else 1] = 1 - what_sure
    shares[CLASSES["what"].index(kind)] = what_sure
    logs["what"] = np.log(shares / shares.sum())
    return Seen(Detection(quad, score, Kind.DIE, 0.99, raised), FaceEvidence(quad, logs, 1.0, embedding, GREY))


def names(*found: Seen, kind: Kind = Kind.DIE) -> list[str]:
    return [reading.name for reading in name_faces(found, kind, SIZE)[0]]


def test_a_face_has_the_name_of_its_likeliest_features() -> None:
    assert names(seen("2 red oval"), seen("wild"), seen("3 purple squiggle")) == [
        "2 red oval",
        "wild",
        "3 purple squiggle",
    ]


def test_nothing_found_gives_nothing() -> None:
    assert name_faces((), Kind.DIE, SIZE) == ((), ())


@pytest.mark.parametrize("what", ["number", "blank", "other"])
def test_what_shows_no_symbols_is_a_wild_if_it_is_a_die_at_all(what: str) -> None:
    assert names(seen("2 red oval", what=what)) == ["wild"]


@pytest.mark.parametrize("what", ["number", "blank", "other"])
def test_a_square_of_the_board_or_the_side_of_a_die_is_no_face(what: str) -> None:
    config = FaceNamesConfig()
    assert not is_face(seen("2 red oval", what=what), config)
    assert is_face(seen("2 red oval", what=what, what_sure=0.5), config)
    assert is_face(seen("2 red oval", what=what, what_sure=0.9, score=0.97), config)


def test_symbols_and_wilds_are_faces() -> None:
    assert is_face(seen("2 red oval"), FaceNamesConfig())
    assert is_face(seen("wild"), FaceNamesConfig())


def test_a_tile_is_never_wild() -> None:
    assert names(seen("2 red oval", what="wild"), kind=Kind.TILE) == ["2 red oval"]


def test_the_less_sure_of_two_like_tiles_takes_its_next_likely_name() -> None:
    found = (seen("2 red oval", sure=0.6), seen("2 red oval", sure=0.99))
    readings, problems = name_faces(found, Kind.TILE, SIZE)
    assert readings[1].name == "2 red oval"
    assert readings[0].name != "2 red oval"
    assert readings[0].doubt is not None
    assert not problems


def test_two_like_tiles_that_are_both_sure_are_a_problem() -> None:
    readings, problems = name_faces((seen("2 red oval"), seen("1 red oval"), seen("2 red oval")), Kind.TILE, SIZE)
    assert [reading.doubt for reading in readings] == [Doubt.DUPLICATE, None, Doubt.DUPLICATE]
    assert [(problem.code, problem.pieces) for problem in problems] == [("duplicate", (0, 2))]


def test_two_like_dice_are_none() -> None:
    readings, problems = name_faces((seen("2 red oval"), seen("2 red oval")), Kind.DIE, SIZE)
    assert not problems
    assert all(reading.doubt is None for reading in readings)


def test_what_could_be_a_misread_symbol_is_in_doubt() -> None:
    readings, _ = name_faces((seen("wild", what_sure=0.55),), Kind.DIE, SIZE)
    assert readings[0].name == "wild"
    assert readings[0].doubt is Doubt.LOW_CONFIDENCE


def test_a_taught_wild_is_certain_and_what_is_unlike_it_is_not() -> None:
    taught = NEAR_WILD[None]
    alike, unlike = seen("wild", what_sure=0.55, embedding=NEAR_WILD), seen("2 red oval", embedding=UNLIKE)
    odd = seen("wild", what_sure=0.7, embedding=UNLIKE)
    readings, _ = name_faces((alike, unlike, odd), Kind.DIE, SIZE, taught)
    assert readings[0].name == "wild"
    assert readings[0].doubt is None
    assert readings[1].name == "2 red oval"
    assert readings[1].doubt is None
    assert readings[2].doubt is not None


def test_a_face_that_looks_like_the_taught_wild_is_one_whatever_was_read() -> None:
    readings, _ = name_faces((seen("2 red oval", embedding=NEAR_WILD),), Kind.DIE, SIZE, NEAR_WILD[None])
    assert readings[0].name == "wild"


def test_one_box_has_one_wild() -> None:
    alike = [seen("wild", embedding=NEAR_WILD), seen("wild", embedding=NEAR_WILD)]
    odd = seen("2 red oval", what="wild", what_sure=0.8, embedding=UNLIKE)
    assert names(*alike, odd) == ["wild", "wild", "2 red oval"]
    assert names(alike[0], odd) == ["wild", "wild"]


def test_a_wild_and_symbols_have_their_own_confidence() -> None:
    config = FaceNamesConfig(whole=2.0, bias=-1.0, wild_whole=0.5, wild_bias=0.5)
    found = (seen("2 red oval", sure=0.9), seen("wild", what_sure=0.9))
    plain, _ = name_faces(found, Kind.DIE, SIZE)
    own, _ = name_faces(found, Kind.DIE, SIZE, None, config)
    odds = [np.log(reading.confidence / (1 - reading.confidence)) for reading in (*plain, *own)]
    assert odds[2:] == pytest.approx([2 * odds[0] - 1, 0.5 * odds[1] + 0.5], abs=1e-4)


def test_doubts_are_put_down_to_what_can_be_seen() -> None:
    small = Quad.of([(10, 10), (20, 10), (20, 20), (10, 20)])
    cut = Quad.of([(-20, 100), (20, 100), (20, 140), (-20, 140)])
    unsure = (seen("2 red oval", sure=0.5, quad=small), seen("2 red oval", quad=cut), seen("1 red oval", sure=0.5))
    readings, _ = name_faces(unsure, Kind.DIE, SIZE)
    assert [reading.doubt for reading in readings] == [Doubt.TOO_SMALL, Doubt.CUT_OFF, Doubt.LOW_CONFIDENCE]


@pytest.mark.parametrize(("side", "doubt"), [(8, Doubt.TOO_SMALL), (9, Doubt.TOO_SMALL), (10, None), (14, None)])
def test_a_face_too_small_to_be_read_is_in_doubt_however_sure_the_reader(side: int, doubt: Doubt | None) -> None:
    quad = Quad.of([(10, 10), (10 + side, 10), (10 + side, 30), (10, 30)])
    (reading,), _ = name_faces((seen("2 red oval", quad=quad),), Kind.DIE, SIZE)
    assert reading.doubt is doubt


def test_a_washed_out_face_in_doubt_says_so() -> None:
    bright = seen("2 red oval", sure=0.5)
    white = FaceEvidence(SQUARE, bright.evidence.logs, 1.0, UNLIKE, np.full((64, 64, 3), 255, np.uint8))
    readings, _ = name_faces((Seen(bright.detection, white),), Kind.DIE, SIZE)
    assert readings[0].doubt is Doubt.GLARE


def test_features_have_their_own_confidences_and_a_wild_has_none() -> None:
    readings, _ = name_faces((seen("2 red oval", sure=0.9), seen("wild")), Kind.DIE, SIZE)
    assert {name: round(value, 2) for name, value in readings[0].features.items()} == {
        "number": 0.9,
        "colour": 0.9,
        "shape": 0.9,
    }
    assert not readings[1].features


def test_a_piece_of_quite_another_size_than_the_others_is_in_doubt() -> None:
    def of(x: float, side: float) -> Quad:
        return Quad.of([(x, 100), (x + side, 100), (x + side, 100 + side), (x, 100 + side)])

    names = ["1 red oval", "2 red oval", "3 red oval", "1 green oval", "2 green oval", "3 green oval"]
    found = [seen(name, quad=of(20 + 60 * n, 50 if n % 2 else 38)) for n, name in enumerate(names)]
    readings, _ = name_faces(found, Kind.TILE, SIZE)
    assert [one.doubt for one in readings] == [None] * 6
    found[2] = seen("3 red oval", sure=0.6, quad=of(140, 24))
    assert of_one_size(found, Kind.TILE, FaceNamesConfig()) == [*found[:2], *found[3:]]
    found[2] = seen("3 red oval", quad=of(140, 20))
    assert of_one_size(found, Kind.TILE, FaceNamesConfig()) == [*found[:2], *found[3:]]
    found[2] = seen("3 red oval", quad=of(140, 24))
    assert of_one_size(found, Kind.TILE, FaceNamesConfig()) == found
    readings, _ = name_faces(found, Kind.TILE, SIZE)
    assert [one.doubt is None for one in readings] == [True, True, False, True, True, True]
    readings, _ = name_faces(found[:4], Kind.TILE, SIZE)
    assert [one.doubt for one in readings] == [None] * 4


def test_the_numbers_of_two_configs_in_one_model_folder_have_different_names() -> None:
    pairs = [(FaceConfig, FaceNamesConfig), (ClassifyConfig, DecodeConfig)]
    for one, other in pairs:
        assert not {entry.name for entry in fields(one)} & {entry.name for entry in fields(other)}
