"""Receives the photo of a request: bounded in bytes and time, in memory only."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from anyio import fail_after
from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from service.errors import ServiceError
from service.settings import Settings
from vision.load import TooManyBytesError

__all__ = ["MissingFieldError", "SlowUploadError", "received_photo"]

_FIELD = "photo"
_ENVELOPE = 64 * 1024
"""Bytes that the multipart form may add to those of its photo."""


class MissingFieldError(ServiceError, ValueError):
    """A body that holds no photo."""

    code = "missing-field"

    def __init__(self) -> None:
        """Say how to send one."""
        super().__init__(f"send one photo as the file {_FIELD!r} of a multipart/form-data body")


class SlowUploadError(ServiceError, TimeoutError):
    """A body that did not arrive in time."""

    code = "slow-upload"

    def __init__(self, seconds: int) -> None:
        """Say how long it might take."""
        super().__init__(f"the photo did not arrive within {seconds} seconds; send a smaller one")


class _InMemory(MultiPartParser):
    """The form parser, without its temporary files: the size is bounded before it, so photos stay in memory."""

    spool_max_size = 0  # for a SpooledTemporaryFile 0 means: never to disk


async def received_photo(request: Request, settings: Settings) -> tuple[str, bytes]:
    """Return (file name, bytes) of the photo in the multipart body.

    :raises TooManyBytesError: the body is larger than a photo may be; it is not read to its end.
    :raises MissingFieldError: there is no photo in it.
    :raises SlowUploadError: it takes too long.
    """
    most = settings.max_bytes + _ENVELOPE
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise TooManyBytesError(int(declared), settings.max_bytes)
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise MissingFieldError
    parser = _InMemory(request.headers, _bounded(request, most, settings), max_files=1, max_fields=8)
    try:
        with fail_after(settings.upload_seconds):
            form = await parser.parse()
    except MultiPartException:
        raise MissingFieldError from None
    except TimeoutError:
        raise SlowUploadError(settings.upload_seconds) from None
    return await _photo_of(form)


async def _photo_of(form: FormData) -> tuple[str, bytes]:
    photo = form.get(_FIELD)
    if not isinstance(photo, UploadFile):
        await form.close()
        raise MissingFieldError
    try:
        return photo.filename or _FIELD, await photo.read()
    finally:
        await form.close()


async def _bounded(request: Request, most: int, settings: Settings) -> AsyncGenerator[bytes, None]:
    count = 0
    async for chunk in request.stream():
        count += len(chunk)
        if count > most:
            raise TooManyBytesError(count, settings.max_bytes)
        yield chunk
