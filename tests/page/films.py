"""Filmed games as a camera plays them: rendered by ``datasets.render_videos``, kept as pictures that Chromium reads."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.page.marks import RATE, mark

__all__ = ["Film", "Films", "to_mjpeg"]

_CAMERA_FPS = RATE
"""Chromium plays files of JPEGs at this rate, whatever they are."""
_QUALITY = 90
_SEEDS = {"classic": 129, "cubed": 33, "junior-2": 66}
_TABLE = "wood"
"""What films lie on: other tables are harder to read, and that is tested elsewhere."""
_SLOWER = 1
"""Films of games last half as long again, so that a machine that runs many tests sees what happens in them."""
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Film:
    """A film for a camera, which begins anew after ``seconds``, and what is known of its game.

    On a busy machine it takes longer than that: tests wait for what the table says, not for a time.
    ``calls`` holds (seconds of the film, player); ``header`` and ``events`` are the game's record, each event with its
    time ``t``. These times are those of the film's marks.
    """

    path: Path
    seconds: float
    calls: tuple[tuple[float, str], ...]
    header: dict[str, Any]
    events: tuple[dict[str, Any], ...]

    @property
    def players(self) -> list[str]:
        """Who plays."""
        return list(self.header["players"])

    @property
    def board(self) -> dict[str, Any] | None:
        """The board of the game, in Cubed."""
        return self.header.get("board")


def to_mjpeg(video: Path, out: Path, hold: float = 0.0, wait: float = 0.0, slower: int = 0) -> float:
    """Write the pictures of ``video`` one after the other as JPEGs, each marked with its time in the film.

    Its first one comes ``wait`` seconds earlier, its last one stays for ``hold`` seconds more. Pictures are repeated so
    that the film has its own speed at the rate of Chromium's camera, and ``slower`` times once more. Return the
    seconds of it all.

    :raises OSError: the video cannot be read, or its rate does not divide that of the camera.
    """
    capture = cv2.VideoCapture(str(video))
    fps = capture.get(cv2.CAP_PROP_FPS)
    repeats = round(_CAMERA_FPS / fps) if fps else 0
    if repeats < 1 or abs(repeats * fps - _CAMERA_FPS) > 0.1:
        raise OSError(f"a camera plays films of 30, 15, 10, … pictures a second; {str(video)!r} has {fps:g}")
    pictures, data, shown = 0, b"", repeats + slower
    with out.open("wb") as file:
        while (read := capture.read())[0]:
            data = _jpeg(read[1], pictures * repeats / _CAMERA_FPS)
            file.write(data * (shown if pictures else shown + round(wait * _CAMERA_FPS)))
            pictures += 1
        for _ in range(round(hold * _CAMERA_FPS)):
            file.write(data)
    capture.release()
    return pictures * shown / _CAMERA_FPS + hold + wait


def _jpeg(picture: np.ndarray, seconds: float) -> bytes:
    mark(picture, seconds)
    # Chromium takes the values of these JPEGs for those of television, where black is 16 and white 235.
    narrow = cv2.convertScaleAbs(picture, alpha=219 / 255, beta=16)
    return bytes(cv2.imencode(".jpg", narrow, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())


@dataclass(frozen=True)
class Films:
    """Films in a folder, each rendered when it is first asked for (half a minute), then kept."""

    folder: Path

    def get(self, game: str = "classic", picks: int = 2, hold: float = 45.0, wait: float = 2.0) -> Film:
        """Return the film of ``picks`` SETs, or turns of Cubed, of two players.

        Its first picture waits for ``wait`` seconds, its last one is held for ``hold``. In classic, Ben takes a SET,
        then Ann calls and shows none, then calls again and takes one; else nobody makes a mistake.
        """
        name = f"{game}-{_SEEDS[game]:04d}"
        base = self.folder / f"{picks}-picks-{_TABLE}" / name
        if not base.with_name(f"{name}.mp4").exists():
            _render(game, picks, base.parent)
        path = base.with_name(f"{name}-{wait:g}-{hold:g}.mjpeg")
        if not path.with_suffix(".seconds").exists():
            seconds = to_mjpeg(base.with_name(f"{name}.mp4"), path, hold, wait, _SLOWER)
            path.with_suffix(".seconds").write_text(str(seconds), encoding="utf-8")
        return _known(path, base)


def _render(game: str, picks: int, folder: Path) -> None:
    command = [sys.executable, "-m", "datasets.render_videos", "--game", game, "--picks", str(picks)]
    command += ["--seed", str(_SEEDS[game]), "--table", _TABLE, "--out", str(folder)]
    subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program


def _known(path: Path, base: Path) -> Film:
    calls = tuple((line["at"], line["player"]) for line in _lines(base.with_name(f"{base.name}.calls.jsonl")))
    header, *events = _lines(base.with_name(f"{base.name}.record.jsonl"))
    seconds = float(path.with_suffix(".seconds").read_text(encoding="utf-8"))
    return Film(path, seconds, calls, header, tuple(events))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
