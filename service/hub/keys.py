"""Keys: who somebody is at a table. The store keeps a digest only, and texts and logs the public part only."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from service.hub.errors import BadKeyError
from service.store import Key, Role

__all__ = ["KeyRing", "NewKey", "TableKeys", "new_id", "new_key"]

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
"""Letters and digits that nobody takes for one another."""
_KEY_ID = 8
_SECRET_BYTES = 16
_SHAPE = re.compile(r"([0-9a-z]{8})\.([0-9A-Za-z_-]{22})")
_NOBODY = bytes(32)
"""A digest that no secret has."""


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made: ``key`` is the whole of it, which nobody can be told again; ``id`` its public part."""

    id: str
    role: Role
    player: str | None
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TableKeys:
    """The keys of a new table, whole."""

    host: str = field(repr=False)
    join: str = field(repr=False)
    spectator: str = field(repr=False)
    camera: str = field(repr=False)
    players: Mapping[str, str] = field(repr=False)


def new_id(letters: int = _KEY_ID) -> str:
    """Return an id by chance, of so many ``letters``."""
    return "".join(secrets.choice(_LETTERS) for _ in range(letters))


def new_key(role: Role, player: str | None, created: float, *, seat: bool = False) -> tuple[Key, NewKey]:
    """Return a new key as the store keeps it, and whole; its secret has 128 bits."""
    key_id, secret = new_id(), secrets.token_urlsafe(_SECRET_BYTES)
    stored = Key(key_id, role, player, _digest(secret), created, seat=seat)
    return stored, NewKey(key_id, role, player, f"{key_id}.{secret}")


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()


class KeyRing:
    """The keys of one table."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self._keys = {key.id: key for key in keys}

    @property
    def keys(self) -> tuple[Key, ...]:
        """All of them, revoked ones too."""
        return tuple(self._keys.values())

    def add(self, key: Key) -> None:
        """Let one more count."""
        self._keys[key.id] = key

    def __contains__(self, key_id: object) -> bool:
        """Return whether there is, or has been, a key of this id."""
        return key_id in self._keys

    def holds_seat(self, key_id: str) -> bool:
        """Return whether a key holds the seat of its player."""
        return self._keys[key_id].seat

    def hold_seat(self, key_id: str) -> None:
        """Let a key hold the seat of its player."""
        self._keys[key_id] = replace(self._keys[key_id], seat=True)

    def revoke(self, key_id: str) -> None:
        """Let one open nothing any more."""
        self._keys[key_id] = replace(self._keys[key_id], revoked=True)

    def opened_by(self, text: str) -> Key:
        """Return the key that ``text`` is the whole of; takes as long for a wrong secret as for the right one.

        :raises BadKeyError: it is none of this table, or revoked.
        """
        match = _SHAPE.fullmatch(text)
        if match is None:
            raise BadKeyError
        key = self._keys.get(match[1])
        fits = hmac.compare_digest(_digest(match[2]), _NOBODY if key is None else key.digest)
        if key is None or not fits or key.revoked:
            raise BadKeyError
        return key

    def check(self, key_id: str) -> None:
        """Do nothing for a key that still opens the table.

        :raises BadKeyError: it has been revoked.
        """
        if key_id not in self._keys or self._keys[key_id].revoked:
            raise BadKeyError
