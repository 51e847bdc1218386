"""The WebSocket of a camera without a table, for people who only want to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket

from service.api.camera import watch
from service.api.conversation import Conversation, EndError, Patience, converse, patience
from service.api.messages import WelcomeMessage, read_live_hello
from service.hub import Close, Closing, Hub
from service.limiting import client_of

__all__ = ["Onlookers", "router"]

router = APIRouter(prefix="/api/v1")


class Onlookers:
    """Counts the cameras without a table of each client: its address, or its network where that is IPv6."""

    def __init__(self, most: int = 2) -> None:
        """Allow each client ``most`` at the same time."""
        self._most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def held(self, client: str) -> Iterator[None]:
        """Count one more camera of ``client`` meanwhile.

        :raises EndError: it has as many as it may have.
        """
        if self._open[client] >= self._most:
            raise EndError(Closing(Close.TOO_MANY, f"{self._most} cameras of yours look already"))
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


@router.websocket("/live")
async def live_camera(socket: WebSocket, patience: Annotated[Patience, Depends(patience)]) -> None:
    """Tell a camera what it sees; nothing is refereed, and nothing is kept."""
    hub: Hub = socket.app.state.hub
    onlookers: Onlookers = socket.app.state.onlookers
    client = client_of(socket.client.host if socket.client else "")

    async def talk(conversation: Conversation) -> None:
        with onlookers.held(client):
            hello = await conversation.first(read_live_hello)
            with closing(hub.live(hello.game, hello.board)) as camera:
                await conversation.say(WelcomeMessage())
                await watch(conversation, camera)

    await converse(socket, patience, talk)
