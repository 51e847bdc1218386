"""The command line: what it prints where, its exit statuses, and one clear line for everything that goes wrong."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from service import commands, files, reading
from service.answer import ADVICE
from service.errors import MissingLibraryError, ModelsMissingError, TargetError
from service.files import write_whole
from service.settings import Settings
from tests.fakes import FakeReader, encoded
from tests.running import Runner
from vision.load import load
from vision.model import ModelFileError
from vision.segment import Segmenter
from vision.types import Doubt

COMMANDS = ("photo", "judge", "turn", "board", "learn-wild", "evaluate", "demo", "serve")


def test_photo_prints_a_table_and_the_sets(run: Runner, table: Path) -> None:
    done = run("photo", table)
    assert (done.status, done.err) == (0, "")
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "id piece confidence doubt" in lines
    assert "3 one green striped diamond 99%" in lines
    assert "1 SET" in lines
    assert "SET 1 (0, 1, 2): one red solid oval, two red solid ovals, three red solid ovals" in lines


def test_photo_speaks_the_words_of_the_game(run: Runner, table: Path) -> None:
    done = run("photo", table, "--game", "ravensburger")
    assert "one turquoise half diamond" in done.out


def test_photo_marks_what_is_unsure(run: Runner, table: Path, fake: FakeReader) -> None:
    fake.doubts = {0: Doubt.GLARE}
    done = run("photo", table)
    assert "1 SET, 1 of them unsure" in done.out
    assert "glare" in done.out
    assert done.status == 0


def test_json_is_one_line_a_photo_and_nothing_else(run: Runner, table: Path) -> None:
    done = run("photo", table, table, "--json")
    assert done.status == 0
    assert [line["file"] for line in done.lines] == [str(table)] * 2
    assert done.lines[0]["sets"] == [[0, 1, 2]]


def test_the_file_is_named_as_given(run: Runner, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(table.parent)
    assert run("photo", "./table.jpg", "--json").lines[0]["file"] == "./table.jpg"


def test_many_photos_show_progress_and_open_the_models_once(
    run: Runner, table: Path, monkeypatch: pytest.MonkeyPatch, fake: FakeReader
) -> None:
    loads: list[int] = []

    def opened() -> FakeReader:
        loads.append(1)
        return fake

    monkeypatch.setattr(reading, "open_reader", opened)
    done = run("photo", table, table, table)
    assert "3/3" in done.err
    assert (len(loads), fake.reads) == (1, 3)


def test_a_single_photo_shows_no_progress(run: Runner, table: Path) -> None:
    assert run("photo", table).err == ""


def test_many_photos_go_on_past_a_bad_one(run: Runner, table: Path) -> None:
    bad = table.with_name("bad.jpg")
    bad.write_text("hello")
    done = run("photo", bad, table, "--json")
    assert done.status == 2
    assert list(done.lines[0]) == ["file", "error"]
    assert done.lines[0]["error"]["code"] == "not-a-picture"
    assert done.lines[1]["file"] == str(table)
    assert f"set-referee: {bad}: this is no picture" in done.err


def test_no_pieces_is_no_error(run: Runner, table: Path, fake: FakeReader) -> None:
    fake.names = []
    done = run("photo", table)
    assert (done.status, done.err) == (0, "")
    assert "no pieces found" in done.out
    assert ADVICE in done.out


def _bomb() -> bytes:
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


BAD_FILES: dict[str, tuple[Callable[[bytes], bytes], str, str]] = {
    "empty": (lambda _: b"", "empty-file", "the file is empty"),
    "text": (lambda _: b"hello", "not-a-picture", "this is no picture"),
    "truncated": (lambda jpeg: jpeg[: len(jpeg) // 6], "truncated", "cut short"),
    "bomb": (lambda _: _bomb(), "too-many-pixels", "30000 x 30000"),
    "pdf": (lambda _: b"%PDF-1.7\n", "unsupported-format", "PDF"),
    "tiny": (lambda _: encoded(np.zeros((4, 4, 3), np.uint8), ".png"), "too-small", "4 x 4"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_gets_one_line(kind: str, run: Runner, tmp_path: Path, jpeg: bytes) -> None:
    make, code, words = BAD_FILES[kind]
    path = tmp_path / "bad.jpg"
    path.write_bytes(make(jpeg))
    run("photo", path).is_refused(str(path), words)
    done = run("photo", path, "--json")
    assert done.lines[0]["error"]["code"] == code
    assert done.err == f"set-referee: {path}: {done.lines[0]['error']['text']}\n"
    run("judge", path, "--pick", "0,1,2").is_refused(str(path), words)


def test_what_is_no_file_gets_one_line(run: Runner, tmp_path: Path, table: Path) -> None:
    run("photo", tmp_path / "missing.jpg").is_refused("missing.jpg: no such file")
    run("photo", table / "below.jpg").is_refused("no such file")
    run("photo", tmp_path).is_refused("this is a directory")
    run("photo", os.devnull).is_refused("no ordinary file")
    run("photo", "a\0b").is_refused("cannot be read")
    run("photo", "two\nlines").is_refused("no such file")


FIFO = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


@FIFO
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_PATIENCE", 0.01)
    os.mkfifo(tmp_path / "pipe")
    run("photo", tmp_path / "pipe").is_refused("nothing comes out of this pipe")


@FIFO
@pytest.mark.parametrize("wait", [0.0, 0.1])
def test_a_pipe_that_is_written_to_slowly_is_read_whole(wait: float, run: Runner, table: Path, jpeg: bytes) -> None:
    pipe = table.with_name("pipe")
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("wb", buffering=0) as file:
            for part in (jpeg[:1000], jpeg[1000:]):
                time.sleep(wait)
                file.write(part)

    writer = threading.Thread(target=write)
    writer.start()
    done = run("photo", pipe, "--json")
    writer.join(10)
    assert (done.status, done.lines[0]["sets"], done.lines[0]["problems"]) == (0, [[0, 1, 2]], [])


@FIFO
def test_a_writer_that_takes_its_time_is_waited_for(
    run: Runner, table: Path, jpeg: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_PATIENCE", 0.0)
    reading_end, writing_end = os.pipe()

    def send() -> None:
        time.sleep(0.2)
        os.write(writing_end, jpeg)
        os.close(writing_end)

    sender = threading.Thread(target=send)
    sender.start()
    done = run("photo", f"/dev/fd/{reading_end}", "--json")
    sender.join(10)
    os.close(reading_end)
    assert done.lines[0]["sets"] == [[0, 1, 2]]


def test_a_photo_may_come_on_standard_input(table: Path, jpeg: bytes) -> None:
    for arguments in (
        ("photo", "-", "-", "--json", "--overlay", str(table.parent / "out")),
        ("judge", "-", "--pick=0,1,2"),
    ):
        with table.open() as photo:
            process = _process(*arguments, stdin=photo)
            out, _ = process.communicate(timeout=20)
        assert process.returncode == 0
        if "--json" in arguments:
            assert [json.loads(line)["file"] for line in out.splitlines()] == ["-", "-"]
            assert [json.loads(line)["sets"] for line in out.splitlines()] == [[[0, 1, 2]]] * 2
    assert sorted(path.name for path in (table.parent / "out").iterdir()) == ["stdin-2.sets.jpg", "stdin.sets.jpg"]
    process = _process("photo", "-", stdin=subprocess.DEVNULL)
    _, error = process.communicate(timeout=20)
    assert process.returncode == 2
    assert error.startswith("set-referee: -: the file is empty")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read and write everything")
def test_a_file_that_may_not_be_read_gets_one_line(run: Runner, table: Path) -> None:
    table.chmod(0)
    run("photo", table).is_refused("cannot be read: permission denied")


def test_a_file_over_the_limit_is_not_read(run: Runner, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_REFEREE_MAX_BYTES", "1000")
    done = run("photo", table, "--json")
    assert done.lines[0]["error"]["code"] == "too-many-bytes"
    monkeypatch.setenv("SET_REFEREE_MAX_BYTES", "100000000")
    monkeypatch.setenv("SET_REFEREE_MAX_PIXELS", "1000")
    assert run("photo", table, "--json").lines[0]["error"]["code"] == "too-many-pixels"


@pytest.mark.parametrize("value", ["many", "0", "-3", "1e6"])
def test_a_bad_setting_gets_one_line(value: str, run: Runner, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_REFEREE_MAX_BYTES", value)
    run("photo", table).is_refused("SET_REFEREE_MAX_BYTES", repr(value), "whole number")


def test_overlays_have_names_of_their_own(run: Runner, tmp_path: Path, table: Path, jpeg: bytes) -> None:
    other = tmp_path / "other" / "table.jpg"
    other.parent.mkdir()
    other.write_bytes(jpeg)
    out = tmp_path / "new" / "out"
    done = run("photo", table, other, "--overlay", out)
    assert done.status == 0
    assert sorted(path.name for path in out.iterdir()) == ["table-2.sets.jpg", "table.sets.jpg"]
    assert load((out / "table.sets.jpg").read_bytes()).size == (320, 160)
    assert f"overlay: {out / 'table.sets.jpg'}" in done.out


def test_an_overlay_never_takes_the_place_of_a_photo(run: Runner, tmp_path: Path, table: Path, jpeg: bytes) -> None:
    victim = tmp_path / "table.sets.jpg"
    victim.write_bytes(jpeg)
    assert run("photo", table, victim, "--overlay", tmp_path).status == 0
    assert victim.read_bytes() == jpeg
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"table.jpg", "table.sets.jpg", "table-2.sets.jpg", "table.sets.sets.jpg"}


def test_an_overlay_shows_the_sets(run: Runner, tmp_path: Path, table: Path) -> None:
    run("photo", table, "--overlay", tmp_path)
    before = load(table.read_bytes()).image.astype(int)
    after = load((tmp_path / "table.sets.jpg").read_bytes()).image.astype(int)
    assert np.abs(after - before).max() > 60


def test_a_folder_that_cannot_be_written_gets_one_line(run: Runner, table: Path, fake: FakeReader) -> None:
    run("photo", table, "--overlay", table).is_refused("cannot write", str(table), "this is a file, not a folder")
    run("photo", table, "--overlay", "").is_refused("cannot write ''", "the name is empty")
    run("demo", "--overlay", "").is_refused("the name is empty")
    run("photo", table, "--overlay", table / "below").is_refused("cannot write")
    run("photo", table, "--overlay", "/proc/none").is_refused("cannot write")
    assert fake.reads == 0


@pytest.mark.parametrize(
    ("pick", "status", "words"),
    [
        ("0,1,2", 0, "a SET (SET-1)"),
        (" 2, 0 ,1", 0, "a SET (SET-1)"),
        ("0,1,3", 1, "not a SET (SET-3)"),
        ("1 red solid oval,2 RED solid oval,three red solid ovals", 0, "Number: all different (one, two, three)"),
        ("0,1,4", 1, "Colour: two are red and one is purple"),
    ],
)
def test_judge(pick: str, status: int, words: str, run: Runner, table: Path) -> None:
    done = run("judge", table, "--pick", pick)
    assert (done.status, done.err) == (status, "")
    assert words in done.out


def test_judge_is_unsure_where_a_picked_piece_is_in_doubt(run: Runner, table: Path, fake: FakeReader) -> None:
    fake.doubts = {1: Doubt.GLARE}
    done = run("judge", table, "--pick", "0,1,2")
    assert done.status == 3
    assert "unsure: look at 1 (glare); as read, a SET (SET-1)" in done.out
    fake.doubts = {4: Doubt.GLARE}
    assert run("judge", table, "--pick", "0,1,2").status == 0


def test_judge_wraps_no_line(run: Runner, table: Path, fake: FakeReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    fake.doubts = {0: Doubt.GLARE, 1: Doubt.GLARE}
    assert (
        "unsure: look at 0 (glare) and 1 (glare); as read, a SET (SET-1)\n"
        in run("judge", table, "--pick", "0,1,2").out
    )
    assert "  Number: all different (one, two, three)\n" in run("judge", table, "--pick", "0,1,2").out


@pytest.mark.parametrize(
    ("pick", "words"),
    [
        ("0,1", "names 2 pieces: expected three"),
        ("0", "names 1 piece: expected three"),
        ("0,1,", "names 2 pieces"),
        ("", "names 0 pieces"),
        ("0,1,2,3", "names 4 pieces"),
        ("0,1,1", "twice"),
        ("0,1,2 red solid oval", "twice"),
        ("0,1,40", "no piece '40'"),
        ("0,1,-1", "expected an id from 0 to 4"),
        ("0,1,3 red open oval", "no piece '3 red open oval'"),
    ],
)
def test_a_bad_pick_gets_one_line(pick: str, words: str, run: Runner, table: Path) -> None:
    run("judge", table, "--pick", pick).is_refused(words)


def test_a_pick_that_two_pieces_answer_to_asks_for_the_id(run: Runner, table: Path, fake: FakeReader) -> None:
    fake.names = ["1 red solid oval"] * 2 + ["2 red solid oval"]
    run("judge", table, "--pick", "1 red solid oval,1,2").is_refused("give an id (0 and 1)")


def test_a_pick_on_an_empty_table_gets_one_line(run: Runner, table: Path, fake: FakeReader) -> None:
    fake.names = []
    run("judge", table, "--pick", "0,1,2").is_refused("no pieces found")


@pytest.mark.parametrize(
    "arguments",
    [
        ("photo",),
        ("photo", "x.jpg", "--game", "chess"),
        ("photo", "x.jpg", "--colour"),
        ("judge", "x.jpg"),
        ("judge", "--pick", "0,1,2"),
        ("evaluate",),
        ("serve", "--port", "99999"),
        ("serve", "--port", "http"),
        ("phot", "x.jpg"),
        ("--colour",),
    ],
)
def test_bad_usage_gets_one_line(arguments: tuple[str, ...], run: Runner) -> None:
    run(*arguments).is_refused("see set-referee --help")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("photo", "x", "--game", "chess"), "'--game': 'chess' is not one of 'auto', 'classic'"),
        (("serve", "--port", "99999"), "'--port': '99999': expected at most 65535 ("),
        (("serve", "--port", "-1"), "'--port': '-1': expected at least 0 ("),
        (("serve", "--port", "http"), "'--port': 'http': expected a whole number ("),
    ],
)
def test_a_bad_value_is_named_in_plain_words(arguments: tuple[str, ...], words: str, run: Runner) -> None:
    done = run(*arguments)
    done.is_refused(words)
    assert "error" not in done.err.lower()


def test_a_game_that_there_is_not_is_refused_by_name(run: Runner, table: Path) -> None:
    run("photo", table, "--game", "chess").is_refused("'chess'", "auto", "classic", "ravensburger", "setup")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command: str, run: Runner) -> None:
    done = run(command, "--help")
    assert done.status == 0
    assert "Examples" in done.out
    assert f"set-referee {command}" in done.out


def test_help_lists_every_command(run: Runner) -> None:
    done = run("--help")
    assert done.status == 0
    assert all(command in done.out for command in COMMANDS)


def test_nothing_asked_for_shows_the_help(run: Runner) -> None:
    done = run()
    assert done.status == 2
    assert all(command in done.out + done.err for command in COMMANDS)
    assert "set-referee: " not in done.err


def test_every_setting_is_documented(run: Runner) -> None:
    done = run("serve", "--help")
    text = " ".join(done.out.split())
    readme = Path(__file__).parent.parent / "README.md"
    for variable, default, sentence in Settings.documented():
        assert f"{variable} (default {default}): {sentence}" in text
        assert not readme.exists() or variable in readme.read_text(encoding="utf-8"), f"README lacks {variable}"


def test_a_missing_library_gets_one_line_with_its_package(
    run: Runner, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cause = ImportError("libGL.so.1: cannot open shared object file: No such file or directory")

    def broken() -> None:
        raise MissingLibraryError(cause)

    monkeypatch.setattr(reading, "open_reader", broken)
    run("photo", table, table).is_refused("libGL.so.1", "apt-get install libgl1 libglib2.0-0")
    run("judge", table, "--pick", "0,1,2").is_refused("libgl1")
    assert "apt-get install libglib2.0-0" in str(MissingLibraryError(ImportError("libgthread-2.0.so.0: gone")))
    assert "install set-referee again" in str(MissingLibraryError(ImportError("No module named 'onnxruntime'")))


def test_missing_models_get_one_line(run: Runner, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*names: str) -> None:
        raise ModelFileError("the model folder has no model.onnx: install the package again")

    monkeypatch.undo()
    monkeypatch.setattr(Segmenter, "open", broken)
    run("photo", table, table, "--json").is_refused("install the package again")


def test_a_fault_of_ours_is_one_line_too(run: Runner, table: Path, fake: FakeReader) -> None:
    fake.names = ["no card"]
    run("photo", table).is_refused("unexpected UnknownTokenError")


def test_demo_writes_its_overlay_and_says_where(
    run: Runner, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "DEMO", table)
    monkeypatch.chdir(tmp_path)
    done = run("demo")
    assert (done.status, done.err) == (0, "")
    assert "1 SET" in done.out
    assert "overlay: demo.sets.jpg" in done.out
    assert (tmp_path / "demo.sets.jpg").stat().st_size > 1000
    assert run("demo", "-o", tmp_path / "out").status == 0
    assert (tmp_path / "out" / "demo.sets.jpg").exists()


def test_demo_without_its_picture_gets_one_line(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "DEMO", tmp_path / "none.jpg")
    run("demo").is_refused("demo picture")


def test_serve_on_a_taken_port_gets_one_line(run: Runner) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run("serve", "--port", str(taken.getsockname()[1])).is_refused("cannot listen on '127.0.0.1'", "in use")
    run("serve", "--host", "no.such.host.invalid").is_refused("cannot listen on 'no.such.host.invalid'")


@pytest.fixture
def labels(table: Path) -> Path:
    """Labels of one photo that the fake reader reads rightly but for one name, and of one that is missing."""
    names = [*FakeReader().names[:4], "2 purple open squiggle"]
    cards = [
        {"quad": [[20 + 50 * n, 20], [60 + 50 * n, 20], [60 + 50 * n, 82], [20 + 50 * n, 82]], "card": name}
        for n, name in enumerate(names)
    ]
    path = table.parent / "labels.jsonl"
    lines = [
        {"file": "table.jpg", "size": [320, 160], "tags": ["glare"], "cards": cards},
        {"file": "gone/missing.jpg", "size": [320, 160], "tags": [], "cards": cards[:1]},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_evaluate_prints_tables(run: Runner, labels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    done = run("evaluate", labels)
    assert done.status == 2
    assert "missing.jpg: no such file" in done.err
    lines = [line.split() for line in done.out.splitlines()]
    assert ["glare", "1", "5", "0.800", "1.000", "1.000", "0.800", "0.000", "0.667", "-", "0.000", "0.000"] in lines
    assert ["untagged", "1", "1", "0.000", "0.000", "-", "-", "0.000", "-", "-", "-", "-"] in lines
    assert ["median", "12"] in lines


def test_evaluate_as_json_with_predictions(run: Runner, labels: Path, tmp_path: Path) -> None:
    done = run("evaluate", labels, "--json", "--predictions", tmp_path / "new" / "pieces.jsonl")
    (report,) = done.lines
    assert list(report) == ["all", "tags", "sources", "ms", "mistakes"]
    assert report["all"]["card"] == pytest.approx(4 / 6, abs=1e-4)
    assert report["all"]["place"] is None
    assert report["ms"] == {"median": 12.3, "p95": 12.3}
    assert report["mistakes"][0]["wrong"] == [["2 purple open squiggle", "2 purple solid squiggle"]]
    predictions = [json.loads(line) for line in (tmp_path / "new" / "pieces.jsonl").read_text().splitlines()]
    assert [len(line.get("pieces", [])) for line in predictions] == [5, 0]
    assert predictions[1]["error"]["code"] == "missing-file"


def test_bad_labels_get_one_line(run: Runner, tmp_path: Path, labels: Path) -> None:
    run("evaluate", tmp_path / "none.jsonl").is_refused("none.jsonl")
    run("evaluate", tmp_path).is_refused(str(tmp_path))
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    run("evaluate", empty).is_refused("labels no photo")
    empty.write_text("{]\n")
    run("evaluate", empty).is_refused("line 1")
    run("evaluate", labels, "--predictions", labels).is_refused("overwrite the labels")
    run("evaluate", labels, "--predictions", labels / "x").is_refused("cannot write")


def test_predictions_take_the_place_of_nothing_but_a_file(
    run: Runner, labels: Path, fake: FakeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = labels.parent
    monkeypatch.chdir(folder)
    (folder / "link.jpg").symlink_to("table.jpg")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for target in (".", "..", folder, f"{folder}/new/"):
        run("evaluate", labels, "--predictions", target).is_refused("cannot write", "this is a folder, not a file")
    run("evaluate", labels, "--predictions", "").is_refused("the name is empty")
    run("evaluate", labels, "--predictions", os.devnull).is_refused("not a file")
    run("evaluate", labels, "--predictions", "a\0b").is_refused("cannot write 'a\\x00b'")
    for target in ("table.jpg", folder / "table.jpg", "./x/../table.jpg", "link.jpg", "gone/missing.jpg"):
        run("evaluate", labels, "--predictions", target).is_refused("would overwrite the photo")
    assert fake.reads == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("name", [".", "..", "", "a\0b", "x" * 300])
def test_a_file_of_an_odd_name_is_refused_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="cannot write"):
        write_whole(tmp_path / name, b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_a_long_name_is_written_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / ("x" * 255), b"old")
    write_whole(tmp_path / ("x" * 255), b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


# The same in processes of their own: what only shows there.

ROOT = Path(__file__).parent.parent
FAKE = """
import sys
from service import cli, reading
from tests.fakes import FakeReader
class Slow(FakeReader):
    def read(self, data, limits=None):
        print("reading", file=sys.stderr, flush=True)
        import time; time.sleep(30)
