"""Short codes for keys: a host makes one, and whoever is shown it gets the key."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from service.api.access import Guest, hub_of
from service.api.bodies import Body, JsonRoute, example
from service.api.examples import INVITATION, INVITED
from service.api.models import CodeAnswer, InvitedAnswer
from service.api.responses import answered, refusals
from service.limiting import client_in

__all__ = ["InvitationRequest", "ShownCode", "router"]

router = APIRouter(prefix="/api/v1", tags=["tables"], route_class=JsonRoute)


class InvitationRequest(Body):
    """What somebody is invited with: a whole key of the table, of any role but the host's."""

    model_config = example(key="s5d6f7g8.hJ1kL3yX5cV7bN9mQ2wE4r")

    key: Annotated[str, Field(min_length=1, max_length=64)]


class ShownCode(Body):
    """A code as people write it: capitals, spaces and hyphens do not matter."""

    model_config = example(code="k7m4qx")

    code: Annotated[str, Field(min_length=1, max_length=40)]


@router.post(
    "/tables/{table}/invitations",
    status_code=201,
    summary="Invite somebody",
    responses={
        **refusals(400, 401, 403, 404, 408, 413, 415, 422, 429, 503),
        **answered(INVITATION, "The code, and how long it is good.", 201),
    },
)
async def make_invitation(guest: Guest, asked: InvitationRequest) -> CodeAnswer:
    """Make a short code that stands for a key: the service's page is at `/j/CODE`. Host.

    Asked again for the same key, it is the same code, and its time begins anew. Codes are kept in memory: after a
    restart the host asks again. A code is forgotten when its key is revoked.
    """
    made = guest.session.invite(guest, asked.key)
    return CodeAnswer(code=made.code, seconds=made.seconds)


@router.post(
    "/invitations",
    summary="Show a code",
    responses={
        **refusals(400, 404, 408, 413, 415, 422, 429, 503),
        **answered(INVITED, "The key that the code stands for."),
    },
)
async def show_code(request: Request, asked: ShownCode) -> InvitedAnswer:
    """Get the key that a code stands for. Anyone.

    Ten wrong codes a minute are taken from one client, and sixty from all together: beyond that every code is 429, the
    right one too, and Retry-After says when to come again.
    """
    found = hub_of(request).invited(asked.code, client_in(request.scope))
    known = found.known
    return InvitedAnswer.model_validate(
        {"table": found.table, "key": found.key, "role": known.role, "player": known.player}
    )
