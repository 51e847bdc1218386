"""Where the keys of a table are made and revoked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from service.hub.errors import BadKeyError, SetupError, TooManyKeysError, not_seated
from service.hub.house import House
from service.hub.invitations import Invitation
from service.hub.keys import KeyRing, NewKey, new_key
from service.store import Key, Role, UnknownKeyError

__all__ = ["KeyDesk"]

_MOST_KEYS = 200
"""Keys of one table, revoked ones too."""


class KeyDesk:
    """The keys of the table with this id: whatever is changed is stored first."""

    def __init__(self, house: House, table: str, players: tuple[str, ...], keys: Iterable[Key]) -> None:
        self.ring = KeyRing(keys)
        self._house, self._table, self._players = house, table, players

    async def add(self, role: Role, player: str | None) -> NewKey:
        """Make one more key; ``player`` for a player's, and for no other.

        :raises SetupError: no role for whom, or nobody of that name sits at the table.
        :raises TooManyKeysError: there have been too many.
        """
        if role is not Role.PLAYER and player is not None:
            raise SetupError(f"player: only the key of a player is for one; got {player!r}")
        return await self._made(self._house.store.add_key, role, player)

    async def take_seat(self, player: str) -> NewKey:
        """Make the key of a player whose seat nobody has taken.

        :raises SeatTakenError: somebody has.
        :raises SetupError: nobody of that name sits at the table.
        :raises TooManyKeysError: there have been too many.
        """
        return await self._made(self._house.store.take_seat, Role.PLAYER, player, seat=True)

    async def hold_seat(self, key_id: str) -> None:
        """Let the key of a player, which is in use, hold the seat: nobody can take it any more."""
        if not self.ring.holds_seat(key_id):
            await self._house.store.hold_seat(self._table, key_id)
            self.ring.hold_seat(key_id)

    async def _made(
        self, write: Callable[[str, Key], Awaitable[None]], role: Role, player: str | None, *, seat: bool = False
    ) -> NewKey:
        if role is Role.PLAYER and player not in self._players:
            raise SetupError(not_seated(player, self._players))
        if len(self.ring.keys) >= _MOST_KEYS:
            raise TooManyKeysError(_MOST_KEYS)
        key, made = new_key(role, player, self._house.wall(), seat=seat)
        await write(self._table, key)
        self.ring.add(key)
        return made

    def invite(self, text: str) -> Invitation:
        """Return a code that stands for the whole key ``text``.

        :raises SetupError: it does not open this table, or it is a host's, which goes to nobody else.
        :raises FullError: there are too many codes.
        """
        key: Key | None = None
        with suppress(BadKeyError):  # behind another error it would be told in its place
            key = self.ring.opened_by(text)
        if key is None:
            raise SetupError("key: expected one of this table that is not revoked")
        if key.role is Role.HOST:
            raise SetupError("key: that of a host goes to nobody else; make another one with POST …/keys")
        return self._house.invitations.invite(self._table, key, text)

    async def revoke(self, key_id: str) -> None:
        """Let a key open nothing any more.

        :raises UnknownKeyError: there is none of that id.
        :raises LastHostError: it is the last one of a host.
        """
        if key_id not in self.ring:
            raise UnknownKeyError
        await self._house.store.revoke(self._table, key_id)
        self.ring.revoke(key_id)
        self._house.invitations.forget(self._table, key_id)
