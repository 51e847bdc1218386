"""Every clause has a test of its own, and every option changes a verdict."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from engine.clauses import Clause
from engine.editions import EDITIONS
from engine.events import (
    Announced,
    Asked,
    Called,
    Dealt,
    Event,
    GaveUp,
    Laid,
    NoSet,
    Picked,
    PileOut,
    Rolled,
    Shuffled,
    Swapped,
)
from engine.hints import HintLevel
from engine.options import OptionValue
from engine.tokens import Face, Piece, Shading, Tile
from tests.games import TRIO, Table, board_of, without_set

TESTS = Path(__file__).parent


def names_of_tests() -> list[str]:
    """The name of every test function in this folder."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sorted(TESTS.rglob("test_*.py")))
    return [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def untested(clauses: Iterable[str], names: Sequence[str]) -> list[str]:
    """The clauses without a test whose name begins with them."""
    starts = {clause: f"test_{clause.lower().replace('-', '_')}_" for clause in clauses}
    return [clause for clause, start in starts.items() if not any(name.startswith(start) for name in names)]


def test_every_clause_has_a_test_of_its_own() -> None:
    assert untested(Clause, names_of_tests()) == []


def test_a_clause_without_a_test_is_found() -> None:
    assert untested(["CUBED-1", "CUBED-11"], ["test_cubed_11_a", "cubed_1_b", "test_all_1_c"]) == ["CUBED-1"]


def test_no_test_is_named_after_a_clause_that_does_not_exist() -> None:
    known = {clause.lower().replace("-", "_") for clause in Clause}
    series = "|".join(sorted({clause.split("-")[0].lower() for clause in Clause}))
    named = (re.match(rf"test_((?:{series})_\d+)_", name) for name in names_of_tests())
    assert {match[1] for match in named if match} <= known


def test_the_clauses_are_those_of_the_rules(shared: Path) -> None:
    rules = (shared / "rules" / "rules.md").read_text(encoding="utf-8")
    assert re.findall(r"^- ([A-Z]+-\d+) ", rules, re.MULTILINE) == [clause.value for clause in Clause]


# Options: for each an event list that is judged otherwise when the option is chosen.

Scene = tuple[OptionValue, Callable[[], Sequence[Event]], Mapping[str, object]]
"""A value other than the default, the events, and other options that both tables have."""


def ask(key: str) -> Scene:
    """A question, which tables do not answer unless they say so."""
    before = {"classic": 12, "ravensburger": 12, "junior-2": 10}.get(key, 0)
    dealt = [Dealt(cards=EDITIONS[key].deck[:before])] if before else []
    return "three", lambda: [*dealt, Asked(player="Ann", level=HintLevel.YES_NO)], {}


def first_deal(key: str, pieces: Callable[[Piece], bool], count: int) -> Sequence[Event]:
    """A deal of some pieces of the deck."""
    return [Dealt(cards=tuple(filter(pieces, EDITIONS[key].deck))[:count])]


def false_call(player: str) -> Sequence[Event]:
    """A call that comes to nothing."""
    return [Called(player=player), GaveUp(player=player)]


def no_set_by_one() -> Sequence[Event]:
    """A lone player finds none among the first cards, and three more are laid."""
    cards = without_set(EDITIONS["classic"].deck, 15)
    return [Dealt(cards=cards[:12]), NoSet(player="Ann"), Dealt(cards=cards[12:])]


def round_again(key: str, count: int) -> Sequence[Event]:
    """A round that ends because the pile is out and all agree, and another one."""
    deck = EDITIONS[key].deck[:count]
    taken = deck[:3]
    assert len(set(taken)) == 3
    over = [NoSet(player=name) for name in TRIO]
    return [Dealt(cards=deck), Called(player="Ann"), Picked(player="Ann", cards=taken), PileOut(), *over, Shuffled()]


def tokens() -> Sequence[Event]:
    """A false call in the second round by someone who has won in the first only."""
    return [*round_again("junior-2", 10), Dealt(cards=EDITIONS["junior-2"].deck[:10]), *false_call("Ann")]


def faces(*names: str) -> tuple[Face, ...]:
    return tuple(Face.parse(name) for name in names)


ONE, TWO, THREE, ODD = faces("1 red oval", "2 red oval", "3 red oval", "2 green diamond")
WILD = Face(None)
NAMED = Tile.parse("1 red oval")


def opened(ann: tuple[Face, ...], ben: tuple[Face, ...], first: int = 3, named: tuple[Tile, ...] = ()) -> list[Event]:
    """Both roll, and Ann announces her ``first`` dice."""
    rolls: list[Event] = [Rolled(player="Ann", faces=ann), Rolled(player="Ben", faces=ben)]
    return [*rolls, Announced(player="Ann", faces=ann[:first], named=named)]


def identical() -> Sequence[Event]:
    return opened((ONE,) * 5, (ODD,) * 5)


def waiting() -> Sequence[Event]:
    return [*opened((ONE, TWO, THREE, ODD, ODD), (ODD,) * 5), Laid(player="Ben", piece=ODD, at=(3, 3))]


def swapping() -> Sequence[Event]:
    first = opened((WILD, TWO, THREE, ODD, ODD), (ONE, ODD, ODD, ODD, ODD), named=(NAMED,))
    return [*first, Swapped(player="Ben", face=ONE, at=(4, 3))]


def wild_twice() -> Sequence[Event]:
    first = opened((ONE, TWO, THREE, ODD, ODD), (WILD, TWO, ODD, ODD, ODD))
    wild = Laid(player="Ben", piece=WILD, at=(4, 6), named=NAMED)
    return [*first, wild, Laid(player="Ben", piece=TWO, at=(4, 7))]


def is_solid(piece: Piece) -> bool:
    return getattr(piece, "shading", None) is Shading.SOLID


def is_red(piece: Piece) -> bool:
    return str(piece).split()[1] == "red"


SCENES: Mapping[tuple[str, str], Scene] = {
    **{(key, "hints"): ask(key) for key in EDITIONS},
    ("classic", "small_deck"): (True, lambda: first_deal("classic", is_solid, 9), {}),
    ("classic", "solitaire"): (True, no_set_by_one, {}),
    ("classic", "rounds"): (True, lambda: round_again("classic", 12), {}),
    ("classic", "lowest_score"): (0, lambda: [*first_deal("classic", is_red, 12), *false_call("Ann")], {}),
    ("ravensburger", "easy"): ("red", lambda: first_deal("ravensburger", is_red, 9), {}),
    ("ravensburger", "forever"): (True, lambda: [Shuffled(master="Ben")], {}),
    ("junior-2", "turns"): (True, lambda: [*first_deal("junior-2", bool, 10), Called(player="Ben")], {}),
    ("junior-2", "rounds"): (True, lambda: round_again("junior-2", 10), {}),
    ("junior-2", "tokens"): (True, tokens, {"rounds": True}),
    ("cubed", "identical_dice_are_set"): (False, identical, {}),
    ("cubed", "waiting_dice"): (False, waiting, {}),
    ("cubed", "swaps_per_turn"): (0, swapping, {}),
    ("cubed", "wild_counts_later_in_turn"): (False, wild_twice, {}),
}

OPTIONS = [(key, option.name) for key, entry in EDITIONS.items() for option in entry.options]


def verdicts(key: str, players: Sequence[str], options: Mapping[str, object], events: Sequence[Event]) -> list[object]:
    """What is said to each event, but for its facts."""
    table = Table(key, *players, board=board_of(key), **options)
    said = [table.says(event) for event in events]
    return [(verdict.ok, verdict.judged, verdict.clause, verdict.reason, dict(verdict.points)) for verdict in said]


@pytest.mark.parametrize(("key", "name"), OPTIONS)
def test_every_option_changes_a_verdict(key: str, name: str) -> None:
    assert (key, name) in SCENES, f"option {name!r} of {key} has no scene"
    value, events, others = SCENES[key, name]
    (option,) = (option for option in EDITIONS[key].options if option.name == name)
    _, most = option.players.get(value, EDITIONS[key].players)
    seats = TRIO[: min(most, 2 if key == "cubed" else 3)]
    assert value != option.default
    chosen, default = ({**others, name: one} for one in (value, option.default))
    assert verdicts(key, seats, chosen, events()) != verdicts(key, seats, default, events())


def test_every_scene_is_about_an_option() -> None:
    assert set(SCENES) == set(OPTIONS)
