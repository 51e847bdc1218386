"""The writer: one thread that commits together what waits, so that a flush of the disk serves many tables."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

from sqlalchemy import Connection, Engine, delete, insert
from sqlalchemy.exc import IntegrityError

from service.store.errors import StoreError, StoreGoneError
from service.store.faults import concerns_all, may_be_repeated, refusal
from service.store.schema import MARKS
from service.store.settings import StoreSettings
from service.store.writes import Change, perform

__all__ = ["Writer"]

_Outcomes = list[int | StoreError | None]


@dataclass(frozen=True, slots=True)
class _Job:
    change: Change
    done: Future[Any] = field(default_factory=Future)

    def settle(self, outcome: int | StoreError | None) -> None:
        if isinstance(outcome, StoreError):
            self.done.set_exception(outcome)
        else:
            self.done.set_result(outcome)


class _MarkedError(Exception):
    """The transaction that is repeated was committed the first time."""


class Writer:
    """Takes changes from any thread, and settles each only after it is committed."""

    def __init__(self, engine: Engine, settings: StoreSettings) -> None:
        """Write through ``engine``."""
        self._engine = engine
        self._settings = settings
        self._mark: str | None = None
        self._waiting: list[_Job] = []
        self._closed = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def put(self, change: Change) -> Future[Any]:
        """Let ``change`` be done; the future holds its outcome, or raises its refusal.

        :raises StoreGoneError: too much waits already, or the writer is closed.
        """
        job = _Job(change)
        with self._changed:
            if self._closed:
                raise StoreGoneError("the store is closed")
            if len(self._waiting) >= self._settings.waiting:
                raise StoreGoneError("the database is too slow for all that is to be kept; try again in a moment")
            self._waiting.append(job)
            self._changed.notify()
        return job.done

    def close(self) -> None:
        """Do what waits, then end."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while jobs := self._taken():
            running = [job for job in jobs if job.done.set_running_or_notify_cancel()]
            for job, outcome in zip(running, self._outcomes([job.change for job in running]), strict=True):
                job.settle(outcome)

    def _taken(self) -> list[_Job]:
        """What waits, as soon as anything does; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            taken = self._waiting[: self._settings.batch]
            del self._waiting[: self._settings.batch]
        return taken

    def _outcomes(self, changes: Sequence[Change]) -> _Outcomes:
        """The outcomes of ``changes``; one that breaks the common transaction does not harm the others."""
        try:
            return self._committed(changes) if changes else []
        except Exception as error:
            if len(changes) == 1 or concerns_all(error):
                return [refusal(error) for _ in changes]
            return [outcome for change in changes for outcome in self._outcomes([change])]

    def _committed(self, changes: Sequence[Change]) -> _Outcomes:
        """Do ``changes`` in one transaction, and once more where the connection is lost.

        Whether a commit without an answer has happened is told by the mark that was written with it.
        """
        mark, outcomes = secrets.token_hex(8), _Outcomes()
        try:
            self._transact(mark, changes, outcomes)
        except Exception as error:
            if not may_be_repeated(error):
                raise
            with suppress(_MarkedError):
                self._transact(mark, changes, outcomes)
        self._mark = mark
        return outcomes

    def _transact(self, mark: str, changes: Sequence[Change], outcomes: _Outcomes) -> None:
        """Do ``changes`` in one transaction; fill ``outcomes`` before it is committed.

        :raises _MarkedError: it was committed before.
        """
        with self._engine.begin() as connection:
            _leave(connection, mark, self._mark)
            outcomes[:] = perform(connection, changes)


def _leave(connection: Connection, mark: str, before: str | None) -> None:
    """Put ``mark`` in the place of the one ``before``.

    PostgreSQL lets this wait for a lost transaction that wrote the same mark and is still under way.
    """
    try:
        connection.execute(insert(MARKS).values(mark=mark))
    except IntegrityError:
        raise _MarkedError from None
    if before is not None:
        connection.execute(delete(MARKS).where(MARKS.c.mark == before))
