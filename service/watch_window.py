"""The live window on this computer's screen, and the clock that a pause stops."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vision.types import Image

__all__ = ["PausableClock", "ScreenWindow", "Window", "has_display"]

_TITLE = "Set Referee"
_PROBE = "import cv2; cv2.namedWindow('set-referee'); cv2.destroyAllWindows()"
_PROBE_LIMIT = 15.0
_MOST_KEYS = 20


class Window(Protocol):
    """What the live game needs of a window."""

    def show(self, image: Image) -> None:
        """Show a (height, width, 3) uint8 BGR picture."""
        ...

    def pressed(self) -> Iterator[int]:
        """Yield the numbers of the keys that were pressed since last time, as ``cv2.waitKeyEx`` gives them."""
        ...

    @property
    def closed(self) -> bool:
        """Whether people have closed it."""
        ...

    def close(self) -> None:
        """Close it."""
        ...


class ScreenWindow:
    """A window of OpenCV's."""

    def __init__(self) -> None:
        """Prepare a window; it opens with its first picture."""
        self._open = False

    def show(self, image: Image) -> None:
        """Show a picture; the first one decides the size, which people can change."""
        import cv2

        if not self._open:
            cv2.namedWindow(_TITLE, cv2.WINDOW_NORMAL | cv2.WINDOW_KEEPRATIO | cv2.WINDOW_GUI_NORMAL)
            cv2.resizeWindow(_TITLE, image.shape[1], image.shape[0])
            self._open = True
        cv2.imshow(_TITLE, image)

    def pressed(self) -> Iterator[int]:
        """Yield the keys; this also lets the window draw itself."""
        import cv2

        for _ in range(_MOST_KEYS if self._open else 0):
            code = cv2.waitKeyEx(1)
            if code < 0:
                return
            yield code

    @property
    def closed(self) -> bool:
        """Whether its cross was clicked."""
        import cv2

        return self._open and cv2.getWindowProperty(_TITLE, cv2.WND_PROP_VISIBLE) < 1

    def close(self) -> None:
        """Close it, if it is open."""
        import cv2

        if self._open:
            cv2.destroyAllWindows()
            cv2.waitKeyEx(1)
        self._open = False


def has_display(environment: Mapping[str, str] | None = None, probe: Callable[[], bool] | None = None) -> bool:
    """Return whether a window can be opened here.

    Where there is no screen OpenCV ends the whole process, so another process tries it first.
    """
    known = os.environ if environment is None else environment
    if sys.platform.startswith("linux") and not (known.get("DISPLAY") or known.get("WAYLAND_DISPLAY")):
        return False
    return (probe or _opens)()


def _opens() -> bool:
    try:
        done = subprocess.run(  # noqa: S603  our own words only
            [sys.executable, "-c", _PROBE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PROBE_LIMIT,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


class PausableClock:
    """A clock that can be stopped."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Go by ``clock``."""
        self._clock = clock
        self._lost = 0.0
        self._stopped: float | None = None

    def __call__(self) -> float:
        """Return the seconds since some moment, without the pauses."""
        return (self._clock() if self._stopped is None else self._stopped) - self._lost

    @property
    def paused(self) -> bool:
        """Whether it is stopped."""
        return self._stopped is not None

    def toggle(self) -> None:
        """Stop it, or let it go on."""
        if self._stopped is None:
            self._stopped = self._clock()
        else:
            self._lost += self._clock() - self._stopped
            self._stopped = None
