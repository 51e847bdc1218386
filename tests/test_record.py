"""Game records: read, written, refused with the line; the example records get the answers they must get."""

from __future__ import annotations

import contextlib
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.editions import EDITIONS
from engine.events import (
    Announced,
    Asked,
    Called,
    Corrected,
    Dealt,
    Event,
    Laid,
    Picked,
    Rolled,
    Shuffled,
    Swapped,
    Tied,
    Undone,
)
from engine.hints import HintLevel
from engine.labels import Language
from engine.record import (
    MOST_ASKED,
    MOST_BYTES,
    MOST_EVENTS,
    MOST_JUDGED_AGAIN,
    MOST_LINE,
    Header,
    RecordError,
    lines_of,
    read_event,
    read_header,
    read_record,
    write_event,
    write_header,
)
from engine.tokens import Card, Face, Tile
from service.replay import answer_of, outcome_of

BOARD = '{"rows": 9, "columns": 13, "logo": [[4, 5], [4, 6], [4, 7]], "bonus": []}'
HEADERS = {
    key: f'{{"game": "{key}", "players": ["Ann", "Ben"], "options": {{}}}}'
    for key in ("classic", "ravensburger", "setup", "junior-2")
} | {"cubed": f'{{"game": "cubed", "players": ["Ann", "Ben"], "options": {{}}, "board": {BOARD}}}'}


def header(key: str = "classic", **options: object) -> Header:
    """The header of a table of two."""
    found = json.loads(HEADERS[key])
    return read_header(json.dumps({**found, "options": options}))


def test_the_example_records_get_their_answers(shared: Path) -> None:
    records = sorted((shared / "data" / "records").glob("*.record.jsonl"))
    assert len(records) >= 27
    wrong: list[str] = []
    for path in records:
        expected = [
            json.loads(line) for line in Path(str(path).replace(".record.", ".expect.")).read_text().splitlines()
        ]
        wrong += [f"{path.name}: {fault}" for fault in differences(path.read_bytes(), expected)]
    assert not wrong, "\n".join(wrong)


def differences(data: bytes, expected: list[dict[str, Any]]) -> list[str]:
    """Where the answers to a record are not the expected ones, in the fields that those give."""
    head, events = read_record(io.BytesIO(data))
    referee = head.referee()
    answers = [
        answer_of(number, event, referee.apply(event), referee, Language.ENGLISH) for number, event in enumerate(events)
    ]
    outcome = outcome_of(referee)
    assert len(expected) == len(answers) + 1
    found = [
        f"event {answer['event']}: {key} is {answer[key]!r}, not {value!r}"
        for answer, wanted in zip(answers, expected, strict=False)
        for key, value in wanted.items()
        if answer[key] != value
    ]
    wanted = expected[-1]["outcome"]
    return found + [f"outcome: {key} is {outcome[key]!r}" for key in wanted if outcome[key] != wanted[key]]


def test_the_examples_that_must_not_be_readable_say_their_line(shared: Path) -> None:
    records = sorted((shared / "data" / "records" / "unreadable").glob("*.record.jsonl"))
    assert len(records) >= 3
    for path in records:
        line = json.loads(Path(str(path).replace(".record.jsonl", ".exit.json")).read_text())["line"]
        with pytest.raises(RecordError, match=f"^line {line}: "):
            read_record(io.BytesIO(path.read_bytes()))


