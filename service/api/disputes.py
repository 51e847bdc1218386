"""Disputes over HTTP: a call is frozen with what lay there, and looked at again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from service.answering import JPEG
from service.api.access import Guest
from service.api.bodies import JsonRoute
from service.api.examples import DISPUTE
from service.api.models import DisputedCall
from service.api.responses import answered, refusals
from service.hub import DisputeState

__all__ = ["router"]

router = APIRouter(prefix="/api/v1/tables/{table}/disputes", tags=["disputes"], route_class=JsonRoute)

_Number = Annotated[int, Path(ge=0, lt=2**31, description="The number of the dispute.", examples=[1])]
_Still = Annotated[int, Path(ge=0, lt=2**31, description="The number of one of its stills.", examples=[0])]


@router.post(
    "",
    status_code=201,
    summary="Dispute a call",
    responses={
        **refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
        **answered(DISPUTE, "The call, frozen.", 201),
    },
)
async def dispute(guest: Guest, response: Response, asked: DisputedCall | None = None) -> DisputeState:
    """Freeze a call with the pictures around it: nothing that happens later changes it. Player, host.

    The last few disputes of a table are kept, as long as the service runs.
    """
    found = await guest.session.dispute(guest, None if asked is None else asked.at)
    response.headers["location"] = f"/api/v1/tables/{guest.session.id}/disputes/{found.number}"
    return found


@router.get(
    "/{number}",
    summary="Look at a dispute",
    responses={**refusals(400, 401, 403, 404, 503), **answered(DISPUTE, "The call, as it was frozen.")},
)
async def read_dispute(guest: Guest, number: _Number) -> DisputeState:
    """Return a dispute with the list of its stills. Player, host, spectator."""
    return guest.session.disputed(guest, number)


@router.get(
    "/{number}/stills/{still}",
    summary="Look at a picture of a dispute",
    response_class=Response,
    responses={
        **refusals(400, 401, 403, 404, 503),
        200: {"content": dict(JPEG), "description": "A small picture of the table."},
    },
)
async def read_still(guest: Guest, number: _Number, still: _Still) -> Response:
    """Return the picture of a still that has one. Player, host, spectator."""
    return Response(guest.session.still(guest, number, still), media_type="image/jpeg")
