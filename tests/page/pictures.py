"""Makes the pictures of the page that the README shows, from a real service, a real browser and a film of our renderer.

``python -m tests.page.pictures docs/pictures``
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.page.browsers import LAPTOP, PHONE, Browsers, Size, opened
from tests.page.films import Film, Films
from tests.page.marks import shown_at
from tests.page.seats import big_button
from tests.server_process import Server, running

__all__ = ["main"]

_REACHED = "http://192.168.1.20:8000"
"""The address that the invitation shows, as it might be in a home."""
_PATIENCE = 60_000.0
_WIDE = 1000
_TALL = 640
_QUALITY = 82
_DEMO = Path(__file__).resolve().parents[2] / "service" / "static" / "demo.jpg"


def main() -> None:
    """Write the pictures into the folder that is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.page.pictures", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=_PATIENCE)
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(running(scratch))
        studio = _Studio(stack.enter_context(opened()), server, Films(scratch / "films").get("classic"), folder)
        studio.photo()
        studio.live()
        studio.table()


class _Studio:
    """Where pages are photographed."""

    def __init__(self, browsers: Browsers, server: Server, film: Film, folder: Path) -> None:
        self.film, self.folder = film, folder
        self._browsers, self._server = browsers, server

    def photo(self) -> None:
        """The photo view, one SET lit."""
        page = self._page(self._browsers.playing(None), LAPTOP)
        page.goto("/photo")
        page.locator('input[type="file"]').last.set_input_files(_DEMO)
        page.locator(".sets button").nth(1).click()
        page.mouse.move(0, 0)
        self._save("photo", _shot(page))

    def live(self) -> None:
        """The live view, while the film's first cards lie there."""
        page = self._page(self._browsers.playing(self.film.path), LAPTOP)
        page.goto("/live")
        page.get_by_role("button", name="Start the camera").click()
        expect(page.locator("[data-set]").first).to_be_attached()
        page.wait_for_timeout(1500)
        self._save("live", _shot(page))
        page.context.close()

    def table(self) -> None:
        """A table: opened, joined, played at."""
        host = self._page(self._browsers.playing(self.film.path), LAPTOP)
        host.route(
            "**/api/v1/addresses", lambda route: route.fulfill(json={"addresses": [_REACHED], "reachable": True})
        )
        host.goto("/table")
        for number, player in enumerate(self.film.players, start=1):
            host.get_by_placeholder(f"Player {number}").fill(player)
        self._save("table-open", _shot(host))
        host.get_by_role("button", name="Open the table").click()
        expect(host.locator(".invited .code")).to_be_visible()
        expect(host.locator(".invitation .qr")).to_be_visible()
        code = host.locator(".invited .code").inner_text().replace(" ", "")
        self._save("table-invite", _shot(host))
        phones = {player: self._joined(code, player) for player in self.film.players}
        self._play(host, phones)

    def _joined(self, code: str, player: str) -> Page:
        phone = self._page(self._browsers.playing(None), PHONE)
        phone.goto(f"/j/{code}")
        phone.get_by_role("button", name=player).tap()
        expect(big_button(phone)).to_be_visible()
        return phone

    def _play(self, host: Page, phones: dict[str, Page]) -> None:
        host.get_by_role("button", name="This device\u2019s camera").click()
        expect(host.locator("video")).to_be_visible()
        (at, caller), *_ = self.film.calls
        (other,) = set(phones) - {caller}
        button = big_button(phones[caller])
        shown_at(host, at)
        expect(button).to_have_attribute("aria-disabled", "false")
        shots = [_shot(phones[caller])]
        button.tap()
        phones[other].wait_for_timeout(600)
        shots += [_shot(phones[caller]), _shot(phones[other])]
        expect(phones[caller].locator(".verdict").first).to_be_visible()
        phones[caller].wait_for_timeout(1500)
        shots.append(_shot(phones[caller]))
        self._save("table-phones", _side_by_side(shots))
        host.evaluate("scrollTo(0, 0)")
        self._save("table-host", _shot(host))

    def _page(self, browser: Browser, size: Size) -> Page:
        context: BrowserContext = browser.new_context(
            base_url=self._server.address,
            viewport=size.viewport,
            device_scale_factor=size.scale,
            has_touch=size.touch,
            is_mobile=size.touch,
            color_scheme="light",
            locale="en-GB",
            reduced_motion="reduce",
        )
        context.set_default_timeout(_PATIENCE)
        return context.new_page()

    def _save(self, name: str, picture: np.ndarray) -> None:
        height = round(picture.shape[0] * _WIDE / picture.shape[1])
        small = cv2.resize(picture, (_WIDE, height), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(self.folder / f"{name}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])


def _shot(page: Page) -> np.ndarray:
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError("the browser took no picture")
    return picture


def _side_by_side(shots: list[np.ndarray]) -> np.ndarray:
    """Return phones beside each other, with a little air between them."""
    small = [cv2.resize(shot, (round(shot.shape[1] * _TALL / shot.shape[0]), _TALL)) for shot in shots]
    return np.hstack(
        [cv2.copyMakeBorder(shot, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=(200, 200, 200)) for shot in small]
    )


if __name__ == "__main__":
    main()
