"""A person who has no mouse."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

__all__ = ["Keyboard"]

_FORBID = """for (const type of ["mousedown", "touchstart"])
  addEventListener(type, () => console.error(`a keyboard alone, but ${type}`), true);"""
_HAS_FOCUS = "element => element === document.activeElement"
_SHOWS_FOCUS = """element => [element, ...(element.labels ?? []), element.parentElement].some((shown) => {
  const style = shown && getComputedStyle(shown);
  return style && (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== "none");
})"""
_MOST = 150


class Keyboard:
    """The keys of ``page``: from now on a click or a touch on it fails the test."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(_FORBID)
        page.evaluate(_FORBID)

    def reach(self, wanted: Locator, back: bool = False) -> None:
        """Press Tab (with Shift: ``back``) until ``wanted`` has the focus, which must be seen on it."""
        wanted.wait_for(state="attached")
        for _ in range(_MOST):
            if wanted.evaluate(_HAS_FOCUS):
                break
            self.press("Shift+Tab" if back else "Tab")
        else:
            raise AssertionError(f"Tab does not reach {wanted}")
        assert wanted.evaluate(_SHOWS_FOCUS), f"the focus is not seen on {wanted}"

    def press(self, keys: str, times: int = 1) -> None:
        """Press a key or keys together, as in ``"Enter"``, ``"Shift+Tab"``, ``"ArrowDown"``."""
        for _ in range(times):
            self.page.keyboard.press(keys)

    def use(self, wanted: Locator) -> None:
        """Go to a button or link, and press Enter."""
        self.reach(wanted)
        self.press("Enter")

    def write(self, wanted: Locator, text: str) -> None:
        """Go to a field, and write ``text`` in place of what stands there."""
        self.reach(wanted)
        self.press("ControlOrMeta+a")
        self.page.keyboard.type(text)
