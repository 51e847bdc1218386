"""Film a game: a video with its exact record, its calls, and the truth of every frame.

    python -m datasets.render_videos --game classic [--whole] [--picks 8] --seed 1 --out DIR [--size 1280x720]
        [--fps 15] [--textures DIR] [--codec mp4v]

Games are classic, ravensburger, junior-2 and cubed (``--picks`` counts its turns, six by default). DIR then holds, by
the name of game and seed,

- ``NAME.mp4`` (``--codec mp4v``, MPEG-4) or ``NAME.avi`` (``--codec mjpg``, larger and sharper);
- ``NAME.calls.jsonl``: ``{"at": seconds, "player": name}`` for each call, as ``watch --calls`` takes it; in Cubed a
  player calls who announces the first SET, or whose turn begins;
- ``NAME.record.jsonl``: the game's record with ``"t"``, the time of each event (a deal or a pick: when the hand that
  did it has left);
- ``NAME.truth.jsonl``: one line a frame: ``t``, ``hands`` in the picture, ``moving`` pieces, ``camera`` ("still",
  "shaking", "focusing"), ``dark`` while the lamp is off, ``settled`` (no hands, camera still), ``events`` of the record
  so far, and ``pieces`` that lie still, with name, quad and the share that no hand covers;
- ``NAME.board.json`` for Cubed.

Between two plays the table lies still for at least 0.8 seconds. A call after which nobody picks is a false call five
seconds later (``gave_up``): ``watch`` has to be told so with ``--call-limit 5``. A deal of twelve takes a few reaches,
with the hand out of the picture for a moment between two of them. The same options and folders give the same frames.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

import cv2
from rich.progress import track

from datasets.film import GAMES, Film, FilmSettings, FrameTruth, produce
from datasets.film_script import FilmError, ScriptSettings
from datasets.film_stage import StageSettings
from datasets.skins import Skins
from datasets.tables import PROCEDURES, photo_textures

__all__ = ["CODECS", "VideoError", "main", "record_lines", "truth_line", "write_film"]

CODECS: Mapping[str, tuple[str, str]] = {"mp4v": ("mp4v", ".mp4"), "mjpg": ("MJPG", ".avi")}
"""Name -> (four letters, end of the file's name): what OpenCV writes everywhere."""

_SHORT = 8
_TURNS = 6


class VideoError(FilmError, OSError):
    """A video that cannot be written."""


def record_lines(film: Film) -> list[dict[str, object]]:
    """Return the lines of the record of ``film``: its header, then each event with its time ``t``."""
    events = [{**event, "t": round(time, 2)} for time, event in film.timeline.events]
    return [film.timeline.script.header, *events]


def truth_line(truth: FrameTruth) -> dict[str, object]:
    """Return the truth of a frame as plain data, corners rounded to a tenth of a pixel."""
    camera = "shaking" if truth.shaking else "focusing" if truth.focusing else "still"
    pieces = [
        {
            "name": piece.name,
            "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in piece.quad],
            "visible": round(piece.visible, 2),
        }
        for piece in truth.pieces
    ]
    return {
        "t": round(truth.time, 3),
        "hands": truth.hands,
        "moving": truth.moving,
        "camera": camera,
        "dark": truth.dark,
        "settled": truth.settled,
        "events": truth.events,
        "pieces": pieces,
    }


def _write_lines(path: Path, lines: Iterable[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _write_frames(film: Film, writer: cv2.VideoWriter, truth: TextIO) -> None:
    for frame in track(film.frames(), "filming", total=film.count):
        writer.write(frame.image)
        truth.write(json.dumps(truth_line(frame.truth)) + "\n")


def write_film(film: Film, out: Path, name: str, codec: str = "mp4v") -> Path:
    """Write ``film`` and all that is known of it into the folder ``out``; return the path of the video.

    :raises VideoError: the video cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    letters, suffix = CODECS[codec]
    path = out / f"{name}{suffix}"
    _write_lines(out / f"{name}.record.jsonl", record_lines(film))
    calls = ({"at": round(time, 2), "player": player} for time, player in film.timeline.calls)
    _write_lines(out / f"{name}.calls.jsonl", calls)
    board = film.timeline.script.board
    if board is not None:
        text = json.dumps({"game": "cubed", "name": name, **board}, indent=1)
        (out / f"{name}.board.json").write_text(text + "\n", encoding="utf-8")
    fourcc = cv2.VideoWriter.fourcc(letters[0], letters[1], letters[2], letters[3])
    writer = cv2.VideoWriter(str(path), fourcc, film.settings.fps, film.settings.stage.size)
    if not writer.isOpened():
        raise VideoError(f"cannot write {str(path)!r}")
    try:
        with (out / f"{name}.truth.jsonl").open("w", encoding="utf-8") as truth:
            _write_frames(film, writer, truth)
    finally:
        writer.release()
    return path


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and min(int(width), int(height)) >= 64):
        raise argparse.ArgumentTypeError(f"a size is WIDTHxHEIGHT, each at least 64; got {text!r}")
    return int(width), int(height)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m datasets.render_videos", description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="classic")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--whole", action="store_true", help="from the first deal to the winner (not for cubed)")
    length.add_argument("--picks", type=int, help=f"SETs taken, or turns of cubed (default {_SHORT}, cubed {_TURNS})")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", type=_size, default=(1280, 720), help="WIDTHxHEIGHT in pixels")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--textures", type=Path, help="folder of photo textures for tables")
    parser.add_argument("--crops", type=Path, help="folder of real crops with labels.csv")
    parser.add_argument("--table", choices=sorted(PROCEDURES), help="one kind of table only")
    parser.add_argument("--codec", choices=sorted(CODECS), default="mp4v")
    return parser


def _settings(options: argparse.Namespace) -> FilmSettings:
    skins = Skins.read(options.crops) if options.crops else None
    stage = StageSettings(options.size, photo_textures(options.textures), skins, table=options.table)
    usual = _TURNS if options.game == "cubed" else _SHORT
    picks = None if options.whole else (options.picks or usual)
    return FilmSettings(options.fps, stage, ScriptSettings(picks))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.game == "cubed" and options.whole:
        parser.error("a film of cubed has --picks turns; there is no whole game")
    film = produce(options.game, options.seed, _settings(options))
    print(write_film(film, options.out, f"{options.game}-{options.seed:04d}", options.codec))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
