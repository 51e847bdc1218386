"""The journal of a table as server-sent events, for clients that have no WebSockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent

from service.answer import ErrorBody
from service.api.access import Guest
from service.api.responses import refusals
from service.hub import Close, Closing, Message, Subscription

__all__ = ["router"]

RETRY = 2000
"""Milliseconds after which clients come back."""

_CODES: Mapping[Close, str] = {
    Close.RESTART: "stopping",
    Close.NOT_ALLOWED: "not-allowed",
    Close.NO_TABLE: "no-table",
    Close.TOO_SLOW: "too-slow",
}

_EXAMPLE = """\
: the journal of a table
retry: 2000

event: hello
data: {"role": "player", "player": "Ann", "time": 63.8}

event: entry
data: {"number": 8, "at": "2026-01-02T18:04:05.120Z", "kind": "event", "t": 63.2, "text": "Ann calls SET!", …}
id: 8

event: state
data: {"id": "t5hw9qpzk3", "last": 8, "caller": "Ann", …}
"""

router = APIRouter(prefix="/api/v1/tables", tags=["tables"])


async def _subscription(
    guest: Guest,
    after: Annotated[
        int | None, Query(ge=0, lt=2**53, description="The last entry that is known. Default: the newest.")
    ] = None,
    last_event_id: Annotated[
        int | None, Header(ge=0, lt=2**53, description="The same, as clients send it that come back; it counts.")
    ] = None,
    seen: Annotated[bool, Query(description="Whether to tell what the table's camera sees.")] = False,
) -> AsyncIterator[Subscription]:
    begin = after if last_event_id is None else last_event_id
    with closing(guest.session.subscribe(guest, begin, seen=seen)) as stream:
        yield stream


@router.get(
    "/{table}/stream",
    summary="Follow the table",
    response_class=EventSourceResponse,
    responses={
        **refusals(400, 401, 403, 404, 429, 503),
        200: {"description": "The events, as they happen.", "content": {"text/event-stream": {"example": _EXAMPLE}}},
    },
)
async def stream_entries(
    guest: Guest, stream: Annotated[Subscription, Depends(_subscription)]
) -> AsyncIterator[ServerSentEvent]:
    """Follow the table as server-sent events. Host, player, spectator.

    `event: hello` comes first and says whose key it is. `event: entry` has an entry of the journal as `data` and its
    number as `id`; `event: state` says how the table stands after it, and `event: seen` what the camera sees, at most
    10 times a second and only if asked for. A comment comes every 15 seconds. The last event may be `event: error`,
    with an error as `data`: come back with the number of the last entry in `Last-Event-ID`, unless the key has been
    revoked or the table deleted.
    """
    yield ServerSentEvent(comment="the journal of a table", retry=RETRY)
    hello = {"role": guest.role, "player": guest.player, "time": guest.session.now}
    yield ServerSentEvent(event="hello", data=hello)
    async for message in stream:
        yield _event(message)
    if stream.closing is not None:
        yield ServerSentEvent(event="error", data={"error": _fault(stream.closing)})


def _event(message: Message) -> ServerSentEvent:
    number = None if message.number is None else str(message.number)
    return ServerSentEvent(event=message.kind.value, raw_data=message.data, id=number)


def _fault(closing: Closing) -> ErrorBody:
    return ErrorBody(code=_CODES.get(closing.code, "closed"), text=closing.text)
