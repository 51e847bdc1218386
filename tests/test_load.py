"""Every kind of picture file, whole, cut short, damaged or hostile; all made in memory."""

from __future__ import annotations

import contextlib
import io
import struct
import warnings
import zlib
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from vision import load as loading
from vision.load import Limits, Loaded, load
from vision.types import Image, VisionError


def scene(width: int = 160, height: int = 120) -> Image:
    """Four flat quarters, so that every turn can be told: red, green, blue, white (BGR) from the top left clockwise."""
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 2, : width // 2] = (20, 20, 220)
    image[: height // 2, width // 2 :] = (20, 200, 20)
    image[height // 2 :, width // 2 :] = (230, 40, 20)
    image[height // 2 :, : width // 2] = (240, 240, 240)
    return image


def noise(width: int = 640, height: int = 480) -> Image:
    """Soft noise without a black row, so that the share of a cut file follows its bytes."""
    grain = np.random.default_rng(7).integers(30, 255, (height // 8, width // 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(grain, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def pillow(image: Image) -> Pillow.Image:
    """The same picture as Pillow holds it."""
    return Pillow.fromarray(np.ascontiguousarray(image[:, :, ::-1]))


def saved(picture: Pillow.Image, kind: str, **options: object) -> bytes:
    """The bytes of ``picture`` in the format ``kind``."""
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def corners(image: Image) -> list[str]:
    """Names of the colours in the middle of the four quarters, from the top left clockwise."""
    height, width = image.shape[:2]
    names = {"red": (20, 20, 220), "green": (20, 200, 20), "blue": (230, 40, 20), "white": (240, 240, 240)}
    found = []
    for y, x in ((1, 1), (1, 3), (3, 3), (3, 1)):
        pixel = image[y * height // 4, x * width // 4].astype(int)
        found.append(min(names, key=lambda name: int(np.abs(pixel - names[name]).sum())))
    return found


UPRIGHT = ["red", "green", "blue", "white"]


@pytest.fixture(autouse=True)
def _silent(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nothing that is loaded may write to standard output or standard error, not even from C."""
    yield
    out, err = capfd.readouterr()
    assert (out, err) == ("", "")


def heic(image: Image) -> bytes:
    """The bytes of a HEIC file."""
    pillow_heif = pytest.importorskip("pillow_heif")
    file = io.BytesIO()
    pillow_heif.from_pillow(pillow(image)).save(file, quality=90)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {"quality": 95}),
        ("JPEG", {"quality": 95, "progressive": True}),
        ("PNG", {}),
        ("WEBP", {"lossless": True}),
        ("BMP", {}),
        ("TIFF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("GIF", {}),
    ],
)
def test_each_format_is_read(kind: str, options: dict[str, object]) -> None:
    loaded = load(saved(pillow(scene()), kind, **options))
    assert corners(loaded.image) == UPRIGHT
    assert (loaded.size, loaded.scale, loaded.warnings) == ((160, 120), 1.0, ())
    assert loaded.image.dtype == np.uint8
    assert loaded.image.flags.writeable
    assert loaded.image.flags.c_contiguous


def test_lossless_formats_keep_every_pixel() -> None:
    image = noise(64, 48)
    for kind in ("PNG", "BMP", "TIFF"):
        np.testing.assert_array_equal(load(saved(pillow(image), kind)).image, image)


def test_heic_is_read_whatever_its_name() -> None:
    loaded = load(heic(scene()))
    assert corners(loaded.image) == UPRIGHT
    assert loaded.size == (160, 120)


def test_heic_is_turned_once() -> None:
    pillow_heif = pytest.importorskip("pillow_heif")
    file = io.BytesIO()
    exif = Pillow.Exif()
    exif[0x0112] = 6
    pillow_heif.from_pillow(pillow(scene())).save(file, quality=90, exif=exif.tobytes())
    loaded = load(file.getvalue())
    assert loaded.size == (120, 160)
    assert corners(loaded.image) == ["white", "red", "green", "blue"]


TURNS = {
    1: UPRIGHT,
    2: ["green", "red", "white", "blue"],
    3: ["blue", "white", "red", "green"],
    4: ["white", "blue", "green", "red"],
    5: ["red", "white", "blue", "green"],
    6: ["white", "red", "green", "blue"],
    7: ["blue", "green", "red", "white"],
    8: ["green", "blue", "white", "red"],
}


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_exif_orientation_is_applied_once(kind: str, orientation: int) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    loaded = load(saved(pillow(scene()), kind, exif=exif))
    assert corners(loaded.image) == TURNS[orientation]
    assert loaded.size == ((160, 120) if orientation < 5 else (120, 160))
    assert loaded.image.shape[1::-1] == loaded.size


@pytest.mark.parametrize("raw", [b"Exif\0\0", b"Exif\0\0garbage", b"Exif\0\0II*\0\xff\xff\xff\xff", b"MM"])
def test_broken_exif_is_ignored(raw: bytes) -> None:
    assert corners(load(saved(pillow(scene()), "JPEG", exif=raw)).image) == UPRIGHT


@pytest.mark.parametrize("value", [0, 9, 255])
def test_an_impossible_orientation_is_ignored(value: int) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = value
    assert corners(load(saved(pillow(scene()), "JPEG", exif=exif)).image) == UPRIGHT


@pytest.mark.parametrize(("longer", "factor"), [(2999, 1), (3000, 2), (3001, 2), (6002, 4), (12001, 8)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_large_picture_is_read_at_a_fraction(kind: str, longer: int, factor: int) -> None:
    loaded = load(saved(pillow(scene(longer, 64)), kind))
    assert loaded.size == (longer, 64)
    assert loaded.scale == 1 / factor
    assert abs(loaded.image.shape[1] - longer / factor) < 1
    assert loaded.image.shape[0] == 64 // factor
    assert corners(loaded.image) == UPRIGHT


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
@pytest.mark.parametrize(("width", "factor"), [(3001, 2), (6003, 4)])
def test_a_large_lossless_picture_is_averaged_over_squares(mode: str, width: int, factor: int) -> None:
    picture = pillow(noise(width, 83)).convert(mode)
    whole = np.asarray(picture.convert("RGB"), float)[: 83 // factor * factor, : width // factor * factor, ::-1]
    wanted = whole.reshape(83 // factor, factor, width // factor, factor, 3).mean(axis=(1, 3))
    for kind in ("PNG", "TIFF"):
        assert np.abs(load(saved(picture, kind)).image - wanted).max() <= 1


def test_a_large_turned_jpeg_gives_the_upright_size() -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    loaded = load(saved(pillow(scene(3200, 160)), "JPEG", exif=exif))
    assert (loaded.size, loaded.scale) == ((160, 3200), 0.5)
    assert loaded.image.shape == (1600, 80, 3)


def test_grey_becomes_three_equal_channels() -> None:
    grey = np.tile(np.arange(0, 250, 5, dtype=np.uint8), (40, 1))
    for data in (saved(Pillow.fromarray(grey), "PNG"), saved(Pillow.fromarray(grey), "TIFF")):
        np.testing.assert_array_equal(load(data).image, np.repeat(grey[:, :, None], 3, axis=2))


def test_sixteen_bits_become_eight() -> None:
    deep = (np.arange(64 * 64, dtype=np.uint16) * 16).reshape(64, 64)
    for suffix in (".png", ".tiff"):
        data = cv2.imencode(suffix, deep)[1].tobytes()
        wanted = deep.astype(float) / 257
        assert np.abs(load(data).image[:, :, 0] - wanted).max() <= 1.0
    colour = np.repeat(deep[:, :, None], 3, axis=2)
    assert np.abs(load(cv2.imencode(".png", colour)[1].tobytes()).image[:, :, 1] - deep / 257.0).max() <= 1.0


def test_bilevel_and_float_are_read() -> None:
    bilevel = pillow(scene()).convert("L").point(lambda value: 255 if value > 150 else 0).convert("1")
    assert set(np.unique(load(saved(bilevel, "PNG")).image)) == {0, 255}
    ramp = np.tile(np.linspace(0, 1, 64, dtype=np.float32), (32, 1))
    assert load(saved(Pillow.fromarray(ramp), "TIFF")).image.max() == 255


@pytest.mark.parametrize("depth", [np.float32, np.float64])
@pytest.mark.parametrize("alpha", [False, True])
def test_a_tiff_of_floating_point_colours_is_read(depth: type[np.generic], alpha: bool) -> None:
    image = scene().astype(depth) / np.array(255, depth)
    if alpha:
        image = np.dstack([image, np.ones(image.shape[:2], depth)])
    data = cv2.imencode(".tiff", image)[1].tobytes()
    loaded = load(data)
    assert corners(loaded.image) == UPRIGHT
    assert loaded.size == (160, 120)
    assert loaded.image.dtype == np.uint8
    with pytest.raises(loading.TooManyPixelsError):
        load(data, Limits(max_pixels=1000))


@pytest.mark.parametrize("depth", [np.int8, np.int16, np.int32, np.uint32])
def test_a_tiff_of_an_odd_kind_is_not_called_damaged(depth: type[np.generic]) -> None:
    data = cv2.imencode(".tiff", (scene() // 4).astype(depth))[1].tobytes()
    for odd in (data, data[:-40]):
        with pytest.raises(loading.UnsupportedFormatError, match=r"this kind of TIFF .* JPEG or PNG") as caught:
            load(odd)
        assert caught.value.code == "unsupported-format"


def test_palette_and_transparency_lie_on_white() -> None:
    assert corners(load(saved(pillow(scene()).convert("P", palette=Pillow.Palette.ADAPTIVE), "PNG")).image) == UPRIGHT
    alpha = np.zeros((40, 60, 4), np.uint8)
    alpha[:, :20] = (200, 0, 0, 255)
    alpha[:, 40:] = (0, 0, 0, 128)
    loaded = load(saved(Pillow.fromarray(alpha), "PNG"))
    assert loaded.image[5, 5].tolist() == [0, 0, 200]
    assert loaded.image[5, 30].tolist() == [255, 255, 255]
    assert loaded.image[5, 50].tolist() == [127, 127, 127]


def test_cmyk_jpeg_keeps_its_colours() -> None:
    assert corners(load(saved(pillow(scene()).convert("CMYK"), "JPEG", quality=95)).image) == UPRIGHT


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP", "TIFF"])
def test_of_several_frames_the_first_is_read(kind: str) -> None:
    other = pillow(np.asarray(255 - scene(), np.uint8))
    loaded = load(saved(pillow(scene()), kind, save_all=True, append_images=[other, other]))
    assert corners(loaded.image) == UPRIGHT
    assert loaded.warnings == ("the file holds several pictures: only the first is read",)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "BMP", "TIFF"])
@pytest.mark.parametrize(("left", "works"), [(0.1, False), (0.23, False), (0.5, True), (0.9, True)])
def test_a_file_cut_short_is_read_as_far_as_it_goes(kind: str, left: float, works: bool) -> None:
    image = noise()
    data = saved(pillow(image), kind)
    cut = data[: int(len(data) * left)]
    if not works:
        with pytest.raises(loading.TruncatedError, match=r"cut short: only \d+ % .* at least 25 % are needed"):
            load(cut)
        return
    loaded = load(cut)
    assert loaded.size == (640, 480)
    assert len(loaded.warnings) == 1
    share = int(loaded.warnings[0].split("about ")[1].split(" %")[0])
    assert share == pytest.approx(100 * left, abs=4)
    there = slice(480 - int(480 * (left - 0.08)), None) if kind == "BMP" else slice(0, int(480 * (left - 0.08)))
    assert np.abs(loaded.image[there].astype(int) - image[there]).mean() < 8


def test_a_jpeg_without_its_last_bytes_is_whole_but_for_the_warning() -> None:
    data = saved(pillow(noise()), "JPEG")
    loaded = load(data[:-2])
    assert "cut short" in loaded.warnings[0]
    np.testing.assert_array_equal(loaded.image, load(data).image)


@pytest.mark.parametrize(("left", "works"), [(0.1, False), (0.5, True), (0.9, True)])
def test_a_progressive_jpeg_cut_short(left: float, works: bool) -> None:
    image = noise()
    data = saved(pillow(image), "JPEG", progressive=True, quality=85)
    cut = data[: int(len(data) * left)]
    if not works:
        with pytest.raises(loading.TruncatedError):
            load(cut)
        return
    loaded = load(cut)
    assert "cut short" in loaded.warnings[0]
    assert np.abs(loaded.image.astype(int) - image).mean() < 12


def test_an_interlaced_png_cut_short_counts_what_is_there() -> None:
    ok, encoded = cv2.imencode(".png", noise())
    assert ok
    with pytest.raises(loading.TruncatedError):
        load(encoded.tobytes()[: len(encoded) // 9])


@pytest.mark.parametrize("size", [3, 20, 60])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_a_file_cut_in_its_header_is_refused(kind: str, size: int) -> None:
    with pytest.raises(loading.LoadError):
        load(saved(pillow(noise()), kind)[:size])


@pytest.mark.parametrize("kind", ["WEBP", "HEIC"])
def test_a_cut_file_of_which_nothing_can_be_decoded_is_refused(kind: str) -> None:
    data = heic(noise()) if kind == "HEIC" else saved(pillow(noise()), kind)
    with pytest.raises(loading.DamagedError, match="damaged"):
        load(data[: len(data) // 2])


def test_a_damaged_jpeg_is_read_in_silence() -> None:
    data = bytearray(saved(pillow(noise()), "JPEG"))
    middle = len(data) // 2
    data[middle : middle + 40] = bytes((value * 7 + 13) % 255 for value in data[middle : middle + 40])
    assert load(bytes(data)).size == (640, 480)
    assert load(bytes(data[:middle] + data[middle + 400 :])).size == (640, 480)


JPEGS: list[dict[str, object]] = [{}, {"progressive": True}, {"restart_marker_rows": 1}]


@pytest.mark.parametrize("options", JPEGS)
@pytest.mark.parametrize("seed", range(4))
def test_a_jpeg_damaged_in_the_middle_is_read_with_a_warning(options: dict[str, object], seed: int) -> None:
    image = noise()
    data = bytearray(saved(pillow(image), "JPEG", quality=90, **options))
    middle = len(data) // 2
    data[middle : middle + 2000] = np.random.default_rng(seed).bytes(2000)
    loaded = load(bytes(data))
    assert loaded.size == (640, 480)
    (warning,) = loaded.warnings
    assert warning.startswith("the file is damaged: about 9")
    assert warning.endswith(" % of its picture could be read")
    above = 480 if "progressive" in options else 200
    assert np.abs(loaded.image[:above].astype(int) - image[:above]).mean() < 12
    if "restart_marker_rows" in options:  # with restart markers it is whole again below the damage
        assert np.abs(loaded.image[300:].astype(int) - image[300:]).mean() < 8


@pytest.mark.parametrize("options", JPEGS)
def test_a_jpeg_of_mostly_damage_is_refused(options: dict[str, object]) -> None:
    data = bytearray(saved(pillow(noise()), "JPEG", quality=90, **options))
    size = len(data) * 9 // 10
    data[-size:] = np.random.default_rng(1).bytes(size)
    with pytest.raises(loading.LoadError):
        load(bytes(data))


@pytest.mark.parametrize(("place", "works"), [(0.6, True), (0.1, False)])
def test_a_jpeg_that_ends_before_its_picture_does(place: float, works: bool) -> None:
    data = bytearray(saved(pillow(noise()), "JPEG"))
    at = int(place * len(data))
    data[at : at + 2] = b"\xff\xd9"
    if not works:
        with pytest.raises(loading.DamagedError):
            load(bytes(data))
        return
    loaded = load(bytes(data))
    share = int(loaded.warnings[0].removeprefix("the file is damaged: about ").split(" %")[0])
    assert share == pytest.approx(60, abs=4)


def test_a_jpeg_damaged_and_cut_short_is_called_damaged() -> None:
    data = bytearray(saved(pillow(noise()), "JPEG"))
    data[20_000:20_002] = b"\xff\xc0"
    loaded = load(bytes(data[: len(data) * 3 // 4]))
    assert "the file is damaged: about 7" in loaded.warnings[0]


@pytest.mark.parametrize("options", JPEGS)
@pytest.mark.parametrize("grey", [False, True])
def test_an_intact_jpeg_brings_no_warning(options: dict[str, object], grey: bool) -> None:
    image = np.full((120, 160, 3), 128, np.uint8) if grey else noise()
    for picture in (pillow(image), pillow(image).convert("L")):
        assert load(saved(picture, "JPEG", **options)).warnings == ()
        assert load(saved(picture, "JPEG", **options) + b"\xff\xd8 more \xff\xc0").warnings == ()


@pytest.mark.parametrize("compression", ["tiff_lzw", "tiff_deflate", "jpeg"])
def test_a_damaged_tiff_is_read_in_silence(compression: str) -> None:
    data = bytearray(saved(pillow(noise()), "TIFF", compression=compression))
    middle = len(data) // 2
    data[middle : middle + 3000] = b"\x55" * 3000
    assert load(bytes(data)).size == (640, 480)


def test_random_damage_never_escapes_as_another_error() -> None:
    random = np.random.default_rng(3)
    for kind in ("JPEG", "PNG", "WEBP", "BMP", "GIF"):
        whole = saved(pillow(noise(96, 64)), kind)
        for _ in range(40):
            data = bytearray(whole)
            for at in random.integers(4, len(data), 6):
                data[at] = int(random.integers(256))
            with contextlib.suppress(loading.LoadError):
                assert isinstance(load(bytes(data), Limits(max_pixels=10_000_000)), Loaded)


def bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """A PNG whose header promises far more pixels than anyone should decode."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def test_a_pixel_bomb_is_refused_from_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(loading, "_decode", never)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(loading.TooManyPixelsError, match="30000 x 30000 pixels, at most 100 million"):
            load(bomb())


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_our_limit_counts_and_not_pillows(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(pillow(scene()), kind)
    monkeypatch.setattr(Pillow, "MAX_IMAGE_PIXELS", 10_000)
    assert corners(load(data).image) == UPRIGHT


@pytest.mark.parametrize(
    ("start", "word"),
    [
        (b"%PDF-1.7", "PDF"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"<?xml version='1.0'?>\n<svg/>", "SVG"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "MP4"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "MOV"),
        (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "AVIF"),
        (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom", "RAW"),
        (b"II*\0\x10\0\0\0CR\2\0", "RAW"),
        (b"RIFF\0\0\0\0AVI LIST", "AVI"),
        (b"RIFF\0\0\0\0WAVEfmt ", "RIFF"),
        (b"8BPS\0\1", "Photoshop"),
        (b"\x1a\x45\xdf\xa3", "WebM"),
        (b"PK\x03\x04", "ZIP"),
        (b"\xff\x0a", "JPEG XL"),
    ],
)
def test_a_known_format_that_is_not_read_is_named(start: bytes, word: str) -> None:
    with pytest.raises(loading.UnsupportedFormatError, match=f"{word}.*save the picture as JPEG or PNG") as caught:
        load(start + bytes(64))
    assert caught.value.code == "unsupported-format"


def test_a_raw_file_dressed_as_tiff_is_named() -> None:
    thumbnail = saved(pillow(scene()), "TIFF", tiffinfo={254: 1})
    with pytest.raises(loading.UnsupportedFormatError, match="RAW"):
        load(thumbnail)


TEXTS = [b"hello world\n", b"{}", b"x", "Grüße".encode() * 200, "text".encode("utf-16")]


@pytest.mark.parametrize("data", [*TEXTS, b"\0" * 100, b"\x01\x02\xfe\xff" * 9])
def test_what_is_no_picture_is_refused_in_plain_words(data: bytes) -> None:
    with pytest.raises(loading.NotAPictureError, match="this is no picture") as caught:
        load(data)
    assert ("it looks like text" in str(caught.value)) == (data in TEXTS)
    assert str(caught.value).endswith("give a JPEG, PNG, WebP, BMP, TIFF, GIF or HEIC file")
    assert not set("\\'\"") & set(str(caught.value))


MEBIBYTE = 2**20


@pytest.mark.parametrize(
    ("actual", "most", "has", "may"),
    [
        (1500, 1000, "1.5 KiB", "1,000 bytes"),
        (70 * MEBIBYTE, 64 * MEBIBYTE, "70 MiB", "64 MiB"),
        (64 * MEBIBYTE + MEBIBYTE // 4, 64 * MEBIBYTE, "64.2 MiB", "64 MiB"),
        (64 * MEBIBYTE + MEBIBYTE // 50, 64 * MEBIBYTE, "64.02 MiB", "64 MiB"),
        (64 * MEBIBYTE + 1, 64 * MEBIBYTE, "67,108,865 bytes", "67,108,864 bytes"),
        (2048 * MEBIBYTE, 1000, "2,048 MiB", "1,000 bytes"),
    ],
)
def test_two_sizes_in_a_message_differ(actual: int, most: int, has: str, may: str) -> None:
    text = str(loading.TooManyBytesError(actual, most))
    assert text == f"the file has {has}, at most {may} are read: make it smaller"


@pytest.mark.parametrize(
    ("most", "text"),
    [(1000, "1,000 pixels"), (100_000_000, "100 million"), (2_500_000, "2.5 million"), (1_234_567, "1,234,567 pixels")],
)
def test_a_limit_of_pixels_reads_well(most: int, text: str) -> None:
    error = loading.TooManyPixelsError((40000, 30000), most)
    assert str(error) == f"the picture has 40000 x 30000 pixels, at most {text} are read: make it smaller"


def test_limits_and_emptiness() -> None:
    data = saved(pillow(scene()), "PNG")
    with pytest.raises(loading.EmptyFileError, match="empty"):
        load(b"")
    with pytest.raises(loading.TooManyBytesError, match="at most"):
        load(data, Limits(max_bytes=len(data) - 1))
    with pytest.raises(loading.TooManyPixelsError, match="160 x 120"):
        load(data, Limits(max_pixels=160 * 120 - 1))
    assert load(data, Limits(len(data), 160 * 120)).size == (160, 120)
    with pytest.raises(loading.TooSmallError, match="15 x 40"):
        load(saved(pillow(scene(15, 40)), "PNG"))


def test_every_error_has_its_own_code_and_a_builtin() -> None:
    kinds = loading.LoadError.__subclasses__()
    codes = {kind.code for kind in kinds}
    assert len(codes) == len(kinds) == 8
    assert all(issubclass(kind, VisionError) for kind in kinds)
    assert all(issubclass(kind, (ValueError, OSError, EOFError)) for kind in kinds)
