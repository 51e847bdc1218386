"""The live loop: pictures, calls and keys in; a refereed game, a window and a video out. Without a screen."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.hints import HintLevel
from engine.tokens import Face
from service import watch_game
from service.board_file import CubedFile
from service.game import Game
from service.watch_calls import PlannedCall
from service.watch_files import VideoFile
from tests.fake_moments import moment, track
from tests.watching import NAMES, FakeTracker, Stage, Told, shots, stage, table_at
from vision.shots import Notice, NoticeKind, Shot
from vision.tracks import Moment
from vision.types import Image

Put = Callable[..., Stage]


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Put:
    """Sets up a loop whose tracker is a fake."""

    def opened(tracker: FakeTracker) -> None:
        monkeypatch.setattr(watch_game, "open_tracker", lambda *asked: tracker)

    def made(
        seen: Callable[[float], Moment], items: Sequence[Shot | Notice], told: Told | None = None, *, live: bool = False
    ) -> Stage:
        return stage(opened, seen, items, told, live=live)

    return made


def still(time: float) -> Moment:
    """Twelve cards that lie still."""
    return table_at(time)


def picked(time: float) -> Moment:
    """The first three cards are taken after two seconds."""
    if time < 2:
        return table_at(time)
    return table_at(time, NAMES[3:], settled=time > 2.5)


def types(stage: Stage) -> list[str]:
    """The events of the record."""
    return [json.loads(line)["type"] for line in stage.record[1:]]


def test_a_game_with_recorded_calls_is_refereed(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    run = put(picked, shots(40), Told(calls=[PlannedCall(1.2, "Ben")]))
    run.loop.run()
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert types(run) == ["dealt", "called", "picked"]
    assert [one["type"] for one in told[:-1]] == types(run)
    assert told[2]["player"] == "Ben"
    assert told[2]["points"] == {"Ben": 1}
    assert told[-1]["outcome"]["scores"] == {"Ann": 0, "Ben": 1}
    assert len(run.window.shown) == 40


def test_a_key_calls_for_its_player(put: Put) -> None:
    run = put(picked, shots(40), Told(keys={12: "2"}))
    run.loop.run()
    assert types(run) == ["dealt", "called", "picked"]
    called = json.loads(run.record[2])
    assert called["player"] == "Ben"
    assert called["t"] == pytest.approx(1.1, abs=0.06)


def test_keys_of_players_who_are_not_there_do_nothing(put: Put) -> None:
    run = put(still, shots(20), Told(keys={8: "3a", 9: [0xFFFF, 7]}))
    run.loop.run()
    assert types(run) == ["dealt"]


def test_two_keys_at_once_are_a_tie_that_people_decide(put: Put) -> None:
    run = put(picked, shots(40), Told(keys={10: "12", 14: "2"}))
    run.loop.run()
    assert types(run) == ["dealt", "tied", "called", "picked"]
    assert json.loads(run.record[3])["player"] == "Ben"


def test_a_tie_can_be_nobodys(put: Put) -> None:
    run = put(still, shots(30), Told(keys={10: "12", 14: "x"}))
    run.loop.run()
    assert types(run) == ["dealt", "tied"]


def test_a_pick_that_nobody_has_called_is_given_to_the_key_pressed(put: Put) -> None:
    def seen(time: float) -> Moment:
        return table_at(time, NAMES if time < 2 else NAMES[3:])

    run = put(seen, shots(70), Told(keys={55: "1"}))
    run.loop.run()
    assert "picked" in types(run)
    assert json.loads(run.record[-1])["player"] == "Ann"


def test_what_is_odd_can_be_ignored(put: Put) -> None:
    def seen(time: float) -> Moment:
        return table_at(time, NAMES if time < 2 else NAMES[1:])

    run = put(seen, shots(80), Told(keys={60: "w", 61: "x", 62: "y"}))
    run.loop.run()
    table = run.loop.table
    assert table is not None
    assert table.oddity is None
    assert types(run) == ["dealt"]


def test_a_player_who_shows_nothing_loses_a_point_and_gets_it_back(put: Put) -> None:
    run = put(still, shots(40), Told(keys={10: "1", 15: "g", 20: "u"}))
    run.loop.run()
    assert types(run) == ["dealt", "called", "gave_up", "undone"]


def test_everybody_can_say_that_there_is_no_set(put: Put) -> None:
    run = put(still, shots(20), Told(keys={10: "n"}))
    run.loop.run()
    assert types(run) == ["dealt", "no_set", "no_set"]


LOGO = {(4, 3): "1 red oval", (4, 4): "2 red oval", (4, 5): "3 red oval"}


def on_the_board(time: float) -> Moment:
    """The first SET on the logo, and from the third second on two dice more that make a SET with one of them."""
    dice = LOGO | ({(5, 3): "1 green oval", (6, 3): "1 purple oval"} if time >= 3 else {})
    tracks = [track(number, Face.parse(name), cell=at) for number, (at, name) in enumerate(dice.items())]
    return moment(time, tracks, changed=0.0 if time < 3 else 3.0)


def test_a_key_ends_the_turn_in_cubed_and_nothing_elsewhere(put: Put) -> None:
    board = CubedFile(game="cubed", rows=9, columns=9, logo=[(4, 3), (4, 4), (4, 5)], bonus=[])
    asked = Told(keys={1: "1", 45: "t"}, game=Game.CUBED, board=board)
    run = put(on_the_board, shots(60), asked)
    run.loop.run()
    assert [kind for kind in types(run) if kind not in ("rolled", "corrected")] == [
        "announced", "laid", "laid", "turn_ended"
    ]  # fmt: skip
    run = put(still, shots(20), Told(keys={10: "t"}))
    run.loop.run()
    assert types(run) == ["dealt"]


def test_the_banner_counts_down_to_the_limit(put: Put) -> None:
    run = put(still, shots(30), Told(keys={10: "1"}, call_limit=5.0))
    run.loop.run()
    view = run.screen.view(table_at(3.0), run.loop.game)
    assert view.banner is not None
    assert view.banner.text == "Ann has the table · 2.9 s"
    assert [seat.active for seat in view.seats] == [True, False]


def test_a_dispute_shows_the_three_and_can_be_stepped(put: Put) -> None:
    run = put(picked, shots(60), Told(keys={12: "1", 40: "d", 45: ",,", 48: "..", 50: [27]}))
    run.loop.run()
    shown = run.window.shown
    live, frozen, earlier, again, back = (shown[number] for number in (39, 43, 46, 49, 55))
    assert _differ(live, frozen)
    assert not _differ(shown[41], shown[43])
    assert _differ(frozen, earlier)
    assert not _differ(frozen, again)
    assert _differ(again, back)


def _differ(one: Image, other: Image) -> bool:
    return bool((np.abs(one.astype(int) - other) > 30).mean() > 0.02)


def test_a_dispute_before_anything_was_seen_is_a_message(put: Put) -> None:
    run = put(still, shots(6), Told(keys={1: "d"}))
    run.loop.run()
    assert run.screen.dispute is None


def test_a_dispute_before_anybody_has_called_is_a_message(put: Put) -> None:
    run = put(still, shots(20), Told(keys={18: "d"}))
    run.loop.run()
    assert types(run) == ["dealt"]
    assert run.screen.dispute is None
    view = run.screen.view(table_at(2.0), run.loop.game)
    assert "there is no call to look back at: nobody had called by then" in str(view)


def test_a_misread_card_of_a_dispute_is_set_right_and_judged_anew(put: Put) -> None:
    """The pick was a SET; if its first card is striped it was none."""
    keys: dict[int, str | Sequence[int]] = {12: "1", 40: "d", 42: "m", 44: [0xFF54, 0xFF54, 0xFF53], 46: "y", 50: [27]}
    run = put(picked, shots(60), Told(keys=keys))
    run.loop.run()
    assert types(run)[-1] == "corrected"
    assert json.loads(run.record[-1])["from"] == NAMES[0]
    assert json.loads(run.record[-1])["to"] == "1 red striped oval"
    table = run.loop.table
    assert table is not None
    assert table.scores == {"Ann": -1, "Ben": 0}
    assert _differ(run.window.shown[41], run.window.shown[48])


def test_a_misread_card_on_the_table_is_told_to_the_tracker(put: Put) -> None:
    keys: dict[int, str | Sequence[int]] = {10: "mm", 12: [0xFF54, 0xFF54, 0xFF53], 14: "y"}
    run = put(still, shots(16), Told(keys=keys))
    run.loop.run()
    assert json.loads(run.record[-1])["type"] == "corrected"
    assert [(identity, str(piece)) for identity, piece in run.tracker.corrected] == [(1, "2 red striped oval")]


def test_a_correction_can_be_left(put: Put) -> None:
    keys: dict[int, str | Sequence[int]] = {10: "m", 12: [0xFF53, 27], 14: "y"}
    run = put(still, shots(20), Told(keys=keys))
    run.loop.run()
    assert types(run) == ["dealt"]
    assert run.tracker.corrected == []


def test_without_a_game_a_card_can_be_set_right_too(put: Put) -> None:
    keys: dict[int, str | Sequence[int]] = {10: "m", 12: [0xFF51], 14: "y"}
    run = put(still, shots(20), Told(players=(), keys=keys))
    run.loop.run()
    assert [(identity, str(piece)) for identity, piece in run.tracker.corrected] == [(0, "3 red solid oval")]


def test_hints_go_no_further_than_the_table_allows(put: Put) -> None:
    run = put(still, shots(20), Told(hints=HintLevel.COUNT, keys={5: "h", 8: "HHHH"}))
    run.loop.run()
    assert json.loads(run.record[0])["options"] == {"hints": "count"}
    assert run.screen.level is HintLevel.NEVER
    more = put(still, shots(20), Told(hints=HintLevel.COUNT, keys={5: "hhh"}))
    more.loop.run()
    assert more.screen.level is HintLevel.COUNT
    assert not any(tag.groups for tag in more.screen.view(table_at(2.0), more.loop.game).tags)


def test_without_players_everything_is_shown_and_nothing_refereed(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    run = put(still, shots(20), Told(players=(), keys={5: "12dgnux"}))
    run.loop.run()
    assert run.loop.table is None
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["kind"] for one in told] == ["table"]
    assert list(NAMES[:3]) in told[0]["sets"]
    assert any(tag.groups for tag in run.screen.view(table_at(2.0), run.loop.game).tags)


def test_keys_of_the_view_change_only_the_view(put: Put) -> None:
    run = put(still, shots(40), Told(keys={10: "o", 14: "o", 18: "o", 22: "s", 26: "?", 30: "?"}))
    run.loop.run()
    shown = run.window.shown
    assert types(run) == ["dealt"]
    assert _differ(shown[9], shown[12])
    assert not _differ(shown[9], shown[21])
    assert _differ(shown[21], shown[24])
    assert _differ(shown[24], shown[28])


def test_a_pause_stops_the_film_and_not_the_window(put: Put) -> None:
    run = put(still, shots(20), Told(keys={5: "p", 12: "p"}))
    run.loop.run()
    assert run.source.polls == 20
    assert len(run.window.shown) == 27


def test_quitting_ends_at_once(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    run = put(still, shots(40), Told(keys={7: "q"}))
    run.loop.run()
    assert len(run.window.shown) == 7
    assert "outcome" in capsys.readouterr().out


def test_closing_the_window_ends_it(put: Put) -> None:
    run = put(still, shots(40))
    run.window.closed = True
    run.loop.run()
    assert len(run.window.shown) == 1


def test_a_still_is_kept_beside_those_that_are_there(put: Put, tmp_path: Path) -> None:
    (tmp_path / "set-referee-1.jpg").write_text("mine")
    run = put(still, shots(10), Told(keys={5: "r"}, folder=tmp_path))
    run.loop.run()
    assert (tmp_path / "set-referee-1.jpg").read_text() == "mine"
    assert cv2.imread(str(tmp_path / "set-referee-2.jpg")) is not None


def test_what_changed_last_counts_though_the_video_ends(put: Put) -> None:
    def seen(time: float) -> Moment:
        return table_at(time, NAMES if time < 2 else NAMES[3:], settled=not 2 <= time < 2.4)

    run = put(seen, shots(22), Told(calls=[PlannedCall(1.2, "Ann")]))
    run.loop.run()
    assert types(run) == ["dealt", "called", "picked"]


def test_calls_after_the_end_are_left_out(put: Put) -> None:
    run = put(still, shots(20), Told(calls=[PlannedCall(100.0, "Ann")]))
    run.loop.run()
    assert types(run) == ["dealt"]


def test_a_camera_that_is_gone_is_told_until_it_is_back(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    gone = Notice(NoticeKind.GONE, "camera 0 is gone; trying again", 1.0)
    back = Notice(NoticeKind.BACK, "camera 0 is back", 2.0)
    run = put(still, [*shots(10), gone])
    run.loop.run()
    assert run.screen.view(table_at(1.0), run.loop.game).status == gone.text
    run = put(still, [*shots(10), gone, back])
    run.loop.run()
    assert run.screen.view(table_at(1.0), run.loop.game).status == ""
    assert '"notice": "back"' in capsys.readouterr().out


def test_a_camera_is_not_waited_for_while_its_call_runs_out(put: Put) -> None:
    """Time passes at the table though no picture comes."""
    run = put(still, shots(15), Told(keys={10: "1"}, call_limit=2.0), live=True)
    run.loop.run()
    run.source.time = 9.0
    run.loop._wait_in_silence()
    assert types(run)[-1] == "gave_up"


def test_the_video_holds_what_the_window_shows(put: Put, tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    with VideoFile(str(path)) as video:
        run = put(still, shots(20), Told(video=video))
        run.loop.run()
    kept = cv2.VideoCapture(str(path))
    assert kept.get(cv2.CAP_PROP_FRAME_COUNT) == 20
    there, image = kept.read()
    assert there
    assert np.abs(np.asarray(image, np.int32) - run.window.shown[0]).mean() < 6


def test_words_for_people_are_short_lines(put: Put, capsys: pytest.CaptureFixture[str]) -> None:
    run = put(picked, shots(40), Told(as_json=False, calls=[PlannedCall(1.2, "Ben")]))
    run.loop.run()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "  0:00.0  The deal of 12 cards is right."
    assert lines[2].endswith("[Ben +1]")
    assert lines[-1] == "So far: Ann 0, Ben 1. Ben leads."


def test_keys_are_heard_while_a_picture_is_looked_at(put: Put) -> None:
    """The look lasts until both players have called: of two keys that nobody asks for the system forgets one."""
    run = put(still, shots(20))
    looking, both = threading.Event(), threading.Event()
    keys = iter("21")

    def seen(at: float) -> Moment:
        if at == 1.0:
            looking.set()
            assert both.wait(20)
        return still(at)

    def pressed() -> Iterator[int]:
        if not looking.is_set() or both.is_set():
            return
        key = next(keys, None)
        if key is None:
            both.set()
        else:
            yield ord(key)

    run.tracker.seen = seen
    run.window.pressed = pressed  # type: ignore[method-assign]
    run.loop.run()
    assert both.is_set()
    assert types(run) == ["dealt", "tied"]


def test_what_goes_wrong_in_a_look_is_not_swallowed(put: Put) -> None:
    def seen(at: float) -> Moment:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        put(seen, shots(3)).loop.run()
