"""Running the command line in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Run", "Runner"]


@dataclass
class Run:
    """What one run of the command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    def is_refused(self, *words: str) -> None:
        """Check for exit status 2 and one line on standard error that holds ``words``."""
        assert self.status == 2, self
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("set-referee: ")
        for word in words:
            assert word in self.err


Runner = Callable[..., Run]
"""Runs the command with these arguments."""
