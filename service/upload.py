"""Receives the form of a request: its photos and files and what is asked, bounded in bytes, parts and time.

Everything stays in memory. A part that is too long is refused while it comes. Where a form allows it, the body may be
the photo itself, and what else the form would say stands in the address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from io import BytesIO
from typing import Any

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from service.errors import ArgumentError, ServiceError
from service.receiving import bounded, in_time, media_type, whole
from service.settings import Settings
from vision.load import TooManyBytesError

__all__ = [
    "Field",
    "Form",
    "MissingFieldError",
    "Parts",
    "Sort",
    "TooLongFieldError",
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


_BINARY = {"type": "string", "format": "binary"}
_BYTES = "(the bytes of table.jpg)"
_KINDS = ("image/jpeg", "image/png", "image/webp", "image/heic", "application/octet-stream")
"""Content types of a body that is a photo, for the description; what it is decides itself by its bytes."""


class MissingFieldError(ServiceError, ValueError):
    """A body that does not hold what it must."""

    code = "missing-field"


class TooLongFieldError(ServiceError, ValueError):
    """A field or a file, no photo, with more bytes than it may have."""

    code = "too-many-bytes"

    def __init__(self, name: str, most: int) -> None:
        """Name the field and say how long it may be."""
        super().__init__(f"{name} is too long: at most {most:,} bytes")


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
        one: dict[str, Any] = dict(_BINARY) if self.sort is Sort.PHOTO else {"type": "string", "maxLength": self.length}
        if self.most > 1:
            one = {"type": "array", "items": one, "maxItems": self.most}
        return {**one, "description": self.text} | ({} if self.example is None else {"example": self.shown()})

    def shown(self) -> Any:
        """Return an example of what it holds."""
        one = _BYTES if self.sort is Sort.PHOTO else self.example
        return [one] if self.most > 1 else one

    def parameter(self) -> dict[str, Any]:
        """Return its description as a parameter of the address."""
        schema = self.schema()
        example = {} if self.example is None else {"example": schema.pop("example")}
        return {"name": self.name, "in": "query", "description": schema.pop("description"), "schema": schema, **example}


@dataclass(frozen=True)
class Form:
    """The fields that a request may have, and the parameters of its address.

    ``advice`` says what to send where a field is missing.
    """

    fields: tuple[Field, ...]
    advice: str
    parameters: tuple[str, ...] = ()
    raw: str | None = None
    """The photo that may be the body itself; then every field that is no photo may stand in the address."""
    shown: tuple[str, ...] = ()
    """What an example has beside the fields that are always needed: one of several without which it is refused."""

    @cached_property
    def by_name(self) -> Mapping[str, Field]:
        """The fields by their names."""
        return {field.name: field for field in self.fields}

    @cached_property
    def in_address(self) -> Mapping[str, Field]:
        """The fields that may stand in the address, without the ``parameters``."""
        if self.raw is None:
            return {}
        return {
            field.name: field
            for field in self.fields
            if field.sort is not Sort.PHOTO and field.name not in self.parameters
        }

    def most_bytes(self, settings: Settings) -> int:
        """Return how long the whole body may be."""
        photos = sum(field.most for field in self.fields if field.sort is Sort.PHOTO)
        others = sum(field.most * field.length for field in self.fields if field.sort is not Sort.PHOTO)
        return min(photos, _PHOTOS) * settings.max_bytes + others + _ENVELOPE

    def openapi(self, other: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the description of the body, which may have ``other`` kinds of content, and of the address."""
        schema = {
            "type": "object",
            "additionalProperties": False,
            "required": [field.name for field in self.fields if field.needed],
            "properties": {field.name: field.schema() for field in self.fields},
        }
        content = {"multipart/form-data": {"schema": schema, "example": self._example()}, **(other or {})}
        if self.raw is not None:
            content |= {kind: {"schema": _BINARY, "example": _BYTES} for kind in _KINDS}
        body = {"required": True, "content": content}
        return {"requestBody": body, "parameters": [field.parameter() for field in self.in_address.values()]}

    def _example(self) -> dict[str, Any]:
        """Return a form that is answered: with its photos and what else it needs."""
        return {field.name: field.shown() for field in self.fields if field.needed or field.name in self.shown}


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

        def too_long(count: int) -> Exception:
            return TooManyBytesError(count, settings.max_bytes)

        stream = bounded(request, form.most_bytes(settings), too_long)
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
            raise _often(field)

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


async def received(request: Request, settings: Settings, form: Form) -> Parts:
    """Return what the multipart body holds, or the body that is the photo itself, with what the address says.

    :raises TooManyBytesError: it is larger than it may be, or a photo is; it is not read to its end.
    :raises TooLongFieldError: another part of it is.
    :raises MissingFieldError: something is not there that is needed, or a field is there and empty.
    :raises ArgumentError: a field is there that the ``form`` does not know, or too often, or of the wrong sort.
    :raises SlowBodyError: it takes too long.
    """
    said = list(_said_in(request, form))
    kind = media_type(request)
    raw = form.raw if kind.startswith("image/") or kind in ("", "application/octet-stream") else None
    if raw is None and kind != "multipart/form-data":
        raise MissingFieldError(form.advice)
    if raw is not None:
        most = settings.max_bytes
        photo = await whole(request, settings, most, lambda count: TooManyBytesError(count, most))
        return await _parts([(raw, UploadFile(BytesIO(photo), filename=raw if kind else None)), *said], form)
    try:
        with in_time(settings):
            data = await _InMemory(request, form, settings).parse()
    except MultiPartException:
        raise MissingFieldError(form.advice) from None
    try:
        return await _parts([*data.multi_items(), *said], form)
    finally:
        await data.close()


def _said_in(request: Request, form: Form) -> Iterator[tuple[str, str]]:
    """Yield what the address says of fields of the ``form``.

    :raises TooLongFieldError: a text is too long.
    """
    for name, value in request.query_params.multi_items():
        field = form.in_address.get(name)
        if field is not None:
            if len(value.encode("utf-8", "surrogatepass")) > field.length:
                raise TooLongFieldError(name, field.length)
            yield name, value


async def _parts(items: Sequence[tuple[str, UploadFile | str]], form: Form) -> Parts:
    files: dict[str, tuple[tuple[str, bytes], ...]] = {}
    texts: dict[str, tuple[str, ...]] = {}
    wrong = _too_many([name for name, _ in items], form)
    for name, value in items:
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
    if any(field.needed and field.name not in {**files, **texts} for field in form.fields):
        raise MissingFieldError(form.advice)
    if wrong is not None:
        raise wrong
    return Parts(files, texts)


def _too_many(names: Sequence[str], form: Form) -> ServiceError | None:
    """Return what is wrong where a field comes too often, some of it in the address."""
    for name, count in Counter(names).items():
        field = form.by_name.get(name)
        if field is not None and count > field.most:
            return _often(field)
    return None


def _often(field: Field) -> ArgumentError:
    return ArgumentError(f"{field.name} is given more than {'once' if field.most == 1 else f'{field.most} times'}")


def _wrong(name: str, field: Field | None, form: Form, *, empty: bool) -> ServiceError:
    if field is None:
        return ArgumentError(f"{name!r} is no field of this form: expected {', '.join(form.by_name)}")
    if empty:
        return MissingFieldError(f"the field {field.name!r} holds nothing: send {field.sort.value}, or leave it out")
    return ArgumentError(f"{field.name} is {field.sort.value}; send it as such")
