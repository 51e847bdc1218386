"""Draw the picture that ``set-referee demo`` reads.

    python -m datasets.demo service/static/demo.jpg

Twelve cards of the US deck on a wooden table, drawn by our own renderer from one seed and no photo at all.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from datasets.camera import Sensor
from datasets.scene import Scene, SceneSettings, render_scene

__all__ = ["SEED", "demo_scene", "main"]

SEED = 7731
_SETTINGS = SceneSettings(
    sizes=(1600,),
    kinds=(1.0, 0.0, 0.0),
    ravensburger_share=0.0,
    steep=0.1,
    sensor=Sensor(blur=0.5, noise=1.0, quality=92),
    table="wood",
    layout="grid",
)


def demo_scene() -> Scene:
    """Return the scene of the demo picture."""
    return render_scene(SEED, _SETTINGS)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m datasets.demo", description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    out = parser.parse_args(arguments).out
    if not cv2.imwrite(str(out), demo_scene().image, [cv2.IMWRITE_JPEG_QUALITY, 90]):
        parser.error(f"cannot write {str(out)!r}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
