"""The camera of one table: there is one at a time, and what it sees is refereed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.tokens import Piece
from service.game import Game
from service.hub.camera import CameraSession, Watching
from service.hub.clocks import ClientClock
from service.hub.house import House
from service.hub.keys import new_id
from service.hub.messages import STOPPING, Close, Closing, Message
from service.hub.play import Play
from service.hub.state import CameraState
from service.live.happenings import Happening
from service.live.table import LiveTable
from service.workers import Camera, Sight

__all__ = ["TableCamera"]


class TableCamera:
    """The place of a camera at a table of ``game``, with its ``board`` file where it has one."""

    def __init__(self, house: House, play: Play, game: str, board: Mapping[str, Any] | None) -> None:
        self._house, self._play, self._game, self._board = house, play, game, board
        self._camera: CameraSession | None = None
        self._scene: str | None = None

    @property
    def is_there(self) -> bool:
        """Whether a camera is connected."""
        return self._camera is not None

    @property
    def state(self) -> CameraState:
        """How it stands with the camera."""
        fps = None if self._camera is None else self._camera.fps
        return CameraState(connected=self.is_there, fps=fps, scene=self._scene)

    def take_over(self, clock: ClientClock, key_id: str) -> CameraSession:
        """Let the camera that has come with this key look at the table, in the place of the one before.

        :raises FullError: too many cameras or sockets.
        """
        self._house.take_camera()
        eye = Camera(f"{self._play.id}-{new_id()}", self._game, self._board)
        watching = Watching(self._looked, self._left, self._play.beside.language, key_id=key_id)
        camera = self._camera = CameraSession(self._house, eye, clock, watching)
        self._play.tell_state()
        if self._house.closed:
            camera.end(STOPPING)
        return camera

    def make_room(self) -> None:
        """End the camera that is there, for another one comes."""
        self.end(Closing(Close.OTHER_CAMERA, "another camera has taken over"))

    def end(self, closing: Closing, key_id: str | None = None) -> None:
        """End the camera, where a ``key_id`` is given only if it has come with that key."""
        if self._camera is not None and key_id in (None, self._camera.key_id):
            self._camera.end(closing)

    def correct(self, names: Iterable[tuple[int, Piece]]) -> None:
        """Tell what people have said of tracks to whatever follows the pieces."""
        if self._camera is not None:
            self._camera.correct(names)

    async def _looked(self, sight: Sight, message: Message) -> None:
        """Take in what a picture shows."""

        def act(table: LiveTable) -> tuple[Happening, ...]:
            if sight.fresh:
                table.restart_sight()
            return table.look(sight.moment, still=sight.still)

        self._scene = sight.moment.scene.value
        self._play.followers.tell([message])
        # What a change on the board of Cubed means is a search.
        await self._play.change(act, heavy=self._game == Game.CUBED, ticks=False)

    def _left(self, camera: CameraSession) -> None:
        self._house.leave_camera()
        self._camera = self._scene = None
        self._house.spawn(self._play.lose_sight())
        self._play.tell_state()
