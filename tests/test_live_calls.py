"""Calls at a live table: late, out of order, tied, without a pick, and the picks that follow them."""

from __future__ import annotations

import math

import pytest

from engine.events import Called, Dealt, GaveUp, NoSet, Picked, Undone
from engine.game import UnknownPlayerError
from service.live.desk import Call, CallDesk
from service.live.errors import CallTimeError, NoTieError, NotTiedError, TiedError
from service.live.happenings import HappeningKind
from service.live.settings import LiveSettings
from tests.games import DEALT
from tests.live import Played, of_kind, plain

SET = (DEALT[0], DEALT[1], DEALT[9])
NO_SET = (DEALT[0], DEALT[1], DEALT[2])


def dealt(settings: LiveSettings | None = None) -> Played:
    """A table of twelve cards, dealt and settled."""
    game = Played(settings=settings or LiveSettings())
    game.lay(*DEALT)
    game.look(0.5)
    assert types(game) == ["dealt"]
    return game


def types(game: Played) -> list[str]:
    """The types of the events of the record."""
    return [plain(line)["type"] for line in game.table.record[1:]]


def lift(game: Played, *pieces: object) -> None:
    """Let a hand take pieces away."""
    game.look(0.5, settled=False)
    game.lift(*pieces)  # type: ignore[arg-type]
    game.look(0.5, settled=False)


def test_a_call_and_a_pick() -> None:
    game = dealt()
    game.call("Ben")
    assert game.table.caller == "Ben"
    lift(game, *SET)
    assert game.table.scores == {"Ann": 0, "Ben": 0}, "nothing is judged before the table has settled"
    (picked,) = game.look()
    assert (picked.type, picked.player, picked.ok, dict(picked.points)) == ("picked", "Ben", True, {"Ben": 1})
    assert picked.sure
    assert set(picked.pieces) == set(SET)


def test_a_false_pick_is_judged_and_its_return_is_no_event() -> None:
    game = dealt()
    game.call("Ann")
    lift(game, *NO_SET)
    (picked,) = game.look()
    assert (picked.ok, picked.judged, dict(picked.points)) == (False, True, {"Ann": -1})
    game.lay(*NO_SET)
    assert game.look(4) == []
    assert game.table.layout == game.table.layout.of(game.lying)


def test_cards_shown_and_put_back_within_one_change_are_judged() -> None:
    game = dealt()
    game.call("Ann")
    lift(game, *NO_SET)
    game.lay(*NO_SET)
    game.look(0.5, settled=False)
    (picked,) = game.look()
    assert (picked.type, picked.ok, set(picked.pieces)) == ("picked", False, set(NO_SET))


def test_a_hand_that_covers_three_cards_for_a_moment_shows_nothing() -> None:
    game = dealt()
    game.call("Ann")
    game.lift(*NO_SET)
    game.look(0.2, settled=False)
    game.lay(*NO_SET)
    game.look(0.5, settled=False)
    assert game.look() == []


def test_without_a_call_nothing_is_shown_by_lifting() -> None:
    game = dealt()
    lift(game, *SET)
    game.lay(*SET)
    game.look(0.5, settled=False)
    assert game.look(3) == []


def test_three_gone_and_three_new_are_pick_and_deal() -> None:
    game = dealt()
    game.call("Ann")
    lift(game, *SET)
    deck = game.table.referee.state.deck
    game.lay(*sorted(deck - set(DEALT))[:3])
    assert [one.type for one in game.look()] == ["picked", "dealt"]


def test_calls_are_held_and_come_in_any_order() -> None:
    game = dealt()
    now = game.time
    assert game.table.call("Ben", now + 0.02) == ()
    assert game.table.call("Ann", now - 0.04) == ()
    assert types(game) == ["dealt"]
    told = game.look()
    assert game.table.caller == "Ann"
    assert [(one.player, one.ok) for one in of_kind(told, HappeningKind.EVENT)] == [("Ann", True), ("Ben", False)]


def test_calls_too_close_to_part_are_tied_and_people_decide() -> None:
    game = dealt()
    now = game.time
    game.table.call("Ben", now)
    game.table.call("Ann", now + 0.03)
    event, tie = game.look()
    assert (event.type, event.ok) == ("tied", True)
    assert tie.kind is HappeningKind.TIE
    assert dict(tie.times) == {"Ben": now, "Ann": now + 0.03}
    with pytest.raises(NotTiedError, match="'Cid' is not among the tied players: Ben, Ann"):
        game.table.choose("Cid")
    (called,) = game.table.choose("Ann")
    assert (called.type, called.player, called.ok) == ("called", "Ann", True)
    with pytest.raises(NoTieError):
        game.table.choose("Ben")


