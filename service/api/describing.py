"""WebSockets in the API description: OpenAPI has no words for them, so each address has an ``x-websockets`` entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from service.api.messages import (
    AnswerMessage,
    CallMessage,
    ClockMessage,
    EntryMessage,
    ErrorMessage,
    EventMessage,
    FrameMessage,
    HelloMessage,
    LiveHelloMessage,
    LiveSeenMessage,
    PingMessage,
    PongMessage,
    RateMessage,
    SeenMessage,
    SkippedMessage,
    StateMessage,
    WelcomeMessage,
)
from service.hub import Close

__all__ = ["SOCKETS", "DescribedApi", "SocketAddress"]

_REF = "#/components/schemas/{model}"
_Model: TypeAlias = type[BaseModel]
_Mode: TypeAlias = Literal["validation", "serialization"]

_CLOSES: Mapping[int, str] = {
    1009: "a message is longer than any picture may be",
    1011: "the service has a fault: come back with `after`",
    Close.RESTART: "the service stops, or the journal cannot be read now: come back with `after`",
    Close.BUSY: "no room now: come back later",
    Close.BAD_MESSAGE: "the first message is wrong, or three in a row are no object of a known type, or no picture",
    Close.NO_KEY: "the key does not open this table",
    Close.NOT_ALLOWED: "the key's role does not allow this, or the key has been revoked",
    Close.NO_TABLE: "there is no such table, or it has been deleted",
    Close.NO_HELLO: "no hello within 5 seconds, or no pong for 45",
    Close.OTHER_CAMERA: "another camera has taken over",
    Close.TOO_SLOW: "messages were not fetched in time, or one was too long: come back with `after`",
    Close.TOO_MANY: "more than one client may have",
}


@dataclass(frozen=True, slots=True)
class SocketAddress:
    """The address of a WebSocket: who may open it, and what is said by both sides; the first of each is the hello."""

    path: str
    summary: str
    text: str
    client: Sequence[_Model]
    server: Sequence[_Model]
    binary: bool = False

    def described(self) -> dict[str, Any]:
        """Return it as the API description has it."""
        said = {"oneOf": [_reference(model) for model in self.client[1:]]}
        from_client: dict[str, Any] = {"first": _reference(self.client[0]), "then": said}
        if self.binary:
            from_client["binary"] = {"contentMediaType": "image/jpeg", "description": "One picture a message."}
        return {
            "summary": self.summary,
            "description": self.text,
            "client": from_client,
            "server": {"oneOf": [_reference(model) for model in self.server]},
            "closes": {str(int(code)): text for code, text in _CLOSES.items()},
        }


_ALWAYS = (PingMessage, ClockMessage, ErrorMessage)
_LOOKS = (RateMessage, SeenMessage, SkippedMessage)

SOCKETS = (
    SocketAddress(
        "/api/v1/tables/{table}/socket",
        "Follow the table, call, and tell events",
        "Host, player, spectator. Every entry of the journal after `after` is sent, in order and without a gap.",
        (HelloMessage, PongMessage, CallMessage, EventMessage),
        (WelcomeMessage, EntryMessage, StateMessage, AnswerMessage, SeenMessage, *_ALWAYS),
    ),
    SocketAddress(
        "/api/v1/tables/{table}/camera",
        "Show the table to the referee",
        "Camera, host; one at a time, a new one takes over. Each binary message is one JPEG; of those that wait only "
        "the newest is looked at. Send no more than the newest `rate` says.",
        (HelloMessage, PongMessage, FrameMessage),
        (WelcomeMessage, *_LOOKS, *_ALWAYS),
        binary=True,
    ),
    SocketAddress(
        "/api/v1/live",
        "See what a camera sees, without a table",
        "Anyone; two at the same time. Nothing is refereed, and nothing is kept.",
        (LiveHelloMessage, PongMessage, FrameMessage),
        (WelcomeMessage, RateMessage, LiveSeenMessage, SkippedMessage, *_ALWAYS),
        binary=True,
    ),
)


def _reference(model: _Model) -> dict[str, str]:
    return {"$ref": _REF.format(model=model.__name__)}


def _schemas() -> dict[str, Any]:
    """Return the schemas of all messages, and of what they hold, by name."""
    heard: dict[_Model, _Mode] = {model: "validation" for address in SOCKETS for model in address.client}
    said: dict[_Model, _Mode] = {model: "serialization" for address in SOCKETS for model in address.server}
    _, document = models_json_schema([*heard.items(), *said.items()], ref_template=_REF)
    found: dict[str, Any] = document["$defs"]
    return found


def _complete(document: Mapping[str, Any]) -> None:
    """Put null where an example lacks a field that its schema requires: FastAPI leaves out all nulls."""
    schemas = document["components"]["schemas"]
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    answers = [answer for operation in operations for answer in operation["responses"].values()]
    shown = [(content, content.get("schema", {})) for one in answers for content in one.get("content", {}).values()]
    for part, schema in (*shown, *((schema, schema) for schema in schemas.values())):
        if "example" in part:
            part["example"] = _completed(part["example"], schema, schemas)


def _completed(example: Any, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """Return an example with all fields that its ``schema`` requires, in the order of that."""
    kinds = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        return _completed(example, kinds[0], schemas)
    if "$ref" in schema:
        return _completed(example, schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if isinstance(example, list):
        return [_completed(one, schema.get("items", {}), schemas) for one in example]
    if not isinstance(example, dict):
        return example
    known = {
        name: _completed(example.get(name), one, schemas)
        for name, one in schema.get("properties", {}).items()
        if name in example or name in schema.get("required", ())
    }
    return known | {name: value for name, value in example.items() if name not in known}


class DescribedApi(FastAPI):
    """FastAPI, whose description has the WebSockets too."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        if self.openapi_schema is None:
            document = super().openapi()
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            document["components"]["schemas"] = {**_schemas(), **schemas}
            _complete(document)
            document["x-websockets"] = {address.path: address.described() for address in SOCKETS}
            self.openapi_schema = document
        return self.openapi_schema
