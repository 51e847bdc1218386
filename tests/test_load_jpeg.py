"""The quick way through a faultless JPEG gives what Pillow gives; any other JPEG takes the careful way."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageCms

from tests.test_load import TURNS, UPRIGHT, corners, noise, pillow, saved, scene
from vision import load as loading
from vision.load import Loaded, load
from vision.types import Image

SAVED: dict[str, dict[str, Any]] = {
    "baseline 4:2:0": {"subsampling": "4:2:0"},
    "4:2:2": {"subsampling": "4:2:2"},
    "4:4:4": {"subsampling": "4:4:4"},
    "progressive": {"progressive": True},
    "restart markers": {"restart_marker_rows": 1},
    "restart markers within rows": {"restart_marker_blocks": 5},
    "Huffman tables of its own": {"optimize": True},
    "red, green, blue by an Adobe marker": {"keep_rgb": True},
    "with a colour profile": {"icc_profile": ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()},
}


@pytest.fixture(autouse=True)
def _silent(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing that is loaded may write to standard output or standard error, not even from C."""
    yield
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def quickly(data: bytes) -> Loaded:
    """Load ``data``, which must not take the careful way."""

    def never(*_: object) -> None:
        raise AssertionError("this JPEG has no fault")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "_faulty", never)
        return load(data)


def carefully(data: bytes) -> Loaded:
    """Load ``data`` without the quick way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "_faultless", lambda *_: None)
        return load(data)


def attempt(data: bytes, way: Callable[[bytes], Loaded]) -> Loaded | None:
    """What is loaded this ``way``; nothing where ``data`` is refused."""
    with contextlib.suppress(loading.LoadError):
        return way(data)
    return None


def assert_alike(quick: Loaded, careful: Loaded) -> None:
    """Both say the same of a file and show the same picture."""
    assert (quick.size, quick.scale, quick.warnings) == (careful.size, careful.scale, careful.warnings)
    assert quick.image.shape == careful.image.shape
    assert np.abs(quick.image.astype(int) - careful.image).max() <= 3


def assert_same_both_ways(data: bytes) -> None:
    """Load ``data``, which has no fault, both ways and compare all there is."""
    quick = quickly(data)
    assert_alike(quick, carefully(data))
    assert quick.warnings == ()
    assert quick.image.dtype == np.uint8
    assert quick.image.flags.c_contiguous
    assert quick.image.flags.writeable


@pytest.mark.parametrize("options", SAVED.values(), ids=SAVED)
@pytest.mark.parametrize("size", [(640, 480), (333, 127), (17, 16)])
def test_both_ways_give_one_picture(options: dict[str, Any], size: tuple[int, int]) -> None:
    assert_same_both_ways(saved(pillow(noise(640, 480)).resize(size), "JPEG", **options))


@pytest.mark.parametrize("options", SAVED.values(), ids=SAVED)
@pytest.mark.parametrize("size", [(3001, 83), (37, 6003), (12001, 129)])
def test_both_ways_give_one_large_picture(options: dict[str, Any], size: tuple[int, int]) -> None:
    assert_same_both_ways(saved(pillow(noise(320, 240)).resize(size), "JPEG", **options))


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("size", [(640, 480), (3001, 83)])
def test_both_ways_give_one_grey_picture(progressive: bool, size: tuple[int, int]) -> None:
    assert_same_both_ways(saved(pillow(noise()).resize(size).convert("L"), "JPEG", progressive=progressive))


@pytest.mark.parametrize("factor", [cv2.IMWRITE_JPEG_SAMPLING_FACTOR_411, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_440])
def test_both_ways_give_one_picture_of_rare_sampling(factor: int) -> None:
    assert_same_both_ways(
        cv2.imencode(".jpg", noise(333, 127), [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, factor])[1].tobytes()
    )


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("size", [(160, 120), (3001, 161)])
def test_both_ways_turn_alike(orientation: int, size: tuple[int, int]) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    data = saved(pillow(scene(*size)), "JPEG", exif=exif)
    assert_same_both_ways(data)
    assert corners(quickly(data).image) == TURNS[orientation]


def test_what_follows_the_end_marker_does_not_matter() -> None:
    data = saved(pillow(noise()), "JPEG")
    np.testing.assert_array_equal(quickly(data + data[:5000]).image, quickly(data).image)


def test_a_picture_that_ends_in_middle_grey_is_quick_too() -> None:
    image = noise()
    image[300:] = 128
    assert_same_both_ways(saved(pillow(image), "JPEG", subsampling="4:4:4"))


def test_cmyk_takes_the_careful_way() -> None:
    data = saved(pillow(scene()).convert("CMYK"), "JPEG", quality=95)
    with pytest.raises(AssertionError, match="no fault"):
        quickly(data)
    assert corners(load(data).image) == UPRIGHT


def taken(image: Image, options: dict[str, Any]) -> bytearray:
    """A JPEG to be damaged."""
    return bytearray(saved(pillow(image), "JPEG", quality=90, **options))


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}])
@pytest.mark.parametrize("left", [0.6, 0.9, -2])
def test_a_cut_jpeg_takes_the_careful_way(options: dict[str, Any], left: float) -> None:
    data = taken(noise(), options)
    cut = bytes(data[: int(len(data) * left)] if left > 0 else data[: int(left)])
    with pytest.raises(AssertionError, match="no fault"):
        quickly(cut)
    (warning,) = load(cut).warnings
    assert warning.startswith("the file is cut short: about ")


@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"restart_marker_rows": 1}])
@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_jpeg_takes_the_careful_way(options: dict[str, Any], seed: int) -> None:
    data = taken(noise(), options)
    middle = len(data) // 2
    data[middle : middle + 2000] = np.random.default_rng(seed).bytes(2000)
    with pytest.raises(AssertionError, match="no fault"):
        quickly(bytes(data))
    assert load(bytes(data)).warnings == carefully(bytes(data)).warnings != ()


def harmed(data: bytearray, random: np.random.Generator) -> bytes:
    """``data`` with a few bytes changed, left out, replaced by a marker, or cut off."""
    at = int(random.integers(2, len(data) - 2))
    length = int(random.integers(1, 40))
    kind = random.integers(4)
    if kind == 0:
        data[at : at + length] = random.bytes(length)
    elif kind == 1:
        del data[at : at + length]
    elif kind == 2:
        data[at : at + 2] = bytes([0xFF, int(random.choice([0xC0, 0xD0, 0xD3, 0xD9, 0xDA, 0xFE, 0xFF]))])
    else:
        del data[at:]
    return bytes(data)


@pytest.mark.parametrize("options", [*SAVED.values()][:7], ids=[*SAVED][:7])
def test_the_quick_way_never_overlooks_what_the_careful_way_tells(options: dict[str, Any]) -> None:
    random = np.random.default_rng(11)
    outcomes = set()
    for _ in range(60):
        data = harmed(taken(noise(96, 64), options), random)
        careful, usual = attempt(data, carefully), attempt(data, load)
        assert (usual is None) == (careful is None)
        if usual and careful:
            assert_alike(usual, careful)
        outcomes.add(careful is not None and careful.warnings == ())
    assert outcomes == {True, False}
