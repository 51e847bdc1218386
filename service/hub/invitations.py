"""Short codes that people read out or scan: each stands for a key of a table, for a while.

They are kept in memory only, and codes only as digests under a secret of this process: how long it takes to look one up
tells nothing. A code has 30^6 (729 million) forms, and all clients together may guess wrong once a second.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b

from service.hub.errors import FullError, NoInvitationError
from service.hub.keys import new_id
from service.quotas import Buckets, TooManyError
from service.store import Key

__all__ = ["Invitation", "InvitationSettings", "Invitations"]

_EVERYBODY = ""
_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class InvitationSettings:
    """How codes are given out and guessed.

    A code has so many ``letters`` and is good for so many ``seconds`` after it was asked for last. There are at most
    ``most`` of them, ``at_table`` of one table: of that the oldest then goes. So many wrong codes are taken in a minute
    from one client (``wrong``) and from all (``wrong_of_all``); as many ``clients`` are kept in mind.
    """

    letters: int = 6
    seconds: float = 1_800.0
    most: int = 10_000
    at_table: int = 24
    wrong: int = 10
    wrong_of_all: int = 60
    clients: int = 50_000


@dataclass(frozen=True, slots=True)
class Invitation:
    """A ``code`` that stands for the whole ``key`` of a table, which the store has as ``known``."""

    table: str
    known: Key
    key: str = field(repr=False)
    code: str = field(repr=False)
    seconds: float
    """How long it is good after it was asked for last."""
    until: float
    """When that is over, by the clock."""


class Invitations:
    """All codes of a service."""

    def __init__(self, clock: Callable[[], float], settings: InvitationSettings | None = None) -> None:
        """``clock`` tells steady seconds."""
        self.settings = own = settings or InvitationSettings()
        self._clock = clock
        self._secret = secrets.token_bytes()
        self._codes: dict[bytes, Invitation] = {}
        """By digest, the one that ends first first."""
        self._tables: dict[str, dict[str, Invitation]] = {}
        """By table and id of the key, the one that ends first first."""
        self._wrong = Buckets(own.wrong / _MINUTE, own.wrong, own.clients, clock)
        self._wrong_of_all = Buckets(own.wrong_of_all / _MINUTE, own.wrong_of_all, 1, clock)

    def __len__(self) -> int:
        """How many codes there are, those included whose time is over and that nobody has looked at since."""
        return len(self._codes)

    def invite(self, table: str, known: Key, key: str) -> Invitation:
        """Return the code that stands for the whole ``key``, ``known`` at ``table``: for another while if there is one.

        :raises FullError: there are too many codes.
        """
        self._forget_old()
        before = self._tables.get(table, {}).get(known.id)
        if before is not None:
            self._drop(before)
        elif len(self._codes) >= self.settings.most:
            raise FullError("invitations", self.settings.most)
        code = self._new_code() if before is None else before.code
        seconds = self.settings.seconds
        made = Invitation(table, known, key, code, seconds, self._clock() + seconds)
        at_table = self._tables.setdefault(table, {})
        self._codes[self._digest(code)] = at_table[known.id] = made
        if len(at_table) > self.settings.at_table:
            self._drop(next(iter(at_table.values())))
        return made

    def _new_code(self) -> str:
        code = new_id(self.settings.letters)
        return code if self._digest(code) not in self._codes else self._new_code()

    def look_up(self, code: str, client: str) -> Invitation:
        """Return what a ``code`` stands for that ``client`` shows, in capitals or small letters, in groups or not.

        :raises NoInvitationError: it stands for nothing (any more).
        :raises TooManyError: too many wrong ones have come from ``client``, or from all, whether this is right or not.
        """
        wait = max(self._wrong.wait(client), self._wrong_of_all.wait(_EVERYBODY))
        if wait:
            raise TooManyError("too many codes were wrong", wait)
        self._forget_old()
        found = self._codes.get(self._digest("".join(code.lower().replace("-", " ").split())))
        if found is None:
            self._wrong.take(client)
            self._wrong_of_all.take(_EVERYBODY)
            raise NoInvitationError
        return found

    def forget(self, table: str, key_id: str | None = None) -> None:
        """Forget the code of a key, by default all codes of the ``table``."""
        at_table = self._tables.get(table, {})
        for one in [one for one in at_table.values() if key_id in (None, one.known.id)]:
            self._drop(one)

    def _forget_old(self) -> None:
        now = self._clock()
        while self._codes and (first := next(iter(self._codes.values()))).until <= now:
            self._drop(first)

    def _drop(self, one: Invitation) -> None:
        del self._codes[self._digest(one.code)]
        del self._tables[one.table][one.known.id]
        if not self._tables[one.table]:
            del self._tables[one.table]

    def _digest(self, code: str) -> bytes:
        return blake2b(code.encode(errors="surrogatepass"), digest_size=16, key=self._secret).digest()
