"""What the live window shows: names in the edition's words, SETs up to the hint level, who has the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import Called, Dealt, Ended, GaveUp, Picked
from engine.hints import HintLevel
from engine.record import read_header
from engine.tokens import Card, Face, Piece, Tile
from service.live.happenings import Happening, HappeningKind
from service.live.table import LiveTable
from service.watch_view import (
    Detail,
    SetFinder,
    banner_of,
    claims_of,
    hint_note,
    message_of,
    names_of,
    open_questions,
    seats_of,
    shown_sets,
    status_of,
    tags_of,
)
from tests.fake_moments import moment, track
from tests.watching import NAMES, table_at
from vision.live_overlay import Message, Tone
from vision.tracks import Advice, Scene
from vision.types import Doubt

CARDS = tuple(Card.parse(name) for name in NAMES)


def game(key: str = "classic", players: str = '["Ann", "Ben"]', options: str = "{}") -> LiveTable:
    """A table at which nothing has happened."""
    return LiveTable(read_header(f'{{"game": "{key}", "players": {players}, "options": {options}}}'))


@pytest.mark.parametrize(
    ("piece", "key", "names"),
    [
        (
            Card.parse("2 green striped diamond"),
            "classic",
            ("2 green striped diamond", "2 gre str dia", "2 gr st di"),
        ),
        (
            Card.parse("3 green striped rectangle"),
            "ravensburger",
            ("3 turquoise half bar", "3 tur hal bar", "3 tu ha ba"),
        ),
        (Tile.parse("1 red squiggle"), "junior-2", ("1 red wave", "1 red wav", "1 re wa")),
        (Face.parse("wild"), "cubed", ("wild", "W")),
    ],
)
def test_names_are_those_of_the_edition(piece: Piece, key: str, names: tuple[str, ...]) -> None:
    assert names_of(piece, key) == names


def test_short_names_of_one_edition_differ() -> None:
    for key in ("classic", "ravensburger", "junior-2", "cubed"):
        deck = game(key, '["Ann", "Ben"]').header.edition.deck if key != "cubed" else ()
        short = [names_of(piece, key)[-1] for piece in deck]
        assert len(short) == len(set(short))


LEVELS = [
    (HintLevel.NEVER, "", {}),
    (HintLevel.YES_NO, "there is a SET", {}),
    (HintLevel.COUNT, "2 SETs", {}),
    (HintLevel.ONE, "2 SETs", {0: (1,)}),
    (HintLevel.TWO, "2 SETs", {0: (1,), 1: (1,)}),
    (HintLevel.THREE, "2 SETs", {0: (1,), 1: (1,), 2: (1,)}),
]


@pytest.mark.parametrize(("level", "note", "groups"), LEVELS)
def test_no_more_is_told_than_the_level_allows(level: HintLevel, note: str, groups: dict[int, tuple[int, ...]]) -> None:
    sets = [(0, 1, 2), (2, 3, 4)]
    assert hint_note(sets, level) == note
    assert shown_sets(sets, level, every=False) == groups
    assert hint_note([], level) in ("", "no SET")
    assert shown_sets([], level, every=True) == {}


def test_every_set_is_numbered_where_nobody_plays() -> None:
    groups = shown_sets([(0, 1, 2), (2, 3, 4)], HintLevel.THREE, every=True)
    assert groups == {0: (1,), 1: (1,), 2: (1, 2), 3: (2,), 4: (2,)}
    assert shown_sets([(0, 1, 2), (2, 3, 4)], HintLevel.ONE, every=True) == {0: (1,)}


def test_sets_without_doubt_come_first_and_are_found_once() -> None:
    finder = SetFinder(None)
    seen = table_at(1.0, NAMES[:9])
    sets = finder.sets(seen)
    assert (0, 1, 2) in sets
    assert finder.sets(table_at(2.0, NAMES[:9])) is sets
    doubted = [replace(one.reading, doubt=Doubt.GLARE) if one.identity == sets[0][0] else one.reading for one in seen]
    tracks = tuple(replace(one, reading=reading) for one, reading in zip(seen, doubted, strict=True))
    again = finder.sets(replace(seen, tracks=tracks))
    assert set(again) == set(sets)
    assert sets[0][0] in again[-1]


def test_dice_and_mixed_pieces_make_no_sets_without_a_board() -> None:
    dice = [track(n, Face.parse(name)) for n, name in enumerate(("1 red oval", "2 red oval", "3 red oval"))]
    assert SetFinder(None).sets(moment(1.0, dice)) == ()
    assert SetFinder(None).sets(moment(1.0, [*dice[:0], track(0, CARDS[0]), track(1, Tile.parse("1 red oval"))])) == ()


def test_names_can_be_left_out_but_doubts_stay() -> None:
    seen = table_at(1.0, NAMES[:3])
    tracks = [
        seen.tracks[0],
        seen.tracks[1],
        replace(seen.tracks[2], reading=replace(seen.tracks[2].reading, doubt=Doubt.GLARE)),
    ]
    named = tags_of(tracks, {0: (1,)}, Detail.NAMES, "classic")
    assert [tag.names[0] for tag in named] == list(NAMES[:3])
    bare = tags_of(tracks, {0: (1,)}, Detail.SETS, "classic")
    assert [(tag.names, tag.groups, tag.doubtful) for tag in bare] == [((), (1,), False), ((), (), True)]
    assert tags_of(tracks, {0: (1,)}, Detail.NOTHING, "classic") == ()
    assert [Detail.NAMES.following, Detail.SETS.following, Detail.NOTHING.following] == [
        Detail.SETS,
        Detail.NOTHING,
        Detail.NAMES,
    ]


def test_the_caller_has_the_table() -> None:
    table = game()
    table.put(Dealt(CARDS))
    assert banner_of(table, None) is None
    assert not any(seat.active for seat in seats_of(table))
    table.put(Called("Ben"))
    assert [(seat.name, seat.points, seat.key, seat.active) for seat in seats_of(table)] == [
        ("Ann", "0", "1", False),
        ("Ben", "0", "2", True),
    ]
    assert banner_of(table, None) == Message("Ben has the table")
    assert banner_of(table, 2.345) == Message("Ben has the table · 2.3 s")
    assert banner_of(table, -1.0) == Message("Ben has the table · 0.0 s")
    table.put(Picked("Ben", CARDS[:3]))
    assert [seat.points for seat in seats_of(table)] == ["0", "1"]


def test_who_is_out_is_marked() -> None:
    table = game("ravensburger", '["Ann", "Ben", "Cid"]')
    table.put(Dealt(table.header.edition.deck[:12]))
    table.put(Called("Ann"))
    table.put(GaveUp("Ann"))
    assert [seat.remark for seat in seats_of(table)] == ["out", "", ""]


def test_whose_turn_it_is_is_marked() -> None:
    table = game("setup")
    assert [seat.active for seat in seats_of(table)] == [True, False]
    turns = game("junior-2", options='{"turns": true}')
    assert [seat.active for seat in seats_of(turns)] == [True, False]


def test_a_tie_is_shown_with_both_times_and_the_keys_that_decide() -> None:
    table = game()
    table.put(Dealt(CARDS))
    table.call("Ann", 1.0)
    table.call("Ben", 1.01)
    table.tick(2.0)
    assert banner_of(table, None) == Message("Tie: Ann 1.00 s · Ben 1.01 s", Tone.ODD)
    assert open_questions(table, 0) == (Message("Who was first? 1 Ann · 2 Ben · x nobody", Tone.ODD),)
    assert [seat.active for seat in seats_of(table)] == [True, True]


def test_what_is_odd_is_shown_with_the_keys_that_settle_it() -> None:
    table = game()
    table.put(Dealt(CARDS))
    for step in range(60):
        table.look(table_at(step / 10))
    for step in range(60, 120):
        table.look(table_at(step / 10, NAMES[3:]))
    told, keys = open_questions(table, 0)
    assert told.tone is Tone.ODD
    assert keys.text == "1 Ann · 2 Ben · x nobody"
    assert claims_of(table) == {"Ann": 0, "Ben": 1}


def test_what_nothing_explains_can_be_taken_as_it_lies() -> None:
    table = game()
    table.put(Dealt(CARDS))
    for step in range(60):
        table.look(table_at(step / 10))
    for step in range(60, 140):
        table.look(table_at(step / 10, NAMES[1:]))
    told, keys = open_questions(table, 5)
    assert told.tone is Tone.ODD
    assert "one red solid oval" in told.text
    assert keys.text == "x take it as it lies"


def test_the_end_names_the_winner() -> None:
    table = game()
    table.put(Dealt(CARDS))
    table.put(Called("Ben"))
    table.put(Picked("Ben", CARDS[:3]))
    table.put(Ended())
    assert banner_of(table, None) == Message("Ben wins", Tone.GOOD)


def test_what_goes_on_is_told_trouble_first() -> None:
    hands = table_at(1.0, settled=False)
    assert status_of(hands, False, "") == "hands on the table"
    assert status_of(hands, True, "") == "paused"
    assert status_of(hands, True, "camera 0 is gone") == "camera 0 is gone"
    assert "dark" in status_of(moment(1.0, (), settled=False, scene=Scene.DARK), False, "")
    assert status_of(table_at(1.0), False, "") == ""
    assert "closer" in status_of(replace(moment(1.0, ()), advice=Advice.MOVE_CLOSER), False, "")


@pytest.mark.parametrize("advice", list(Advice))
def test_every_advice_is_said(advice: Advice) -> None:
    scene = {Advice.TOO_DARK: Scene.DARK, Advice.HANDS: Scene.HANDS}.get(advice, Scene.STILL)
    assert status_of(replace(moment(1.0, (), scene=scene), advice=advice), False, "")


def happening(kind: HappeningKind, **more: object) -> Happening:
    """One thing that is told."""
    return Happening(kind=kind, time=1.0, text="So it is.", **more)  # type: ignore[arg-type]


def test_messages_are_good_or_bad_and_doubts_are_told() -> None:
    assert message_of(happening(HappeningKind.EVENT, ok=True, type="picked")) == Message("So it is.", Tone.GOOD)
    assert message_of(happening(HappeningKind.EVENT, ok=False, type="picked")) == Message("So it is.", Tone.BAD)
    unsure = message_of(happening(HappeningKind.EVENT, ok=True, type="picked", sure=False))
    assert unsure is not None
    assert "unsure" in unsure.text
    assert message_of(happening(HappeningKind.MESSAGE)) == Message("So it is.")
    assert message_of(happening(HappeningKind.ODDITY)) is None
    assert message_of(happening(HappeningKind.EVENT, ok=True, type="called")) is None
    assert message_of(happening(HappeningKind.CORRECTION, ok=True)) == Message("So it is.", Tone.GOOD)
