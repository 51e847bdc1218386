"""Small pictures of boards with dice or tiles, drawn here and labelled like rendered scenes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import homography, transform
from vision.types import Image

__all__ = ["write_board_pictures"]

Points = npt.NDArray[np.float64]
_INKS = {"red": (40, 30, 210), "green": (60, 150, 20), "purple": (140, 40, 110)}
_SIDE = 48


def _face(number: int, colour: str) -> Image:
    """A white face with one to three coloured bars."""
    face = np.full((_SIDE, _SIDE, 3), 240, np.uint8)
    for bar in range(number):
        top = _SIDE // 2 + 12 * bar - 6 * number
        cv2.rectangle(face, (10, top), (38, top + 7), _INKS[colour], -1)
    return face


def _paste(picture: Image, face: Image, corners: Points) -> None:
    square = np.array([[0, 0], [_SIDE, 0], [_SIDE, _SIDE], [0, _SIDE]], np.float64) - 0.5
    size = (picture.shape[1], picture.shape[0])
    matrix = homography(square, corners)
    mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, size)
    warped = cv2.warpPerspective(face, matrix, size)
    picture[mask > 127] = warped[mask > 127]


def _square(matrix: Points, row: float, column: float, inset: float = 0.0) -> Points:
    low, high = inset, 1 - inset
    corners = [[column + low, row + low], [column + high, row + low], [column + high, row + high]]
    return np.asarray(transform([*corners, [column + low, row + high]], matrix), np.float64)


def _draw(rng: np.random.Generator, file: str, kind: str, lines: bool) -> tuple[Image, dict[str, Any]]:
    """A board of 5 x 6 squares with a digit, four pieces on it, and its label."""
    rows, columns, size = 5, 6, (320, 256)
    sheet = np.array([[60, 40], [250, 46], [264, 214], [44, 206]]) + rng.normal(0, 6, (4, 2))
    matrix = homography([[0, 0], [columns, 0], [columns, rows], [0, rows]], sheet)
    picture = np.full((size[1], size[0], 3), (60, 90, 60), np.uint8)
    cv2.fillConvexPoly(picture, np.round(sheet).astype(np.int32), (200, 190, 150))
    for row in range(rows + 1 if lines else 0):
        ends = np.round(transform([[0, row], [columns, row]], matrix)).astype(int)
        cv2.line(picture, ends[0].tolist(), ends[1].tolist(), (90, 90, 90), 1, cv2.LINE_AA)
    for column in range(columns + 1 if lines else 0):
        ends = np.round(transform([[column, 0], [column, rows]], matrix)).astype(int)
        cv2.line(picture, ends[0].tolist(), ends[1].tolist(), (90, 90, 90), 1, cv2.LINE_AA)
    places = rng.permutation(rows * columns)[:5].tolist()
    things = []
    for index, place in enumerate(places[:4]):
        row, column = divmod(place, columns)
        corners = _square(matrix, row, column, 0.08)
        number, colour = int(rng.integers(1, 4)), ("red", "green", "purple")[int(rng.integers(0, 3))]
        wild = kind == "die" and index == 3
        face = np.full((_SIDE, _SIDE, 3), (230, 200, 40), np.uint8) if wild else _face(number, colour)
        if kind == "die":
            corners = corners - [0, 9]
            below = corners + [0, 9]
            cv2.fillConvexPoly(picture, cv2.convexHull(np.round(below).astype(np.int32)), (150, 150, 150))
        _paste(picture, face, corners)
        thing: dict[str, Any] = {"kind": kind, "name": "wild" if wild else f"{number} {colour} oval", "visible": 1.0}
        if kind == "tile" and index == 3:
            thing["kind"] = "space"
        if kind == "die":
            outline = cv2.convexHull(np.concatenate([corners, corners + [0, 9]]).astype(np.float32))[:, 0]
            thing["body"] = outline.tolist()
        things.append({**thing, "corners": corners.tolist(), "look": "yellow" if wild else None})
    bonus = divmod(places[4], columns)
    digit = np.full((_SIDE, _SIDE, 3), (90, 220, 240), np.uint8)
    cv2.putText(digit, "5", (10, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 20), 3)
    _paste(picture, digit, _square(matrix, *bonus))
    board = {
        "kind": "cubed" if kind == "die" else "junior-1",
        "rows": rows,
        "columns": columns,
        "matrix": matrix.tolist(),
        "corners": sheet.tolist(),
        "lines": lines,
        "logo": [[2, 1], [2, 2], [2, 3]],
        "bonus": [{"at": list(bonus), "points": 5}],
    }
    return picture, {"file": file, "size": list(size), "things": things, "board": board if kind == "die" else None}


def write_board_pictures(folder: Path, count: int = 4, lines: bool = True) -> Path:
    """Draw ``count`` pictures into ``folder``, every third of tiles, the others of dice; return the labels' path."""
    labels = folder / "labels.jsonl"
    with labels.open("w") as file:
        for number in range(count):
            name = f"board_{number}.png"
            kind = "tile" if number % 3 == 2 else "die"
            picture, label = _draw(np.random.default_rng(number), name, kind, lines and kind == "die")
            cv2.imwrite(str(folder / name), picture)
            file.write(json.dumps(label) + "\n")
    return labels
