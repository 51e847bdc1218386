"""The WebSocket of a table: its journal as it grows, calls and events, and the clock of the client."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket

from service.api.conversation import Conversation, Patience, converse, patience
from service.api.game_events import record_event
from service.api.messages import (
    AnswerMessage,
    BadMessageError,
    CallMessage,
    EventMessage,
    PongMessage,
    WelcomeMessage,
    fault_of,
    read_hello,
    read_table_message,
)
from service.errors import ServiceError
from service.hub import Changed, Hub, Subscription, Visitor

__all__ = ["router"]

router = APIRouter(prefix="/api/v1")


@router.websocket("/tables/{table}/socket")
async def table_socket(socket: WebSocket, table: str, patience: Annotated[Patience, Depends(patience)]) -> None:
    """Let a host, a player or a spectator follow the table, call and tell events."""
    hub: Hub = socket.app.state.hub

    async def talk(conversation: Conversation) -> None:
        hello = await conversation.first(read_hello)
        visitor = await hub.enter(table, hello.key)
        with closing(visitor.session.subscribe(visitor, hello.after, seen=hello.seen)) as stream:
            state = await visitor.session.state(visitor)
            await conversation.say(
                WelcomeMessage(role=visitor.role, player=visitor.player, time=visitor.session.now, state=state)
            )
            await conversation.hold(stream, _Seat(conversation, visitor, stream).hear)

    await converse(socket, patience, talk)


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where a visitor sits, and what they do there."""

    conversation: Conversation
    visitor: Visitor
    stream: Subscription

    async def hear(self, heard: str | bytes) -> PongMessage | None:
        """Do what a message says, and answer it; give a pong back.

        :raises BadMessageError: it is none.
        """
        if isinstance(heard, bytes):
            raise BadMessageError("the message is binary: pictures go to the socket of a camera")
        message = read_table_message(heard, self.visitor.session.event_types)
        if isinstance(message, PongMessage):
            return message
        self.conversation.content()
        await self.conversation.say(await self._answer(message))
        return None

    async def _answer(self, message: CallMessage | EventMessage) -> AnswerMessage:
        try:
            changed = await self._done(message)
        except ServiceError as error:
            return AnswerMessage(id=message.id, error=fault_of(error))
        return AnswerMessage(id=message.id, entries=[entry.number for entry in changed.entries])

    async def _done(self, message: CallMessage | EventMessage) -> Changed:
        session = self.visitor.session
        if isinstance(message, EventMessage):
            return await session.put(self.visitor, record_event(message.event))
        return await session.call(self.visitor, player=message.player, at=message.at, clock=self.stream.clock)
