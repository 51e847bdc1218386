"""Colours of a table decided together: ink measured against paper, unsure colours settled by the clusters."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from datasets.art import draw_card, random_style
from engine.tokens import Card, Colour
from vision import colours
from vision.colours import ColourConfig, ink_colour, is_colourless, together
from vision.geometry import rectify
from vision.pixels import CROP_MARGIN, CROP_SIZE
from vision.types import Deck, Image, Quad

Floats = npt.NDArray[np.float32]


def crop_of(name: str, seed: int = 3, cast: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Image:
    """The reader's crop of a drawn card under a colour cast (BGR gains)."""
    style = random_style(np.random.default_rng(seed), Deck.US)
    art = draw_card(Card.parse(name), style, np.random.default_rng(1))
    table = np.full((art.image.shape[0] + 80, art.image.shape[1] + 80, 3), 60, np.uint8)
    table[40:-40, 40:-40] = art.image
    lit = np.clip(table * np.array(cast), 0, 255).astype(np.uint8)
    height, width = art.image.shape[:2]
    quad = Quad.of([(40, 40), (40 + width, 40), (40 + width, 40 + height), (40, 40 + height)])
    return rectify(lit, quad, CROP_SIZE, CROP_MARGIN)


@pytest.mark.parametrize("shading", ["solid", "striped", "open"])
def test_ink_of_one_colour_is_alike_under_any_lamp(shading: str) -> None:
    plain = ink_colour(crop_of(f"2 purple {shading} oval"))
    warm = ink_colour(crop_of(f"2 purple {shading} oval", cast=(0.6, 0.85, 1.0)))
    other = ink_colour(crop_of(f"2 red {shading} oval"))
    assert np.linalg.norm(plain - warm) < 0.6 * np.linalg.norm(plain - other)


def test_a_thin_outline_has_the_ink_of_a_solid_symbol() -> None:
    inks = {c: [ink_colour(crop_of(f"1 {c} {s} oval")) for s in ("solid", "open")] for c in ("red", "green", "purple")}
    for colour, (solid, outline) in inks.items():
        nearest = min(inks, key=lambda other: float(np.linalg.norm(inks[other][0] - outline)))
        assert nearest == colour, (solid, outline)


def test_lab_is_that_of_opencv_and_leaves_grey_grey() -> None:
    points = np.random.default_rng(5).uniform(0, 1, (3000, 3)).astype(np.float32)
    points[:300] *= 0.05
    ours, known = colours._lab(points), cv2.cvtColor(points[None], cv2.COLOR_BGR2Lab)[0]
    assert ours.dtype == np.float32
    assert np.abs(ours - known).max() < 0.5  # OpenCV looks it up in a coarse table
    assert np.abs(ours - known).mean() < 0.1
    grey = colours._lab(np.repeat(np.linspace(0, 1, 50, dtype=np.float32)[:, None], 3, axis=1))
    assert np.abs(grey[:, 1:]).max() < 0.01
    np.testing.assert_allclose(grey[[0, -1], 0], [0, 100], atol=1e-3)


def table(unsure: Floats) -> tuple[Floats, Floats]:
    """Log-probabilities and inks of three sure pieces of each colour and one unsure red one."""
    sure = np.log(np.full((9, 3), 0.005) + np.repeat(np.eye(3), 3, axis=0) * 0.985)
    middles = np.repeat(np.array([[50.0, 30.0], [-40.0, 25.0], [25.0, -50.0]]), 3, axis=0)
    inks = middles + np.random.default_rng(0).normal(0, 2, middles.shape)
    logs = np.concatenate([sure, np.log(unsure)[None]])
    return logs.astype(np.float32), np.concatenate([inks, [[48.0, 28.0]]]).astype(np.float32)


