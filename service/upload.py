"""Receives the form of a request: its photos and files and what is asked, bounded in bytes, parts and time.

Everything stays in memory. A part that is too long is refused while it comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from anyio import fail_after
from fastapi import Request
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from service.errors import ArgumentError, ServiceError
from service.settings import Settings
from vision.load import TooManyBytesError

__all__ = [
    "Field",
    "Form",
    "MissingFieldError",
    "Parts",
    "SlowUploadError",
    "Sort",
    "TooLongFieldError",
    "check_parameters",
    "received",
]

_ENVELOPE = 64 * 1024
"""Bytes that the multipart form may add to those of its parts."""

_TEXT = 4 * 1024
"""Longest text field, in bytes."""

_PHOTOS = 2
"""The photos of one request may have so many times the bytes of the largest photo, however many they are."""

_OTHERS = 8
"""So many parts may have names that the form does not know: they are counted, and then refused."""


class MissingFieldError(ServiceError, ValueError):
    """A body that does not hold what it must."""

    code = "missing-field"


class TooLongFieldError(ServiceError, ValueError):
    """A field or a file, no photo, with more bytes than it may have."""

    code = "too-many-bytes"

    def __init__(self, name: str, most: int) -> None:
        """Name the field and say how long it may be."""
        super().__init__(f"{name} is too long: at most {most:,} bytes")


class SlowUploadError(ServiceError, TimeoutError):
    """A body that did not arrive in time."""

    code = "slow-upload"

    def __init__(self, seconds: int) -> None:
        """Say how long it might take."""
        super().__init__(f"the photo did not arrive within {seconds} seconds; send a smaller one")


class Sort(Enum):
    """What sort of part a field is."""

    PHOTO = "a file"
    DOCUMENT = "a file or a text"
    TEXT = "a text"


@dataclass(frozen=True)
class Field:
    """One field of a form: ``most`` of that name may come, ``length`` bytes at the most unless it is a photo."""

    name: str
    sort: Sort
    text: str
    """What it is, for the description of the service."""
    most: int = 1
    length: int = _TEXT
    needed: bool = False
    example: str | None = None

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema."""
        one: dict[str, Any] = {"type": "string"}
        if self.sort is Sort.PHOTO:
            one["format"] = "binary"
        if self.most > 1:
            one = {"type": "array", "items": one, "maxItems": self.most}
        example = [self.example] if self.most > 1 else self.example
        return {**one, "description": self.text} | ({} if self.example is None else {"example": example})


@dataclass(frozen=True)
class Form:
    """The fields that a request may have, and the parameters of its address.

    ``advice`` says what to send where a field is missing.
    """

    fields: tuple[Field, ...]
    advice: str
    parameters: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        """The fields by their names."""
        return {field.name: field for field in self.fields}

    def most_bytes(self, settings: Settings) -> int:
        """Return how long the whole body may be."""
        photos = sum(field.most for field in self.fields if field.sort is Sort.PHOTO)
        others = sum(field.most * field.length for field in self.fields if field.sort is not Sort.PHOTO)
        return min(photos, _PHOTOS) * settings.max_bytes + others + _ENVELOPE

    def openapi(self) -> dict[str, Any]:
        """Return the description of the body."""
        schema = {
            "type": "object",
            "required": [field.name for field in self.fields if field.needed],
            "properties": {field.name: field.schema() for field in self.fields},
        }
        return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


@dataclass(frozen=True)
class Parts:
    """What a form held."""

    files: Mapping[str, tuple[tuple[str, bytes], ...]]
    """(file name, bytes) of the photos of each field, and of documents."""
    texts: Mapping[str, tuple[str, ...]]
    """The texts of each field."""

    def file(self, name: str) -> bytes | None:
        """Return the bytes of the one file of a field, None if it is not there."""
        found = self.files.get(name)
        return None if found is None else found[0][1]

    def text(self, name: str) -> str | None:
        """Return the one text of a field, None if it is not there."""
        found = self.texts.get(name)
        return None if found is None else found[0]

    def every(self, name: str) -> tuple[str, ...]:
        """Return all texts of a field."""
        return self.texts.get(name, ())


