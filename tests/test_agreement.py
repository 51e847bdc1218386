"""Two photos of one board read together: the surer reading holds, unless both are sure."""

from __future__ import annotations

from engine.tokens import Face, Piece
from service.agreement import agree, by_place, with_record
from vision.types import Doubt, Kind, Quad, Reading


def read(
    name: str,
    at: tuple[int, ...] | None = (1, 1),
    confidence: float = 0.97,
    doubt: Doubt | None = None,
    left: float = 0,
) -> Reading:
    """Return a reading of a die."""
    quad = Quad.of([(left, 0), (left + 9, 0), (left + 9, 9), (left, 9)])
    return Reading(quad, Face.parse(name), confidence, {"number": confidence}, doubt, Kind.DIE, at)


def test_the_surer_reading_holds_for_both() -> None:
    sure, unsure = read("2 red oval"), read("3 red oval", confidence=0.6, doubt=Doubt.GLARE, left=40)
    ((first,), (second,)) = agree([sure], [unsure])
    assert (first.name, second.name, second.doubt, second.confidence) == ("2 red oval", "2 red oval", None, 0.97)
    assert float(second.quad.centre[0]) == 44.5
    ((first,), (second,)) = agree([unsure], [sure])
    assert (first.name, first.features["number"], second.name) == ("2 red oval", 0.97, "2 red oval")


def test_a_reading_without_a_doubt_is_surer_than_one_with() -> None:
    doubted, plain = read("wild", confidence=0.95, doubt=Doubt.LOW_CONFIDENCE), read("1 red oval", confidence=0.7)
    ((first,), (second,)) = agree([doubted], [plain])
    assert (first.name, second.name, first.doubt) == ("1 red oval", "1 red oval", None)


def test_two_sure_readings_that_differ_stay() -> None:
    ((first,), (second,)) = agree([read("wild")], [read("2 red oval")])
    assert (first.name, second.name) == ("wild", "2 red oval")


def test_two_unsure_readings_stay_unsure() -> None:
    pair = read("2 red oval", confidence=0.6, doubt=Doubt.GLARE), read("3 red oval", confidence=0.5, doubt=Doubt.GLARE)
    ((first,), (second,)) = agree([pair[0]], [pair[1]])
    assert (first.name, second.name, second.doubt) == ("2 red oval", "2 red oval", Doubt.GLARE)


def test_a_doubt_goes_where_the_other_photo_has_none() -> None:
    ((first,), (second,)) = agree([read("2 red oval", confidence=0.6, doubt=Doubt.GLARE)], [read("2 red oval")])
    assert (first.doubt, second.doubt) == (None, None)


def test_dice_on_other_squares_or_on_none_are_left_alone() -> None:
    before, after = [read("2 red oval", (1, 1)), read("wild", None)], [read("3 red oval", (1, 2)), read("wild", None)]
    assert agree(before, after) == (tuple(before), tuple(after))


def test_of_two_readings_on_one_square_the_surer_counts() -> None:
    readings = [read("2 red oval", confidence=0.5), read("3 red oval"), read("wild", doubt=Doubt.GLARE)]
    assert by_place(readings) == {(1, 1): 1}


def test_the_record_knows_better() -> None:
    readings = [read("2 red oval", (1, 1), 0.6, Doubt.GLARE), read("wild", (1, 2)), read("1 red oval", (1, 3))]
    lying: dict[tuple[int, ...], Piece] = {(1, 1): Face.parse("2 red oval"), (1, 2): Face.parse("3 red oval")}
    corrected, misread = with_record(readings, lying)
    assert [one.name for one in corrected] == ["2 red oval", "3 red oval", "1 red oval"]
    assert [one.doubt for one in corrected] == [None] * 3
    assert corrected[0].confidence == 1.0
    assert corrected[2] is readings[2]
    assert misread == ((1, 2),)