def test_an_unsure_colour_follows_its_cluster() -> None:
    logs, inks = table(np.array([0.45, 0.05, 0.5], np.float32))
    out = together(logs, inks)
    assert int(out[-1].argmax()) == Colour.RED
    np.testing.assert_array_equal(out[:-1].argmax(axis=1), logs[:-1].argmax(axis=1))
    np.testing.assert_allclose(np.exp(out).sum(axis=1), 1, atol=1e-3)


def test_clusters_that_run_into_each_other_say_nothing() -> None:
    logs, inks = table(np.array([0.45, 0.05, 0.5], np.float32))
    heap = np.random.default_rng(1).normal(0, 5, inks.shape).astype(np.float32)
    np.testing.assert_array_equal(together(logs, heap), logs)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("present", [[0, 1, 2], [0, 2], [1, 2]])
def test_the_clusters_are_those_of_a_known_library(seed: int, present: list[int]) -> None:
    mixture = pytest.importorskip("sklearn.mixture", reason="scikit-learn is not installed")
    random = np.random.default_rng(seed)
    colour = np.tile(present, 8)
    inks = np.array([[45.0, 25.0], [-40.0, 30.0], [20.0, -15.0]])[colour] + random.normal(0, 9, (len(colour), 2))
    share = 0.1 + 0.7 * np.eye(3)[colour] + random.uniform(0, 0.2, (len(colour), 3))
    share /= share.sum(axis=1, keepdims=True)
    started = (share[:, present].T @ inks) / share[:, present].sum(axis=0)[:, None]
    known = mixture.GaussianMixture(
        len(present), covariance_type="tied", means_init=started, reg_covar=25.0, max_iter=200, tol=1e-5, random_state=0
    )
    wanted = known.fit(inks).predict_proba(inks)
    logs, points = np.log(share).astype(np.float32), inks.astype(np.float32)
    found = np.exp(colours._mixture(logs, points, np.array(present), ColourConfig(spread=5.0)))
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-4)
    assert np.mean(found.max(axis=1)) > 0.9
    np.testing.assert_allclose(found, wanted, atol=0.005)


def test_clusters_start_from_what_the_reader_says() -> None:
    logs, inks = table(np.array([0.1, 0.02, 0.88], np.float32))
    inks[-1] = (10, -5)
    near_purple = colours._mixture(logs, inks, np.arange(3), ColourConfig())
    assert int(near_purple[-1].argmax()) == Colour.PURPLE
    swapped = colours._mixture(logs[:, [1, 0, 2]], inks, np.arange(3), ColourConfig())
    np.testing.assert_allclose(swapped[:, [1, 0, 2]], near_purple, atol=1e-3)


def test_sure_colours_are_left_alone() -> None:
    logs, inks = table(np.array([0.98, 0.01, 0.01], np.float32))
    np.testing.assert_array_equal(together(logs, inks), logs)


def test_too_few_pieces_make_no_clusters() -> None:
    logs, inks = table(np.array([0.45, 0.05, 0.5], np.float32))
    np.testing.assert_array_equal(together(logs[-3:], inks[-3:]), logs[-3:])


def test_one_colour_on_the_table_makes_no_clusters() -> None:
    logs, inks = table(np.array([0.45, 0.05, 0.5], np.float32))
    red = np.concatenate([logs[:3], logs[:3], logs[-1:]])
    np.testing.assert_array_equal(together(red, inks[: len(red)], ColourConfig()), red)


def test_black_and_white_and_sepia_are_colourless_and_a_cast_is_not() -> None:
    crops = [crop_of(f"2 {colour} solid oval") for colour in ("red", "green", "purple")]
    luma = [np.repeat(crop.mean(axis=2, keepdims=True), 3, axis=2) for crop in crops]
    sepia = [np.asarray(grey * (0.6, 0.8, 1.0), np.uint8) for grey in luma]
    assert is_colourless(np.asarray(grey, np.uint8) for grey in luma)
    assert is_colourless(sepia)
    assert not is_colourless(crops)
    assert not is_colourless([crop_of("2 purple open oval", cast=(0.5, 0.8, 1.0))])
    assert not is_colourless([*sepia, crops[0]])
