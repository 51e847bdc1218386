"""How much each of many may take: so much a second, and so much at the same time."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil

from service.errors import ServiceError

__all__ = ["Buckets", "Shares", "TooManyError"]


class TooManyError(ServiceError):
    """A client that asks for more than its share."""

    code = "too-many-requests"

    def __init__(self, text: str, seconds: float = 1) -> None:
        """Say what is too much; after ``seconds`` there is more."""
        self.retry_after = max(1, ceil(seconds))
        unit = "second" if self.retry_after == 1 else "seconds"
        super().__init__(f"{text}; try again in {self.retry_after} {unit}")


class Buckets:
    """A token bucket for each client, as one number: when its bucket will be full again (seconds of ``clock``).

    That is the generic cell rate algorithm. Forgetting the client that was seen longest ago bounds the memory; a bucket
    that is forgotten is full.

    >>> buckets = Buckets(rate=2, burst=1, most=10, clock=lambda: 0.0)
    >>> buckets.take("Ann"), buckets.take("Ann"), buckets.take("Ben")
    (0.0, 0.5, 0.0)
    """

    def __init__(self, rate: float, burst: int, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Give each client ``rate`` tokens a second, ``burst`` at once; keep ``most`` clients in mind."""
        self._each, self._depth, self._most, self._clock = 1 / rate, burst / rate, most, clock
        self._full: OrderedDict[str, float] = OrderedDict()

    def __len__(self) -> int:
        """How many clients are in mind."""
        return len(self._full)

    def take(self, client: str) -> float:
        """Take a token and return 0, or take none and return after how many seconds there will be one."""
        full, wait = self._next(client)
        if wait:
            return wait
        self._note(client, full)
        return 0.0

    def wait(self, client: str) -> float:
        """Return after how many seconds there will be a token, 0 if there is one; take none."""
        return self._next(client)[1]

    def reserve(self, client: str) -> float:
        """Take a token, one that is still to come if need be, and return after how many seconds it is there."""
        full, wait = self._next(client)
        self._note(client, full)
        return wait

    def _next(self, client: str) -> tuple[float, float]:
        """Return when the bucket would be full again after one more token, and how long to wait for that token."""
        now = self._clock()
        full = max(self._full.get(client, now), now) + self._each
        wait = full - now - self._depth
        return full, wait if wait > 1e-9 else 0.0

    def _note(self, client: str, full: float) -> None:
        self._full[client] = full
        self._full.move_to_end(client)
        if len(self._full) > self._most:
            self._full.popitem(last=False)


class Shares:
    """Counts what each client holds at the same time."""

    def __init__(self, most: int, what: str) -> None:
        """Let each client hold ``most``; ``what`` that is, in the plural."""
        self._most, self._what = most, what
        self._held: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many clients hold anything."""
        return len(self._held)

    @contextmanager
    def held(self, client: str) -> Iterator[None]:
        """Count one more of ``client`` meanwhile.

        :raises TooManyError: it holds as many as it may.
        """
        if self._held[client] >= self._most:
            raise TooManyError(f"more than {self._most} {self._what} of yours are open")
        self._held[client] += 1
        try:
            yield
        finally:
            self._held[client] -= 1
            if not self._held[client]:
                del self._held[client]
