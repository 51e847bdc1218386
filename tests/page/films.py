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

__all__ = ["Film", "Films", "to_mjpeg"]

_CAMERA_FPS = 30
"""Chromium plays files of JPEGs at this rate, whatever they are."""
_QUALITY = 90
_SEEDS = {"classic": 60, "cubed": 41, "junior-2": 66}
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Film:
    """A film for a camera, which begins anew after ``seconds``, and what is known of its game.

    On a busy machine it takes longer than that: tests wait for what the table says, not for a time.
    ``calls`` holds (seconds from the film's beginning, player); ``header`` and ``events`` are the game's record, each
    event with its time ``t``.
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


def to_mjpeg(video: Path, out: Path, hold: float = 0.0) -> float:
    """Write the pictures of ``video`` one after the other as JPEGs, its last one for ``hold`` seconds more.

    Pictures are repeated so that the film has its own speed at the rate of Chromium's camera. Return its seconds.

    :raises OSError: the video cannot be read, or its rate does not divide that of the camera.
    """
    capture = cv2.VideoCapture(str(video))
    fps = capture.get(cv2.CAP_PROP_FPS)
    repeats = round(_CAMERA_FPS / fps) if fps else 0
    if repeats < 1 or abs(repeats * fps - _CAMERA_FPS) > 0.1:
        raise OSError(f"a camera plays films of 30, 15, 10, … pictures a second; {str(video)!r} has {fps:g}")
    pictures, data = 0, b""
    with out.open("wb") as file:
        while (read := capture.read())[0]:
            data = _jpeg(read[1])
            file.write(data * repeats)
            pictures += repeats
        for _ in range(round(hold * _CAMERA_FPS)):
            file.write(data)
            pictures += 1
    capture.release()
    return pictures / _CAMERA_FPS


def _jpeg(picture: np.ndarray) -> bytes:
    # Chromium takes the values of these JPEGs for those of television, where black is 16 and white 235.
    narrow = cv2.convertScaleAbs(picture, alpha=219 / 255, beta=16)
    return bytes(cv2.imencode(".jpg", narrow, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())


@dataclass(frozen=True)
class Films:
    """Films in a folder, each rendered when it is first asked for (half a minute), then kept."""

    folder: Path

    def get(self, game: str = "classic", picks: int = 2, seed: int | None = None, hold: float = 20.0) -> Film:
        """Return the film of ``picks`` SETs, or turns of Cubed, whose last picture is held for ``hold`` seconds.

        Without a ``seed`` two players play, who make no mistake.
        """
        seed = _SEEDS[game] if seed is None else seed
        name = f"{game}-{seed:04d}"
        base = self.folder / f"{picks}-picks" / name
        if not base.with_name(f"{name}.mp4").exists():
            _render(game, picks, seed, base.parent)
        path = base.with_name(f"{name}-{hold:g}.mjpeg")
        if not path.with_suffix(".seconds").exists():
            seconds = to_mjpeg(base.with_name(f"{name}.mp4"), path, hold)
            path.with_suffix(".seconds").write_text(str(seconds), encoding="utf-8")
        return _known(path, base)


def _render(game: str, picks: int, seed: int, folder: Path) -> None:
    command = [sys.executable, "-m", "datasets.render_videos", "--game", game, "--picks", str(picks)]
    command += ["--seed", str(seed), "--out", str(folder)]
    subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own program


def _known(path: Path, base: Path) -> Film:
    calls = tuple((line["at"], line["player"]) for line in _lines(base.with_name(f"{base.name}.calls.jsonl")))
    header, *events = _lines(base.with_name(f"{base.name}.record.jsonl"))
    seconds = float(path.with_suffix(".seconds").read_text(encoding="utf-8"))
    return Film(path, seconds, calls, header, tuple(events))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
