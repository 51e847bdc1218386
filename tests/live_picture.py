"""Makes the README's picture of a live table: a frame of the video that ``watch --save-video`` writes of a film.

python -m tests.live_picture [--seed 11] [--at 17.4] [--out service/static/live.jpg]
"""

from __future__ import annotations

import argparse
import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from datasets.film import FilmSettings, produce
from datasets.film_script import ScriptSettings
from datasets.render_videos import write_film
from service.game import Game
from service.settings import Settings
from service.watch_command import WatchRequest, watch_table

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.live_picture", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--at", type=float, default=17.4, help="seconds from the start of the film")
    parser.add_argument("--out", type=Path, default=Path("service/static/live.jpg"))
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as name:
        folder = Path(name)
        settings = FilmSettings(script=ScriptSettings(picks=2, false_call=0.0, false_pick=0.0))
        film = write_film(produce("classic", options.seed, settings), folder, "film", "mjpg")
        players = json.loads((folder / "film.record.jsonl").read_text(encoding="utf-8").splitlines()[0])["players"]
        request = WatchRequest(
            str(film), True, Game.CLASSIC, players=",".join(players), calls=str(folder / "film.calls.jsonl"),
            call_limit=5.0, as_json=True, video=str(folder / "shown.avi"),
        )  # fmt: skip
        with redirect_stdout(StringIO()):
            watch_table(request, Settings())
        video = cv2.VideoCapture(str(folder / "shown.avi"))
        video.set(cv2.CAP_PROP_POS_MSEC, 1000 * options.at)
        _, frame = video.read()
        video.release()
    cv2.imwrite(str(options.out), frame, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