def tied() -> Played:
    """A table at which Ann and Ben have called at the same time."""
    game = dealt()
    for player in ("Ann", "Ben"):
        game.table.call(player, game.time)
    game.look()
    assert game.table.tie is not None
    return game


def test_a_player_cannot_decide_a_tie_by_telling_a_call() -> None:
    game = tied()
    for player in ("Ann", "Ben", "Ann"):
        with pytest.raises(TiedError, match=r"^Ann and Ben are tied: the host decides$"):
            game.table.put(Called(player), host=False)
    assert (game.table.caller, types(game)) == (None, ["dealt", "tied"])


def test_a_host_who_tells_the_call_of_one_who_is_tied_decides() -> None:
    game = tied()
    (told,) = game.table.put(Called("Ben"))
    assert (told.type, told.player, told.ok) == ("called", "Ben", True)
    assert game.table.caller == "Ben"
    assert game.table.tie is None
    assert game.table.put(Called("Ann"), host=False)[0].ok is False, "there is no tie any more: the referee refuses it"


def test_somebody_who_is_not_tied_has_no_part_in_a_tie() -> None:
    game = Played(header='{"game": "classic", "players": ["Ann", "Ben", "Cid"], "options": {}}')
    game.lay(*DEALT)
    game.look(0.5)
    for player in ("Ann", "Ben"):
        game.table.call(player, game.time)
    game.look()
    with pytest.raises(NotTiedError, match="'Cid' is not among"):
        game.table.put(Called("Cid"))
    with pytest.raises(NotTiedError, match="'Cid' is not among"):
        game.table.choose("Cid")
    assert game.table.tie is not None
    game.table.choose(None)
    with pytest.raises(NoTieError, match=r"^no calls are tied: there is nothing to decide$"):
        game.table.choose(None)


def test_who_picks_while_calls_are_tied_hears_that_the_host_decides() -> None:
    game = tied()
    for event in (Picked("Ann", SET), GaveUp("Ben")):
        (told,) = game.table.put(event, host=False)
        assert told.ok is False
        assert told.text.endswith("The host decides first: Ann and Ben are tied.")
    game.table.choose("Ann")
    (told,) = game.table.put(Picked("Ben", SET))
    assert "decides" not in told.text


def test_a_tie_can_count_for_nobody() -> None:
    game = dealt()
    for player in ("Ann", "Ben"):
        game.table.call(player, game.time)
    game.look()
    assert [one.kind for one in game.table.choose(None)] == [HappeningKind.MESSAGE]
    assert game.table.tie is None
    assert types(game) == ["dealt", "tied"]


def test_calls_of_unsure_clocks_are_tied_by_their_errors() -> None:
    game = dealt()
    game.table.call("Ann", game.time, error=0.1)
    game.table.call("Ben", game.time + 0.15, error=0.06)
    game.look(0.5)
    assert game.table.tie is not None
    assert game.table.tie.players == ("Ann", "Ben")


def test_a_pick_after_a_tie_is_asked_about_among_the_tied() -> None:
    game = Played(header='{"game": "classic", "players": ["Ann", "Ben", "Cid"], "options": {}}')
    game.lay(*DEALT)
    game.look(0.5)
    for player in ("Ann", "Cid"):
        game.table.call(player, game.time)
    game.look()
    lift(game, *SET)
    (oddity,) = of_kind(game.look(3), HappeningKind.ODDITY)
    assert [choice.players for choice in oddity.choices] == [("Ann",), ("Cid",)]
    assert oddity.number is not None
    game.table.accept(oddity.number, 1)
    assert game.table.scores == {"Ann": 0, "Ben": 0, "Cid": 1}
    assert game.table.tie is None


def test_an_earlier_call_that_comes_late_takes_the_place_of_the_open_one() -> None:
    game = dealt()
    game.look(0.5)
    game.call("Ben")
    at = game.time - 0.5
    told = game.table.call("Ann", at)
    assert [one.type for one in told] == ["undone", "called"]
    assert game.table.caller == "Ann"


def test_a_late_call_that_clashes_with_the_open_one_makes_a_tie() -> None:
    game = dealt()
    at = game.time
    game.call("Ben")
    told = game.table.call("Ann", at + 0.01)
    assert [one.type for one in told] == ["undone", "tied", None]
    assert game.table.caller is None


