"""Dice that stand side by side: which are neighbours, and the lattice that their top faces form.

Convention: lattice coordinates are (x, y) in pitches; a die in the square (x, y) has its middle at (x + 0.5, y + 0.5).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Chain", "ChainConfig", "chain"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_STEPS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.int64)
"""Neighbours along the turns 0 to 3: each is a quarter turn clockwise from the one before."""


@dataclass(frozen=True)
class ChainConfig:
    """What counts as neighbours.

    ``edge`` is a die's likely edge in pitches and ``edges`` the range believed; ``near`` the farthest in pitches that
    a neighbour lies from where the die beside it says.
    """

    edge: float = 0.91
    edges: tuple[float, float] = (0.78, 1.0)
    near: float = 0.27


@dataclass(frozen=True, eq=False)
class Chain:
    """Dice joined to each other: their (n,) numbers, their corners (n, 4, 2) in lattice coordinates, their edge."""

    members: Integers
    corners: Floats
    edge: float


def chain(faces: Floats, config: ChainConfig | None = None) -> Chain | None:
    """Return the largest group of dice that stand side by side, from top faces (k, 4, 2); None without dice."""
    chosen = config or ChainConfig()
    if not len(faces):
        return None
    gaps = _gaps(faces, chosen.edge)
    steps = np.abs(gaps[:, :, None] - _STEPS).max(axis=3)
    towards = steps.argmin(axis=2)
    joined = steps.min(axis=2) < chosen.near
    joined &= joined.T
    members, squares, turns = _largest(joined, towards, _relative(faces))
    edge = chosen.edge
    if joined.any():
        edge = float(np.clip(chosen.edge / np.median(np.abs(gaps[joined]).max(axis=1)), *chosen.edges))
    return Chain(members, _corners(squares, turns, edge), edge)


def _gaps(faces: Floats, edge: float) -> Floats:
    """Where each die sees the middle of each other, (k, k, 2) in pitches along its own sides."""
    middles = faces.mean(axis=1)
    sides = _sides(faces) / edge
    apart = middles[None] - middles[:, None]
    return np.asarray(np.einsum("iab,ijb->ija", np.linalg.inv(sides.transpose(0, 2, 1)), apart), np.float64)


def _sides(faces: Floats) -> Floats:
    """(k, 2, 2): a face's side from corner 0 to 1, and from corner 1 to 2."""
    across = (faces[:, 1] + faces[:, 2] - faces[:, 0] - faces[:, 3]) / 2
    down = (faces[:, 2] + faces[:, 3] - faces[:, 0] - faces[:, 1]) / 2
    return np.stack([across, down], axis=1)


def _relative(faces: Floats) -> Integers:
    """By how many quarter turns clockwise the sides of die j are turned against those of die i, (k, k)."""
    across = _sides(faces)[:, 0]
    angles = np.arctan2(across[:, 1], across[:, 0])
    return np.rint((angles[None] - angles[:, None]) / (np.pi / 2)).astype(np.int64) % 4


def _largest(
    joined: npt.NDArray[np.bool_], towards: Integers, relative: Integers
) -> tuple[Integers, Integers, Integers]:
    """The largest group: members, their squares (n, 2), and by how many turns their sides differ from the lattice's."""
    best: dict[int, tuple[int, int, int]] = {}
    seen: set[int] = set()
    for start in range(len(joined)):
        if start not in seen:
            group = _walk(start, joined, towards, relative)
            seen |= group.keys()
            best = group if len(group) > len(best) else best
    table = np.array([(number, *place) for number, place in sorted(best.items())], np.int64)
    return table[:, 0], table[:, 1:3], table[:, 3]


def _walk(
    start: int, joined: npt.NDArray[np.bool_], towards: Integers, relative: Integers
) -> dict[int, tuple[int, int, int]]:
    places = {start: (0, 0, 0)}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        x, y, turn = places[here]
        for there in np.flatnonzero(joined[here]).tolist():
            if there not in places:
                step = _STEPS[(towards[here, there] + turn) % 4]
                places[there] = (x + int(step[0]), y + int(step[1]), int(turn + relative[here, there]) % 4)
                waiting.append(there)
    return places


def _corners(squares: Integers, turns: Integers, edge: float) -> Floats:
    unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * edge
    order = (np.arange(4) + turns[:, None]) % 4
    return np.asarray(squares[:, None] + 0.5 + unit[order], np.float64)
