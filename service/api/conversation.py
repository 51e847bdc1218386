"""One WebSocket from its hello to its close: what is said both ways, in time, and no more than can be taken.

Three tasks hold it: one passes on what the hub tells, one pings, one listens. The first that has a reason to end ends
all, and the reason becomes the code with which the socket is closed. Messages are heard one after another: while one
is worked on, nothing more is read, so a client can have no more than a few that are not answered.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import TaskGroup
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise, repeat
from typing import Protocol, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from service.api.messages import (
    MESSAGE_BYTES,
    BadFieldsError,
    BadMessageError,
    ClockMessage,
    PingMessage,
    PongMessage,
    fault_of,
    reply_to,
)
from service.errors import ServiceError, code_of, one_line
from service.hub import ClientClock, Close, Closing, Message
from service.logs import LOGGER, without_keys
from service.origins import is_allowed
from service.quotas import Buckets
from service.settings import Settings

__all__ = [
    "Conversation",
    "EndError",
    "ForeignPageError",
    "Hear",
    "Patience",
    "Stream",
    "converse",
    "patience",
]

_T = TypeVar("_T")
Hear = Callable[[str | bytes], Awaitable[PongMessage | None]]
"""Does what a message says; gives back what is a pong."""

_INTERNAL = 1011
"""RFC 6455: the server has a fault."""
_LONGEST_REASON = 120
"""Bytes of a reason; a control frame has room for 123."""
_BURST_SECONDS = 5

_CODES: Mapping[str, Close] = {
    "no-key": Close.NO_KEY,
    "bad-key": Close.NO_KEY,
    "not-allowed": Close.NOT_ALLOWED,
    "no-table": Close.NO_TABLE,
    "too-many-requests": Close.TOO_MANY,
    "full": Close.BUSY,
    "busy": Close.BUSY,
    "store-full": Close.BUSY,
    "store-gone": Close.BUSY,
}

_log = logging.getLogger(LOGGER)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a socket waits, in seconds.

    ``hello``: for the first message. ``pings``: after these times pings are sent, then every ``every`` seconds.
    ``silence``: without a pong. ``wrong``: so many wrong messages in a row, a number, are one too many. How long a
    client may take nothing is for :class:`service.socket_protocol.BoundedSocketProtocol` to say.
    """

    hello: float = 5.0
    pings: tuple[float, ...] = (0.0, 0.2, 0.5, 1.0, 2.0)
    every: float = 10.0
    silence: float = 45.0
    wrong: int = 3

    def __post_init__(self) -> None:
        if list(self.pings) != sorted(self.pings):
            raise ValueError(f"pings {self.pings!r}: expected times that grow")

    def waits(self) -> chain[float]:
        """Return how long to wait before each ping, without end."""
        return chain((after - before for before, after in pairwise((0.0, *self.pings))), repeat(self.every))


def patience() -> Patience:
    """Return how long sockets wait; tests put another one in its place."""
    return Patience()


class EndError(ServiceError):
    """The reason to close a socket."""

    code = "closed"

    def __init__(self, closing: Closing) -> None:
        """Hold the code and the line of ``closing``."""
        super().__init__(closing.text)
        self.closing = closing


class ForeignPageError(ServiceError, PermissionError):
    """A page of another site that opens a socket in somebody's browser."""

    code = "not-allowed"

    def __init__(self, origin: str) -> None:
        """Quote the ``origin``."""
        super().__init__(f"pages of {origin[:100]!r} may not use this service; its operator can allow them")


class Stream(Protocol):
    """What the hub tells one client; its end says why."""

    @property
    def clock(self) -> ClientClock:
        """The clock of the client."""
        ...

    @property
    def closing(self) -> Closing | None:
        """Why it has ended."""
        ...

    def __aiter__(self) -> AsyncIterator[Message]:
        """Return the messages."""
        ...


