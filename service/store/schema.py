"""The tables of the database, as the newest migration leaves them."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Double, ForeignKey, Integer, LargeBinary, MetaData, Table, Text

__all__ = ["ENTRIES", "KEYS", "MARKS", "METADATA", "TABLES", "VERSION_TABLE"]

VERSION_TABLE = "set_referee_version"
"""Where the version of the schema stands."""

METADATA = MetaData()


def _table_id() -> Column[str]:
    return Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


TABLES = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("header", Text, nullable=False),
    Column("setup", Text, nullable=False),
    Column("last", Integer, nullable=False),
)
"""Tables; ``last`` is the number of the newest entry, and its row is the lock of all that belongs to the table."""

KEYS = Table(
    "keys",
    METADATA,
    _table_id(),
    Column("id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("player", Text),
    Column("digest", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
    Column("revoked", Boolean, nullable=False),
    Column("seat", Boolean, nullable=False),
)
"""Keys of tables."""

ENTRIES = Table(
    "entries",
    METADATA,
    _table_id(),
    Column("number", Integer, primary_key=True),
    Column("told", Text, nullable=False),
    Column("line", Text),
)
"""Journals of tables."""

MARKS = Table("marks", METADATA, Column("mark", Text, primary_key=True))
"""The newest transaction of each writer: who lost the answer to a commit finds out here whether it happened."""
