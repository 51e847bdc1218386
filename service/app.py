"""The HTTP service: photos in, JSON or an annotated picture out; one shape for every error; nothing is stored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

from service import board_api
from service.answer import PhotoAnswer
from service.answering import JPEG, REFUSALS, OverlayQuery, json_response, served, wants_picture
from service.commands import PhotoRequest
from service.forms import PHOTOS
from service.game import Game
from service.guard import Guard
from service.places import Places
from service.reading import Reads, Referee
from service.refusals import add_refusals
from service.settings import Settings
from service.upload import Parts
from service.uploaded import Uploaded, corners_of, game_of

__all__ = ["create_app"]

_STATIC = Path(__file__).parent / "static"
_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What lies in the photo; with `overlay=1`, the photo with the SETs drawn on it.",
        "content": dict(JPEG),
    }
}

router = APIRouter()


class Health(BaseModel):
    """The answer of ``/healthz``."""

    status: str = "ok"


def _opened(settings: Settings, reader: Reads | None) -> Referee:
    """Return what reads photos, with the shipped models for cards, dice and tiles open, unless a ``reader`` is given.

    :raises InstallationError: it cannot be opened.
    """
    referee = Referee.opened(settings, reader)
    if reader is None:
        _ = referee.table_reader  # else the first photo of dice would wait for it
    return referee


def create_app(settings: Settings | None = None, reader: Reads | None = None) -> FastAPI:
    """Return the service; it opens the shipped models once, when it starts, unless it is given a ``reader``.

    :raises SettingError: no ``settings`` are given and those of the environment are wrong.
    """
    chosen = Settings.from_environment() if settings is None else settings

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.referee = await to_thread.run_sync(_opened, chosen, reader)
        app.state.places = Places(chosen.workers, chosen.max_waiting)
        yield

    app = FastAPI(
        title="Set Referee",
        description=(
            "Reads photos of SET cards, dice and tiles, lists every SET, and referees turns on boards. Photos are read "
            "in memory and never stored."
        ),
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings = chosen
    app.include_router(router)
    app.include_router(board_api.router)
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
    responses={**_PICTURE, **REFUSALS},
    openapi_extra=PHOTOS.openapi(),
)
async def read_photo(
    request: Request,
    overlay: OverlayQuery = False,
    game: Annotated[Game, Query(description="Whose names and rules apply; auto looks at what lies there.")] = Game.AUTO,
) -> Response:
    """List the pieces on a photo and every SET among them, as JSON or drawn on the photo."""
    return await served(request, PHOTOS, partial(_answer, query=game, picture=wants_picture(request, overlay)))


def _answer(parts: Parts, desk: Uploaded, query: Game, picture: bool) -> Response:
    """Return the answer to one photo; runs in a worker thread."""
    asked = PhotoRequest(
        game_of(parts, query),
        parts.every("option"),
        desk.path("board"),
        parts.text("hand"),
        parts.every("wild"),
        desk.path("empty"),
        corners_of(parts),
    ).asked(desk)
    ((name, data),) = parts.files["photo"]
    answer = desk.referee.answer(name, data, asked=asked)
    if picture:
        return Response(desk.referee.overlay(data, answer), media_type="image/jpeg")
    return json_response(answer.model_dump_json())
