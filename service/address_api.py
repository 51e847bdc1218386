"""The addresses of the HTTP service that bring a phone to it: where it is reached, QR codes, whom to trust."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, FastAPI, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from service.api.bodies import Body, JsonRoute, example
from service.api.responses import refusals
from service.guard import refusal
from service.qr import MOST_CHARACTERS, qr_svg

__all__ = ["AddressesAnswer", "QrRequest", "Reached", "router", "tell"]

_ADDRESS = "https://192.168.1.20:8000"
_CERTIFICATE = "application/x-x509-ca-cert"
_NAMED = 'inline; filename="set-referee.crt"'

router = APIRouter(prefix="/api/v1", tags=["tables"], route_class=JsonRoute)


@dataclass(frozen=True)
class Reached:
    """What a running service knows of itself."""

    addresses: Callable[[], tuple[str, ...]]
    """Where phones find it now, the best first."""
    authority: bytes = b""
    """DER of the authority that signed its certificate, where it has made one."""


class AddressesAnswer(BaseModel):
    """Where phones find the service."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"addresses": [_ADDRESS, "https://laptop.local:8000"], "reachable": True}}
    )

    addresses: Annotated[list[str], Field(description="What phones in the same network may open, the best first.")]
    reachable: Annotated[bool, Field(description="Whether there is any: false where only this machine is listened to.")]


class QrRequest(Body):
    """What a QR code is to say."""

    model_config = example(text=_ADDRESS)

    text: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS, description="Usually an address.")]


def tell(app: FastAPI, reached: Reached) -> None:
    """Let ``app`` know where it is reached; without that it tells of no address."""
    app.state.reached = reached


@router.get(
    "/addresses",
    summary="Where phones find the service",
    response_model=AddressesAnswer,
    responses={200: {"description": "The addresses, or none."}, **refusals(429, 503)},
)
def get_addresses(request: Request) -> AddressesAnswer:
    """Tell under which addresses this service is reached in its network; behind a proxy it knows of none."""
    found = _reached(request).addresses()
    return AddressesAnswer(addresses=list(found), reachable=bool(found))


@router.post(
    "/qr",
    summary="Draw a QR code",
    response_class=Response,
    responses={
        200: {"description": "The code, black on white.", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
        **refusals(400, 408, 413, 415, 422, 429, 503),
    },
)
def draw_qr(asked: QrRequest) -> Response:
    """Return the QR code of a text as a picture that may be shown at any size."""
    return Response(qr_svg(asked.text), media_type="image/svg+xml")


@router.get(
    "/certificate",
    summary="The authority behind the certificate that `serve --https` has made",
    response_class=Response,
    responses={
        200: {
            "description": "The authority as DER, for phones that are to trust it. It has signed this one certificate.",
            "content": {_CERTIFICATE: {"schema": {"type": "string", "format": "binary"}, "example": "(DER)"}},
        },
        **refusals(404, 429, 503),
    },
)
def get_certificate(request: Request) -> Response:
    """Return what an iPhone has to trust before its WebSockets go to a service with a certificate of its own."""
    authority = _reached(request).authority
    if not authority:
        return refusal(404, "no-certificate", "this service has made no certificate: none has to be trusted")
    return Response(authority, media_type=_CERTIFICATE, headers={"content-disposition": _NAMED})


def _reached(request: Request) -> Reached:
    known: Reached | None = getattr(request.app.state, "reached", None)
    return known or Reached(tuple)
