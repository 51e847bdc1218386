"""Render many scenes to a folder: pictures and ``labels.jsonl``.

    python -m datasets.render --count 200 --seed 1 --out /tmp/scenes [--crops DIR] [--textures DIR] [--jobs 2]

A line of the labels has the form that ``evaluate`` reads ("file", "size", "tags", "cards") and "things": everything
that lies there from the lowest to the topmost, with kind, name, corners and visible share. The same seed, count and
folders give the same files, whatever the number of jobs.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import cv2

from datasets.folder import add_options, fill_folder, write_picture
from datasets.layouts import LAYOUTS
from datasets.scene import Scene, SceneSettings, render_scene
from datasets.skins import Skins
from datasets.tables import PROCEDURES, photo_textures

__all__ = ["main", "render_folder", "scene_label"]

_IGNORED_BELOW = 0.75


def scene_label(scene: Scene, file: str) -> dict[str, object]:
    """Return the label line of ``scene`` as plain data, corners rounded to a tenth of a pixel."""
    height, width = scene.image.shape[:2]
    things = [
        {
            "kind": thing.kind,
            "name": thing.name,
            "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in thing.corners],
            "visible": round(thing.visible, 3),
        }
        for thing in scene.things
    ]
    cards = [
        {"quad": thing["corners"], "card": thing["name"], "ignore": thing["visible"] < _IGNORED_BELOW}  # type: ignore[operator]
        for thing in things
        if thing["name"] is not None
    ]
    return {
        "file": file,
        "size": [width, height],
        "tags": [scene.table, scene.layout],
        "cards": cards,
        "things": things,
    }


def _render_one(seed: int, settings: SceneSettings, out: Path) -> dict[str, object]:
    cv2.setNumThreads(1)
    scene = render_scene(seed, settings)
    file = f"scene_{seed:07d}.jpg"
    write_picture(out / file, scene.image)
    return scene_label(scene, file)


def render_folder(out: Path, count: int, seed: int, settings: SceneSettings, jobs: int = 1) -> Path:
    """Render scenes ``seed * 100000 + 0 .. count - 1`` into ``out``; return the path of the labels."""
    return fill_folder(out, count, seed, partial(_render_one, settings=settings, out=out), jobs)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m datasets.render", description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--crops", type=Path, help="folder of real crops with labels.csv")
    parser.add_argument("--table", choices=sorted(PROCEDURES), help="one kind of table only")
    parser.add_argument("--layout", choices=sorted(LAYOUTS), help="one layout only")
    options = parser.parse_args(arguments)
    skins = Skins.read(options.crops) if options.crops else None
    settings = SceneSettings(skins, photo_textures(options.textures), table=options.table, layout=options.layout)
    labels = render_folder(options.out, options.count, options.seed, settings, options.jobs)
    print(labels)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
