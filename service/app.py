"""The HTTP service: a photo in, JSON or an annotated picture out; one shape for every error; nothing is stored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

from service.answer import ErrorShape, PhotoAnswer
from service.game import Game
from service.guard import Guard
from service.places import Places
from service.reading import Reads, Referee
from service.refusals import add_refusals
from service.settings import Settings
from service.upload import received_photo

__all__ = ["create_app"]

_STATIC = Path(__file__).parent / "static"
_TEXTS = {
    400: "A parameter has a value that it cannot have.",
    408: "The upload took too long.",
    413: "The photo has too many bytes or pixels.",
    415: "The file is in no format that can be read.",
    422: "The field `photo` is missing, or its file is damaged.",
    500: "A fault of the service.",
    503: "Too many photos are waiting; try again in a moment.",
}
_REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorShape, "description": text} for status, text in _TEXTS.items()
}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["photo"],
                    "properties": {
                        "photo": {
                            "type": "string",
                            "format": "binary",
                            "description": "JPEG, PNG, WebP, BMP, TIFF, GIF or HEIC.",
                        }
                    },
                }
            }
        },
    }
}
_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What lies in the photo; with `overlay=1`, the photo with the SETs drawn on it.",
        "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
    }
}

router = APIRouter()


class Health(BaseModel):
    """The answer of ``/healthz``."""

    status: str = "ok"


def create_app(settings: Settings | None = None, reader: Reads | None = None) -> FastAPI:
    """Return the service; it opens the shipped models once, when it starts, unless it is given a ``reader``.

    :raises SettingError: no ``settings`` are given and those of the environment are wrong.
    """
    chosen = Settings.from_environment() if settings is None else settings

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.referee = await to_thread.run_sync(Referee.opened, chosen, reader)
        app.state.places = Places(chosen.workers, chosen.max_waiting)
        yield

    app = FastAPI(
        title="Set Referee",
        description="Reads photos of SET cards and lists every SET. Photos are read in memory and never stored.",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings = chosen
    app.include_router(router)
    app.mount("/static", StaticFiles(directory=_STATIC), name="static")
    add_refusals(app)
    app.add_middleware(Guard)
    return app


@router.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
def page() -> FileResponse:
    """Return the web page."""
    return FileResponse(_STATIC / "index.html")


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Is the service up?")
def healthz() -> Health:
    """Answer as soon as the models are loaded."""
    return Health()


@router.post(
    "/api/v1/photos",
    summary="Read a photo of the table",
    response_model=PhotoAnswer,
    responses=_PICTURE | _REFUSALS,
    openapi_extra=_BODY,
)
async def read_photo(
    request: Request,
    overlay: Annotated[
        bool, Query(description="1: answer with the annotated picture; so does `Accept: image/jpeg`.")
    ] = False,
    game: Annotated[Game, Query(description="Whose names and rules apply; auto looks at what lies there.")] = Game.AUTO,
) -> Response:
    """List the pieces on a photo and every SET among them, as JSON or drawn on the photo."""
    referee: Referee = request.app.state.referee
    places: Places = request.app.state.places
    with places.taken():
        name, data = await received_photo(request, request.app.state.settings)
        picture = overlay or _wants_picture(request.headers.get("accept", ""))
        return await places.run(partial(_answer, referee, name, data, game, picture))


def _answer(referee: Referee, name: str, data: bytes, game: Game, picture: bool) -> Response:
    """Return the answer to one photo; runs in a worker thread."""
    answer = referee.answer(name, data, game)
    if picture:
        return Response(referee.overlay(data, answer), media_type="image/jpeg")
    return Response(answer.model_dump_json(), media_type="application/json")


def _wants_picture(accept: str) -> bool:
    """Return whether the header ``accept`` would rather have JPEG than JSON."""
    wishes = dict(map(_wish, accept.split(",")))
    anything = wishes.get("*/*", 0.0)
    jpeg = wishes.get("image/jpeg", wishes.get("image/*", anything))
    return jpeg > wishes.get("application/json", wishes.get("application/*", anything))


def _wish(part: str) -> tuple[str, float]:
    """Return (kind, how much it is wanted from 0 to 1) of a ``part`` such as ``image/jpeg;q=0.5``."""
    kind, *parameters = (word.strip().lower() for word in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            with suppress(ValueError):
                return kind, float(value)
    return kind, 1.0