@pytest.mark.parametrize(
    ("key", "line", "event"),
    [
        ("classic", '{"type": "undone"}', Undone()),
        ("classic", '{"type": "dealt", "cards": ["2 red open oval"]}', Dealt((Card.parse("2 red open oval"),))),
        ("classic", '{"type": "called", "player": "Ann", "t": 3, "note": "ü"}', Called("Ann", time=3, note="ü")),
        ("classic", '{"type": "asked", "player": "Ben", "level": "yes-no"}', Asked("Ben", HintLevel.YES_NO)),
        ("classic", '{"type": "tied", "players": ["Ben", "Ann"]}', Tied(("Ben", "Ann"))),
        (
            "classic",
            '{"type": "corrected", "event": 7, "from": "2 red open oval", "to": "2 red solid oval"}',
            Corrected(7, Card.parse("2 red open oval"), Card.parse("2 red solid oval")),
        ),
        ("ravensburger", '{"type": "shuffled", "master": "Ann"}', Shuffled("Ann")),
        ("ravensburger", '{"type": "shuffled"}', Shuffled()),
        (
            "setup",
            '{"type": "laid", "player": "Ann", "card": "2 red open oval"}',
            Laid("Ann", Card.parse("2 red open oval")),
        ),
        (
            "cubed",
            '{"type": "laid", "player": "Ann", "face": "wild", "at": [4, 8], "as": "2 red oval"}',
            Laid("Ann", Face(None), (4, 8), Tile.parse("2 red oval")),
        ),
        (
            "cubed",
            '{"type": "laid", "player": "Ann", "face": "2 red oval", "at": [-1, 8]}',
            Laid("Ann", Face.parse("2 red oval"), (-1, 8)),
        ),
        (
            "cubed",
            '{"type": "announced", "player": "Ann", "faces": ["wild"], "as": ["2 red oval"]}',
            Announced("Ann", (Face(None),), (Tile.parse("2 red oval"),)),
        ),
        ("cubed", '{"type": "rolled", "player": "Ann", "faces": []}', Rolled("Ann", ())),
        (
            "cubed",
            '{"type": "swapped", "player": "Ann", "face": "2 red oval", "at": [4, 8]}',
            Swapped("Ann", Face.parse("2 red oval"), (4, 8)),
        ),
        # Events of another game are read, to be refused (ALL-4).
        ("classic", '{"type": "rolled", "player": "Ann", "faces": ["wild"]}', Rolled("Ann", (Face(None),))),
        (
            "classic",
            '{"type": "laid", "player": "Ann", "face": "2 red oval", "at": [4, 8]}',
            Laid("Ann", Face.parse("2 red oval"), (4, 8)),
        ),
        (
            "cubed",
            '{"type": "picked", "player": "Ann", "cards": ["2 red open oval"]}',
            Picked("Ann", (Card.parse("2 red open oval"),)),
        ),
    ],
)
def test_events_are_read_and_written(key: str, line: str, event: Event) -> None:
    head = header(key)
    assert read_event(line, head) == event
    assert write_event(event, head) == line


def test_a_missing_name_of_a_wild_is_read_for_the_referee_to_refuse() -> None:
    head = header("cubed")
    wild = '{"type": "laid", "player": "Ann", "face": "wild", "at": [4, 8]'
    for rest in ("}", ', "as": null}', ', "as": "wild"}'):
        assert read_event(wild + rest, head) == Laid("Ann", Face(None), (4, 8))
    superfluous = '{"type": "laid", "player": "Ann", "face": "2 red oval", "at": [4, 8], "as": "wild"}'
    assert read_event(superfluous, head) == Laid("Ann", Face.parse("2 red oval"), (4, 8), Tile.parse("2 red oval"))
    announced = '{"type": "announced", "player": "Ann", "faces": ["wild"]'
    for rest in ("}", ', "as": []}', ', "as": ["wild"]}'):
        assert read_event(announced + rest, head) == Announced("Ann", (Face(None),), ())


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[]", "expected a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"type": "undone", "type": "ended"}', "a key stands twice"),
        ('{"type": "undone", "t": NaN}', "NaN is no number"),
        ('{"type": "undone", "t": 1e999}', "'t' must be seconds"),
        ('{"type": "undone", "t": true}', "'t' must be seconds"),
        ('{"type": "undone", "t": -1}', "'t' must be seconds"),
        ('{"type": "undone", "t": ' + "9" * 400 + "}", "'t' must be seconds"),
        ('{"type": "tied", "players": []}', "two or more different players"),
        ('{"type": "tied", "players": ["Ann", "Ann"]}', "two or more different players"),
        ('{"type": "tied", "players": null}', "'players' must be a list; got null"),
        ('{"type": "undone", "t": ' + "9" * 5000 + "}", "too many digits"),
        ('{"type": "undone", "note": 7}', "'note' must be a text"),
        ('{"type": "undone", "note": "\\ud800"}', "must be text in UTF-8"),
        ('{"type": "undone", "why": "x"}', "has no field 'why'"),
        ('{"player": "Ann"}', "lacks the field 'type'"),
        ('{"type": 7}', "'type' must be a text"),
        ('{"type": "shouted", "player": "Ann"}', "'shouted' is no type of event"),
        ('{"type": "called"}', "lacks the field 'player'"),
        ('{"type": "called", "player": "Eve"}', "'Eve' is no player"),
        ('{"type": "called", "player": ["Ann"]}', "'player' must be a text"),
        ('{"type": "tied", "players": "Ann"}', "'players' must be a list"),
        ('{"type": "picked", "player": "Ann", "cards": ["2 red oval"]}', "'2 red oval' is no piece of classic"),
        ('{"type": "picked", "player": "Ann", "cards": ["1 red solid rectangle"]}', "is no piece of classic"),
        ('{"type": "picked", "player": "Ann", "cards": ["2  red open oval"]}', "is no piece of classic"),
        ('{"type": "picked", "player": "Ann", "cards": [7]}', "'cards' must be a text"),
        ('{"type": "asked", "player": "Ann", "level": "all"}', "'all' is no hint level"),
        ('{"type": "corrected", "event": 1.5, "from": "2 red open oval", "to": "2 red open oval"}', "whole number"),
        ('{"type": "corrected", "event": true, "from": "2 red open oval", "to": "2 red open oval"}', "whole number"),
        ('{"type": "shuffled", "master": "Ann"}', "has no field 'master'"),
        ('{"type": "laid", "player": "Ann"}', "lacks the field 'card'"),
        ('{"type": "rolled", "player": "Ann", "faces": ["5 red oval"]}', "'5 red oval' is no piece"),
    ],
)
def test_what_is_no_event_is_refused_with_its_line(line: str, fault: str) -> None:
    with pytest.raises(RecordError, match=r"^line 9: ") as caught:
        read_event(line, header(), 9)
    assert fault in str(caught.value)
    assert len(str(caught.value)) < 300
    assert caught.value.line == 9


