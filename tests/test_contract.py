"""What holds in every game: random whole games, and the clauses that all games share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from io import BytesIO
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.calls import CallState
from engine.clauses import Clause
from engine.cubed_state import HAND, CubedState
from engine.editions import EDITIONS
from engine.events import (
    Announced,
    Asked,
    Called,
    Claimed,
    Corrected,
    Dealt,
    Ended,
    Event,
    GaveUp,
    Laid,
    NoSet,
    Passed,
    Picked,
    PileOut,
    Rolled,
    Shuffled,
    Swapped,
    Tied,
    TurnEnded,
    Undone,
)
from engine.game import Legal, State, Task, UnknownPlayerError
from engine.games import GAMES
from engine.hints import HintLevel
from engine.junior1 import Junior1State
from engine.junior_board import PLACES, sample_board
from engine.reasons import Reason
from engine.record import Header, read_record, write_event, write_header
from engine.referee import Referee
from engine.sets import find_sets
from engine.setup_game import SetupState
from engine.tokens import Card, Face, Piece, full_deck, full_tiles
from tests.games import TRIO, CallTable, Table, board_of, drawn, opened, played, rolled_face, without_set

SEEDS = 50
"""Whole games of each kind; ``python -m tests.play GAME --seeds 1000`` plays more."""
WHOLE = [(key, seed) for key in GAMES for seed in range(SEEDS)]
every_whole_game = pytest.mark.parametrize(("key", "seed"), WHOLE)
every_game = pytest.mark.parametrize("key", list(GAMES))


def sampled(referee: Referee, count: int) -> Iterator[Any]:
    """Some states of a game, evenly from the first to the one before the last."""
    length = len(referee.log)
    for place in range(count):
        yield referee.at(place * (length - 1) // max(1, count - 1))


@every_whole_game
def test_whole_games_end(key: str, seed: int) -> None:
    referee = played(key, seed)
    assert referee.outcome.over
    assert referee.legal == Legal()
    by_people = isinstance(referee.log[-1].event, Ended)
    assert (referee.state.over is Clause.ALL_2) is by_people
    assert all(entry.verdict.counts for entry in referee.log)


@pytest.mark.parametrize(("key", "least"), [(key, SEEDS) for key in GAMES if key != "cubed"] + [("cubed", SEEDS // 3)])
def test_games_end_by_themselves(key: str, least: int) -> None:
    """In Cubed not always: without dice that wait nobody leaves the row of the logo."""
    ends = Counter(played(key, seed).state.over for seed in range(SEEDS))
    assert ends.total() - ends[Clause.ALL_2] >= least


@every_whole_game
def test_scores_are_the_sum_of_points(key: str, seed: int) -> None:
    referee, total = played(key, seed), Counter[str]()
    for entry in referee.log:
        for name, points in entry.verdict.points.items():
            total[name] += points
        assert {name: total[name] for name in referee.state.players} == entry.scores
    assert referee.state.score == dict(referee.log[-1].scores) == dict(referee.outcome.scores)


@every_whole_game
def test_pieces_are_conserved(key: str, seed: int) -> None:
    referee = played(key, seed)
    gone: set[Piece] = set()
    for number, entry in enumerate(referee.log):
        if isinstance(entry.event, Shuffled):
            gone.clear()
        gone.update(piece for line in entry.verdict.sets for piece in line.pieces)
        check_pieces(referee.at(number), referee.at(number + 1), entry.event, gone)


def check_pieces(before: State, after: State, event: Event, gone: set[Piece]) -> None:
    """Check that no piece appears or is lost in one event; ``gone`` were in a SET of this round."""
    match before, after:
        case CallState(), CallState():
            assert after.pile + len(after.dealt) == len(after.deck)
            assert len(set(after.table)) == len(after.table)
            assert after.dealt - set(after.table) == gone
            assert after.dealt <= after.deck
        case SetupState(), SetupState():
            assert len(set(after.laid)) == len(after.laid)
            assert sum(after.scores) + len(after.table) == len(after.laid)
        case Junior1State(), Junior1State():
            assert after.covered - before.covered == ({event.at} if isinstance(event, Laid) else set())
            assert before.covered <= after.covered <= set(PLACES)
        case CubedState(), CubedState():
            assert all(len(hand) + many <= HAND for hand, many in zip(after.hands, after.unrolled, strict=True))
            if not isinstance(event, Undone):
                new = {Announced: 3, Laid: 1}.get(type(event), 0)
                assert len(after.grid.dice) - len(before.grid.dice) == new
                assert 0 <= after.pouch <= before.pouch
                drawn_now = before.pouch - after.pouch
                # A Wild that is swapped goes from the board to a hand, a die the other way.
                assert held(after) - held(before) == drawn_now - new
        case _:
            raise AssertionError(f"no rule for {type(after).__name__}")


def held(state: CubedState) -> int:
    """How many dice are in hands, rolled or not."""
    return sum(map(len, state.hands)) + sum(state.unrolled)


@every_whole_game
def test_the_log_replays_to_the_same_state(key: str, seed: int) -> None:
    first, again = played(key, seed), opened(key, seed)
    for entry in first.log:
        assert again.apply(entry.event) == entry.verdict
        assert again.log[-1] == entry
    assert again.state == first.state


@pytest.mark.parametrize(("key", "seed"), [(key, seed) for key in GAMES for seed in range(4)])
def test_a_record_replays_to_the_same_state(key: str, seed: int) -> None:
    referee = played(key, seed)
    board = board_of(key, seed)
    plain = None if board is None else board.to_json()
    header = Header(EDITIONS[key], referee.state.players, referee.state.options, plain)
    lines = [write_header(header), *(write_event(entry.event, header) for entry in referee.log)]
    read, events = read_record(BytesIO("\n".join(lines).encode()))
    again = read.referee()
    assert [again.apply(event) for event in events] == [entry.verdict for entry in referee.log]
    assert again.state == referee.state


@every_whole_game
def test_apply_never_changes_its_argument(key: str, seed: int) -> None:
    referee, random = played(key, seed), Random(seed)  # noqa: S311
    for number in random.choices(range(len(referee.log)), k=5):
        state, event = referee.at(number), referee.log[number].event
        kept, kept_event, shown = deepcopy(state), deepcopy(event), repr(state)
        for event_again in (event, *odd_events(key, state, random)):
            referee.game.apply(state, event_again)
        assert state == kept
        assert repr(state) == shown
        assert event == kept_event


@every_whole_game
def test_taking_back_and_doing_it_again_is_identity(key: str, seed: int) -> None:
    again = opened(key, seed)
    for number, entry in enumerate(played(key, seed).log):
        before = again.state
        verdict = again.apply(entry.event)
        after = again.state
        if isinstance(entry.event, Undone) or number % 3:
            continue
        back = again.apply(Undone())
        assert (back.ok, back.clause, back.reason) == (True, Clause.ALL_3, Reason.UNDONE)
        assert again.state == before
        assert back.points == {name: -points for name, points in verdict.points.items()}
        assert again.apply(entry.event) == verdict
        assert again.state == after


@every_whole_game
def test_what_is_legal_stands_or_is_judged(key: str, seed: int) -> None:
    referee, random = played(key, seed), Random(seed)  # noqa: S311
    for state in sampled(referee, 6):
        legal = referee.game.legal(state)
        for move in random.sample(legal.moves, min(len(legal.moves), 12)):
            assert referee.game.apply(state, move)[1].counts, move
        for due in legal.due:
            assert referee.game.apply(state, drawn(referee.game, state, due, random))[1].ok, due


@every_whole_game
def test_what_is_not_legal_is_refused_and_changes_nothing(key: str, seed: int) -> None:
    referee, random = played(key, seed), Random(seed)  # noqa: S311
    for state in sampled(referee, 6):
        legal = referee.game.legal(state)
        for event in odd_events(key, state, random, legal):
            after, verdict = referee.game.apply(state, event)
            assert covers(legal, state, event) or not verdict.counts, event
            if not verdict.counts:
                assert after is state
                assert not verdict.points


def covers(legal: Legal, state: Any, event: Event) -> bool:
    """Whether ``legal`` says that ``event`` can happen, whatever the order of its pieces."""
    match event:
        case Dealt(cards):
            return any(due.task is Task.DEAL and due.count == len(cards) for due in legal.due)
        case Shuffled():
            return any(due.task is Task.SHUFFLE for due in legal.due)
        case Rolled(player, faces):
            return any((due.player, due.count) == (player, len(faces)) for due in legal.due)
        case NoSet(player) if isinstance(state, CallState) and state.index(player) in state.agreed:
            return True  # It is accepted once more, but decides nothing.
        case Picked(player, cards) | Claimed(player, cards):
            pieces: frozenset[Piece] = frozenset(cards)
            return any(
                isinstance(move, type(event)) and move.player == player and frozenset(move.cards) == pieces
                for move in legal.moves
                if isinstance(move, Picked | Claimed)
            )
        case Announced(player, faces):
            return any(
                isinstance(move, Announced) and move.player == player and Counter(move.faces) == Counter(faces)
                for move in legal.moves
            )
    return event in legal.moves


def odd_events(key: str, state: State, random: Random, legal: Legal | None = None) -> Iterator[Event]:
    """Events that a camera or people could report at any time, few of which stand."""
    deck = EDITIONS[key].deck
    one, other = random.choice(state.players), random.choice(state.players)
    lying: tuple[Piece, ...] = getattr(state, "table", ()) or deck
    yield Dealt(cards=tuple(random.sample(deck, random.choice((1, 2, 3, 6)))))
    yield Called(player=one)
    yield Picked(player=one, cards=tuple(random.choices(lying, k=random.randint(2, 4))))
    yield GaveUp(player=other)
    yield NoSet(player=one)
    yield Shuffled()
    yield Shuffled(master=one)
    yield Claimed(player=other, cards=tuple(random.choices(lying, k=3)))
    yield Laid(player=one, piece=random.choice(deck))
    yield Laid(player=one, piece=random.choice(deck), at=(random.randint(-1, 9), random.randint(-1, 9)))
    yield Laid(player=one, piece=random.choice(full_tiles()), at=random.choice(PLACES))
    yield Laid(player=other, piece=rolled_face(random), at=(4, 6), named=random.choice(full_tiles()))
    yield Passed(player=other)
    yield Rolled(player=one, faces=tuple(rolled_face(random) for _ in range(random.randint(0, 6))))
    yield Announced(player=one, faces=tuple(rolled_face(random) for _ in range(3)), named=())
    yield Swapped(player=other, face=Face(random.choice(full_tiles())), at=(4, random.randint(0, 8)))
    yield TurnEnded(player=one)
    for move in random.sample(legal.moves, min(3, len(legal.moves))) if legal else ():
        yield from altered(move, one, random.choice(deck))


def altered(move: Event, player: str, piece: Piece) -> Iterator[Event]:
    """A legal move, but by someone else, with another piece or in another place."""
    named: Any = move
    if hasattr(move, "player"):
        yield replace(named, player=player)
    if isinstance(move, Laid):
        yield replace(move, piece=piece)
        if move.at is not None:
            yield replace(move, at=(*move.at[:-1], move.at[-1] + 1))
    if isinstance(move, Picked | Claimed):
        yield replace(move, cards=(*move.cards[:2], piece))


@every_whole_game
def test_all_2_after_the_end_every_event_is_refused(key: str, seed: int) -> None:
    referee, random = played(key, seed), Random(seed)  # noqa: S311
    state = referee.state
    last_moves = referee.game.legal(referee.at(len(referee.log) - 1)).moves[:5]
    people = [
        Ended(),
        Tied(players=state.players[:1]),
        Asked(player=state.players[0], level=HintLevel.COUNT),
        PileOut(),
    ]
    for event in (*odd_events(key, state, random), *last_moves, *people):
        if isinstance(event, Claimed) and key == "setup" and state.table:
            continue
        after, verdict = referee.game.apply(state, event)
        assert after is state
        assert (verdict.ok, verdict.judged, verdict.clause) == (False, False, state.over)
        assert verdict.reason is Reason.GAME_OVER


# The clauses that all games share.


def begun(key: str, seed: int = 0, events: int = 6) -> Referee:
    """A game with some events, before its end."""
    referee = opened(key, seed)
    for entry in islice(played(key, seed).log, events):
        referee.apply(entry.event)
    assert not referee.outcome.over
    return referee


@every_game
def test_all_1_players_stand_in_the_order_of_the_seats(key: str) -> None:
    table = Table(key, "Zoe", "Ann", "Moe", board=board_of(key))
    assert tuple(table.rules.outcome(table.state).scores) == ("Zoe", "Ann", "Moe")
    everybody_leads = table.rules.outcome(table.state)
    assert everybody_leads.winners + everybody_leads.losers == ("Zoe", "Ann", "Moe")
    with pytest.raises(UnknownPlayerError, match=r"'Eve' is no player of this table: .* 'Zoe', 'Ann', 'Moe'"):
        table.says(Called(player="Eve"))
    with pytest.raises(UnknownPlayerError, match="'Eve'"):
        table.says(Tied(players=("Ann", "Eve")))


@pytest.mark.parametrize(("key", "options"), [("setup", {}), ("junior-1", {}), ("junior-2", {"turns": True})])
def test_all_1_the_first_in_the_header_begins(key: str, options: Mapping[str, object]) -> None:
    table = Table(key, "Zoe", "Ann", "Moe", board=sample_board(1), **options)
    if key == "junior-2":
        table.play(Dealt(cards=full_tiles()[:10]))
    for player in ("Zoe", "Ann", "Moe", "Zoe"):
        moves = table.rules.legal(table.state).moves
        turn = {getattr(move, "player", None) for move in moves if not isinstance(move, Claimed)}
        assert turn == {player}
        table.play(Passed(player=player) if key == "junior-2" else moves[-1])


def test_all_1_in_cubed_whoever_announced_the_first_set_begins_every_round() -> None:
    leaders = set()
    for seed in range(6):
        referee = played("cubed", seed)
        states = [referee.at(number) for number in range(len(referee.log) + 1)]
        (first,) = (entry.event for entry in referee.log if isinstance(entry.event, Announced))
        leaders.add(first.player)
        assert all(
            state.players[state.turn] == first.player for state in states if state.turn is not None and not state.taken
        )
    assert leaders == {"Ann", "Ben"}


@every_game
def test_all_2_people_can_stop_and_who_leads_wins(key: str) -> None:
    referee = begun(key, events=20)
    leads = referee.outcome
    verdict = referee.apply(Ended())
    assert (verdict.ok, verdict.clause, verdict.reason) == (True, Clause.ALL_2, Reason.ENDED)
    assert referee.outcome == replace(leads, over=True)
    best = max(leads.scores.values())
    assert leads.winners + leads.losers == tuple(name for name, score in leads.scores.items() if score == best)
    assert bool(leads.losers) is (key == "setup")
    again = referee.apply(Ended())
    assert (again.ok, again.clause, again.reason) == (False, Clause.ALL_2, Reason.GAME_OVER)
    assert referee.apply(Undone()).ok
    assert not referee.outcome.over


@every_game
def test_all_3_with_nothing_left_to_take_back_it_is_refused(key: str) -> None:
    referee = begun(key)
    first = opened(key, 0).state
    for _ in range(6):
        assert referee.apply(Undone()).ok
    assert referee.state == first
    for verdict in (referee.apply(Undone()), referee.game.apply(first, Undone())[1]):
        assert (verdict.ok, verdict.clause, verdict.reason) == (False, Clause.ALL_3, Reason.NOTHING_TO_UNDO)


def test_all_3_a_false_call_is_taken_back_with_its_points() -> None:
    referee = Referee(GAMES["classic"], TRIO)
    deck = full_deck()
    referee.apply(Dealt(cards=deck[:12]))
    referee.apply(Called(player="Ann"))
    before = referee.state
    assert dict(referee.apply(Picked(player="Ann", cards=(deck[0], deck[1], deck[3]))).points) == {"Ann": -1}
    refused = referee.apply(Picked(player="Ann", cards=deck[:3]))
    assert not refused.counts
    back = referee.apply(Undone())
    assert dict(back.points) == {"Ann": 1}
    assert back.facts == {"what": "Picked"}
    assert referee.state == before
    referee.apply(Undone())
    assert referee.state.caller is None
    assert referee.apply(Undone()).facts == {"what": "Dealt"}
    assert referee.state.table == ()


def test_all_3_there_is_no_redo() -> None:
    referee = Referee(GAMES["classic"], TRIO)
    referee.apply(Dealt(cards=full_deck()[:12]))
    referee.apply(NoSet(player="Ann"))
    referee.apply(NoSet(player="Ben"))
    referee.apply(Undone())
    referee.apply(Undone())
    assert referee.state.agreed == frozenset()


OWN: Mapping[str, tuple[type[Event], ...]] = {
    "classic": (Dealt, Called, Picked, GaveUp, NoSet, PileOut, Shuffled),
    "ravensburger": (Dealt, Called, Picked, GaveUp, NoSet, PileOut, Shuffled),
    "setup": (Laid, Claimed),
    "junior-1": (Laid,),
    "junior-2": (Dealt, Called, Picked, GaveUp, NoSet, PileOut, Shuffled, Passed),
    "cubed": (Rolled, Announced, Laid, Swapped, Passed, TurnEnded),
}
"""The events of each game, but for those of every game."""


@every_game
def test_all_4_an_event_of_another_game_is_refused(key: str) -> None:
    referee, random = begun(key), Random(5)  # noqa: S311
    deck = next(entry.deck for entry in EDITIONS.values() if entry.deck[0].kind != EDITIONS[key].deck[0].kind)
    foreign = [
        event for event in (*odd_events(key, referee.state, random), PileOut()) if not isinstance(event, OWN[key])
    ]
    assert len({type(event) for event in foreign}) == 14 - len(OWN[key])
    if Laid in OWN[key]:
        foreign.append(Laid(player="Ann", piece=deck[0], at=(0, 0)))
    for event in foreign:
        verdict = referee.apply(event)
        got = (verdict.counts, verdict.clause, verdict.reason, dict(verdict.facts))
        assert got == (False, Clause.ALL_4, Reason.FOREIGN_EVENT, {"game": EDITIONS[key].title})


@every_game
def test_all_4_some_events_belong_to_every_game(key: str) -> None:
    referee = begun(key)
    before, piece = referee.state, EDITIONS[key].deck[0]
    asked = referee.apply(Asked(player="Ann", level=HintLevel.YES_NO))
    assert (asked.ok, asked.clause, asked.reason) == (False, Clause.CLASSIC_7, Reason.HINT_NOT_ALLOWED)
    corrected = referee.apply(Corrected(event=99, old=piece, new=piece))
    assert (corrected.ok, corrected.clause, corrected.reason) == (False, Clause.ALL_5, Reason.NO_SUCH_EVENT)
    tied = referee.apply(Tied(players=("Ann", "Ben")))
    with_calls = Called in OWN[key]
    assert (tied.ok, tied.clause) == (with_calls, Clause.ALL_5 if with_calls else Clause.ALL_4)
    assert referee.state == before
    assert referee.game.has_calls is with_calls


@pytest.mark.parametrize("key", ["classic", "ravensburger", "junior-2"])
def test_all_4_a_deal_is_accepted_while_a_call_is_open(key: str) -> None:
    table = CallTable(key)
    table.deal()
    table.take("Ann")
    table.play(Called(player="Ben"))
    assert table.deal().ok
    assert table.state.caller == 1
    table.play(table.right("Ben"))


def test_all_4_taking_back_passes_over_questions_and_ties() -> None:
    referee = Referee(GAMES["classic"], TRIO, {"hints": "count"})
    referee.apply(Dealt(cards=full_deck()[:12]))
    referee.apply(NoSet(player="Ann"))
    assert referee.apply(Asked(player="Ben", level=HintLevel.COUNT)).ok
    assert referee.apply(Tied(players=("Ben", "Cid"))).ok
    assert referee.apply(Undone()).facts == {"what": "NoSet"}
    assert referee.state.agreed == frozenset()


def test_all_5_a_correction_is_taken_as_people_say_and_judged_again() -> None:
    referee = Referee(GAMES["classic"], TRIO)
    deck = full_deck()
    misread, true = deck[40], deck[2]
    referee.apply(Dealt(cards=(*deck[:2], misread, *deck[3:12])))
    referee.apply(Called(player="Ann"))
    referee.apply(Picked(player="Ann", cards=(deck[0], deck[1], misread)))
    assert referee.state.scores == (-1, 0, 0)
    verdict = referee.apply(Corrected(event=0, old=misread, new=true))
    assert (verdict.ok, verdict.clause, verdict.reason) == (True, Clause.ALL_5, Reason.CORRECTED)
    assert dict(verdict.points) == {"Ann": 2}
    assert referee.state.scores == (1, 0, 0)
    assert misread not in referee.state.dealt
    assert dict(referee.apply(Undone()).points) == {"Ann": -2}
    nothing = referee.apply(Corrected(event=1, old=deck[80], new=deck[79]))
    assert (nothing.ok, nothing.clause, nothing.reason) == (True, Clause.ALL_5, Reason.CORRECTED_NOTHING)


def test_all_5_a_tie_is_noted_and_changes_nothing() -> None:
    table = CallTable("classic")
    table.deal()
    before = table.state
    verdict = table.stands(Tied(players=("Ben", "Ann")), Clause.ALL_5, Reason.TIED)
    assert verdict.facts == {"players": ("Ben", "Ann")}
    assert table.state is before
    table.stands(Called(player="Ann"), Clause.CLASSIC_4, Reason.CALLED)


ONE = Card.parse("1 red solid oval")
SPACE = PLACES[0]


@pytest.mark.parametrize(
    ("key", "events", "clause"),
    [
        ("classic", [PileOut()], Clause.CLASSIC_10),
        ("ravensburger", [PileOut()], Clause.RAV_7),
        ("junior-2", [PileOut()], Clause.JUN_9),
        ("setup", [Laid(player="Ann", piece=ONE), Laid(player="Ben", piece=ONE)], Clause.SETUP_2),
        ("setup", [Claimed(player="Ann", cards=(ONE, ONE, ONE))], Clause.SETUP_3),
        (
            "junior-1",
            [Laid(player=name, piece=sample_board(1)[SPACE], at=SPACE) for name in ("Ann", "Ben")],
            Clause.JUN_5,
        ),
        ("cubed", [Rolled(player="Ann", faces=(Face(None),) * 5)] * 2, Clause.CUBED_11),
    ],
)
def test_all_5_where_no_clause_fits_the_nearest_is_cited(key: str, events: list[Event], clause: Clause) -> None:
    table = Table(key, board=board_of(key))
    if len(events) == 2:
        table.play(events[0])
    verdict = table.says(events[-1])
    assert (verdict.counts, verdict.clause) == (False, clause)


@pytest.mark.parametrize(("deck", "most"), [(full_deck(), 20), (full_tiles(), 9)])
def test_hands_without_a_set_have_none(deck: tuple[Piece, ...], most: int) -> None:
    hand = without_set(deck, most)
    assert len(set(hand)) == most
    assert find_sets(hand) == []
