"""Following a table: first what the journal holds already, then what happens, without a gap and nothing twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from service.hub.messages import Closing, Message

if TYPE_CHECKING:
    from service.hub.clocks import ClientClock

__all__ = ["Subscription"]


class Subscription(AsyncIterator[Message]):
    """The messages for one who follows a table, in order; made by ``Session.subscribe``.

    The iteration ends when the subscription does; ``closing`` then says why, None if its owner has closed it.
    """

    clock: ClientClock
    """The clock of this client, for pings, pongs and calls over this socket."""
    closing: Closing | None

    def __aiter__(self) -> Subscription:
        """Return itself."""
        return self

    async def __anext__(self) -> Message:
        """Return the next message, as soon as there is one."""
        raise NotImplementedError

    def close(self) -> None:
        """End it: whoever has made it must do this, however it ends; twice does no harm."""
        raise NotImplementedError
