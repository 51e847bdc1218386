"""Keys: what they are made of, and what opens a table."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from hashlib import sha256

import pytest

from service.hub.errors import BadKeyError
from service.hub.keys import KeyRing, TableKeys, new_key
from service.store import Role


def test_a_secret_has_128_bits_and_only_its_digest_is_kept() -> None:
    stored, made = new_key(Role.PLAYER, "Ann", 5.0)
    key_id, secret = made.key.split(".")
    assert key_id == stored.id == made.id
    assert len(urlsafe_b64decode(secret + "==")) == 16
    assert stored.digest == sha256(secret.encode()).digest()
    assert secret not in repr(stored)
    assert (stored.role, stored.player, stored.created, stored.seat) == (Role.PLAYER, "Ann", 5.0, False)


def test_no_key_is_shown_by_accident() -> None:
    _, made = new_key(Role.HOST, None, 5.0)
    assert made.key not in repr(made)
    assert made.key not in repr(TableKeys(made.key, made.key, made.key, made.key, {"Ann": made.key}))


def test_a_key_opens_its_own_table_only() -> None:
    (stored, made), (_, other) = new_key(Role.HOST, None, 5.0), new_key(Role.HOST, None, 5.0)
    ring = KeyRing([stored])
    assert ring.opened_by(made.key) is stored
    swapped = f"{stored.id}.{other.key.split('.')[1]}"
    for wrong in (other.key, swapped, stored.id, f"{made.key}x", "", "\x00", "é" * 31, f"{made.key}\n"):
        with pytest.raises(BadKeyError) as refused:
            ring.opened_by(wrong)
        assert wrong == "" or wrong not in str(refused.value)


def test_a_revoked_key_opens_nothing() -> None:
    stored, made = new_key(Role.HOST, None, 5.0)
    ring = KeyRing([stored])
    ring.check(stored.id)
    ring.revoke(stored.id)
    with pytest.raises(BadKeyError):
        ring.opened_by(made.key)
    with pytest.raises(BadKeyError):
        ring.check(stored.id)
    assert [key.revoked for key in ring.keys] == [True]


def test_a_key_that_is_unknown_is_compared_as_long_as_one_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(mine: bytes, theirs: bytes) -> bool:
        compared.append((mine, theirs))
        return False

    monkeypatch.setattr("hmac.compare_digest", compare)
    _, made = new_key(Role.HOST, None, 5.0)
    with pytest.raises(BadKeyError):
        KeyRing([]).opened_by(made.key)
    assert [len(one) for one in compared[0]] == [32, 32]
