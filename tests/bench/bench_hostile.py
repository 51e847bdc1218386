"""Hostile uploads: pictures that are damaged, lie about their size, or are something else as well.

    python -m tests.bench.bench_hostile [--count 2000] [--seed 1]

Starts a service and posts ``count`` of them, some to every address that takes a picture. Prints how often it answered
what, and the memory before and after. The exit status is 1 if it answered 5xx, did not answer at all, or grew.
"""

from __future__ import annotations

import argparse
import io
import random
import struct
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import httpx
import pillow_heif
from PIL import Image

from tests.server_process import Server, running

__all__ = ["hostile_files", "main"]

_DEMO = Path(__file__).resolve().parents[2] / "service" / "static" / "demo.jpg"
_WARM = 1_000
"""So many uploads are posted before memory is looked at: by then buffers and arenas are as large as they get."""
_GROWTH = 100_000_000
"""Bytes that the service and its workers may have grown by at the end."""

File = tuple[str, bytes]
"""What sort of hostile file it is, and its bytes."""


def _pictures() -> dict[str, bytes]:
    """Return a small picture of cards in every format that the service reads."""
    found = {}
    pillow_heif.register_heif_opener()
    with Image.open(_DEMO) as demo:
        small = demo.convert("RGB").resize((320, 240))
    for name in ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF", "HEIF"):
        with io.BytesIO() as out:
            small.save(out, name)
            found[name.lower()] = out.getvalue()
    with io.BytesIO() as out:
        small.save(out, "JPEG", progressive=True)
        found["progressive"] = out.getvalue()
    return found


def hostile_files(seed: int) -> Iterator[File]:
    """Yield hostile files for ever; the same ``seed`` gives the same ones."""
    chance = random.Random(seed)  # noqa: S311
    pictures = _pictures()
    kinds: tuple[Callable[[random.Random, Mapping[str, bytes]], File], ...] = (
        _mutated,
        _mutated,
        _mutated,
        _bomb,
        _polyglot,
    )
    while True:
        yield chance.choice(kinds)(chance, pictures)


def _mutated(chance: random.Random, pictures: Mapping[str, bytes]) -> File:
    name = chance.choice(sorted(pictures))
    data = bytearray(pictures[name])
    for _ in range(chance.choice((1, 2, 5, 20, 200))):
        match chance.randrange(6):
            case 0:
                data[chance.randrange(len(data))] = chance.randrange(256)
            case 1:
                data[chance.randrange(min(len(data), 400))] ^= 1 << chance.randrange(8)
            case 2:
                del data[chance.randrange(1, len(data)) :]
            case 3:
                at = chance.randrange(len(data))
                data[at:at] = chance.randbytes(chance.choice((1, 4, 100)))
            case 4:
                at = chance.randrange(len(data))
                data[at : at + 64] = bytes(len(data[at : at + 64]))
            case _:
                at, to = chance.randrange(len(data)), chance.randrange(len(data))
                data[to : to + 200] = data[at : at + 200]
        if len(data) < 2:
            break
    return f"mutated {name}", bytes(data)


