"""The HTTP service: photos, boards and tables that people share, put together from its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Query, Request, Response

from engine.labels import Language
from service import address_api, board_api, hint_api, judgement_api, work
from service.answer import PhotoAnswer
from service.answering import JPEG, REFUSALS, OverlayQuery, served, wants_picture
from service.api import camera, disputes, games, invitations, live, sockets, streams, tables
from service.api.describing import DescribedApi
from service.api_page import add_api_page
from service.counted_vision import CountedVision
from service.description import TAGS, description_of
from service.forms import PHOTOS
from service.game import Game
from service.hub import Hub
from service.layers import add_layers
from service.metrics import Metrics
from service.page import add_page
from service.places import Places
from service.quotas import Shares
from service.reading import Reads, Referee
from service.refusals import add_refusals
from service.settings import Settings
from service.store import Store
from service.workers import LocalVision, ProcessVision, Vision

__all__ = ["create_app"]

_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What lies in the photo; with `overlay=1`, the photo with the SETs drawn on it.",
        "content": dict(JPEG),
    }
}

router = APIRouter()


def create_app(
    settings: Settings | None = None,
    reader: Reads | None = None,
    vision: Vision | None = None,
    store: Store | None = None,
) -> FastAPI:
    """Return the service; when it starts it opens the shipped models, in processes of their own, and its store.

    With a ``reader`` photos are read by that, in this process; a ``vision`` may be open already, and so may a
    ``store``, which then stays open. Without one, tables are kept in the database of the settings, and without that in
    a file of the user's own.

    :raises SettingError: no ``settings`` are given and those of the environment are wrong.
    """
    chosen = Settings.from_environment() if settings is None else settings

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        eyes = CountedVision(vision or _vision(chosen, reader), app.state.metrics)
        app.state.vision = eyes
        app.state.places = Places(chosen.workers, chosen.max_waiting)
        # Others still find a place where one client has all that it may.
        app.state.shares = Shares(max(chosen.workers, chosen.max_waiting), "photos")
        try:
            await eyes.start()
            async with _tables(app, chosen, store, eyes):
                yield
        finally:
            await eyes.close()

    app = DescribedApi(
        title="Set Referee",
        description=description_of(chosen),
        openapi_tags=TAGS,
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.settings, app.state.onlookers = chosen, live.onlookers()
    app.include_router(router, tags=["photos"])
    app.include_router(board_api.router, tags=["boards"])
    app.include_router(judgement_api.router)
    app.include_router(hint_api.router)
    app.include_router(address_api.router)
    app.include_router(games.router)
    app.include_router(tables.opening)
    app.include_router(tables.router)
    app.include_router(invitations.router)
    app.include_router(disputes.router)
    app.include_router(streams.router)
    for one in (sockets, camera, live):
        app.include_router(one.router)
    add_api_page(app)
    add_page(app)
    add_refusals(app)
    add_layers(app, chosen)
    return app


def _vision(settings: Settings, reader: Reads | None) -> Vision:
    return ProcessVision(settings) if reader is None else LocalVision(settings, partial(Referee.opened, reader=reader))


@asynccontextmanager
async def _tables(app: FastAPI, settings: Settings, store: Store | None, vision: Vision) -> AsyncIterator[None]:
    """Keep tables, as long as this lasts.

    :raises StoreError: the store cannot be opened.
    """
    kept = await to_thread.run_sync(_opened, settings) if store is None else store
    metrics: Metrics = app.state.metrics
    hub = Hub(kept, vision, settings, metrics=metrics)
    metrics.follow(lambda: hub.figures)
    app.state.hub, app.state.count_tables = hub, kept.count
    app.state.checks["store"] = kept.ping
    try:
        await hub.start()
        yield
    finally:
        await hub.close()
        if store is None:
            await kept.close()


def _opened(settings: Settings) -> Store:
    return Store.open(settings.database or Store.default_address())


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
    upright: Annotated[
        bool, Query(description="1: answer with the photo itself, upright, as JPEG; all else is ignored.")
    ] = False,
    game: Annotated[Game, Query(description="Whose names and rules apply; auto looks at what lies there.")] = Game.AUTO,
    language: Annotated[Language, Query(description="That of labels; the form may say it instead.")] = Language.ENGLISH,
) -> Response:
    """List the pieces on a photo and every SET among them, as JSON or drawn on the photo."""
    if upright:
        return await served(request, PHOTOS, work.upright_photo)
    picture = wants_picture(request, overlay)
    return await served(request, PHOTOS, partial(work.read_photo, query=game, picture=picture, language=language))
