"""Sentences: a template for every reason in every language, filled with facts that are never read as templates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from engine.clauses import Clause
from engine.cubed_state import CubedState
from engine.editions import EDITIONS, edition
from engine.events import (
    Announced,
    Asked,
    Called,
    Claimed,
    Corrected,
    Dealt,
    Ended,
    Event,
    Fact,
    GaveUp,
    Laid,
    Line,
    NoSet,
    Passed,
    Picked,
    PileOut,
    Place,
    Rolled,
    Shuffled,
    Swapped,
    Tied,
    TurnEnded,
    Undone,
    Verdict,
)
from engine.explained import Note, Problem
from engine.game import State, accept
from engine.hints import HintLevel
from engine.integrity import Integrity
from engine.labels import Language, word
from engine.phrases import CHOSEN, CLOSING, COSTS, ODDITIES, PHRASES, TERMS
from engine.reasons import Chosen, Cost, Oddity, Reason
from engine.sentences import PLACEHOLDER, missing, say, say_note, say_problem
from engine.statistics import Pace
from engine.tokens import Card, Face, Piece, Tile, full_tiles
from tests.games import TABLES, played

CLASSIC, RAVENSBURGER, JUNIOR, CUBED = map(edition, ("classic", "ravensburger", "junior-2", "cubed"))
NBSP = "\N{NO-BREAK SPACE}"


def cards(*names: str) -> tuple[Piece, ...]:
    return tuple(Card.parse(name) for name in names)


def faces(*names: str) -> tuple[Piece, Piece, Piece]:
    first, second, last = (Face.parse(name) for name in names)
    return first, second, last


def told(reason: Reason, **facts: Fact) -> Verdict:
    return Verdict(True, Clause.SET_1, reason, facts=facts)


RED_OVALS = faces("1 red oval", "2 red oval", "3 red oval")
TWO_CARDS = cards("1 red solid oval", "2 green striped diamond")


def names_in(template: str) -> set[str]:
    return {found[1] for found in PLACEHOLDER.finditer(template)}


@pytest.mark.parametrize("language", Language)
def test_every_reason_has_a_sentence_in_every_language(language: Language) -> None:
    assert set(PHRASES[language]) == set(Reason)
    for reason, template in PHRASES[language].items():
        assert template[0].isupper() or template[0] in "{“„«", reason
        assert template.endswith((".", "{penalty}", "{fault}")), reason


@pytest.mark.parametrize("reason", Reason)
def test_every_language_mentions_the_same_facts(reason: Reason) -> None:
    names = [names_in(PHRASES[language][reason]) - {"kind", "kinds"} for language in Language]
    assert names[1:] == names[:-1]


@pytest.mark.parametrize("language", Language)
def test_everything_odd_and_every_choice_has_a_sentence_in_every_language(language: Language) -> None:
    assert list(ODDITIES[language]) == list(Oddity)
    assert list(CHOSEN[language]) == list(Chosen)
    for template in (*ODDITIES[language].values(), *CHOSEN[language].values()):
        assert template[0].isupper() or template[0] == "{", template
        assert template.endswith((".", "{sentence}")), template


@pytest.mark.parametrize("language", [one for one in Language if one is not Language.ENGLISH])
def test_what_is_odd_is_said_in_the_language_with_the_facts_of_the_english_sentence(language: Language) -> None:
    english, other = ({**ODDITIES[one], **CHOSEN[one]} for one in (Language.ENGLISH, language))
    for code, template in english.items():
        assert other[code] != template or template == "{pieces}: {sentence}"
        assert names_in(other[code]) - {"pieces"} == names_in(template) - {"pieces"}, code


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.ENGLISH, "Too many are new: 2, and only 1 can be. They are "),
        (Language.GERMAN, "Zu viele sind neu: 2 statt höchstens 1. Neu: "),
        (Language.FRENCH, f"Trop de nouvelles pièces{NBSP}: 2 au lieu de 1 au plus. Ce sont{NBSP}: "),
        (Language.CZECH, "Nových je příliš mnoho: 2 místo nejvýš 1. Nové: "),
    ],
)
def test_a_problem_is_said_with_its_pieces_and_facts(language: Language, text: str) -> None:
    said = say_problem(Problem(Oddity.TOO_MANY_NEW, TWO_CARDS, {"due": 1}), CLASSIC, language)
    labels = f" {word('and', language).said} ".join(CLASSIC.label(card, language) for card in TWO_CARDS)
    assert said == f"{text}{labels}."


def test_a_problem_that_the_referee_refuses_says_why() -> None:
    refused = Problem(Oddity.NOT_ALLOWED, TWO_CARDS[:1], refusal=told(Reason.PILE_ALREADY_OUT))
    assert say_problem(refused, CLASSIC) == "One red solid oval: The pile was out already."
    assert say_problem(refused, CLASSIC, Language.GERMAN) == "Ein rotes volles Oval: Der Stapel war schon leer."


def test_a_choice_is_said_with_the_names_of_the_wilds() -> None:
    note = Note(Chosen.NAMES, {"names": (Tile.parse("1 red oval"), Tile.parse("2 red oval")), "others": 3})
    assert say_note(note, CUBED, Language.GERMAN) == (
        "Wofür ein Joker steht, ist nicht zu sehen. "
        "Am meisten bringt: ein rotes Oval und zwei rote Ovale; weitere Möglichkeiten: 3."
    )


@pytest.mark.parametrize("language", Language)
def test_templates_have_no_broken_placeholders(language: Language) -> None:
    """Every brace belongs to a placeholder; what is counted is a noun of the table or has all its forms."""
    forms = 3 if language is Language.CZECH else 2
    tables = (PHRASES, COSTS, TERMS, ODDITIES, CHOSEN)
    for template in (text for table in tables for text in table[language].values()):
        assert not set(PLACEHOLDER.sub("", template)) & set("{}|#"), template
        for _, how in PLACEHOLDER.findall(template):
            if "|" in how:
                assert how.count("|") == forms - 1, template
                assert all("#" in form for form in how.split("|")), template
            elif how:
                assert how == "kind" or word(how, language).said


@pytest.mark.parametrize("language", Language)
def test_every_cost_of_a_false_call_is_said(language: Language) -> None:
    assert set(COSTS[language]) == set(Cost)
    assert all({"player"} >= names_in(template) for template in COSTS[language].values())


@pytest.mark.parametrize("language", Language)
def test_the_end_of_a_replay_is_said(language: Language) -> None:
    mentioned = {key: set(re.findall(r"{([a-z]+)}", text)) for key, text in CLOSING[language].items()}
    assert mentioned == {key: set(re.findall(r"{([a-z]+)}", text)) for key, text in CLOSING[Language.ENGLISH].items()}
    assert {pace.value for pace in Pace} < set(mentioned)
    assert {Integrity.HOLDS.value, Integrity.BROKEN.value} < set(mentioned)


@pytest.mark.parametrize("language", Language)
def test_every_event_that_can_be_taken_back_and_every_hint_level_has_a_word(language: Language) -> None:
    events = {one.__name__ for one in Event.__subclasses__()} - {"Undone", "Asked", "Tied"}
    levels = {level.value for level in HintLevel}
    assert set(TERMS[language]) == events | levels
    assert len(set(TERMS[language].values())) == len(TERMS[language])


def test_only_french_has_a_space_before_high_marks() -> None:
    for language in Language:
        tables = (PHRASES, COSTS, CLOSING, TERMS, ODDITIES, CHOSEN)
        text = " ".join(text for table in tables for text in table[language].values())
        assert (NBSP in text) is (language is Language.FRENCH)
        assert not any(f" {sign}" in text for sign in ":;!?»")
        assert "« " not in text


def test_facts_are_put_into_words() -> None:
    verdict = told(Reason.BAD_PICK, pieces=TWO_CARDS)
    assert say(verdict, CLASSIC) == (
        "The call stays open: a pick is three different cards that lie on the table, "
        "not one red solid oval and two green striped diamonds."
    )
    assert "eine rote" not in say(verdict, RAVENSBURGER, Language.GERMAN)
    assert "ein rotes volles Oval und zwei türkisfarbene" in say(verdict, RAVENSBURGER, Language.GERMAN)


@pytest.mark.parametrize(
    ("players", "text"),
    [
        (("Ann",), "The calls of Ann came"),
        (("Ann", "Ben"), "The calls of Ann and Ben came"),
        (("Ann", "Ben", "Cid"), "The calls of Ann, Ben and Cid came"),
    ],
)
def test_several_are_joined(players: tuple[str, ...], text: str) -> None:
    assert say(told(Reason.TIED, players=players), CLASSIC).startswith(text)


def test_places_are_said_as_records_write_them() -> None:
    verdict = told(Reason.WRONG_SPACE, piece=Tile.parse("1 red oval"), at=(0, 5, 6), space=Tile.parse("2 red oval"))
    assert say(verdict, JUNIOR) == (
        "The tile shows one red oval, but space [0, 5, 6] shows two red ovals: they must be identical."
    )


@pytest.mark.parametrize(
    ("count", "texts"),
    [
        (0, ["There are 0 SETs.", "Es gibt 0 SETs.", "Il y a 0 SET.", "Počet SETů: 0."]),
        (1, ["There is 1 SET.", "Es gibt 1 SET.", "Il y a 1 SET.", "Počet SETů: 1."]),
        (5, ["There are 5 SETs.", "Es gibt 5 SETs.", "Il y a 5 SETs.", "Počet SETů: 5."]),
    ],
)
def test_numbers_have_their_form(count: int, texts: list[str]) -> None:
    assert [say(told(Reason.HINT_COUNT, count=count), CLASSIC, language) for language in Language] == texts


def test_pieces_are_called_what_the_edition_has() -> None:
    verdict = told(Reason.ALL_AGREED, due=3)
    assert [say(verdict, entry).rsplit(":")[-1] for entry in (CLASSIC, JUNIOR, CUBED)] == [
        " 3 cards.",
        " 3 tiles.",
        " 3 dice.",
    ]
    assert say(told(Reason.BEFORE_DEAL), JUNIOR) == "The first tiles have to be laid before that."
    assert say(told(Reason.PIECE_TWICE, piece=TWO_CARDS[0]), CLASSIC) == (
        "No card comes twice in a round: one red solid oval."
    )


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    "name", ["{x}", "{cards.__class__}", "{0}", "{", "}}", "{player}", "%s %(a)s", "$x ${x}", "\\1", "#"]
)
def test_a_name_is_said_as_it_is(name: str, language: Language) -> None:
    facts: dict[str, Fact] = {"player": name, "turn": name}
    assert say(told(Reason.NOT_YOUR_TURN, player=name, turn=name), CLASSIC, language).count(name) >= 2
    assert name in say(
        Verdict(False, Clause.CLASSIC_6, Reason.GAVE_UP, {name: -1}, facts, judged=True), CLASSIC, language
    )
    assert name in say(told(Reason.TIED, players=(name, "Ann")), CLASSIC, language)


def test_set_3_a_set_taken_names_every_feature() -> None:
    first, second, last = cards("1 red solid oval", "2 red striped diamond", "3 red open squiggle")
    verdict = Verdict(
        True, Clause.CLASSIC_5, Reason.SET_TAKEN, {"Ann": 1}, {"player": "Ann"}, (Line((first, second, last), 1),)
    )
    assert say(verdict, CLASSIC) == (
        "A SET for Ann. Number: all different (one, two, three); Colour: all the same (red); "
        "Shading: all different (solid, striped, open); Shape: all different (oval, diamond, squiggle)."
    )
    assert say(verdict, CLASSIC, Language.CZECH) == (
        "SET získává Ann. Množství: všude jiné (jedna, dvě, tři); Barva: všude stejná (červená); "
        "Výplň: všude jiná (plná, pruhovaná, prázdná); Tvar: všude jiný (ovál, kosočtverec, vlnka)."
    )


COST_TEXTS = [
    (Cost.POINT_LOST, "Ann loses one point."),
    (Cost.POINT_SPARED, "The score of Ann stays as it is."),
    (Cost.OUT, "Ann is out until another player finds a SET."),
    (Cost.ALL_IN, "All players are out, so all are in again."),
    (Cost.SET_BACK, "Ann gives back one SET."),
    (Cost.TOKEN_BACK, "Ann gives back one token."),
    (Cost.NOTHING_BACK, "Ann has nothing to give back."),
]


@pytest.mark.parametrize(("cost", "end"), COST_TEXTS)
def test_set_3_a_false_call_says_what_fails_and_what_it_costs(cost: Cost, end: str) -> None:
    first, second, last = cards("1 red solid oval", "2 red solid oval", "3 green solid oval")
    facts: dict[str, Fact] = {"player": "Ann", "cost": cost.value}
    verdict = Verdict(False, Clause.CLASSIC_6, Reason.NOT_A_SET, {}, facts, failed=(first, second, last), judged=True)
    text = say(verdict, edition("classic"))
    assert text.startswith("Not a SET. Colour: two are red and one is ")
    assert text.endswith(end)
    start = f"Ce n'est pas un SET. Couleur{NBSP}: deux fois "
    assert say(verdict, edition("classic"), Language.FRENCH).startswith(start)
    assert missing(verdict) == ()
    assert missing(replace(verdict, facts={"player": "Ann"})) == ("penalty",)


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ("game", "The game is over."),
        ("round", "The round is over; the next one begins with a shuffle."),
    ],
)
def test_what_ends_a_game_or_a_round_says_so(ends: str, said: str) -> None:
    text = say(told(Reason.PILE_OUT, ends=ends), edition("classic"))
    assert text == f"The pile is out: from here on no refill is due. {said}"


def test_a_wild_in_the_hand_is_no_wild_on_the_board() -> None:
    facts: dict[str, Fact] = {"at": (4, 5), "piece": Face(None), "named": Tile.parse("3 red oval")}
    verdict = Verdict(False, Clause.CUBED_15, Reason.SWAP_WRONG_FACE, facts=facts)
    assert say(verdict, edition("cubed")) == "The Wild on [4, 5] stands for three red ovals, not for wild."


def test_cubed_says_each_set_with_its_points_and_the_bonus() -> None:
    other = faces("1 green diamond", "1 red oval", "1 purple squiggle")
    verdict = Verdict(
        True,
        Clause.CUBED_7,
        Reason.DIE_MADE_SETS_BONUS,
        {"Ben": 10},
        {"player": "Ben", "piece": Face.parse("1 red oval"), "at": (4, 8), "bonus": 5},
        (Line(RED_OVALS, 3), Line(other, 2)),
    )
    assert say(verdict, CUBED) == (
        "Ben lays one red oval on [4, 8] and scores 10 points, with a bonus of 5: "
        "one red oval, two red ovals and three red ovals "
        "(number all different, colour all the same, shape all the same; 3 points); "
        "one green diamond, one red oval and one purple wave "
        "(number all the same, colour all different, shape all different; 2 points)."
    )
    assert "(nombre différent partout, couleur la même partout, " in say(verdict, CUBED, Language.FRENCH)


def test_junior_says_no_points_beside_a_line() -> None:
    first, second, last = full_tiles()[0], full_tiles()[9], full_tiles()[18]
    verdict = Verdict(
        True,
        Clause.JUN_4,
        Reason.LINES_COMPLETED,
        {"Ann": 1},
        {"player": "Ann", "piece": first, "at": (0, 0, 0), "count": 1},
        (Line((first, second, last), 1),),
    )
    assert say(verdict, edition("junior-1")).endswith(
        "and wins 1 token: one red oval, two red ovals and three red ovals "
        "(number all different, colour all the same, shape all the same)."
    )


def left_waiting(failed: tuple[Piece, Piece, Piece] | None) -> Verdict:
    facts: dict[str, Fact] = {"piece": Face.parse("1 red oval"), "at": (4, 8)}
    return Verdict(False, Clause.CUBED_7, Reason.DIE_LEFT_WAITING, {}, facts, failed=failed)


def test_a_die_left_waiting_says_which_line_fails_if_there_is_one() -> None:
    start = "On [4, 8] this would be left without a SET at the end of the turn: one red oval."
    assert say(left_waiting(None), CUBED) == start
    broken = faces("1 red oval", "2 red oval", "2 red oval")
    assert say(left_waiting(broken), CUBED) == f"{start} Number: two are twos and one is a one."
    same = faces("1 red oval", "1 red oval", "1 red oval")
    assert say(left_waiting(same), CUBED) == f"{start} All three are identical."
    assert missing(left_waiting(None)) == ()


def test_a_hint_of_squares_names_the_wilds() -> None:
    wild = Face.parse("wild")
    verdict = told(
        Reason.HINT_PLACES,
        pieces=(RED_OVALS[0], wild, wild),
        places=((4, 8), (4, 9), (5, 9)),
        named=(Tile.parse("2 red oval"),),
    )
    assert say(verdict, CUBED) == (
        "Look at this: one red oval on [4, 8], wild as two red ovals on [4, 9] and wild as … on [5, 9]."
    )
    assert missing(verdict) == ()
    assert missing(told(Reason.HINT_PLACES, pieces=RED_OVALS)) == ("spots",)


@pytest.mark.parametrize("language", Language)
def test_what_is_taken_back_is_said_in_the_language(language: Language) -> None:
    text = say(told(Reason.UNDONE, what="Dealt"), CLASSIC, language)
    assert TERMS[language]["Dealt"] in text
    assert ("Dealt" in text) is False
    assert "Unheard" in say(told(Reason.UNDONE, what="Unheard"), CLASSIC, language)


def test_a_name_that_is_a_term_stays_a_name() -> None:
    assert say(told(Reason.CALLED, player="never"), CLASSIC, Language.GERMAN).startswith("never ruft")


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("reason", Reason)
def test_a_fact_that_is_missing_is_found_and_does_not_stop_the_judge(reason: Reason, language: Language) -> None:
    verdict = told(reason)
    text = say(verdict, JUNIOR, language)
    assert ("…" in text) is bool(missing(verdict))
    assert "{" not in text


# What the games really say.


PLACES: tuple[Place, ...] = ((0, 0), (9, 9), (3, 4), (4, 2), (4, 6), (5, 3), (0, 1, 2), (2, 2, 2), (9, 1, 1))


def odd_events(key: str, state: State, random: Random) -> Iterator[Event]:
    """Yield events of every kind, as careless people might report them."""
    name, other = random.choice(state.players), random.choice(state.players)
    deck = EDITIONS[key].deck
    lying = getattr(state, "table", ()) or deck
    one, two, three = (tuple(random.choice(choice) for _ in range(3)) for choice in (lying, lying, deck))
    yield from (Dealt(three), Dealt(three[:1]), Called(name), Picked(name, one), GaveUp(name), NoSet(name), PileOut())
    yield from (Shuffled(), Shuffled(name), Claimed(name, two), Passed(name), TurnEnded(name), Undone(), Ended())
    yield from (Asked(name, random.choice(list(HintLevel))), Tied((name, other)), Corrected(999, one[0], one[1]))
    yield from (Laid(name, piece, at) for piece in (one[0], three[0]) for at in (None, *PLACES))
    if isinstance(state, CubedState):
        yield from odd_rolls(name, state.hand(name), random)


def odd_rolls(name: str, held: tuple[Face, ...], random: Random) -> Iterator[Event]:
    """Yield events of Cubed with the dice in the hand, with others, and with names for what is no Wild."""
    tile = random.choice(full_tiles())
    shown = (*held, *(Face(random.choice((tile, None))) for _ in range(2)))
    yield from (Laid(name, face, at, named) for face in shown for at in PLACES[:6] for named in (None, tile))
    yield from (Rolled(name, shown[:size]) for size in (3, 4, 5))
    yield from (Announced(name, shown[:size], names) for size in (2, 3) for names in ((), (tile,)))
    yield from (Swapped(name, shown[-2], at) for at in PLACES[:6])


@cache
def said(key: str, seed: int) -> dict[Reason, tuple[Verdict, ...]]:
    """Return what a whole game says, and what is said to odd events on its way, up to five verdicts a reason."""
    referee, random = played(key, seed), Random(seed)  # noqa: S311
    verdicts = list(referee.verdicts)
    length = len(referee.log)
    for number in (*range(min(12, length)), *range(12, length + 1, max(1, length // 30))):
        state = referee.at(number)
        for event in odd_events(key, state, random):
            after, verdict = referee.game.apply(state, event)
            again = referee.game.apply(after, event)[1]
            verdicts += [verdict, again]
    found: dict[Reason, tuple[Verdict, ...]] = {}
    for verdict in verdicts:
        found[verdict.reason] = (*found.get(verdict.reason, ())[:4], verdict)
    return found


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("key", EDITIONS)
def test_the_games_give_every_fact_that_is_mentioned(key: str, language: Language) -> None:
    for seed in range(len(TABLES[key])):
        for verdicts in said(key, seed).values():
            for verdict in verdicts:
                text = say(verdict, EDITIONS[key], language)
                assert missing(verdict) == (), verdict
                assert "…" not in text
                assert not set(text) & set("{}|#")


ENGINE = Path(__file__).resolve().parents[1] / "engine"
NODES = [node for path in ENGINE.glob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
MADE = {"failed", "fault", "features", "kind", "kinds", "penalty", "sets", "spots", "total"}


def reason_of(node: ast.AST) -> Reason | None:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Reason":
        return Reason[node.attr]
    return None


def test_every_reason_is_used() -> None:
    assert {reason_of(node) for node in NODES} - {None} == set(Reason)


def test_every_call_that_names_its_reason_gives_the_facts_that_are_mentioned() -> None:
    """Read from the code, so that no rare verdict is left out."""
    checked = set()
    for node in NODES:
        reasons = [reason_of(one) for one in node.args] if isinstance(node, ast.Call) else []
        for reason in filter(None, reasons):
            assert isinstance(node, ast.Call)
            if isinstance(node.func, ast.Name) and node.func.id in ("accept", "refuse"):
                given = {one.arg for one in node.keywords} | MADE
                assert names_in(PHRASES[Language.ENGLISH][reason]) <= given, reason
                checked.add(reason)
    assert len(checked) > 80


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.ENGLISH, "Ann lays wild as one red oval on [1, 2]"),
        (Language.GERMAN, "Joker als ein rotes Oval"),
        (Language.FRENCH, "joker pour un ovale rouge"),
        (Language.CZECH, "žolík jako jeden červený ovál"),
    ],
)
def test_a_wild_is_said_with_what_it_stands_for(language: Language, said: str) -> None:
    named = Face.parse("1 red oval")
    verdict = accept(Clause.CUBED_7, Reason.DIE_WAITS, player="Ann", piece=Face(None), named=named, at=(1, 2))
    assert said in say(verdict, edition("cubed"), language)
