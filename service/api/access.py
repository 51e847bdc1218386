"""Who asks, and for which state of a table: keys and preconditions in the headers of requests."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Header, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from service.errors import ArgumentError, ServiceError
from service.hub import Hub, Visitor
from service.refusals import EVENT_TYPES

__all__ = ["Expected", "Guest", "Known", "NoKeyError", "TableId", "hub_of", "is_known", "tag"]

_BEARER = HTTPBearer(
    scheme_name="key",
    bearerFormat="KEYID.SECRET",
    description="The key of a host, player, spectator or camera of the table, or the one to take a seat with.",
    auto_error=False,
)
_NUMBER = re.compile(r'"(\d{1,15})"')

TableId = Annotated[str, Path(max_length=64, description="The table's id.", examples=["t5hw9qpzk3"])]
"""The table that an address is about."""


class NoKeyError(ServiceError, PermissionError):
    """A request without a key, where one is needed."""

    code = "no-key"

    def __init__(self) -> None:
        """Say how to send it."""
        super().__init__("this takes a key of the table: send it as Authorization: Bearer KEY")


def hub_of(request: Request) -> Hub:
    """Return the hub of all tables."""
    hub: Hub = request.app.state.hub
    return hub


async def _visitor(
    request: Request, table: TableId, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]
) -> Visitor:
    if given is None:
        raise NoKeyError
    visitor = await hub_of(request).enter(table, given.credentials)
    setattr(request.state, EVENT_TYPES, visitor.session.event_types)
    return visitor


Guest = Annotated[Visitor, Depends(_visitor)]
"""Whoever has shown a key of the table."""


async def _expected(
    if_match: Annotated[
        str | None,
        Header(
            alias="If-Match",
            description="The newest entry that is known, in quotes: where the journal has moved on, nothing is done.",
            examples=['"12"'],
        ),
    ] = None,
) -> int | None:
    if if_match is None or if_match.strip() == "*":
        return None
    found = _NUMBER.fullmatch(if_match.strip())
    if found is None:
        raise ArgumentError(f'If-Match is {if_match[:60]!r}: expected the number of an entry in quotes, as in "12"')
    return int(found[1])


Expected = Annotated[int | None, Depends(_expected)]
"""Which entry has to be the newest one; None: any."""

Known = Annotated[
    str | None,
    Header(alias="If-None-Match", description="The ETag of an answer before: 304 where nothing has been added since."),
]
"""What the client has already."""


def tag(last: int) -> str:
    """Return the ETag of everything that changes with the journal alone, whose newest entry is ``last``."""
    return f'"{last}"'


def is_known(known: str | None, last: int) -> bool:
    """Return whether the client has what there is up to the entry ``last`` already."""
    tags = [] if known is None else [one.strip().removeprefix("W/") for one in known.split(",")]
    return tag(last) in tags or "*" in tags