@pytest.mark.parametrize("at", ["[4]", "[4, 8, 1]", '["4", 8]', "4", "[4.0, 8]", "[true, 8]"])
def test_a_place_on_a_board_is_two_whole_numbers(at: str) -> None:
    with pytest.raises(RecordError, match="'at' must be"):
        read_event(f'{{"type": "laid", "player": "Ann", "face": "2 red oval", "at": {at}}}', header("cubed"))


def test_a_tournament_needs_its_master() -> None:
    head = read_header('{"game": "ravensburger", "players": ["Ann", "Ben", "Cid"], "options": {"forever": true}}')
    assert read_event('{"type": "shuffled", "master": "Cid"}', head) == Shuffled("Cid")
    with pytest.raises(RecordError, match="lacks the field 'master'"):
        read_event('{"type": "shuffled"}', head)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"players": ["Ann"], "options": {}}', "lacks the field 'game'"),
        ('{"game": "poker", "players": ["Ann"], "options": {}}', "'poker' is no edition"),
        ('{"game": "classic", "options": {}}', "lacks the field 'players'"),
        ('{"game": "classic", "players": ["Ann"]}', "lacks the field 'options'"),
        ('{"game": "classic", "players": "Ann", "options": {}}', "'players' must be a list"),
        ('{"game": "classic", "players": [], "options": {}}', "for 1 to 12 players; got 0"),
        ('{"game": "classic", "players": ["Ann", "Ann"], "options": {}}', "got 'Ann' twice"),
        ('{"game": "classic", "players": [" "], "options": {}}', "has 1 to 40 characters"),
        ('{"game": "classic", "players": ["' + "x" * 41 + '"], "options": {}}', "has 1 to 40 characters"),
        ('{"game": "classic", "players": ["\\ud800"], "options": {}}', "must be text in UTF-8"),
        ('{"game": "classic", "players": ["Ann"], "options": []}', "'options' must be an object"),
        ('{"game": "classic", "players": ["Ann"], "options": {"jokers": true}}', "'jokers' is no option of classic"),
        ('{"game": "classic", "players": ["Ann"], "options": {"rounds": 1}}', "'rounds' of classic cannot be 1"),
        ('{"game": "classic", "players": ["Ann"], "options": {"lowest_score": false}}', "cannot be false"),
        ('{"game": "classic", "players": ["Ann"], "options": {}, "board": {}}', "has no field 'board'"),
        ('{"game": "classic", "players": ["A", "B"], "options": {"solitaire": true}}', "for 1 player; got 2"),
        ('{"game": "ravensburger", "players": ["A", "B"], "options": {"forever": true}}', "for 3 to 12 players"),
        ('{"game": "cubed", "players": ["A", "B"], "options": {}}', "lacks the field 'board'"),
        ('{"game": "cubed", "players": ["A", "B"], "options": {}, "board": {"rows": 2}}', "board"),
        (f'{{"game": "cubed", "players": ["A"], "options": {{}}, "board": {BOARD}}}', "for 2 to 8 players"),
        (
            f'{{"game": "cubed", "players": ["A", "B"], "options": {{"swaps_per_turn": -1}}, "board": {BOARD}}}',
            "expected null, a whole number from 0",
        ),
        ('{"game": "junior-1", "players": ["A", "B"], "options": {}, "board": []}', "board"),
    ],
)
def test_what_is_no_header_is_refused_at_line_1(line: str, fault: str) -> None:
    with pytest.raises(RecordError, match=r"^line 1: ") as caught:
        read_header(line)
    assert fault in str(caught.value)


def test_names_cannot_write_to_the_terminal() -> None:
    head = read_header('{"game": "classic", "players": ["\\u001b[31mA\\u0007", "Ben"], "options": {}}')
    with pytest.raises(RecordError) as caught:
        read_event('{"type": "called", "player": "\\u001b[0m"}', head)
    assert str(caught.value).isprintable()


def test_every_option_has_a_default_that_need_not_be_written() -> None:
    for key in HEADERS:
        state = header(key).referee().state
        assert state.options == {option.name: option.default for option in EDITIONS[key].options}