def test_a_call_that_is_far_too_late_displaces_none() -> None:
    game = dealt(LiveSettings(late=1.0))
    at = game.time - 0.2
    game.call("Ben")
    game.look(2.0)
    (told,) = game.table.call("Ann", at)
    assert (told.type, told.ok, game.table.caller) == ("called", False, "Ben")


def test_a_late_call_tells_whose_a_pick_was() -> None:
    game = dealt()
    at = game.time
    lift(game, *SET)
    assert game.look() == [], "nobody has called: it waits"
    game.table.call("Ben", at)
    assert [(one.type, one.player) for one in game.look()] == [("picked", "Ben")]


def test_a_call_during_the_change_of_the_caller_waits_for_its_end() -> None:
    game = dealt()
    game.call("Ann")
    lift(game, *SET)
    game.table.call("Ben", game.time)
    game.look(0.3, settled=False)
    assert game.table.caller == "Ann"
    told = game.look(settled=True)
    assert [one.type for one in told] == ["called", "picked"], "Ben's call came before the change was over"
    assert [one.ok for one in told] == [False, True]


def test_second_calls_of_a_player_are_no_events() -> None:
    game = dealt()
    game.table.call("Ann", game.time)
    (again,) = game.table.call("Ann", game.time + 0.01)
    assert again.kind is HappeningKind.MESSAGE
    game.look()
    (late,) = game.table.call("Ann", game.time)
    assert late.kind is HappeningKind.MESSAGE
    assert types(game) == ["dealt", "called"]


def test_calls_by_strangers_or_at_no_time_are_refused() -> None:
    game = dealt()
    with pytest.raises(UnknownPlayerError, match="Zoe"):
        game.table.call("Zoe", 1.0)
    with pytest.raises(CallTimeError, match="nan"):
        game.table.call("Ann", math.nan)


def test_a_locked_out_player_ties_with_nobody() -> None:
    header = '{"game": "ravensburger", "players": ["Ann", "Ben"], "options": {}}'
    game = Played(header=header)
    deck = game.table.header.edition.deck
    game.lay(*deck[:12])
    game.look(0.5)
    game.call("Ann")
    game.table.give_up("Ann")
    for player in ("Ann", "Ben"):
        game.table.call(player, game.time)
    assert [(one.player, one.ok) for one in game.look()] == [("Ann", False), ("Ben", True)]


@pytest.mark.parametrize("limit", [None, 3.0])
def test_no_pick_in_time_is_a_false_call(limit: float | None) -> None:
    game = dealt(LiveSettings(call_limit=limit))
    at = game.time
    game.call("Ann")
    told = game.look(5)
    assert [one.type for one in told] == ([] if limit is None else ["gave_up"])
    if limit is not None:
        assert told[0].time == pytest.approx(at + limit)
        assert game.table.scores == {"Ann": -1, "Ben": 0}


def test_a_hand_on_the_table_at_the_limit_may_finish() -> None:
    game = dealt(LiveSettings(call_limit=1.0))
    game.call("Ann")
    game.look(0.5)
    game.look(2.0, settled=False)
    game.lift(*SET)
    assert [one.type for one in game.look()] == ["picked"]
    assert game.table.scores == {"Ann": 1, "Ben": 0}


def test_a_hand_that_brings_nothing_ends_the_call() -> None:
    game = dealt(LiveSettings(call_limit=1.0))
    game.call("Ann")
    game.look(2.0, settled=False)
    assert [one.type for one in game.look()] == ["gave_up"]


def test_time_passes_without_pictures_too() -> None:
    game = dealt(LiveSettings(call_limit=1.0))
    game.table.call("Ann", game.time)
    assert [one.type for one in game.table.tick(game.time + 0.2)] == ["called"]
    assert [one.type for one in game.table.tick(game.time + 1.2)] == ["gave_up"]
    assert game.table.tick(0.0) == ()
    assert game.table.now == pytest.approx(game.time + 1.2)


def test_a_call_that_is_told_while_it_is_held_is_no_tie_with_itself() -> None:
    game = dealt()
    game.table.call("Ben", game.time, 0.25)
    assert [one.ok for one in game.table.put(Called("Ben"))] == [True]
    (told,) = game.table.tick(game.time + 2.0)
    assert (told.kind, told.text) == (HappeningKind.MESSAGE, "Ben has called already.")
    assert (game.table.tie, game.table.caller) == (None, "Ben")


def test_of_calls_that_are_held_only_those_of_others_contest_one_that_is_told() -> None:
    game = dealt()
    game.table.call("Ben", game.time, 0.25)
    game.table.call("Ann", game.time, 0.25)
    game.table.put(Called("Ben"))
    game.table.tick(game.time + 2.0)
    assert game.table.tie is not None
    assert sorted(game.table.tie.players) == ["Ann", "Ben"]