def _png(width: int, height: int, rows: bytes, extra: bytes = b"") -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + extra + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _zeros(count: int) -> bytes:
    packer = zlib.compressobj(9)
    block = bytes(1_000_000)
    return b"".join([packer.compress(block) for _ in range(count // len(block))] + [packer.flush()])


def _bomb(chance: random.Random, pictures: Mapping[str, bytes]) -> File:
    jpeg = pictures["jpeg"]
    match chance.randrange(8):
        case 0:
            return "png of 4 gigapixels", _png(65_000, 65_000, zlib.compress(bytes(100)))
        case 1:
            return "png that unpacks to much", _png(5_000, 5_000, _zeros(25_000_000))
        case 2:
            return "png with a text bomb", _png(
                8, 8, zlib.compress(bytes(72)), _chunk(b"zTXt", b"a\0\0" + _zeros(50_000_000))
            )
        case 3:
            return "jpeg that says it is huge", _with_size(jpeg, 65_500, 65_500)
        case 4:
            return "jpeg of many scans", _many_scans(pictures["progressive"], chance.choice((50, 500, 3_000)))
        case 5:
            return "tiff that points at itself", b"II*\0\x08\0\0\0\x01\0\0\x01\x03\0\x01\0\0\0\xff\xff\0\0\x08\0\0\0"
        case 6:
            return "gif of 4 gigapixels", b"GIF89a" + struct.pack("<HH", 65_535, 65_535) + pictures["gif"][10:]
        case _:
            return "bmp that says it is huge", pictures["bmp"][:18] + struct.pack("<ii", 2**30, -(2**30)) + pictures[
                "bmp"
            ][26:]


def _with_size(jpeg: bytes, width: int, height: int) -> bytes:
    at = jpeg.index(b"\xff\xc0")
    return jpeg[: at + 5] + struct.pack(">HH", height, width) + jpeg[at + 9 :]


def _many_scans(jpeg: bytes, count: int) -> bytes:
    """Return a progressive ``jpeg`` whose last scan comes ``count`` times."""
    at = jpeg.rindex(b"\xff\xda")
    return jpeg[:at] + jpeg[at:-2] * count + jpeg[-2:]


def _polyglot(chance: random.Random, pictures: Mapping[str, bytes]) -> File:
    jpeg = pictures["jpeg"]
    match chance.randrange(10):
        case 0:
            return "jpeg and zip", jpeg + b"PK\x03\x04" + chance.randbytes(100) + b"PK\x05\x06" + bytes(18)
        case 1:
            return "html in a jpeg", jpeg[:2] + b"\xff\xfe\x00\x22<script>alert(document.domain)</script>"[:36] + jpeg[
                2:
            ]
        case 2:
            return "svg", b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'
        case 3:
            return "pdf", b"%PDF-1.7\n" + jpeg
        case 4:
            return "gif and javascript", b"GIF89a/*" + pictures["gif"][8:] + b"*/=1;alert(1)"
        case 5:
            return "nothing", b""
        case 6:
            return "noise", chance.randbytes(chance.choice((1, 100, 100_000)))
        case 7:
            return "webp head on a png", b"RIFF\x00\x10\x00\x00WEBPVP8 " + pictures["png"]
        case 8:
            return "heic head on noise", pictures["heif"][:40] + chance.randbytes(5_000)
        case _:
            return "two jpegs in one", jpeg[:-2] + jpeg


_NAMES = (
    "a.jpg",
    "../../etc/passwd",
    "a" * 3_000,
    "x\u202egpj.exe",
    "CON",
    "a;b&c|d$(e)`f`",
    "",
    "a.php",
    "\xed\xb3\xbf",
)
_TYPES = ("image/jpeg", "image/png", "text/html", "image/svg+xml", "application/x-php", "image/heic", "x/y")


def _post(client: httpx.Client, chance: random.Random, file: bytes) -> httpx.Response:
    """Post a hostile file to one of the addresses that take pictures."""
    part = (chance.choice(_NAMES), file, chance.choice(_TYPES))
    match chance.randrange(10):
        case 0:
            return client.post("/api/v1/photos?overlay=1", files={"photo": part})
        case 1:
            return client.post("/api/v1/photos", content=file, headers={"content-type": chance.choice(_TYPES)})
        case 2:
            return client.post("/api/v1/boards", files={"photo": part}, data={"game": "cubed"})
        case 3:
            return client.post("/api/v1/judgements", files={"photo": part}, data={"pick": "0,1,2"})
        case 4:
            return client.post("/api/v1/hints", files={"photo": part}, data={"level": "count"})
        case 5:
            return client.post("/api/v1/turns", files={"before": part, "after": part, "board": part})
        case 6:
            return client.post("/api/v1/photos", files={"photo": part, "empty": part}, data={"game": "junior-1"})
        case _:
            return client.post("/api/v1/photos", files={"photo": part})


def _attack(server: Server, count: int, seed: int) -> tuple[Counter[int], list[str]]:
    """Post ``count`` hostile files; return how often each status was answered, and what went wrong."""
    chance, answers, faults = random.Random(seed), Counter[int](), list[str]()  # noqa: S311
    files = hostile_files(seed)
    with httpx.Client(base_url=server.address, timeout=120) as client:
        for number in range(count):
            kind, data = next(files)
            try:
                answer = _post(client, chance, data)
            except httpx.HTTPError as error:
                faults.append(f"{number} {kind}: no answer: {error!r}")
                continue
            answers[answer.status_code] += 1
            if answer.status_code >= 500:
                faults.append(f"{number} {kind}: {answer.status_code} {answer.text[:200]}")
            elif answer.status_code >= 400 and set(answer.json()) != {"error"}:
                faults.append(f"{number} {kind}: no error of the one shape: {answer.text[:200]}")
    return answers, faults


def main(arguments: list[str] | None = None) -> int:
    """Attack a service of its own; print and return how it went."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), {"CLIENT_RATE": "100000"}) as server:
        _attack(server, _WARM, asked.seed + 1)
        before = server.memory()
        answers, faults = _attack(server, asked.count, asked.seed)
        after = server.memory()
        alive = httpx.get(f"{server.address}/healthz").status_code == 200
    print("\n".join(faults[:20]))
    print(f"{asked.count} hostile uploads: {dict(sorted(answers.items()))}, {len(faults)} faults")
    shown = [f"{old / 1e6:.0f} -> {new / 1e6:.0f} MB" for old, new in zip(before, after, strict=True)]
    print(f"memory of the service {shown[0]}, of its workers {shown[1]}; it still answers: {'yes' if alive else 'NO'}")
    return 0 if alive and not faults and sum(after) - sum(before) < _GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
