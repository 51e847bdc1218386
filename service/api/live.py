"""The WebSocket of a camera without a table, for people who only want to see."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket

from service.api.camera import watch
from service.api.conversation import Conversation, Patience, converse, patience
from service.api.messages import WelcomeMessage, read_live_hello
from service.hub import Hub
from service.limiting import client_in
from service.quotas import Shares

__all__ = ["onlookers", "router"]

_MOST = 2

router = APIRouter(prefix="/api/v1")


def onlookers() -> Shares:
    """Return what counts the cameras without a table that each client has open."""
    return Shares(_MOST, "cameras without a table")


@router.websocket("/live")
async def live_camera(socket: WebSocket, patience: Annotated[Patience, Depends(patience)]) -> None:
    """Tell a camera what it sees, and which SETs lie there; nothing is refereed, and nothing is kept."""
    hub: Hub = socket.app.state.hub
    shares: Shares = socket.app.state.onlookers

    async def talk(conversation: Conversation) -> None:
        with shares.held(client_in(socket.scope)):
            hello = await conversation.first(read_live_hello)
            with closing(hub.live(hello.game, hello.board, hello.language, hello.hints)) as camera:
                await conversation.say(WelcomeMessage())
                await watch(conversation, camera)

    await converse(socket, patience, talk)
