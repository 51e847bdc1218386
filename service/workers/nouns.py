"""The nouns of work on pictures, and what the service needs of those who do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from engine.tokens import Piece
from service.upload import Parts
from service.uploaded import Uploaded

if TYPE_CHECKING:
    from vision.tracks import Moment

__all__ = ["Answered", "Camera", "Correction", "Sight", "Vision", "Work"]


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to an upload: its bytes, and what they are."""

    body: bytes
    media_type: str = "application/json"
    stages: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds of each stage of reading a photo, where that was done."""

    @classmethod
    def json(cls, text: str, stages: Mapping[str, float] | None = None) -> Answered:
        """Return ``text``, which is JSON, as an answer; what is no Unicode in it becomes an escape of JSON."""
        return cls(text.encode("utf-8", "backslashreplace"), stages=stages or {})

    @classmethod
    def jpeg(cls, data: bytes, stages: Mapping[str, float] | None = None) -> Answered:
        """Return a picture as an answer."""
        return cls(data, "image/jpeg", stages or {})


Work = Callable[[Parts, Uploaded], Answered]
"""What is done with an upload: a function of a module, or a ``partial`` of one, so that it can go to a process."""

Correction = tuple[int, Piece]
"""A person's word for what the piece of an identity is."""


@dataclass(frozen=True)
class Camera:
    """A camera: what its tracker has to know, with its first picture, of the game it watches.

    ``board`` is what the board file holds; the table counts as settled after ``settle`` seconds without a change.
    """

    id: str
    game: str
    board: Mapping[str, Any] | None = None
    settle: float = 0.4


@dataclass(frozen=True)
class Sight:
    """What a picture of a camera showed.

    Of the ``moment`` only what a live table needs is there: neither features nor where the board lies. ``still`` is a
    small JPEG of the picture now and then, else None. ``ms`` are the milliseconds that the picture took. ``fresh``: the
    tracker has begun anew with this picture, so all identities are new.
    """

    moment: Moment
    still: bytes | None
    ms: float
    fresh: bool


class Vision(Protocol):
    """Those who work on pictures."""

    async def start(self) -> None:
        """Open the models, unless that is done.

        :raises InstallationError: OpenCV, onnxruntime or the models cannot be loaded.
        """
        ...

    async def close(self) -> None:
        """Stop all work."""
        ...

    async def answer(self, work: Work, parts: Parts) -> Answered:
        """Return what ``work`` makes of an upload.

        :raises ServiceError: the work refuses it; TooSlowError, BrokenError: it takes too long, or breaks the process.
        :raises VisionError: it is no photo that can be read.
        :raises FaultError: a fault of ours.
        """
        ...

    async def see(self, camera: Camera, jpeg: bytes, time: float, corrections: Sequence[Correction] = ()) -> Sight:
        """Return what a picture of ``camera`` at ``time`` seconds shows, after ``corrections`` of what lies there.

        The tracker is opened with the first picture. Pictures of one camera come one after the other.

        :raises FrameError: it is no picture that is looked at.
        :raises TooManyCamerasError: there are too many cameras already.
        :raises ServiceError: as :meth:`answer` does.
        """
        ...

    async def forget(self, camera: str) -> None:
        """Drop the tracker of a camera, if it has one."""
        ...
