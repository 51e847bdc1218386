"""Work on pictures: photos, turns, boards and cameras, in processes of their own."""

from service.workers.errors import (
    BrokenError,
    FaultError,
    FrameError,
    TooManyCamerasError,
    TooSlowError,
    WorkerError,
)
from service.workers.local import LocalVision
from service.workers.nouns import Answered, Camera, Correction, Sight, Vision, Work
from service.workers.processes import ProcessVision

__all__ = [
    "Answered",
    "BrokenError",
    "Camera",
    "Correction",
    "FaultError",
    "FrameError",
    "LocalVision",
    "ProcessVision",
    "Sight",
    "TooManyCamerasError",
    "TooSlowError",
    "Vision",
    "Work",
    "WorkerError",
]
