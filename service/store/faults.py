"""What the errors of databases mean."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, TimeoutError

from service.store.errors import ConflictError, StoreError, StoreFullError, StoreGoneError

__all__ = ["concerns_all", "may_be_repeated", "refusal"]

_DISK_FULL = "53100"
_UNDONE = ("40001", "40P01")
"""The server has undone a transaction for the sake of another one: a serialization failure, a deadlock."""


def refusal(error: Exception) -> StoreError:
    """Return what the store says to ``error``, which is kept as the cause."""
    if isinstance(error, StoreError):
        return error
    refused: StoreError = StoreGoneError()
    if _is_full(error):
        refused = StoreFullError()
    elif isinstance(error, IntegrityError):
        refused = ConflictError("this is kept already, by another writer")
    refused.__cause__ = error
    return refused


def may_be_repeated(error: Exception) -> bool:
    """Return whether another connection may do better, at once."""
    return isinstance(error, DBAPIError) and (error.connection_invalidated or _state(error) in _UNDONE)


def concerns_all(error: Exception) -> bool:
    """Return whether ``error`` would meet every write alike: the database is away or locked."""
    return isinstance(error, OperationalError | InterfaceError | TimeoutError) and not _is_full(error)


def _is_full(error: Exception) -> bool:
    """Whether the disk takes no more; SQLite says an error of input or output where the last bytes do not fit."""
    name = str(getattr(getattr(error, "orig", None), "sqlite_errorname", ""))
    return name == "SQLITE_FULL" or name.startswith("SQLITE_IOERR") or _state(error) == _DISK_FULL


def _state(error: Exception) -> str | None:
    """The SQLSTATE of an error of PostgreSQL."""
    state: str | None = getattr(getattr(error, "orig", None), "sqlstate", None)
    return state
