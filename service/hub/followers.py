"""Those who follow a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from service.hub.messages import Closing, Message
from service.hub.subscription import Subscription

__all__ = ["Followers"]


class Followers:
    """The subscriptions of one table."""

    def __init__(self) -> None:
        self._all: set[Subscription] = set()

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Subscription]:
        return iter(tuple(self._all))

    def add(self, one: Subscription) -> None:
        """Let one more follow."""
        self._all.add(one)

    def remove(self, one: Subscription) -> None:
        """Let one follow no more."""
        self._all.discard(one)

    def tell(self, messages: Iterable[Message]) -> None:
        """Tell all of them."""
        told = tuple(messages)
        for one in self:
            one.tell(told)

    def end(self, closing: Closing, key_id: str | None = None) -> None:
        """End them, or those with the key of this id."""
        for one in self:
            if key_id is None or one.key_id == key_id:
                one.end(closing)

    @property
    def players(self) -> frozenset[str]:
        """The players among them."""
        return frozenset(one.player for one in self._all if one.player is not None)
