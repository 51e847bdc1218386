"""The rig for tests of the page in a real browser: ``make test-page``, or ``pytest -m browser tests/page -k NAME``.

Mark the file: ``pytestmark = pytest.mark.browser``. ``browse()`` gives an empty page: ``page.goto("/live")``.

- ``browse(PHONE, scheme="dark", language="de", camera=films.get("cubed"))``: each call is a person of their own, with a
  memory of their own. ``browse(beside=page)`` is a second tab. Sizes: SMALL, PHONE, LAPTOP, PROJECTOR.
- Every console error or warning, uncaught error, breach of the policy and request to elsewhere fails the test at its
  end. What a test provokes it allows: ``faults.allow("status of 409")``.
- ``films.get("classic", picks=2)`` is a ``Film``. The camera plays it from its beginning whenever a page opens it;
  ``film.calls`` and ``film.events`` say what happens about when (on a busy machine later: wait for the table, not for
  the time). Filming takes a moment; SET_REFEREE_FILMS names a folder that keeps films.
- ``look(page, "live-phone")`` saves a picture into SET_REFEREE_SCREENSHOTS. ``assert axe(page) == []``. ``fits(page)``:
  nothing is wider than the screen; ``larger_text(page)``: 200 %. ``reads_well(page)``: no ``{name}`` is left open.
- ``Keyboard(page)`` has no mouse: ``use``, ``write``. ``with asleep(page):`` the phone sleeps for a minute.
- ``api.post("/tables", json=...)`` asks the service without a page. Wait with ``expect(...)`` or
  ``until(page, condition)``, never sleep; ``page.wait_for_function`` is against the policy of the page.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.page.browsers import LAPTOP, Browsers, Size, opened
from tests.page.faults import Faults
from tests.page.films import Film, Films
from tests.server_process import Server, running

_MANY = {"CLIENT_RATE": "10000", "CLIENT_TABLES": "100000", "CLIENT_CONNECTIONS": "10000", "TABLE_RATE": "1000"}
"""All pages have one address: limits of a client are lifted."""
_LOCALES = {"en": "en-GB", "de": "de-DE", "fr": "fr-FR", "cs": "cs-CZ"}
_CAMERA_NAME = """globalThis.MediaDeviceInfo
  && Object.defineProperty(MediaDeviceInfo.prototype, "label", { get: () => "Back camera" });"""
"""The path of the film would stand there."""
_PATIENCE = 10_000.0
"""Milliseconds that a page on a busy machine may take for anything."""

Scheme = Literal["light", "dark"]


@dataclass
class Browse:
    """Opens pages at the service; see the top of this file."""

    server: Server
    browsers: Browsers
    faults: Faults
    stack: ExitStack

    def __call__(
        self,
        size: Size = LAPTOP,
        *,
        scheme: Scheme = "light",
        language: str = "en",
        camera: Film | None = None,
        beside: Page | None = None,
        calm: bool = False,
    ) -> Page:
        """Return an empty page; ``beside`` another page it shares that one's memory, ``calm`` people want no motion."""
        context = beside.context if beside else self._person(size, scheme, language, camera, calm)
        return context.new_page()

    def _person(self, size: Size, scheme: Scheme, language: str, camera: Film | None, calm: bool) -> BrowserContext:
        context = self.browsers.playing(camera.path if camera else None).new_context(
            base_url=self.server.address,
            ignore_https_errors=True,
            viewport=size.viewport,
            device_scale_factor=size.scale,
            has_touch=size.touch,
            is_mobile=size.touch,
            color_scheme=scheme,
            locale=_LOCALES[language],
            reduced_motion="reduce" if calm else "no-preference",
        )
        self.stack.callback(context.close)
        context.set_default_timeout(_PATIENCE)
        context.add_init_script(_CAMERA_NAME)
        self.faults.watch(context)
        return context


@pytest.fixture(scope="session")
def browsers() -> Iterator[Browsers]:
    """The browsers of all tests."""
    expect.set_options(timeout=_PATIENCE)
    with opened() as browsers:
        yield browsers


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service of its own."""
    with running(tmp_path_factory.mktemp("service"), _MANY) as server:
        yield server


@pytest.fixture(scope="session")
def api(server: Server) -> Iterator[httpx.Client]:
    """A client of the service without a page."""
    with httpx.Client(base_url=f"{server.address}/api/v1", timeout=30, trust_env=False) as client:
        yield client


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Films:
    """Films that are rendered when they are asked for."""
    folder = os.environ.get("SET_REFEREE_FILMS")
    return Films(Path(folder) if folder else tmp_path_factory.mktemp("films"))


@pytest.fixture
def faults(server: Server) -> Iterator[Faults]:
    """What goes wrong on the pages of this test: anything fails it."""
    faults = Faults(server.address)
    yield faults
    faults.check()


@pytest.fixture
def browse(server: Server, browsers: Browsers, faults: Faults) -> Iterator[Browse]:
    """Open pages."""
    with ExitStack() as stack:
        yield Browse(server, browsers, faults, stack)
