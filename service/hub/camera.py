"""A camera that is followed: the newest picture counts, one is looked at at a time, at the rate that is granted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from service.hub.messages import Closing, Message

if TYPE_CHECKING:
    from service.hub.clocks import ClientClock

__all__ = ["CameraSession"]


class CameraSession(AsyncIterator[Message]):
    """One camera; made by ``Session.camera`` or, without a table, by ``Hub.live``.

    Iterating gives what the camera is told: ``rate`` first and whenever it changes, ``seen``, ``skipped``, ``error``.
    The iteration ends when the camera does; ``closing`` then says why, None if its owner has closed it.
    """

    clock: ClientClock
    """The clock of this camera, for pings, pongs and the times of pictures."""
    closing: Closing | None

    def frame(self, jpeg: bytes, at: float | None = None) -> None:
        """Take a picture, made at ``at`` by the camera's clock; one that still waits gives way to it.

        :raises BadTimeError: ``at`` is no number of seconds.
        """
        raise NotImplementedError

    def __aiter__(self) -> CameraSession:
        """Return itself."""
        return self

    async def __anext__(self) -> Message:
        """Return the next message, as soon as there is one."""
        raise NotImplementedError

    def close(self) -> None:
        """End it: whoever has made it must do this, however it ends; twice does no harm."""
        raise NotImplementedError
