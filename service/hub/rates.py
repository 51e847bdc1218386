"""How much is granted: sockets and cameras, and pictures a second."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from service.hub.errors import FullError

__all__ = ["Grant", "Grants", "RateSettings", "Room"]


class Room:
    """Room for so many of ``what`` at the same time."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        self.taken = 0

    @property
    def is_full(self) -> bool:
        """Whether there is none for one more."""
        return self.taken >= self.most

    def take(self) -> None:
        """Take the place of one.

        :raises FullError: there is none.
        """
        if self.is_full:
            raise FullError(self.what, self.most)
        self.taken += 1

    def leave(self) -> None:
        """Give the place of one back."""
        self.taken -= 1


@dataclass(frozen=True, slots=True)
class RateSettings:
    """How pictures are granted.

    Cameras get the part ``share`` of the time of all workers, the rest is for photos. A picture is taken to cost
    ``first_ms`` until one has been measured; ``smoothing`` is the weight of the newest measure. A rate is told when it
    differs by the part ``change`` from what was told, and is never under ``least`` pictures a second.
    """

    share: float = 2 / 3
    first_ms: float = 100.0
    smoothing: float = 0.2
    change: float = 0.2
    least: float = 0.2


class Grant:
    """What one camera may send; ``changed`` is called with the rate when that is another than it was told."""

    def __init__(self, changed: Callable[[float], object], settings: RateSettings, most: float) -> None:
        self._changed, self._settings, self._most = changed, settings, most
        self._ms = settings.first_ms
        self.fps = 0.0
        """Pictures a second, as it was told."""

    def spent(self, ms: float) -> None:
        """Note that a picture has cost ``ms`` milliseconds."""
        self._ms += self._settings.smoothing * (max(1.0, ms) - self._ms)

    def share(self, seconds: float) -> None:
        """Grant ``seconds`` a second of work."""
        fps = round(min(self._most, max(self._settings.least, 1000 * seconds / self._ms)), 1)
        if abs(fps - self.fps) >= self._settings.change * self.fps:
            self.fps = fps
            self._changed(fps)


class Grants:
    """The rates of all cameras: each gets the same time, as much as one process has at the most."""

    def __init__(self, workers: int, most: float, settings: RateSettings | None = None) -> None:
        """Share ``workers`` processes; no camera gets more than ``most`` pictures a second."""
        self._workers, self._most, self._settings = workers, most, settings or RateSettings()
        self._grants: list[Grant] = []

    def join(self, changed: Callable[[float], object]) -> Grant:
        """Return the rate of one more camera."""
        grant = Grant(changed, self._settings, self._most)
        self._grants.append(grant)
        self.share()
        return grant

    def leave(self, grant: Grant) -> None:
        """Share without this one."""
        self._grants.remove(grant)
        self.share()

    def share(self) -> None:
        """Share anew."""
        grants = tuple(self._grants)
        for grant in grants:
            grant.share(min(1.0, self._settings.share * self._workers / len(grants)))
