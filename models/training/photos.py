"""Pictures with labelled things, rendered or real, as training reads them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.things import Thing
from vision.geometry import order_clockwise, upright_together
from vision.types import Image, Quad

__all__ = ["Photo", "read_photos"]


@dataclass(frozen=True, eq=False)
class Photo:
    """The path of a picture and what lies there, lowest first. ``real`` tells photos from renders."""

    path: Path
    things: tuple[Thing, ...]
    real: bool

    def image(self, longest: int | None = None) -> tuple[Image, float]:
        """Return (BGR picture, scale): at most ``longest`` pixels on the longer side.

        :raises FileNotFoundError: the file cannot be read as a picture.
        """
        picture = cv2.imread(str(self.path))
        if picture is None:
            raise FileNotFoundError(f"no picture can be read from {str(self.path)!r}")
        scale = 1.0 if longest is None else min(1.0, longest / max(picture.shape[:2]))
        if scale < 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(picture, np.uint8), scale


def _rendered(line: dict[str, list[dict[str, object]]]) -> tuple[Thing, ...]:
    return tuple(
        Thing(
            str(t["kind"]),
            None if t["name"] is None else str(t["name"]),
            np.array(t["corners"], np.float32),
            float(str(t["visible"])),
        )
        for t in line["things"]
    )


def _labelled(line: dict[str, list[dict[str, object]]]) -> tuple[Thing, ...]:
    """Cards labelled by hand: their corners turned so that a short side comes first, wholly visible unless ignored."""
    cards = line["cards"]
    width, height = (int(str(side)) for side in line["size"])
    quads = [Quad(order_clockwise(np.array(card["quad"], np.float32))) for card in cards]
    upright = upright_together(quads, (width, height)) if quads else []
    return tuple(
        Thing("card", str(card["card"]), quad.corners, 0.4 if card.get("ignore") else 1.0)
        for card, quad in zip(cards, upright, strict=True)
    )


def read_photos(labels: Path) -> list[Photo]:
    """Return the photos of a ``labels.jsonl``, rendered (with "things") or labelled by hand (with "cards" only)."""
    lines = [json.loads(line) for line in labels.read_text().splitlines() if line.strip()]
    return [
        Photo(
            labels.parent / line["file"], _rendered(line) if "things" in line else _labelled(line), "things" not in line
        )
        for line in lines
    ]
