"""The command ``watch`` from its arguments to its exit status; what follows the pieces is a fake."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.hints import HintLevel
from engine.sets import find_sets
from engine.tokens import Card, Face, Tile
from service import watch_command, watch_game
from service.game import Game
from service.live.settings import LiveSettings
from service.settings import Settings
from service.watch_game import GameSetup, LiveGame
from service.watch_tracker import GameGuess, game_of
from service.watch_window import PausableClock, has_display
from tests.fake_moments import moment, track
from tests.running import Run, Runner
from tests.watching import NAMES, FakeTracker, FakeWindow, table_at
from vision.tracks import Moment
from vision.types import Deck, Image

PICTURES = 12
"""At two a second: six seconds."""


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A folder of pictures, which stands for a video."""
    folder = tmp_path / "film"
    folder.mkdir()
    for number in range(PICTURES):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((120, 160, 3), 90, np.uint8))
    return folder


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    """Ben calls after two seconds."""
    path = tmp_path / "calls.jsonl"
    path.write_text('{"at": 2.0, "player": "Ben"}\n', encoding="utf-8")
    return path


def game_of_three(time: float) -> Moment:
    """Twelve cards, of which a SET is taken after three seconds."""
    return table_at(time, NAMES if time < 3 else NAMES[3:])


@pytest.fixture
def watch(run: Runner, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Runs the command where there is no screen; ``seen`` says what the tracker sees."""

    def runner(*arguments: str | Path, seen: Callable[[float], Moment] = game_of_three) -> Run:
        monkeypatch.setattr(watch_command, "has_display", lambda: False)
        monkeypatch.setattr(watch_game, "open_tracker", lambda *asked: FakeTracker(seen))
        monkeypatch.setattr(GameGuess, "_looked", lambda *asked: None)
        return run("watch", *arguments)

    return runner


def test_a_game_is_refereed_and_its_record_replays_the_same(
    watch: Callable[..., Run], run: Runner, film: Path, calls: Path, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    done = watch(film, "--fast", "--players", "Ann, Ben", "--calls", calls, "--json", "--save-record", record)
    assert done.status == 0
    assert done.err == ""
    assert done.lines[0]["kind"] == "message"
    assert "--game" in done.lines[0]["text"]
    assert [line.get("type") for line in done.lines[1:]] == ["dealt", "called", "picked", None]
    assert done.lines[-1]["outcome"]["scores"] == {"Ann": 0, "Ben": 1}
    replayed = run("replay", record, "--json")
    assert replayed.status == 0
    assert replayed.lines[-1] == done.lines[-1]
    assert [line["points"] for line in replayed.lines[:-1]] == [line["points"] for line in done.lines[1:-1]]
    assert json.loads(record.read_text().splitlines()[0])["game"] == "classic"


def test_words_go_to_people_and_a_missing_screen_is_said(watch: Callable[..., Run], film: Path, calls: Path) -> None:
    done = watch(film, "--fast", "--players", "Ann,Ben", "--calls", calls)
    assert done.status == 0
    assert done.err.count("\n") == 1
    assert "no window" in done.err
    assert done.out.splitlines()[-1] == "So far: Ann 0, Ben 1. Ben leads."


def test_without_players_what_lies_there_is_told(watch: Callable[..., Run], film: Path) -> None:
    done = watch(film, "--fast")
    assert done.status == 0
    game, first, second = done.out.splitlines()
    assert "This looks like" in game
    assert "12 cards, " in first
    assert "9 cards, " in second


@pytest.mark.parametrize(
    ("level", "keys", "text"),
    [
        ("never", set(), "12 cards"),
        ("yes-no", {"set"}, "12 cards, there is a SET"),
        ("count", {"count"}, "12 cards, {} SETs"),
        ("one", {"count", "hint"}, "12 cards, {} SETs: one red solid oval"),
        ("two", {"count", "hint"}, "12 cards, {} SETs: one red solid oval + two red solid ovals"),
        ("three", {"sets"}, None),
    ],
)
def test_no_more_is_told_of_sets_than_the_hints_allow(
    watch: Callable[..., Run], film: Path, level: str, keys: set[str], text: str | None
) -> None:
    count = len(find_sets([Card.parse(name) for name in NAMES]))
    done = watch(film, "--fast", "--json", "--hints", level)
    line = next(one for one in done.lines if one["kind"] == "table")
    assert set(line) == {"kind", "t", "pieces", "text"} | keys
    if text is not None:
        assert line["text"] == text.format(count)
    else:
        assert len(line["sets"]) == count
    assert line.get("count", count) == count
    assert len(line.get("hint", [])) == HintLevel(level).pieces % 3


def test_the_video_is_written_without_a_window_too(watch: Callable[..., Run], film: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    assert watch(film, "--fast", "--json", "--save-video", path).status == 0
    video = cv2.VideoCapture(str(path))
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) == PICTURES
    assert video.get(cv2.CAP_PROP_FPS) == pytest.approx(2)


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (SystemExit(143), 143), (ValueError(), 2)])
def test_record_and_video_are_whole_on_every_way_out(
    watch: Callable[..., Run], run: Runner, film: Path, tmp_path: Path, error: BaseException, status: int
) -> None:
    record, path = tmp_path / "game.jsonl", tmp_path / "a.mp4"

    def seen(time: float) -> Moment:
        if time > 4:
            raise error
        return table_at(time)

    done = watch(film, "--fast", "--players", "Ann,Ben", "--save-record", record, "--save-video", path, seen=seen)
    assert done.status == status
    assert run("replay", record).status == 0
    assert cv2.VideoCapture(str(path)).get(cv2.CAP_PROP_FRAME_COUNT) == 9


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (SystemExit(143), 143)])
@pytest.mark.parametrize("as_json", [True, False])
def test_an_interrupted_game_tells_how_it_stands(
    watch: Callable[..., Run], film: Path, calls: Path, error: BaseException, status: int, as_json: bool
) -> None:
    def seen(time: float) -> Moment:
        if time > 4:
            raise error
        return game_of_three(time)

    told = ("--json",) if as_json else ()
    done = watch(film, "--fast", "--players", "Ann,Ben", "--calls", calls, *told, seen=seen)
    assert done.status == status
    if as_json:
        assert done.lines[-1]["outcome"]["scores"] == {"Ann": 0, "Ben": 1}
    else:
        assert done.out.splitlines()[-1] == "So far: Ann 0, Ben 1. Ben leads."


def test_the_header_is_there_from_the_start_where_the_game_is_said(
    watch: Callable[..., Run], run: Runner, film: Path, tmp_path: Path
) -> None:
    record, found = tmp_path / "game.jsonl", list[str]()

    def seen(time: float) -> Moment:
        found.append(record.read_text())
        return table_at(time, ())

    done = watch(
        film, "--fast", "--players", "Ann,Ben", "--game", "classic", "--json", "--save-record", record, seen=seen
    )
    assert found[0].startswith('{"game": "classic"')
    assert (done.status, done.err) == (0, "set-referee: Not a single piece was seen.\n")
    assert run("replay", record).status == 0


def test_a_game_that_was_never_known_leaves_a_word_and_no_record(
    watch: Callable[..., Run], film: Path, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    arguments = (film, "--fast", "--players", "Ann,Ben", "--save-record", record)
    few = watch(*arguments, seen=lambda time: table_at(time, NAMES[:2]))
    assert few.out.endswith("say it with --game.\n")
    none = watch(*arguments, "--json", seen=lambda time: table_at(time, ()))
    assert (none.out, none.err) == ("", "set-referee: Not a single piece was seen.\n")
    assert not record.exists()


def test_calls_after_the_end_are_told(watch: Callable[..., Run], film: Path, calls: Path) -> None:
    arguments = (film, "--fast", "--json", "--players", "Ann,Ben", "--calls", calls)
    calls.write_text('{"at": 1000, "player": "Ben"}\n')
    assert watch(*arguments).err == "set-referee: 1 call came after the end.\n"
    calls.write_text('{"at": 2, "player": "Ben"}\n' + '{"at": 1000, "player": "Ben"}\n' * 2)
    done = watch(*arguments)
    assert (done.status, done.err) == (0, "set-referee: 2 calls came after the end.\n")


def test_a_game_with_losers_says_who_is_behind(watch: Callable[..., Run], film: Path) -> None:
    done = watch(film, "--fast", "--players", "Ann,Ben", "--game", "setup")
    assert done.out.splitlines()[-1] == "So far: Ann 0, Ben 0. Nobody is behind."


def test_an_interrupt_has_its_own_status(watch: Callable[..., Run], film: Path) -> None:
    def seen(time: float) -> Moment:
        raise KeyboardInterrupt

    done = watch(film, "--fast", "--json", seen=seen)
    assert done.status == 130
    assert done.err == "set-referee: Not a single piece was seen.\nset-referee: interrupted\n"


def test_a_window_gets_the_pictures_and_is_closed(run: Runner, monkeypatch: pytest.MonkeyPatch, film: Path) -> None:
    window = FakeWindow({5: "q"})
    monkeypatch.setattr(watch_command, "has_display", lambda: True)
    monkeypatch.setattr(watch_command, "ScreenWindow", lambda: window)
    monkeypatch.setattr(watch_game, "open_tracker", lambda *asked: FakeTracker(game_of_three))
    assert run("watch", film, "--fast").status == 0
    assert len(window.shown) == 5
    assert not window.open


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--calls", "c.jsonl"), ("--calls", "--players Ann,Ben")),
        (("--save-record", "r.jsonl"), ("--save-record", "--players")),
        (("--call-limit", "5"), ("--call-limit", "--players")),
        (("--option", "rounds=true"), ("--option", "--players")),
        (("--players", "Ann,Ann"), ("'Ann' twice",)),
        (("--players", "Ann,,Ben"), ("1 to 40 characters",)),
        (("--players", ",".join(f"P{n}" for n in range(13))), ("1 to 12 players",)),
        (("--players", "Ann", "--option", "rounds=true"), ("say with --game",)),
        (("--players", "Ann", "--game", "classic", "--option", "round=true"), ("round",)),
        (("--players", "Ann,Ben", "--game", "cubed"), ("--board FILE",)),
        (("--players", "Ann,Ben", "--calls", "none.jsonl"), ("none.jsonl", "no such file")),
        (("--settle", "0"), ("--settle",)),
        (("--settle", "nan"), ("--settle", "'nan': expected a number (")),
        (("--settle", "x"), ("'x': expected a number (",)),
        (("--players", "Ann,Ben", "--call-limit", "-NaN"), ("--call-limit", "expected a number (")),
        (("--hints", "all"), ("--hints",)),
        (("--game", "poker"), ("poker",)),
        (("--board", "none.json"), ("none.json",)),
        (("--save-video", "a.gif"), (".mp4 or .avi",)),
    ],
)
def test_bad_usage_gets_one_line(
    watch: Callable[..., Run], film: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    watch(film, "--fast", "--json", *arguments).is_refused(*words)


def test_the_board_has_to_be_that_of_the_game(watch: Callable[..., Run], film: Path) -> None:
    board = Path(__file__).resolve().parents[1] / "service/boards/cubed.example.json"
    watch(film, "--board", board, "--game", "classic").is_refused("a board of cubed", "--game says classic")


def test_files_that_are_there_are_kept(watch: Callable[..., Run], film: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text("old")
    arguments = (film, "--fast", "--json", "--players", "Ann,Ben", "--save-record", record)
    watch(*arguments).is_refused("--force")
    assert record.read_text() == "old"
    assert watch(*arguments, "--force").status == 0
    assert record.read_text().startswith('{"game": "classic"')


@pytest.mark.parametrize("option", ["--save-record", "--save-video"])
def test_the_calls_are_never_written_over(watch: Callable[..., Run], film: Path, calls: Path, option: str) -> None:
    arguments = (film, "--json", "--players", "Ann,Ben", "--calls", calls, option, calls, "--force")
    watch(*arguments).is_refused(option, "--calls", "the same file")
    assert "Ben" in calls.read_text()


@pytest.mark.parametrize("source", ["none.mp4", "ftp://nowhere/video", ""])
def test_a_source_that_is_not_there_gets_one_line(watch: Callable[..., Run], source: str) -> None:
    watch(source, "--json").is_refused()


def test_a_board_makes_its_game() -> None:
    board = Path(__file__).resolve().parents[1] / "service/boards/cubed.example.json"
    setup = watch_command.WatchRequest(board=str(board), players="Ann,Ben").setup()
    assert setup.known is Game.CUBED
    assert set(setup.header(Game.CUBED).board) == {"rows", "columns", "logo", "bonus"}
    junior = Path(__file__).resolve().parents[1] / "service/boards/junior-1.example.json"
    setup = watch_command.WatchRequest(board=str(junior), players="Ann,Ben").setup()
    assert len(setup.header(Game.JUNIOR_1).board) == 3


def test_the_help_needs_neither_opencv_nor_models(run: Runner) -> None:
    done = run("watch", "--help")
    assert done.status == 0
    assert "--call-limit" in done.out


def test_no_screen_is_noticed_without_opening_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")

    tried: list[str] = []

    def probe() -> bool:
        tried.append("window")
        return True

    assert has_display({}, probe) is False
    assert not tried
    assert has_display({"DISPLAY": ":0"}, lambda: True) is True
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"}, lambda: False) is False


def test_a_clock_that_is_stopped_loses_the_time() -> None:
    now = [10.0]
    clock = PausableClock(lambda: now[0])
    clock.toggle()
    now[0] = 15.0
    assert (clock.paused, clock()) == (True, 10.0)
    clock.toggle()
    now[0] = 17.0
    assert (clock.paused, clock()) == (False, 12.0)


def blank() -> Image:
    """A picture of nothing."""
    return np.zeros((48, 64, 3), np.uint8)


def test_the_game_is_the_one_that_lies_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(time: float) -> Moment:
        few = table_at(time, NAMES[:2]) if time < 1 else table_at(time)
        return replace(few, deck=Deck.RAVENSBURGER)

    monkeypatch.setattr(watch_game, "open_tracker", lambda *asked: FakeTracker(seen))
    monkeypatch.setattr(GameGuess, "_looked", lambda *asked: None)
    game = LiveGame(GameSetup(players=("Ann", "Ben")), LiveSettings(), GameGuess(Settings()))
    game.take(game.follow(blank(), 0.0), blank())
    assert game.table is None
    game.take(game.follow(blank(), 1.0), blank())
    assert game.game is Game.RAVENSBURGER
    assert game.table is not None


@pytest.mark.parametrize(("refereed", "game"), [(True, Game.JUNIOR_2), (False, Game.CUBED)])
def test_dice_are_taken_for_tiles_where_only_those_can_be_refereed(refereed: bool, game: Game) -> None:
    dice = [track(n, Face.parse(name)) for n, name in enumerate(("1 red oval", "2 red oval", "wild", "3 red oval"))]
    assert game_of(moment(1.0, dice), refereed) is game
    assert game_of(moment(1.0, dice[:2]), refereed) is None
    assert game_of(moment(1.0, dice, settled=False), refereed) is None


def test_tiles_get_a_tracker_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Game] = []
    tiles = [track(n, Tile.parse(name)) for n, name in enumerate(("1 red oval", "2 red oval", "3 red oval"))]

    def opened(game: Game, *rest: object) -> FakeTracker:
        asked.append(game)
        return FakeTracker(lambda time: moment(time, tiles))

    monkeypatch.setattr(watch_game, "open_tracker", opened)
    monkeypatch.setattr(GameGuess, "_looked", lambda *given: None)
    game = LiveGame(GameSetup(players=("Ann",)), LiveSettings(), GameGuess(Settings()))
    game.take(game.follow(blank(), 0.0), blank())
    assert asked == [Game.AUTO, Game.JUNIOR_2]
    assert game.edition == "junior-2"


TILES = [track(n, Tile.parse(name)) for n, name in enumerate(("1 red oval", "2 red oval", "3 red oval"))]


def test_tiles_are_taken_where_cards_seemed_sure_only_after_two_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    guess = GameGuess(Settings(), refereed=True)
    monkeypatch.setattr(guess, "_looked", lambda image: Game.JUNIOR_2)
    assert guess.of(blank(), table_at(0.0)) is None
    assert guess.of(blank(), table_at(0.5)) is None
    assert guess.of(blank(), table_at(1.0, settled=False)) is None
    assert guess.of(blank(), table_at(1.0)) is Game.JUNIOR_2


def test_cards_in_both_are_the_deck_that_was_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    guess = GameGuess(Settings(), refereed=True)
    monkeypatch.setattr(guess, "_looked", lambda image: Game.CLASSIC)
    assert guess.of(blank(), replace(table_at(0.0), deck=Deck.RAVENSBURGER)) is Game.RAVENSBURGER


def test_a_game_that_makes_no_sense_gives_way_to_the_one_that_lies_there(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [Game.JUNIOR_2]
    monkeypatch.setattr(GameGuess, "_looked", lambda *given: looks[-1])

    def opened(game: Game, *rest: object) -> FakeTracker:
        return FakeTracker(lambda time: moment(time, TILES * 2) if game is Game.JUNIOR_2 else table_at(time))

    monkeypatch.setattr(watch_game, "open_tracker", opened)
    record = list[str]()
    game = LiveGame(
        GameSetup(players=("Ann", "Ben")), LiveSettings(), GameGuess(Settings(), True), record.append, record.clear
    )
    texts = list[str]()
    for number in range(200):
        if game.game is Game.JUNIOR_2:
            looks.append(Game.CLASSIC)
        texts += [one.text for one in game.take(game.follow(blank(), number / 10), blank())[1]]
    assert [text.split(";")[0] for text in texts if "--game" in text] == [
        "This looks like SET Junior, face 2",
        "This looks like SET",
    ]
    assert game.game is Game.CLASSIC
    assert json.loads(record[0])["game"] == "classic"
    assert json.loads(record[1])["type"] == "dealt"


def test_a_game_that_has_begun_is_never_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = [Game.CLASSIC]
    monkeypatch.setattr(GameGuess, "_looked", lambda *given: looks[-1])
    foreign = [*table_at(0.0).tracks, *(replace(one, identity=99) for one in TILES[:1])]
    monkeypatch.setattr(
        watch_game,
        "open_tracker",
        lambda *given: FakeTracker(lambda time: table_at(time) if time < 2 else moment(time, foreign[1:])),
    )
    game = LiveGame(GameSetup(players=("Ann", "Ben")), LiveSettings(), GameGuess(Settings(), True))
    for number in range(150):
        game.take(game.follow(blank(), number / 10), blank())
        if number == 10:
            looks.append(Game.JUNIOR_2)
    assert game.game is Game.CLASSIC
    assert game.table is not None
    assert game.table.oddity is not None
