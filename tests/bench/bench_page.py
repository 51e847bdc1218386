"""How soon the live view shows what lies there, and how smoothly the page draws meanwhile.

    python -m tests.bench.bench_page [--game classic] [--seconds 20] [--slower 1] [--film VIDEO]

A service, Chromium, and a camera of 1280 x 720 that plays a filmed game (rendered first, or VIDEO) share this machine.
The page itself says when it has drawn what the service saw on a picture: ``delay`` is from the picture to then, by its
User Timing "overlay-delay". ``drawing`` counts requestAnimationFrame of the same page meanwhile; a frame is late if it
comes more than half a frame after its time. ``--slower 4`` lets the page have a quarter of the processor's speed, as on
an old phone (the camera and the service keep theirs). Times are noisy: compare runs on a quiet machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from tests.page.browsers import LAPTOP, PHONE, Size, opened
from tests.page.checks import until
from tests.page.films import Films, to_mjpeg
from tests.server_process import running

__all__ = ["main"]

_FRAME = 1000 / 60
_SETTLE = 3_000.0
"""Milliseconds until the first pictures have been looked at and what is compiled is warm."""
_START = 30.0
"""Seconds until the service has loaded its models and answers."""
_MEASURE = """(seconds) => new Promise((done) => {
  const begun = performance.now(), gaps = [];
  let last = begun;
  const draw = (now) => {
    gaps.push(now - last);
    last = now;
    if (now < begun + 1000 * seconds) requestAnimationFrame(draw);
    else done({ gaps: gaps.slice(1), delays: performance.getEntriesByName("overlay-delay")
      .filter(({ startTime }) => startTime >= begun).map(({ duration }) => duration) });
  };
  requestAnimationFrame(draw);
})"""
_SIZE = "(({ videoWidth, videoHeight }) => [videoWidth, videoHeight])(document.querySelector('video'))"


def _share(values: Sequence[float], share: float) -> float:
    return float(np.quantile(values, share)) if values else float("nan")


def _film(folder: Path, game: str, video: Path | None) -> Path:
    if video is None:
        return Films(folder).get(game).path
    to_mjpeg(video, folder / "film.mjpeg")
    return folder / "film.mjpeg"


def _live(browser: Browser, address: str, size: Size, slower: float) -> Page:
    """Return the live view, its camera on, after the first results."""
    context = browser.new_context(viewport=size.viewport, device_scale_factor=size.scale, locale="en-GB")
    page = context.new_page()
    page.goto(f"{address}/live")
    page.get_by_role("button", name="Start the camera").click()
    until(page, "performance.getEntriesByName('overlay-delay').length > 0", _START)
    if slower > 1:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.wait_for_timeout(_SETTLE)
    return page


def _show(name: str, size: Sequence[int], measured: dict[str, Any], seconds: float) -> None:
    delays, gaps = measured["delays"], measured["gaps"]
    late = sum(gap > 1.5 * _FRAME for gap in gaps)
    print(
        f"{name:8s} {size[0]} x {size[1]}: delay p50 {_share(delays, 0.5):.0f} ms, p95 {_share(delays, 0.95):.0f} ms, "
        f"most {max(delays, default=float('nan')):.0f} ms, {len(delays) / seconds:.1f} pictures a second; "
        f"drawing {1000 / np.mean(gaps):.1f} fps, {late} of {len(gaps)} frames late, longest {max(gaps):.0f} ms",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_page", description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=("classic", "cubed", "junior-2"), default="classic")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--slower", type=float, default=1.0, help="by how much the page's processor is slowed down")
    parser.add_argument("--film", type=Path, help="a video of 30, 15 or 10 pictures a second")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, opened() as browsers, running(Path(folder)) as server:
        browser = browsers.playing(_film(Path(folder), options.game, options.film))
        for name, size in (("laptop", LAPTOP), ("phone", PHONE)):
            page = _live(browser, server.address, size, options.slower)
            _show(name, page.evaluate(_SIZE), page.evaluate(_MEASURE, options.seconds), options.seconds)
            page.context.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