def test_a_header_is_written_as_it_was_read() -> None:
    for line in HEADERS.values():
        assert json.loads(write_header(read_header(line))) == json.loads(line)


def record(*lines: bytes) -> io.BytesIO:
    """A record of classic with these lines after the header."""
    return io.BytesIO(b"\n".join([HEADERS["classic"].encode(), *lines]))


def test_lines_end_in_any_way_and_may_begin_with_a_byte_order_mark() -> None:
    data = b"\xef\xbb\xbf" + HEADERS["classic"].encode() + b'\r\n{"type": "ended"}\r\n\r\n'
    head, events = read_record(io.BytesIO(data))
    assert head.edition.key == "classic"
    assert len(events) == 1


@pytest.mark.parametrize(
    ("stream", "line"),
    [
        (io.BytesIO(b""), 1),
        (io.BytesIO(b"\n\n"), 1),
        (record(b"", b'{"type": "ended"}'), 2),
        (record(b'{"type": "ended"}', b"\xff\xfe"), 3),
        (record(b'{"type": "ended", "note": "\xe4"}'), 2),
        (record(b"x" * (MOST_LINE + 1)), 2),
    ],
)
def test_what_is_no_record_says_its_line(stream: io.BytesIO, line: int) -> None:
    with pytest.raises(RecordError, match=f"^line {line}: "):
        read_record(stream)


def test_a_line_of_a_hundred_megabytes_is_not_read_to_its_end() -> None:
    class Endless(io.RawIOBase):
        """A hundred megabytes of one line, made as they are read."""

        left = 100_000_000

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            count = min(len(buffer), self.left)
            buffer[:count] = b"x" * count
            self.left -= count
            return count

    stream = Endless()
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match=r"^line 1: longer than"):
            read_record(io.BufferedReader(stream))
        assert tracemalloc.get_traced_memory()[1] < 10 * MOST_LINE
    finally:
        tracemalloc.stop()
    assert stream.left > 90_000_000


def test_there_is_an_end_to_how_many_events_are_read() -> None:
    stream = io.BytesIO(b'{"type": "undone"}\n' * (MOST_EVENTS + 2))
    with pytest.raises(RecordError, match=f"^line {MOST_EVENTS + 2}: more than {MOST_EVENTS} events"):
        for _ in lines_of(stream):
            pass


def test_there_is_an_end_to_what_is_judged_again() -> None:
    corrected = b'{"type": "corrected", "event": 0, "from": "2 red open oval", "to": "2 red solid oval"}'
    lines = [b'{"type": "ended"}'] * 2000 + [corrected] * 200
    with pytest.raises(
        RecordError, match=f"corrections reach back over more than {MOST_JUDGED_AGAIN} events"
    ) as caught:
        read_record(record(*lines))
    last = caught.value.line
    assert sum(number - 2 for number in range(2002, last)) <= MOST_JUDGED_AGAIN
    assert len(read_record(record(*lines[: last - 2]))[1]) == last - 2


def test_there_is_an_end_to_the_hints_that_are_asked_for() -> None:
    asked = b'{"type": "asked", "player": "Ann", "level": "count"}'
    assert len(read_record(record(*[asked] * MOST_ASKED))[1]) == MOST_ASKED
    with pytest.raises(RecordError, match=f"^line {MOST_ASKED + 2}: more than {MOST_ASKED} hints are asked for"):
        read_record(record(*[asked] * (MOST_ASKED + 1)))


def test_there_is_an_end_to_a_record() -> None:
    note = b'{"type": "ended", "note": "' + b"x" * 900_000 + b'"}'
    with pytest.raises(RecordError, match=f"^line 73: the record is longer than {MOST_BYTES} bytes"):
        read_record(record(*[note] * 80))


@given(st.text(max_size=200))
def test_no_text_at_all_is_more_than_refused(text: str) -> None:
    for read in (read_header, lambda line: read_event(line, header())):
        with contextlib.suppress(RecordError):
            read(text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | st.sampled_from(["Ann", "undone"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_KEYS = st.sampled_from(
    ["type", "player", "cards", "at", "as", "face", "faces", "event", "from", "to", "t", "note", "level"]
)
_TYPES = st.sampled_from(
    ["dealt", "laid", "picked", "rolled", "announced", "swapped", "corrected", "asked", "tied", "shuffled"]
)


@given(st.sampled_from(sorted(HEADERS)), _TYPES, st.dictionaries(_KEYS, _JSON, max_size=5))
def test_no_values_at_all_are_more_than_refused(key: str, kind: str, found: dict[str, object]) -> None:
    head = header(key)
    try:
        event = read_event(json.dumps({**found, "type": kind}), head)
    except RecordError:
        return
    assert read_event(write_event(event, head), head) == event