class _InMemory(MultiPartParser):
    """The form parser, without its temporary files and with a limit to each part: so all of it stays in memory."""

    spool_max_size = 0  # for a SpooledTemporaryFile 0 means: never to disk

    def __init__(self, request: Request, form: Form, settings: Settings) -> None:
        most = sum(field.most for field in form.fields) + _OTHERS
        longest = max(field.length for field in form.fields)
        stream = _bounded(request, form.most_bytes(settings), settings)
        super().__init__(request.headers, stream, max_files=most, max_fields=most, max_part_size=longest)
        self._form, self._settings = form, settings
        self._seen, self._length = Counter[str](), 0

    def on_headers_finished(self) -> None:
        super().on_headers_finished()
        self._length = 0
        field = self._form.by_name.get(self._current_part.field_name)
        if field is None:
            return
        self._seen[field.name] += 1
        if self._seen[field.name] > field.most:
            if field.sort is Sort.PHOTO and field.needed:
                raise MissingFieldError(self._form.advice)
            raise ArgumentError(
                f"{field.name} is given more than {'once' if field.most == 1 else f'{field.most} times'}"
            )

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        field = self._form.by_name.get(self._current_part.field_name)
        if field is None:
            return  # it is refused, whatever it holds
        self._length += end - start
        if field.sort is Sort.PHOTO and self._length > self._settings.max_bytes:
            raise TooManyBytesError(self._length, self._settings.max_bytes)
        if field.sort is not Sort.PHOTO and self._length > field.length:
            raise TooLongFieldError(field.name, field.length)
        super().on_part_data(data, start, end)


def check_parameters(request: Request, form: Form) -> None:
    """Check that the address of a request has no parameters but those that the ``form`` knows.

    :raises ArgumentError: it has.
    """
    known = " or ".join(form.parameters) or "none"
    for name in request.query_params:
        if name not in form.parameters:
            raise ArgumentError(f"{name!r} is no parameter of this address: expected {known}")


async def received(request: Request, settings: Settings, form: Form) -> Parts:
    """Return what the multipart body holds.

    :raises TooManyBytesError: it is larger than it may be, or a photo is; it is not read to its end.
    :raises TooLongFieldError: another part of it is.
    :raises MissingFieldError: something is not there that is needed, or a field is there and empty.
    :raises ArgumentError: a field is there that the ``form`` does not know, or too often, or of the wrong sort.
    :raises SlowUploadError: it takes too long.
    """
    most = form.most_bytes(settings)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise TooManyBytesError(int(declared), settings.max_bytes)
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise MissingFieldError(form.advice)
    try:
        with fail_after(settings.upload_seconds):
            data = await _InMemory(request, form, settings).parse()
    except MultiPartException:
        raise MissingFieldError(form.advice) from None
    except TimeoutError:
        raise SlowUploadError(settings.upload_seconds) from None
    try:
        return await _parts(data, form)
    finally:
        await data.close()


async def _parts(data: FormData, form: Form) -> Parts:
    files: dict[str, tuple[tuple[str, bytes], ...]] = {}
    texts: dict[str, tuple[str, ...]] = {}
    wrong = None
    for name, value in data.multi_items():
        field = form.by_name.get(name)
        if isinstance(value, UploadFile):
            part = (value.filename or name, await value.read())
            if not value.filename and not part[1]:
                continue  # what a browser sends where no file was chosen
            if field is not None and field.sort is not Sort.TEXT:
                files[name] = (*files.get(name, ()), part)
                continue
        elif field is not None and field.sort is Sort.DOCUMENT and value:
            files[name] = ((name, value.encode("utf-8", "surrogatepass")),)
            continue
        elif field is not None and field.sort is Sort.TEXT and value:
            texts[name] = (*texts.get(name, ()), value)
            continue
        wrong = wrong or _wrong(name, field, form, empty=not value)
    if any(field.needed and field.name not in files for field in form.fields):
        raise MissingFieldError(form.advice)
    if wrong is not None:
        raise wrong
    return Parts(files, texts)


def _wrong(name: str, field: Field | None, form: Form, *, empty: bool) -> ServiceError:
    if field is None:
        return ArgumentError(f"{name!r} is no field of this form: expected {', '.join(form.by_name)}")
    if empty:
        return MissingFieldError(f"the field {field.name!r} holds nothing: send {field.sort.value}, or leave it out")
    return ArgumentError(f"{field.name} is {field.sort.value}; send it as such")


async def _bounded(request: Request, most: int, settings: Settings) -> AsyncGenerator[bytes, None]:
    count = 0
    async for chunk in request.stream():
        count += len(chunk)
        if count > most:
            raise TooManyBytesError(count, settings.max_bytes)
        yield chunk