def test_undoing_a_call_frees_the_table() -> None:
    game = dealt()
    game.call("Ann")
    (undone,) = game.table.undo()
    assert (undone.type, undone.ok, game.table.caller) == ("undone", True, None)
    game.call("Ben")
    assert game.table.caller == "Ben"


def test_events_that_people_tell_are_judged() -> None:
    game = dealt()
    (called,) = game.table.put(Called("Ann"))
    assert (called.ok, game.table.caller) == (True, "Ann")
    assert game.table.put(Undone())[0].ok


def test_the_desk_gives_calls_out_in_order_and_with_those_that_clash() -> None:
    desk = CallDesk(0.05)
    for player, at in (("C", 1.2), ("B", 1.04), ("A", 1.0)):
        assert desk.add(Call(player, at))
    assert not desk.add(Call("A", 0.0))

    def any_call(_: Call) -> bool:
        return True

    assert desk.ready(1.04, any_call) == ()
    assert {call.player for call in desk.ready(1.06, any_call)} == {"A", "B"}
    assert [call.player for call in desk.waiting] == ["C"]
    assert desk.ready(9.0, lambda call: call.at > 2) == ()
    assert [call.player for call in desk.ready(9.0, any_call)] == ["C"]


@pytest.mark.parametrize(
    "ending", [Picked("Ben", SET), Picked("Ben", NO_SET), GaveUp("Ben")], ids=("set", "no set", "gave up")
)
def test_a_call_from_before_the_last_verdict_that_comes_after_it_does_not_count(ending: Picked | GaveUp) -> None:
    game = dealt()
    game.look(1)
    pressed = game.time - 0.5
    game.call("Ben")
    game.table.put(ending)
    scores = game.table.scores
    (told,) = game.table.call("Ann", pressed)
    assert told.kind is HappeningKind.MESSAGE
    assert told.text == "The call of Ann came too late: it is from before the last call was judged."
    assert (game.table.caller, game.table.scores, len(types(game))) == (None, scores, 3)
    game.call("Ann")
    assert game.table.caller == "Ann"


def test_a_call_whose_error_reaches_over_the_last_verdict_counts() -> None:
    game = dealt()
    game.look(1)
    game.call("Ben")
    game.table.put(GaveUp("Ben"))
    over = game.time
    game.look(1)
    game.table.call("Ann", over - 0.2, 0.1)
    assert game.table.caller is None
    game.table.call("Ann", over - 0.2, 0.25)
    assert game.table.caller == "Ann"


def test_a_call_from_before_the_last_deal_that_comes_after_it_does_not_count() -> None:
    game = dealt()
    game.look(1)
    for event in (NoSet("Ann"), NoSet("Ben")):
        game.table.put(event)
    before = game.time
    game.look(1)
    game.table.put(Dealt(tuple(sorted(game.table.referee.state.deck - set(DEALT))[:3])))
    (told,) = game.table.call("Ann", before)
    assert told.text == "The call of Ann came too late: it is from before the last deal."
    assert game.table.caller is None
    game.table.put(Undone())
    game.table.call("Ann", before)
    assert game.table.caller == "Ann", "that deal has been taken back"


def test_a_call_that_was_there_before_a_deal_was_told_counts() -> None:
    game = dealt()
    game.look(1)
    for event in (NoSet("Ann"), NoSet("Ben")):
        game.table.put(event)
    game.table.call("Ann", game.time - 0.01)
    game.table.tick(game.time + 0.02)
    game.table.put(Dealt(tuple(sorted(game.table.referee.state.deck - set(DEALT))[:3])))
    game.look()
    assert game.table.caller == "Ann"


def test_a_call_from_before_the_last_verdict_takes_no_open_call_away() -> None:
    game = dealt()
    game.look(1)
    pressed = game.time - 0.5
    game.call("Ben")
    game.table.put(GaveUp("Ben"))
    game.look(0.5)
    game.call("Ben")
    (told,) = game.table.call("Ann", pressed)
    assert told.kind is HappeningKind.MESSAGE
    assert game.table.caller == "Ben"


def test_where_nobody_looks_calls_do_not_matter_in_games_without_them() -> None:
    game = Played("setup")
    (told,) = game.table.call("Ann", 0.0)
    assert told.text == "Ann calls: calls do not matter in this game without a camera."
    game.look()
    (told,) = game.table.call("Ann", game.time)
    assert told.text == "Ann says: mine."
