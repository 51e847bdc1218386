"""What happens to phones: they sleep, and wake up somewhere else in time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

__all__ = ["asleep"]

_HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => hidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
_LATER = "(later) => { const now = Date.now; Date.now = () => now() + later; }"


@contextmanager
def asleep(page: Page, seconds: float = 60.0) -> Iterator[None]:
    """Let the phone sleep meanwhile: the page is hidden, nothing it sends goes out, nothing comes in.

    When it wakes, ``seconds`` have passed on the clock of the day. What was sent meanwhile comes then, as it may where
    a connection outlives the sleep.
    """
    page.evaluate(_HIDE, True)
    page.context.set_offline(True)
    try:
        yield
    finally:
        page.evaluate(_LATER, seconds * 1000)
        page.context.set_offline(False)
        page.evaluate(_HIDE, False)
