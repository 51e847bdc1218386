"""How many photos are in the service at once: a few are read, a few more wait, the rest are sent away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.errors import ServiceError

__all__ = ["BusyError", "Places"]


class BusyError(ServiceError, RuntimeError):
    """More photos than may wait."""

    code = "busy"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("too many photos are waiting; try again in a moment")


class Places:
    """Counts the photos from the first byte of their upload to the answer; used from the event loop only."""

    def __init__(self, workers: int, waiting: int) -> None:
        """Let ``workers`` photos be read at the same time and ``waiting`` more wait or arrive."""
        self._free = workers + waiting

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold a place for one photo.

        :raises BusyError: there is none.
        """
        if self._free <= 0:
            raise BusyError
        self._free -= 1
        try:
            yield
        finally:
            self._free += 1
