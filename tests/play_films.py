"""Plays filmed games against a service of its own, with the client that is shipped as an example.

    python -m tests.play_films FILM.mp4 ...

The films come from ``datasets.render_videos``. They are played in real time, one after the other, by
``examples/play_a_game.py``: players with clocks of their own, a camera, a dispute, a correction, a lost connection. The
exit status is 1 if the scores of one are not those of its script, or phones have heard different things.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.server_process import running

__all__ = ["main"]

_CLIENT = Path(__file__).resolve().parents[1] / "examples" / "play_a_game.py"


def main(films: list[str]) -> int:
    """Play ``films``; return 1 if one went wrong."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        for film in films:
            command = [sys.executable, str(_CLIENT), server.address, film]
            done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - our own program
            sys.stdout.write(f"{film}\n" + "".join(f"    {line}\n" for line in done.stdout.splitlines()[-4:]))
            if done.returncode != 0:
                wrong.append(film)
                sys.stdout.write(f"{done.stdout}\n{done.stderr}\n")
        errors = server.log.read_text(encoding="utf-8").count('"level": "error"')
    sys.stdout.write(f"{len(films) - len(wrong)} of {len(films)} films refereed as they were played; {errors} faults\n")
    return 1 if wrong or errors or not films else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