reading.open_reader = lambda: (Slow if "slow" in sys.argv[0] else FakeReader)()
cli.main()
"""


def _process(*arguments: str | Path, name: str = "fast", **options: Any) -> subprocess.Popen[str]:
    # where the tests run in the background of a shell, interrupts are ignored, and children would inherit that
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heard}\nimport sys; sys.argv[0] = {name!r}\n{FAKE}"
    command = [sys.executable, "-W", "error", "-c", program, *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, cwd=ROOT, **{**pipes, **options})  # noqa: S603


def test_help_is_fast_and_needs_neither_opencv_nor_models() -> None:
    program = "import sys, service.cli; print(*{'cv2', 'onnxruntime', 'numpy', 'fastapi'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == ""


def test_a_terminal_shows_a_bar_from_two_photos_on(table: Path) -> None:
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    shown = {}
    for count in (1, 2):
        ours, theirs = pty.openpty()
        process = _process("photo", *[table] * count, "--json", stderr=theirs)
        out, _ = process.communicate(timeout=20)
        os.close(theirs)
        shown[count] = b""
        with contextlib.suppress(OSError):  # the end of a pseudo-terminal on Linux
            while part := os.read(ours, 4096):
                shown[count] += part
        os.close(ours)
        assert len([json.loads(line) for line in out.splitlines()]) == count
    assert b"1/2" in shown[2]
    assert shown[1] == b""


def test_a_broken_pipe_ends_quietly(table: Path) -> None:
    process = _process("photo", *[table] * 400, "--json")
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["deck"] == "us"
    process.stdout.close()
    error = process.stderr.read()
    assert process.wait() == 141
    assert "Traceback" not in error
    assert "Error" not in error
    process.stderr.close()


def test_an_interrupt_ends_with_130_and_one_line(table: Path) -> None:
    process = _process("photo", table, name="slow")
    assert process.stderr is not None
    assert process.stderr.readline() == "reading\n"
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=10)
    assert process.returncode == 130
    assert (out, error) == ("", "set-referee: interrupted\n")


def test_an_interrupt_while_libraries_load_is_no_missing_library(
    run: Runner, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        try:
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt as error:
                raise ImportError("numpy could not be loaded") from error
        except ImportError as error:
            raise MissingLibraryError(error) from None

    monkeypatch.setattr(reading, "open_reader", interrupted)
    done = run("photo", table)
    assert (done.status, done.err) == (130, "set-referee: interrupted\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems may refuse such names")
@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "ascii:strict"])
def test_no_file_name_stops_a_batch(encoding: str, table: Path) -> None:
    odd = [os.fsencode(table.parent) + b"/" + name for name in (b"caf\xe9.jpg", "\u00fcn\u00ef.jpg".encode(), b"\xff")]
    for path in odd[:2]:
        Path(os.fsdecode(path)).write_bytes(table.read_bytes())
    paths = [os.fsdecode(path) for path in odd] + [str(table)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    overlays = table.parent / "out"
    out, err = _process("photo", *paths, "--overlay", overlays, env=environment, encoding="utf-8").communicate()
    assert out.count("1 SET\n") == 3
    assert "caf\\udce9.jpg\n" in out
    assert "\\udcff: no such file" in err
    assert "Traceback" not in err
    assert len(list(overlays.iterdir())) == 3
    process = _process("photo", *paths, "--json", env=environment, encoding="utf-8")
    answers = [json.loads(line) for line in process.communicate()[0].splitlines()]
    assert process.returncode == 2
    names = [answer["file"].rpartition("/")[2] for answer in answers]
    assert names == ["caf\\udce9.jpg", "\u00fcn\u00ef.jpg", "\\udcff", "table.jpg"]
    assert [len(answer.get("sets", [])) for answer in answers] == [1, 1, 0, 1]


SHELL = pytest.mark.skipif(not Path("/bin/sh").exists(), reason="this system has no POSIX shell")


def _shell(line: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``line`` in a shell: "$0" is Python, "$1" the program with the fake reader, the rest its arguments."""
    program = f"import sys; sys.argv[0] = 'fast'\n{FAKE}"
    return subprocess.run(  # noqa: S603
        ["/bin/sh", "-c", line, sys.executable, program, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


@SHELL
@pytest.mark.parametrize(
    ("closed", "name", "status"),
    [
        ("2>&-", "missing.jpg", 2),
        (">&-", "missing.jpg", 2),
        (">&-", "table.jpg", 0),
        ("<&- >&- 2>&-", "table.jpg", 0),
        ("2>/dev/full", "missing.jpg", 2),
    ],
)
def test_closed_streams_change_no_exit_status(closed: str, name: str, status: int, table: Path) -> None:
    before = table.read_bytes()
    done = _shell(f'p=$1; shift; exec "$0" -c "$p" "$@" {closed}', "photo", table.with_name(name))
    assert (done.returncode, "Traceback" in done.stderr) == (status, False)
    assert table.read_bytes() == before


@pytest.mark.parametrize("arguments", [("--help",), ("photo", "--help"), ()])
def test_help_that_nobody_reads_ends_quietly(arguments: tuple[str, ...]) -> None:
    reading_end, writing_end = os.pipe()
    os.close(reading_end)
    process = _process(*arguments, stdout=writing_end)
    os.close(writing_end)
    _, error = process.communicate(timeout=20)
    assert process.returncode in ((0, 141) if arguments else (2, 141))
    assert "Error" not in error


def test_serve_serves_until_it_is_interrupted() -> None:
    process = _process("serve", "--port", "0")
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    assert httpx.get(f"{found[0]}/healthz", trust_env=False).json() == {"status": "ok"}
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=10)
    assert (process.returncode, error) == (0, "")


def test_a_full_disk_gets_one_line(table: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        process = _process("photo", table, "--json", stdout=full)
        _, error = process.communicate(timeout=20)
    assert process.returncode == 2
    assert error.count("\n") == 1
    assert "Traceback" not in error


# With the shipped models, on the shipped picture.


@pytest.fixture(scope="module")
def demo() -> bytes:
    """The shipped picture; skips where it or the models are not there yet."""
    try:
        reading.open_reader()
    except ModelsMissingError as error:
        pytest.skip(f"the models are not there: {error}")
    if not commands.DEMO.exists():
        pytest.skip("the demo picture is not there")
    return commands.DEMO.read_bytes()


def test_the_demo_finds_sets_and_doubts_nothing(demo: bytes, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", "from service.cli import main; main()", "demo", "-o", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"\d+ SETs?\n", done.stdout)
    overlay = load((tmp_path / "demo.sets.jpg").read_bytes())
    assert overlay.size == tuple(round(side * load(demo).scale) for side in load(demo).size)
