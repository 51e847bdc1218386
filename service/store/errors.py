"""What the store refuses: each is one line for people, and a slug for programs; no text holds an address."""

from __future__ import annotations

from service.errors import ServiceError

__all__ = [
    "BadTextError",
    "ConflictError",
    "LastHostError",
    "NoTableError",
    "SeatTakenError",
    "StoreAddressError",
    "StoreError",
    "StoreFullError",
    "StoreGoneError",
    "StoreLibraryError",
    "StoreVersionError",
    "UnknownKeyError",
]

_QUOTED = 40
"""Characters of a foreign text that an error repeats."""


class StoreError(ServiceError):
    """The family of everything that the store refuses."""

    code = "store"


class NoTableError(StoreError, LookupError):
    """A table that is not kept, or not any more."""

    code = "no-table"

    def __init__(self, table: str) -> None:
        """Quote the id of the ``table``."""
        super().__init__(f"there is no table {table[:_QUOTED]!r}")


class UnknownKeyError(StoreError, LookupError):
    """A key that the table never had."""

    code = "unknown-key"

    def __init__(self) -> None:
        """Say what is expected; what was given may be a whole key, so it is not quoted."""
        super().__init__("this table has no such key: expected the id of one, the part before its dot")


class ConflictError(StoreError, RuntimeError):
    """A journal that somebody else has written to meanwhile; the text says how far it is."""

    code = "moved"


class SeatTakenError(StoreError, ValueError):
    """A seat that somebody has taken already."""

    code = "seat-taken"

    def __init__(self, player: str | None) -> None:
        """Quote the ``player`` whose seat it is."""
        super().__init__(f"the seat of {player!r} is taken; the host can revoke its key")


class LastHostError(StoreError, ValueError):
    """The last host key of a table, which cannot be revoked."""

    code = "last-host"

    def __init__(self, key: str) -> None:
        """Quote the id of the ``key`` and say what to do."""
        super().__init__(f"{key!r} is the last key of a host; make another one before this is revoked")


class BadTextError(StoreError, ValueError):
    """A text that cannot be kept: it holds a NUL or half of a surrogate pair."""

    code = "bad-text"

    def __init__(self, text: str) -> None:
        """Quote the beginning of the ``text``."""
        super().__init__(f"{text[:_QUOTED]!r} holds a character that cannot be kept")


class StoreFullError(StoreError, OSError):
    """A disk with no room for more; what is kept already stays, and can be read."""

    code = "store-full"

    def __init__(self) -> None:
        """Say what has not happened."""
        super().__init__("the disk of the database is full: nothing was kept")


class StoreGoneError(StoreError, ConnectionError):
    """A database that does not answer; the next call tries again."""

    code = "store-gone"

    def __init__(self, reason: str = "the database does not answer; try again in a moment") -> None:
        """Give the ``reason``."""
        super().__init__(reason)


class StoreVersionError(StoreError, RuntimeError):
    """A database that a newer program has written."""

    code = "store-version"

    def __init__(self, found: str, newest: str) -> None:
        """Quote the version that was ``found`` and the ``newest`` one that this program knows."""
        super().__init__(
            f"the database is of version {found!r}, this program knows {newest!r} and older: install the newer program"
        )


class StoreAddressError(StoreError, ValueError):
    """An address of a database that is none, or of a kind that is not supported."""

    code = "store-address"


class StoreLibraryError(StoreError, ImportError):
    """A package that the database needs and that is not installed."""

    code = "missing-library"

    def __init__(self) -> None:
        """Say what to install."""
        super().__init__("PostgreSQL needs the package psycopg: pip install 'set-referee[postgresql]'")
