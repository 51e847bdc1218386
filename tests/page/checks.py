"""Checks that any view can be given to: accessibility, and what is cut off."""

from __future__ import annotations

import json
import os
import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

__all__ = ["axe", "fits", "larger_text", "look", "reads_well", "until"]

_GLANCE = 50.0
"""Milliseconds between two looks at a condition."""
_AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_OPTIONS = json.dumps({"runOnly": _TAGS, "resultTypes": ["violations"]})
_WIDE = """() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth + 1) return [];
  const reaches = (one) => one.getBoundingClientRect().left + one.scrollWidth > clientWidth + 1;
  const all = [...document.querySelectorAll("body *")];
  const inner = all.filter((one) => reaches(one) && ![...one.children].some(reaches)).slice(0, 5);
  const named = (one) => `${one.tagName} ${one.getAttribute("class")}: ${one.textContent.trim().slice(0, 40)}`;
  return [`${scrollWidth} of ${clientWidth} pixels`, ...inner.map(named)];
}"""


@cache
def _source() -> str:
    if not _AXE.exists():
        pytest.fail(f"there is no {_AXE}: run make test-page, or npm ci in {_AXE.parents[2]}")
    return _AXE.read_text(encoding="utf-8")


def axe(page: Page) -> list[str]:
    """Return what axe-core finds against WCAG 2.2 AA and good practice, one readable line for each element.

    The source goes through the debugger's protocol, for the policy of the page lets no script in.
    """
    session = page.context.new_cdp_session(page)
    try:
        session.send("Runtime.evaluate", {"expression": _source()})
        asked = {
            "expression": f"axe.run(document, {_OPTIONS}).then((found) => found.violations)",
            "awaitPromise": True,
            "returnByValue": True,
        }
        answer = session.send("Runtime.evaluate", asked)
    finally:
        session.detach()
    assert "exceptionDetails" not in answer, answer["exceptionDetails"]
    return [line for violation in answer["result"]["value"] for line in _lines(violation)]


def _lines(violation: dict[str, Any]) -> list[str]:
    return [
        f"{violation['id']} ({violation['impact']}): {violation['help']}: {node['target']} {node['html'][:120]} "
        + "; ".join(check["message"] for check in (*node["any"], *node["all"], *node["none"]))
        for node in violation["nodes"]
    ]


def fits(page: Page) -> None:
    """Fail if the page is wider than the screen: nobody should have to scroll sideways."""
    wide = page.evaluate(_WIDE)
    assert not wide, "wider than the screen:\n" + "\n".join(wide)


def reads_well(page: Page) -> None:
    """Fail if a text has a value left open, or one that no person would write."""
    text = page.locator("body").inner_text()
    odd = re.findall(r".*(?:\{\w+\}|\bundefined\b|\bnull\b|\bNaN\b|\[object).*", text)
    assert not odd, "odd texts:\n" + "\n".join(odd)


def until(page: Page, condition: str, seconds: float = 10.0) -> None:
    """Wait until the JavaScript ``condition`` holds; ``page.wait_for_function`` is against the policy of the page."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, f"{condition} does not hold after {seconds:g} seconds"
        page.wait_for_timeout(_GLANCE)


def larger_text(page: Page, percent: int = 200) -> None:
    """Make the text as large as a person may have set it in the browser."""
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", f"{percent}%")


def look(page: Page, name: str, full: bool = False) -> None:
    """Save a picture of the page as ``NAME.png`` in the folder SET_REFEREE_SCREENSHOTS; without one, do nothing.

    ``full``: of the whole page, not of what the screen shows.
    """
    folder = os.environ.get("SET_REFEREE_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=full)
