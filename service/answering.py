"""What every address of the HTTP service that takes a form has in common: places, receiving, and kinds of answers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any

from fastapi import Query, Request, Response

from service.answer import ErrorShape
from service.game import Game
from service.limiting import client_in
from service.places import Places
from service.quotas import Shares
from service.receiving import check_parameters
from service.settings import Settings
from service.upload import Form, received
from service.workers import Answered, Vision, Work

__all__ = ["JPEG", "REFUSALS", "GameQuery", "OverlayQuery", "json_response", "served", "wants_picture"]

_TEXTS = {
    400: "A parameter or a field has a value that it cannot have (`bad-parameter`, `bad-argument`).",
    408: "The upload took too long (`slow-upload`).",
    413: "A photo has too many bytes or pixels (`too-many-bytes`, `too-many-pixels`), or another part is too long.",
    415: "A file is in no format that can be read (`not-a-picture`, `unsupported-format`).",
    422: "A field is missing, a file is damaged, or the photos do not show what is asked about; the code says which.",
    429: "Too many requests of this client (`too-many-requests`); Retry-After says when to come again.",
    500: "A fault of the service.",
    503: "Too many photos are waiting (`busy`); Retry-After says when to come again.",
}
REFUSALS: Mapping[int | str, dict[str, Any]] = {
    status: {"model": ErrorShape, "description": text} for status, text in _TEXTS.items()
}
"""What each address may answer instead."""

JPEG: Mapping[str, Any] = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
"""The content of an answer that is a picture."""

OverlayQuery = Annotated[bool, Query(description="1: answer with the annotated picture; so does `Accept: image/jpeg`.")]
GameQuery = Annotated[Game, Query(description="Whose names and rules apply; the form may say it instead.")]


async def served(request: Request, form: Form, work: Work) -> Response:
    """Return what ``work`` answers to the ``form`` that comes with a request.

    :raises ServiceError: there is no place, or the client has its share of them, or the body is none of this form, or
        ``work`` refuses.
    """
    state = request.app.state
    places: Places = state.places
    settings: Settings = state.settings
    vision: Vision = state.vision
    shares: Shares = state.shares
    check_parameters(request, [*form.parameters, *form.in_address])
    with places.taken(), shares.held(client_in(request.scope)):
        answered = await vision.answer(work, await received(request, settings, form))
    return Response(answered.body, media_type=answered.media_type)


def json_response(text: str) -> Response:
    """Return ``text``, which is JSON, as a response."""
    return Response(Answered.json(text).body, media_type="application/json")


def wants_picture(request: Request, overlay: bool) -> bool:
    """Return whether ``overlay`` is set, or the request would rather have JPEG than JSON."""
    wishes = dict(map(_wish, request.headers.get("accept", "").split(",")))
    anything = wishes.get("*/*", 0.0)
    jpeg = wishes.get("image/jpeg", wishes.get("image/*", anything))
    return overlay or jpeg > wishes.get("application/json", wishes.get("application/*", anything))


def _wish(part: str) -> tuple[str, float]:
    """Return (kind, how much it is wanted from 0 to 1) of a ``part`` such as ``image/jpeg;q=0.5``."""
    kind, *parameters = (word.strip().lower() for word in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            with suppress(ValueError):
                return kind, float(value)
    return kind, 1.0
