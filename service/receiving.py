"""What every address does with a request before it is looked at: its parameters, its kind of body, and its bytes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager

from anyio import fail_after
from fastapi import Request

from service.errors import ArgumentError, ServiceError
from service.settings import Settings

__all__ = ["SlowBodyError", "bounded", "check_parameters", "in_time", "media_type", "whole"]


class SlowBodyError(ServiceError, TimeoutError):
    """A body that did not arrive in time."""

    code = "slow-upload"

    def __init__(self, seconds: int) -> None:
        """Say how long it might take."""
        unit = "second" if seconds == 1 else "seconds"
        super().__init__(f"the body did not arrive within {seconds} {unit}; send a smaller one")


def media_type(request: Request) -> str:
    """Return what a body is said to be, in small letters and without parameters; "" where nothing is said."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def check_parameters(request: Request, known: Sequence[str]) -> None:
    """Check that the address of a request has no parameters but the ``known`` ones.

    :raises ArgumentError: it has.
    """
    expected = " or ".join([", ".join(known[:-1]), known[-1]] if len(known) > 1 else known) or "none"
    for name in request.query_params:
        if name not in known:
            raise ArgumentError(f"{name[:60]!r} is no parameter of this address: expected {expected}")


async def bounded(request: Request, most: int, too_long: Callable[[int], Exception]) -> AsyncGenerator[bytes, None]:
    """Yield the bytes of a body as they come, at most ``most`` of them.

    What ``too_long`` makes of the number of bytes, as far as it is known, is raised where there are more; the body is
    not read to its end then.
    """
    declared = request.headers.get("content-length", "")
    count = int(declared[:20]) if declared.isdecimal() else 0
    if count > most:
        raise too_long(count)
    count = 0
    async for chunk in request.stream():
        count += len(chunk)
        if count > most:
            raise too_long(count)
        yield chunk


async def whole(request: Request, settings: Settings, most: int, too_long: Callable[[int], Exception]) -> bytes:
    """Return a body of at most ``most`` bytes, as :func:`bounded` yields it.

    :raises SlowBodyError: it does not arrive in time.
    """
    with in_time(settings):
        return b"".join([chunk async for chunk in bounded(request, most, too_long)])


@contextmanager
def in_time(settings: Settings) -> Iterator[None]:
    """Give a body so long to arrive.

    :raises SlowBodyError: it takes longer.
    """
    try:
        with fail_after(settings.upload_seconds):
            yield
    except TimeoutError:
        raise SlowBodyError(settings.upload_seconds) from None
