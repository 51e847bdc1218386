"""How fast the store appends: entries a second and how long one takes, with 1, 16 and 200 tables at the same time.

    python -m tests.bench.bench_store [--url ADDRESS] [--seconds 3]

Each table appends one entry, waits until it is kept, then appends the next. Without an address a SQLite file is made in
a temporary folder of the current one, so that it lies on a disk. The tables are deleted at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import time
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from service.store import Key, Role, Store, StoredTable

__all__ = ["main"]

_TABLES = (1, 16, 200)
_TOLD = '{"type": "verdict", "at": "2026-01-01T12:00:00Z", "ok": true, "text": "' + 300 * "x" + '"}'
_LINE = '{"type": "picked", "player": "Ann", "cards": ["2 red striped diamond", "1 red solid oval", "wild"]}'


async def _play(store: Store, table: str, end: float) -> list[float]:
    """Append until ``end``; return how long each took, in seconds."""
    took = []
    for last in range(1_000_000):
        start = time.perf_counter()
        if start >= end:
            break
        await store.append(table, last, [(_TOLD, _LINE)])
        took.append(time.perf_counter() - start)
    return took


async def _measure(store: Store, tables: int, seconds: float) -> str:
    ids = [secrets.token_hex(8) for _ in range(tables)]
    host = Key("host", Role.HOST, None, b"", 0.0)
    await asyncio.gather(*(store.create(StoredTable(id, 0.0, "{}", "{}"), [host]) for id in ids))
    end = time.perf_counter() + seconds
    took = [one for each in await asyncio.gather(*(_play(store, id, end) for id in ids)) for one in each]
    await asyncio.gather(*(store.delete(id) for id in ids))
    slowest = quantiles(took, n=100)[98]
    return f"{tables:5} {len(took) / seconds:9,.0f} {1000 * median(took):10.1f} {1000 * slowest:8.1f}"


async def _run(address: str, seconds: float) -> None:
    store = Store.open(address)
    try:
        print("tables appends/s  median ms   p99 ms")
        for tables in _TABLES:
            print(await _measure(store, tables, seconds))
    finally:
        await store.close()


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_store", description=__doc__.splitlines()[0])
    parser.add_argument("--url", help="address of the database")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each number of tables is measured")
    options = parser.parse_args(arguments)
    with TemporaryDirectory(prefix="bench-", dir=".") as folder:
        asyncio.run(_run(options.url or f"sqlite:///{folder}/tables.sqlite", options.seconds))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
