"""Figures of accuracy and speed, as tables for people and as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from service.console import show_table
from vision.measure import Timing

__all__ = ["figures_json", "show_groups", "show_speed", "speed_json"]

_COUNTS = ("photos", "pieces", "found", "extra")
"""Figures that are whole numbers; the others are shares."""

Figures = Mapping[str, float]
"""Figures by name; NaN where there is nothing to take a share of."""


def show_groups(
    title: str,
    column: str,
    names: Sequence[str],
    groups: Mapping[str, Figures],
    heads: Mapping[str, str] | None = None,
) -> None:
    """Print a table: a row for each of ``groups``, headed ``column``, with the figures called ``names``.

    ``heads`` are other words above some of them.
    """
    rows = [[group, *(_cell(name, figures[name]) for name in names)] for group, figures in groups.items()]
    show_table(title, (column, *((heads or {}).get(name, name) for name in names)), rows)


def _cell(name: str, value: float) -> str:
    if math.isnan(value):
        return "-"
    return f"{value:.0f}" if name in _COUNTS else f"{value:.3f}"


def show_speed(times: Timing | None) -> None:
    """Print how long a photo takes, if any was read."""
    if times is not None:
        show_table("speed", ("a photo", "ms"), (("median", f"{times.median:.0f}"), ("p95", f"{times.p95:.0f}")))


def figures_json(figures: Figures) -> dict[str, float | None]:
    """Return ``figures`` for JSON: a share of nothing is null."""
    return {name: None if math.isnan(value) else round(value, 4) for name, value in figures.items()}


def speed_json(times: Timing | None) -> dict[str, float] | None:
    """Return how long a photo takes for JSON, None if none was read."""
    return None if times is None else {"median": round(times.median, 1), "p95": round(times.p95, 1)}
