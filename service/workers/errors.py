"""What workers refuse, beyond what the commands themselves do."""

from __future__ import annotations

from service.errors import ServiceError

__all__ = ["BrokenError", "FaultError", "FrameError", "TooManyCamerasError", "TooSlowError", "WorkerError"]


class WorkerError(ServiceError):
    """The family of what goes wrong between a picture and its answer."""

    code = "worker"


class TooSlowError(WorkerError, TimeoutError):
    """Work on an upload that took too long and was given up."""

    code = "too-slow-picture"

    def __init__(self, seconds: int) -> None:
        """Say how long it might take."""
        unit = "second" if seconds == 1 else "seconds"
        super().__init__(f"reading this took more than {seconds} {unit} and was given up; send smaller photos")


class BrokenError(WorkerError, RuntimeError):
    """An upload that ended the process which worked on it."""

    code = "breaks-reader"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("the reader broke off while it read this; take another photo, or save it anew")


class FrameError(WorkerError, ValueError):
    """A picture of a camera that is not looked at; the text says why."""

    code = "bad-frame"


class TooManyCamerasError(WorkerError, RuntimeError):
    """One more camera than may be used at the same time."""

    code = "full"

    def __init__(self, most: int) -> None:
        """Say how many there may be."""
        super().__init__(f"there may be {most} cameras at the same time, and there are; try again later")


class FaultError(RuntimeError):
    """A fault of ours in a worker process: no refusal, so that the log gets the traceback, which is its text."""