class Conversation:
    """An accepted WebSocket, spoken with in messages."""

    def __init__(self, socket: WebSocket, patience: Patience, rate: float) -> None:
        """Speak over ``socket``, hearing at most ``rate`` messages a second on average."""
        self._socket = socket
        self._patience = patience
        self._pace = Buckets(rate, int(rate * _BURST_SECONDS), most=1)
        self._wrong = 0

    async def first(self, read: Callable[[str], _T]) -> _T:
        """Return the first message, which ``read`` understands.

        :raises EndError: it does not come in time, or is too long.
        :raises BadMessageError: it is another one.
        """
        try:
            async with asyncio.timeout(self._patience.hello):
                heard = await self._receive()
        except TimeoutError:
            text = f"no hello within {self._patience.hello:g} seconds"
            raise EndError(Closing(Close.NO_HELLO, text)) from None
        if isinstance(heard, bytes):
            raise BadMessageError("the first message is binary: expected a hello as JSON")
        return read(heard)

    async def hold(self, stream: Stream, hear: Hear) -> None:
        """Pass on the ``stream``, ping, and ``hear`` what is said; return never.

        What ``hear`` raises is told to the client.

        :raises EndError: the reason to close the socket.
        :raises WebSocketDisconnect: the client has gone.
        """
        try:
            async with TaskGroup() as tasks:
                tasks.create_task(self._tell(stream))
                tasks.create_task(self._ping(stream.clock))
                tasks.create_task(self._listen(stream.clock, hear))
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None

    async def say(self, message: BaseModel) -> None:
        """Send a message.

        :raises WebSocketDisconnect: the client has gone.
        """
        await self._send(message.model_dump_json())

    def content(self) -> None:
        """Note that the last message made sense: only wrong ones in a row close the socket."""
        self._wrong = 0

    async def close(self, code: int, text: str) -> None:
        """Close the socket, if the client still listens."""
        reason = without_keys(text).encode()[:_LONGEST_REASON].decode(errors="ignore")
        with suppress(WebSocketDisconnect, RuntimeError):  # it has gone already
            await self._socket.close(code, reason)

    async def _send(self, text: str) -> None:
        try:
            await self._socket.send_text(text)
        except RuntimeError:  # the server has closed it already, for frames that are none
            raise WebSocketDisconnect from None

    async def _receive(self) -> str | bytes:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"])
        text: str | None = message.get("text")
        if text is None:
            return bytes(message["bytes"])
        if len(text.encode(errors="replace")) > MESSAGE_BYTES:
            raise EndError(Closing(Close.TOO_SLOW, f"a message is too long: at most {MESSAGE_BYTES:,} bytes"))
        return text

    async def _tell(self, stream: Stream) -> None:
        async for message in stream:
            await self._send(message.text)
        raise EndError(stream.closing or Closing(Close.RESTART, "come back with after"))

    async def _ping(self, clock: ClientClock) -> None:
        for wait in self._patience.waits():
            await asyncio.sleep(wait)
            ping = clock.ping()
            await self.say(PingMessage(number=ping.number, time=ping.time))

    async def _listen(self, clock: ClientClock, hear: Hear) -> None:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._patience.silence) as silence:
                while True:
                    await asyncio.sleep(self._pace.reserve(""))
                    if await self._hear(clock, hear):
                        silence.reschedule(loop.time() + self._patience.silence)
        except TimeoutError:
            if not silence.expired():
                raise
            text = f"no pong for {self._patience.silence:g} seconds"
            raise EndError(Closing(Close.NO_HELLO, text)) from None

    async def _hear(self, clock: ClientClock, hear: Hear) -> bool:
        """Hear one message, and return whether it was a pong."""
        heard = await self._receive()
        try:
            pong = await hear(heard)
            if pong is not None:
                await self._measure(clock, pong)
            return pong is not None
        except EndError:
            raise
        except ServiceError as error:
            await self.say(reply_to(error))
            if not isinstance(error, BadFieldsError):
                self._count(fault_of(error).text)
            return False

    async def _measure(self, clock: ClientClock, pong: PongMessage) -> None:
        measured = clock.pong(pong.number, pong.at)
        if measured is not None:
            await self.say(ClockMessage(offset=measured.offset, error=measured.error))

    def _count(self, text: str) -> None:
        """Count one more wrong message in a row."""
        self._wrong += 1
        if self._wrong >= self._patience.wrong:
            raise EndError(Closing(Close.BAD_MESSAGE, f"{self._wrong} wrong messages in a row: {text}"))


def _close_code(error: ServiceError) -> Close:
    """Return the code with which a socket is closed for an ``error``."""
    return _CODES.get(code_of(error), Close.BAD_MESSAGE)


async def converse(socket: WebSocket, patience: Patience, talk: Callable[[Conversation], Awaitable[None]]) -> None:
    """Accept ``socket`` and ``talk`` until there is a reason to close it.

    :raises ForeignPageError: it comes from a page of another site; nothing is accepted.
    """
    settings: Settings = socket.app.state.settings
    origin = socket.headers.get("origin")
    if not is_allowed(origin, socket.headers.get("host"), settings):
        raise ForeignPageError(str(origin))
    await socket.accept()
    conversation = Conversation(socket, patience, settings.client_rate)
    try:
        await talk(conversation)
    except WebSocketDisconnect:
        return
    except EndError as error:
        await conversation.close(error.closing.code, error.closing.text)
    except ServiceError as error:
        await conversation.close(_close_code(error), one_line(error))
    except Exception:
        _log.exception("fault in a WebSocket")
        await conversation.close(_INTERNAL, "the service has a fault; its operator finds the reason in the log")
