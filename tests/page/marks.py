"""A film that says how far it is: marks in the corner of each picture, which the page of its camera reads off."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Page

__all__ = ["RATE", "mark", "shown_at"]

RATE = 30
"""Marks count in this part of a second."""
_BITS, _SIDE = 16, 8
"""Squares of the corner, and the pixels of their sides."""
_GREY, _LIGHTER = 125, 6
"""Squares for 0, and by how much those for 1 are lighter: not enough for a referee to see something move."""
_READ = """async ([seconds, rate, bits, side, middle]) => {
  const video = document.querySelector("video");
  const canvas = Object.assign(document.createElement("canvas"), { width: bits * side, height: side });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const light = (data, place) => {
    let sum = 0;
    for (let y = 1; y < side - 1; y += 1) {
      for (let x = 1; x < side - 1; x += 1) sum += data[4 * ((y * bits + place) * side + x)];
    }
    return sum / (side - 2) ** 2;
  };
  const patience = performance.now() + 2000 * seconds + 60000;
  for (;;) {
    context.drawImage(video, 0, video.videoHeight - side, bits * side, side, 0, 0, bits * side, side);
    const { data } = context.getImageData(0, 0, bits * side, side);
    let count = 0;
    for (let place = 0; place < bits; place += 1) count += light(data, place) > middle ? 2 ** place : 0;
    if (count / rate >= seconds) return count / rate;
    if (performance.now() > patience) throw new Error(`the film is at ${count / rate} seconds, and stays there`);
    await new Promise((done) => setTimeout(done, 15));
  }
}"""


def mark(picture: np.ndarray, seconds: float) -> None:
    """Write into the lower left corner of ``picture``, H x W x 3, how many ``seconds`` of the film are over."""
    count = round(seconds * RATE)
    bits = np.array([count >> place & 1 for place in range(_BITS)], np.uint8) * _LIGHTER + _GREY
    picture[-_SIDE:, : _BITS * _SIDE] = np.repeat(bits, _SIDE)[None, :, None]


def shown_at(page: Page, seconds: float) -> float:
    """Wait until the film in the video of ``page`` is so far, and return how far it is: on busy machines it is slow."""
    return float(page.evaluate(_READ, [seconds, RATE, _BITS, _SIDE, _GREY + _LIGHTER / 2]))
