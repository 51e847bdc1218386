"""What must survive of the tables: who may enter, and the journal of each, in SQLite or PostgreSQL."""

from service.store.errors import (
    BadTextError,
    ConflictError,
    LastHostError,
    NoTableError,
    SeatTakenError,
    StoreAddressError,
    StoreError,
    StoreFullError,
    StoreGoneError,
    StoreLibraryError,
    StoreVersionError,
    UnknownKeyError,
)
from service.store.settings import StoreSettings
from service.store.store import Store
from service.store.stored import Entry, Key, Role, StoredTable

__all__ = [
    "BadTextError",
    "ConflictError",
    "Entry",
    "Key",
    "LastHostError",
    "NoTableError",
    "Role",
    "SeatTakenError",
    "Store",
    "StoreAddressError",
    "StoreError",
    "StoreFullError",
    "StoreGoneError",
    "StoreLibraryError",
    "StoreSettings",
    "StoreVersionError",
    "StoredTable",
    "UnknownKeyError",
]
