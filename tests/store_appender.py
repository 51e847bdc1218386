"""A program that appends to tables until it is killed: ``python -m tests.store_appender ADDRESS TABLES``.

Each line that it prints, ``TABLE NUMBER``, is an entry that the store has acknowledged. Every table is appended to at
the same time as the others, one to three entries at once; tables that are there are taken up again.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from service.store import NoTableError, Store
from tests.kept import add, told

__all__ = ["main"]


async def _fill(store: Store, table: str) -> None:
    try:
        last = (await store.table(table)).last
    except NoTableError:
        await add(store, table)
        last = 0
    for turn in count():
        last = await store.append(table, last, [told(last + number) for number in range(1, 2 + turn % 3)])
        print(table, last, flush=True)  # noqa: T201


async def main(address: str, tables: int) -> None:
    """Append to this many tables, for ever."""
    store = Store.open(address)
    await asyncio.gather(*(_fill(store, f"table{number}") for number in range(tables)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
