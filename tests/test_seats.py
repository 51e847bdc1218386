"""What is known of each player and of the pile: counted through whole games, and told in the state of a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from engine.calls import CallState
from engine.cubed_state import CubedState
from engine.game import State
from engine.junior1 import Junior1State
from engine.record import read_record
from engine.setup_game import SetupState
from service.hub.seats import _laid, seating_of
from tests.games import DEALT
from tests.shared_tables import CLASSIC, TABLES, Table, opened, serving

FOLDER = Path(__file__).parent / "golden"
GOLDEN = sorted(FOLDER.glob("*.record.jsonl"))
CARDS = [str(card) for card in DEALT]


def states(record: Path) -> Iterator[State]:
    """Yield how the game of a record stands, before its first event and after each."""
    with record.open("rb") as file:
        header, events = read_record(file)
    referee = header.referee()
    yield referee.state
    for event in events:
        referee.apply(event)
        yield referee.state


def lying(state: State) -> int:
    """How many pieces are no longer in a hand or a pile."""
    match state:
        case CubedState():
            return len(state.grid.dice)
        case SetupState():
            return len(state.laid)
        case Junior1State():
            return len(state.covered)
    raise AssertionError(state)


@pytest.mark.parametrize("record", GOLDEN, ids=lambda path: path.name.partition(".")[0])
def test_no_piece_is_lost_in_a_whole_game(record: Path) -> None:
    for state in states(record):
        table = seating_of(state)
        assert len(table.seats) == len(state.players)
        if isinstance(state, CallState):
            assert table.pile == state.pile
            assert [seat.won for seat in table.seats] == list(state.won)
            assert {seat.hand for seat in table.seats} == {None}
        else:
            total = {CubedState: 42, SetupState: 81, Junior1State: 27}[type(state)]
            assert table.pile + sum(seat.hand or 0 for seat in table.seats) + lying(state) == total
            assert (table.round, table.master) == (None, None)


@pytest.mark.parametrize("players", [2, 5, 9])
@pytest.mark.parametrize(("name", "deck", "each"), [("setup", 81, 4), ("junior-1", 27, 3)])
def test_hands_are_full_until_the_pile_is_out_and_empty_at_the_end(
    name: str, deck: int, each: int, players: int
) -> None:
    hands, pile = [each] * players, deck - each * players
    for laid in range(deck + 1):
        table = _laid(players, deck, each, laid)
        assert ([seat.hand for seat in table.seats], table.pile) == (hands, pile), (name, laid)
        if pile:
            pile -= 1
        else:
            hands[laid % players] -= 1
    assert [seat.hand for seat in table.seats] == [0] * players


def test_who_is_locked_out_is_out_until_another_finds_a_set() -> None:
    outs = [{seat.out for seat in seating_of(state).seats} for state in states(FOLDER / "ravensburger.record.jsonl")]
    assert {True, False} in outs
    assert outs[-1] == {False}


def test_the_master_of_a_round_is_out() -> None:
    for state in states(FOLDER / "ravensburger-forever.record.jsonl"):
        table = seating_of(state)
        if table.master is not None:
            assert table.seats[state.players.index(table.master)].out
            return
    raise AssertionError("no master has led a round")


def test_a_state_of_no_table_is_refused() -> None:
    with pytest.raises(TypeError, match="'State'"):
        seating_of(State(players=("Ann",), options={}, scores=(0,)))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def table(client: httpx.Client) -> Table:
    """A table of classic SET, to which twelve cards have been dealt."""
    asked = {**CLASSIC, "options": {"hints": "count"}, "language": "de"}
    found = opened(client, client.post(TABLES, json=asked))
    found.play({"type": "dealt", "cards": CARDS})
    return found


def test_a_state_tells_what_was_chosen_and_what_is_left(table: Table) -> None:
    now = table.now()
    assert now.options["hints"] == "count"
    assert now.options["small_deck"] is False
    assert (now.language, now.pile, now.round, now.master) == ("de", 69, 1, None)


def test_a_state_tells_who_has_won_and_who_sees_none(table: Table) -> None:
    table.play({"type": "no_set", "player": "Ben"})
    assert [player.agreed for player in table.now().players] == [False, True]
    table.play({"type": "called", "player": "Ann"}, "Ann")
    table.play({"type": "picked", "player": "Ann", "cards": [CARDS[0], CARDS[1], CARDS[9]]}, "Ann")
    assert [(player.won, player.agreed, player.out) for player in table.now().players] == [
        (1, False, False),
        (0, False, False),
    ]


def test_a_state_tells_what_a_wild_stands_for(client: httpx.Client) -> None:
    record = (FOLDER / "cubed.record.jsonl").read_bytes()
    table = opened(client, client.post(f"{TABLES}/import", content=record))
    told = {
        (tuple(event["at"]), event["as"])
        for event in map(json.loads, record.splitlines()[1:])
        if event["type"] == "laid" and event.get("as")
    }
    shown = {(tuple(piece.at or ()), piece.stands_for) for piece in table.now().layout if piece.name == "wild"}
    assert shown
    assert shown & told
    assert all(piece.stands_for is None for piece in table.now().layout if piece.name != "wild")
