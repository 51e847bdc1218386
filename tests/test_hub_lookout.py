"""Cameras without a table: every SET that lies there, or a hint, found anew only when something has changed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.editions import edition
from engine.hints import HintLevel
from engine.labels import Language
from engine.sets import find_sets
from engine.tokens import Face, Piece, parse_piece
from service.board_answer import Asked
from service.board_file import parse_board
from service.game import Game
from service.hub import CameraSession, MessageKind, lookout
from tests.fake_moments import moment, track
from tests.fake_vision import FakeVision, picture
from tests.hub_play import SET, TABLE, Lab, opened
from vision.tracks import Moment, Track
from vision.types import Deck, Doubt

SETS = [list(trio) for trio in find_sets(TABLE)]
DICE = [parse_piece(name, "die") for name in ("1 red oval", "2 red oval", "3 red oval", "1 green oval", "2 green oval")]
BAR = parse_piece("1 purple open rectangle")
BOARD = parse_board('{"game": "cubed", "rows": 13, "columns": 13, "logo": [[6, 5], [6, 6], [6, 7]], "bonus": []}')


def lying(pieces: list[Piece] | tuple[Piece, ...], doubts: dict[int, Doubt] | None = None) -> list[Track]:
    """Pieces with their places as identities."""
    return [track(place, piece, doubt=(doubts or {}).get(place)) for place, piece in enumerate(pieces)]


def seen_by(tmp_path: Path, moments: list[Moment], **wishes: Any) -> list[dict[str, Any]]:
    """What a camera without a table is told of these moments, one after the other."""
    found: list[dict[str, Any]] = []

    async def run() -> None:
        vision = FakeVision(lambda number, time: replace(moments[number], time=time))
        async with opened(tmp_path, None, vision) as lab:
            camera = lab.hub.live(**wishes)
            found.extend([await _looked(lab, camera, number) for number in range(len(moments))])
            camera.close()

    asyncio.run(run())
    return found


async def _looked(lab: Lab, camera: CameraSession, number: int) -> dict[str, Any]:
    lab.seconds += 1
    camera.frame(picture(number))
    async with asyncio.timeout(5):
        async for message in camera:
            if message.kind is MessageKind.SEEN:
                found: dict[str, Any] = json.loads(message.data)
                return found
    raise AssertionError


def test_every_set_is_told_and_whether_it_is_sure(tmp_path: Path) -> None:
    doubtful = SETS[0][1]
    (seen,) = seen_by(tmp_path, [moment(0, lying(TABLE, {doubtful: Doubt.GLARE}))])
    assert seen["sets"] == SETS
    assert seen["set_sure"] == [doubtful not in trio for trio in SETS]
    assert "hint" not in seen


def test_a_hidden_piece_still_makes_its_set(tmp_path: Path) -> None:
    tracks = [replace(one, hidden=True) for one in lying(SET)]
    (seen,) = seen_by(tmp_path, [moment(0, tracks, settled=False)])
    assert seen["sets"] == [[0, 1, 2]]


def test_sets_are_found_again_only_when_something_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Moment] = []
    real = lookout.sets_told

    def counted(found: Moment, *rest: Any) -> Any:
        asked.append(found)
        return real(found, *rest)

    monkeypatch.setattr(lookout, "sets_told", counted)
    first = moment(0, lying(SET))
    moved = moment(0, [replace(one, hidden=True) for one in reversed(lying(SET))][::-1], settled=False)
    doubtful, other = moment(0, lying(SET, {0: Doubt.GLARE})), moment(0, lying((*SET[:2], TABLE[-1])))
    seen = seen_by(tmp_path, [first, moved, doubtful, other])
    assert [one["set_sure"] for one in seen] == [[True], [True], [False], []]
    assert len(asked) == 3


@pytest.mark.parametrize("level", [level for level in HintLevel if level is not HintLevel.NEVER])
@pytest.mark.parametrize("language", [Language.ENGLISH, Language.CZECH])
def test_a_hint_tells_so_much_and_no_more(tmp_path: Path, level: HintLevel, language: Language) -> None:
    (seen,) = seen_by(tmp_path, [moment(0, lying(TABLE))], hints=level, language=language)
    assert not {"sets", "set_sure"} & set(seen)
    hint = seen["hint"]
    assert hint["pieces"] == SETS[0][: level.pieces]
    assert hint["level"] == level
    labels = [seen["pieces"][place]["label"] for place in SETS[0]]
    assert [label in hint["text"] for label in labels] == [place < level.pieces for place in range(3)]
    if level is HintLevel.COUNT:
        assert str(len(SETS)) in hint["text"]


def test_a_hint_shows_a_sure_set_first(tmp_path: Path) -> None:
    doubtful = SETS[0][0]
    (seen,) = seen_by(tmp_path, [moment(0, lying(TABLE, {doubtful: Doubt.GLARE}))], hints=HintLevel.THREE)
    assert seen["hint"]["pieces"] == next(trio for trio in SETS if doubtful not in trio)


def test_where_there_is_no_set_a_hint_says_so_and_never_says_nothing(tmp_path: Path) -> None:
    (seen,) = seen_by(tmp_path, [moment(0, lying(TABLE[:2]))], hints=HintLevel.ONE)
    assert seen["hint"] == {"text": "No, there is no SET.", "pieces": [], "level": "one"}
    (seen,) = seen_by(tmp_path, [moment(0, lying(TABLE))], hints=HintLevel.NEVER)
    assert seen["hint"] is None


@pytest.mark.parametrize(
    ("found", "game", "label"),
    [
        (moment(0, lying(SET[:1])), "classic", edition("classic").label(SET[0])),
        (replace(moment(0, lying([BAR])), deck=Deck.RAVENSBURGER), "ravensburger", edition("ravensburger").label(BAR)),
        (moment(0, lying(DICE)), "cubed", "one red oval"),
        (moment(0, lying([])), "classic", None),
    ],
)
def test_whose_pieces_lie_there_is_told_and_in_whose_words(
    tmp_path: Path, found: Moment, game: str, label: str | None
) -> None:
    (seen,) = seen_by(tmp_path, [found])
    assert seen["game"] == game
    assert [piece["label"] for piece in seen["pieces"][:1]] == ([] if label is None else [label])


def test_dice_make_sets_in_the_lines_of_their_board_only(tmp_path: Path) -> None:
    line = [track(place, die, cell=(6, 4 + place)) for place, die in enumerate(DICE[:3])]
    beside = track(7, DICE[0], cell=(0, 0))
    (seen,) = seen_by(tmp_path, [moment(0, [*line, beside])], game=Game.CUBED, board=BOARD)
    assert seen["sets"] == [[0, 1, 2]]
    (moved,) = seen_by(tmp_path, [moment(0, [*line[:2], beside])], game=Game.CUBED, board=BOARD)
    assert moved["sets"] == []


def test_a_board_says_what_is_played(tmp_path: Path) -> None:
    (seen,) = seen_by(tmp_path, [moment(0, [])], board=BOARD)
    assert (seen["game"], seen["sets"]) == ("cubed", [])


def test_dice_on_a_board_that_nobody_knows_make_no_sets_but_those_of_a_hand_do(tmp_path: Path) -> None:
    hand, more = moment(0, lying(DICE)), moment(0, lying([*DICE, DICE[0]]))
    seen = seen_by(tmp_path, [hand, more])
    assert [one["sets"] for one in seen] == [[[0, 1, 2]], []]


def test_there_is_an_end_to_the_sets_that_are_told() -> None:
    wilds = moment(0, lying([Face(None)] * 30))
    told: Any = lookout.sets_told(wilds, Asked(Game.JUNIOR_2), None, Language.ENGLISH)
    assert (len(told["sets"]), len(told["set_sure"])) == (lookout.MOST_SETS, lookout.MOST_SETS)
