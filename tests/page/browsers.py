"""Chromium for the tests of the page: the distribution's own, with a film for a camera."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, ViewportSize, sync_playwright

__all__ = ["LAPTOP", "PHONE", "PROJECTOR", "SMALL", "Browsers", "Size", "chromium", "opened"]

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ALONE = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--no-first-run",
)
"""Nothing of the browser's own goes out, and no name is looked up; drawing is steadiest without an emulated GPU."""
_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


@dataclass(frozen=True)
class Size:
    """A screen: width and height in CSS pixels, pixels of the screen for each, and whether it is touched."""

    width: int
    height: int
    scale: float = 1.0
    touch: bool = False

    @property
    def viewport(self) -> ViewportSize:
        """As Playwright wants it."""
        return {"width": self.width, "height": self.height}


PHONE = Size(390, 844, 2.0, touch=True)
SMALL = Size(320, 568, 2.0, touch=True)
LAPTOP = Size(1280, 800)
PROJECTOR = Size(1920, 1080)


def chromium() -> str:
    """Return the path of Chromium; without one the tests are skipped, or fail where SET_REFEREE_NEED_BROWSER is set."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        missing = f"there is no browser: none of {', '.join(_NAMES)} is on the PATH"
        if os.environ.get("SET_REFEREE_NEED_BROWSER"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found


@dataclass
class Browsers:
    """One browser for each film, for what its camera sees is told when it starts; ``None`` has no camera."""

    kind: BrowserType
    path: str
    _open: dict[Path | None, Browser] = field(default_factory=dict)

    def playing(self, film: Path | None) -> Browser:
        """Return the browser whose camera plays ``film``, from its beginning whenever a page opens the camera."""
        browser = self._open.get(film)
        if browser is None or not browser.is_connected():
            camera = [] if film is None else [*_CAMERA, f"--use-file-for-fake-video-capture={film}"]
            browser = self.kind.launch(executable_path=self.path, args=[*_ALONE, *camera])
            self._open[film] = browser
        return browser

    def close(self) -> None:
        """Close them all."""
        for browser in self._open.values():
            browser.close()


@contextmanager
def opened() -> Iterator[Browsers]:
    """Yield browsers that are closed at the end."""
    path = chromium()
    with sync_playwright() as playwright:
        browsers = Browsers(playwright.chromium, path)
        try:
            yield browsers
        finally:
            browsers.close()
