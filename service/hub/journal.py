"""What goes into the journal of a table: what is told of each happening, and the line of the record that goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.store import Entry

__all__ = ["entry_text"]


def entry_text(entry: Entry) -> str:
    """Return the JSON of an entry as clients get it: its number, and what is told."""
    return f'{{"number": {entry.number}, {entry.told[1:]}'
