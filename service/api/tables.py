"""Tables over HTTP: opened, joined, played at, looked at, taken away; every change is one of the hub's."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from engine.labels import Language
from service.answering import json_response
from service.api.access import Expected, Guest, Known, hub_of, is_known, tag
from service.api.bodies import RECORD_BYTES, BoardRoute, JsonRoute, received_body
from service.api.examples import BOARD, CALLED, CLOCK, CREATED, KEY, KEYS, PAGE, PLAYED, STATE
from service.api.game_events import GameEvent, record_event
from service.api.models import (
    CallAnswer,
    ClockAnswer,
    ClockReading,
    Correction,
    Decision,
    EntriesAnswer,
    HeldKey,
    HeldKeys,
    KeyAnswer,
    KeyRequest,
    MadeCall,
    NewTable,
    Nothing,
    PlayedAnswer,
    Seat,
    TableAnswer,
    WholeKeys,
)
from service.api.responses import NDJSON, Responses, answered, done, refusals
from service.board_file import AnyBoard
from service.game import Game
from service.hub import Changed, Created, TableSetup, TableState, entry_text
from service.store import Entry, Role

__all__ = ["opening", "router"]

opening = APIRouter(prefix="/api/v1/tables", tags=["tables"], route_class=BoardRoute)
"""The address that takes a board file."""
router = APIRouter(prefix="/api/v1/tables", tags=["tables"], route_class=JsonRoute)
"""All other addresses."""

_MOST_ENTRIES = 1_000
_DAY = 86_400

KeyId = Annotated[str, Path(max_length=64, description="The public part of a key.", examples=["q2w3e4r5"])]


# Opening and taking away.


@opening.post(
    "",
    status_code=201,
    summary="Open a table",
    response_model=TableAnswer,
    responses={
        **refusals(400, 408, 413, 415, 422, 429, 503),
        **answered(CREATED, "The table and its keys.", 201),
    },
)
async def open_table(request: Request, asked: NewTable) -> Response:
    """Open a table; the answer has its keys, which are shown this once. Anyone may, so often an hour."""
    setup = TableSetup(
        Game(asked.game),
        tuple(asked.players),
        asked.options,
        asked.board,
        asked.name,
        asked.call_limit,
        asked.language,
    )
    return _created(await hub_of(request).create(setup))


@router.post(
    "/import",
    status_code=201,
    summary="Open a table with a game so far",
    response_model=TableAnswer,
    responses={**refusals(400, 408, 413, 422, 429, 503), **answered(CREATED, "The table and its keys.", 201)},
    openapi_extra={"requestBody": {"required": True, "content": NDJSON}},
)
async def import_table(
    request: Request,
    name: Annotated[str | None, Query(max_length=80, description="What people call the table.")] = None,
    call_limit: Annotated[
        float | None, Query(gt=0, le=3600, description="Seconds after which a call without a pick is a false one.")
    ] = None,
    language: Annotated[Language, Query(description="The language of all sentences.")] = Language.ENGLISH,
) -> Response:
    """Open a table with the game of a record so far (JSON lines, at most 8 MB); anyone may, so often an hour."""
    record = await received_body(request, RECORD_BYTES)
    created = await hub_of(request).import_record(record, name=name, call_limit=call_limit, language=language)
    return _created(created)


@router.get(
    "/{table}",
    summary="How does the table stand?",
    response_model=TableState,
    responses={**refusals(400, 401, 404, 503, unchanged=True), **answered(STATE, "How the table stands.")},
)
async def read_table(guest: Guest, known: Known = None) -> Response:
    """Tell how the table stands. Any key.

    The ETag is that of the journal: time and who is connected may change without it.
    """
    state = await guest.session.state(guest)
    if is_known(known, state.last):
        return _unchanged(state.last)
    return _tagged(state.model_dump_json(), state.last)


@router.get(
    "/{table}/board",
    summary="What is printed on the board?",
    response_model=AnyBoard,
    responses={**refusals(400, 401, 404, 503, unchanged=True), **answered(BOARD, "The board file.")},
)
async def table_board(guest: Guest, known: Known = None) -> Response:
    """Return the board file of the table, which never changes. Any key; 404 `no-board-file` where there is no board."""
    board = guest.session.board(guest)
    headers = {"etag": tag(0), "cache-control": f"private, max-age={_DAY}, immutable", "vary": "authorization"}
    if is_known(known, 0):
        return Response(status_code=304, headers=headers)
    response = json_response(json.dumps(board, ensure_ascii=False))
    response.headers.update(headers)
    return response


@router.delete(
    "/{table}",
    status_code=204,
    summary="Take the table away",
    response_model=None,
    responses={**refusals(400, 401, 403, 404, 503), **done("The table is gone.")},
)
async def delete_table(guest: Guest) -> None:
    """Forget the table for good, with everything of it, and close its sockets. Host."""
    await guest.session.delete(guest)


# Keys.

_JOINS = refusals(400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503)


@router.get(
    "/{table}/keys",
    summary="List the keys",
    responses={**refusals(400, 401, 403, 404, 503), **answered(KEYS, "The keys, without their secrets.")},
)
async def list_keys(guest: Guest) -> HeldKeys:
    """List all keys without their secrets, revoked ones too. Host."""
    return HeldKeys(keys=[HeldKey.model_validate(key) for key in guest.session.keys(guest)])


@router.post(
    "/{table}/keys",
    status_code=201,
    summary="Make a key",
    responses={**_JOINS, **answered(KEY, "The new key, shown this once.", 201)},
)
async def make_key(guest: Guest, asked: KeyRequest) -> KeyAnswer:
    """Make one more key. Host."""
    return KeyAnswer.model_validate(await guest.session.add_key(guest, Role(asked.role), asked.player))


@router.delete(
    "/{table}/keys/{key_id}",
    status_code=204,
    summary="Revoke a key",
    response_model=None,
    responses={**refusals(400, 401, 403, 404, 409, 503), **done("The key opens nothing any more.")},
)
async def revoke_key(key_id: KeyId, guest: Guest) -> None:
    """Let a key open nothing any more, and close its sockets. Host; the last key of a host stays."""
    await guest.session.revoke(guest, key_id)


@router.post(
    "/{table}/seats",
    status_code=201,
    summary="Take a seat",
    responses={**_JOINS, **answered(KEY, "The new key, shown this once.", 201)},
)
async def take_seat(guest: Guest, asked: Seat) -> KeyAnswer:
    """Take a seat that nobody has taken; the answer has the player's key. Join.

    A seat is taken too while its player is connected, and once a key of that player has been used to play.
    """
    return KeyAnswer.model_validate(await guest.session.take_seat(guest, asked.player))


# Playing.

_CHANGES: Responses = {
    **refusals(400, 401, 403, 404, 408, 409, 412, 413, 415, 422, 429, 503),
    **answered(PLAYED, "What has come of it, and how the table stands now."),
}


@router.post("/{table}/events", summary="Tell an event", response_model=PlayedAnswer, responses=_CHANGES)
async def put_event(guest: Guest, event: GameEvent, expected: Expected) -> Response:
    """Let the referee judge an event. Host: any; player: their own.

    A refused event and a false call are answered with 200 too, and ``ok: false`` in their entry: they are verdicts.
    """
    return _played(await guest.session.put(guest, record_event(event), expected=expected))


@router.post(
    "/{table}/calls",
    summary="Call",
    response_model=CallAnswer,
    responses={**_CHANGES, **answered(CALLED, "What has come of it so far.")},
)
async def call(guest: Guest, asked: MadeCall, expected: Expected) -> Response:
    """Call "Set!". Player; or host, for a ``player``.

    A call is held for 0.05 seconds and the error of the client's clock (0.25 seconds where that is not measured, or
    without `at`), so that it shows when two are too close to part: `entries` is empty then, and the verdict comes in
    the journal.
    """
    changed = await guest.session.call(guest, player=asked.player, at=asked.at, expected=expected)
    return _played(changed, error=changed.error)


@router.post(
    "/{table}/clock",
    summary="Measure the client's clock",
    responses={
        **refusals(400, 401, 403, 404, 408, 413, 415, 422, 429, 503),
        **answered(CLOCK, "The table's time, and how well the client's clock is known."),
    },
)
async def measure_clock(guest: Guest, asked: ClockReading) -> ClockAnswer:
    """Measure the client's clock, so that calls can be compared. Player, host.

    Each request may answer the one before: the server takes offset and error from such pairs. Two in a row will do.
    """
    clock = guest.session.clock(guest)
    if asked.answers is not None:
        clock.pong(asked.answers, asked.client)
    ping, measured = clock.ping(), clock.measured
    return ClockAnswer(number=ping.number, server=ping.time, error=None if measured is None else measured.error)


@router.post("/{table}/undo", summary="Take back the last event", response_model=PlayedAnswer, responses=_CHANGES)
async def undo(guest: Guest, expected: Expected, asked: Nothing | None = None) -> Response:
    """Take back the last event that was accepted or judged; repeated, it goes further back. Host."""
    return _played(await guest.session.undo(guest, expected=expected))


@router.post("/{table}/corrections", summary="Correct what was read", response_model=PlayedAnswer, responses=_CHANGES)
async def correct(guest: Guest, asked: Correction, expected: Expected) -> Response:
    """Say what a piece is that was read wrongly; everything since is judged again. Host."""
    return _played(
        await guest.session.correct(
            guest, asked.old, asked.new, piece=asked.piece, since=asked.since, force=asked.force, expected=expected
        )
    )


@router.post("/{table}/decisions", summary="Decide a tie or an oddity", response_model=PlayedAnswer, responses=_CHANGES)
async def decide(guest: Guest, asked: Decision, expected: Expected) -> Response:
    """Decide a tie, or what an oddity was. Host."""
    session = guest.session
    if asked.oddity is None:
        changed = await session.choose(guest, asked.tie, expected=expected)
    elif asked.candidate is None:
        changed = await session.ignore(guest, asked.oddity, expected=expected)
    else:
        changed = await session.accept(guest, asked.oddity, asked.candidate, expected=expected)
    return _played(changed)


# Looking back.


@router.get(
    "/{table}/events",
    summary="What has happened?",
    response_model=EntriesAnswer,
    responses={
        **refusals(400, 401, 403, 404, 503, unchanged=True),
        **answered(PAGE, "Entries of the journal, oldest first."),
    },
)
async def read_entries(
    guest: Guest,
    after: Annotated[int, Query(ge=0, lt=2**53, description="Entries after this one.")] = 0,
    limit: Annotated[int, Query(ge=1, le=_MOST_ENTRIES, description="At most so many.")] = 500,
    known: Known = None,
) -> Response:
    """Tell what has happened, oldest first. Host, player, spectator."""
    page = await guest.session.entries(guest, after, limit)
    if is_known(known, page.last):
        return _unchanged(page.last)
    return _tagged(f'{{"entries": {_listed(page.entries)}, "last": {page.last}}}', page.last)


@router.get(
    "/{table}/record",
    summary="Export the record",
    response_class=Response,
    responses={**refusals(400, 401, 403, 404, 503), 200: {"content": NDJSON, "description": "The record."}},
)
async def export_record(guest: Guest) -> Response:
    """Return the record of the game: what ``set-referee replay`` and the import read. Host, player, spectator."""
    record = await guest.session.record(guest)
    name = f'attachment; filename="set-referee-{guest.session.id}.jsonl"'
    return Response(record.encode(), media_type="application/x-ndjson", headers={"content-disposition": name})


# Answers.


def _created(created: Created) -> Response:
    keys = WholeKeys.model_validate(created.keys)
    answer = TableAnswer(id=created.session.id, keys=keys, state=created.state)
    response = json_response(answer.model_dump_json())
    response.status_code = 201
    response.headers["location"] = f"{router.prefix}/{created.session.id}"
    return response


def _played(changed: Changed, **more: float | None) -> Response:
    state = changed.state.model_dump_json()
    rest = "".join(f', "{name}": {json.dumps(value)}' for name, value in more.items())
    return _tagged(f'{{"entries": {_listed(changed.entries)}, "state": {state}{rest}}}', changed.state.last)


def _listed(entries: Iterable[Entry]) -> str:
    return f"[{', '.join(map(entry_text, entries))}]"


def _tagged(text: str, last: int) -> Response:
    response = json_response(text)
    response.headers["etag"] = tag(last)
    return response


def _unchanged(last: int) -> Response:
    return Response(status_code=304, headers={"etag": tag(last)})
