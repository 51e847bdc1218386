"""How long each stage of reading a photo takes."""

from __future__ import annotations

import time

__all__ = ["Watch"]


class Watch:
    """Milliseconds per stage, from when it was made."""

    def __init__(self) -> None:
        self.began = self.last = time.perf_counter()
        self.stages: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """Note that ``stage`` has just ended."""
        now = time.perf_counter()
        self.stages[stage] = (now - self.last) * 1000
        self.last = now

    @property
    def total(self) -> float:
        """Milliseconds up to the end of the last stage."""
        return (self.last - self.began) * 1000
