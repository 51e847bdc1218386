"""The WebSockets of cameras: pictures in, one a binary message; what is seen out, and the rate that can be taken."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket

from service.api.conversation import Conversation, Patience, converse, patience
from service.api.messages import PongMessage, WelcomeMessage, read_camera_message, read_hello
from service.hub import CameraSession, Hub

__all__ = ["router", "watch"]

router = APIRouter(prefix="/api/v1")


@router.websocket("/tables/{table}/camera")
async def table_camera(socket: WebSocket, table: str, patience: Annotated[Patience, Depends(patience)]) -> None:
    """Let a camera look at the table; the one before is closed."""
    hub: Hub = socket.app.state.hub

    async def talk(conversation: Conversation) -> None:
        hello = await conversation.first(read_hello)
        visitor = await hub.enter(table, hello.key)
        with closing(visitor.session.camera(visitor)) as camera:
            await conversation.say(WelcomeMessage(role=visitor.role, player=None, time=visitor.session.now))
            await watch(conversation, camera)

    await converse(socket, patience, talk)


async def watch(conversation: Conversation, camera: CameraSession) -> None:
    """Take the pictures of a camera; return never.

    :raises EndError: the reason to close the socket.
    :raises WebSocketDisconnect: the camera has gone.
    """
    await conversation.hold(camera, _Lens(camera).hear)


@dataclass(slots=True)
class _Lens:
    """Takes pictures, each at the time that was told before it."""

    camera: CameraSession
    at: float | None = None

    async def hear(self, heard: str | bytes) -> PongMessage | None:
        """Take a picture, or note when the next one was made; give a pong back.

        :raises BadMessageError: the message is none.
        :raises BadTimeError: the time is none.
        """
        if isinstance(heard, bytes):
            at, self.at = self.at, None
            self.camera.frame(heard, at)
            return None
        message = read_camera_message(heard)
        if isinstance(message, PongMessage):
            return message
        self.at = message.at
        return None
