"""Health: alive is alive, ready says which part does not work and why, and the figures can be read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from fastapi import FastAPI

from service import health
from service.errors import ServiceError
from service.guard import HEADERS
from service.health import Remembered
from service.layers import add_layers
from service.refusals import add_refusals
from service.settings import Settings
from service.store import StoreGoneError
from tests.test_guard import Client


class GoneError(ServiceError):
    """A part that is gone."""

    code = "store-gone"


async def works() -> None:
    """Work."""


async def gone() -> None:
    """Do not work."""
    raise GoneError("the database does not answer\nat all")


async def hangs() -> None:
    """Never answer."""
    await asyncio.Event().wait()


@pytest.fixture
def app() -> FastAPI:
    """An app with nothing but its health."""
    app = FastAPI()
    add_refusals(app)
    add_layers(app, Settings(client_rate=1))
    return app


@pytest.fixture
def impatient() -> Iterator[None]:
    """Give parts but a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(health, "_PATIENCE", 0.02)
        yield


def test_alive_whatever_else_is(app: FastAPI) -> None:
    app.state.checks["store"] = gone
    answer = Client(app).get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert Client(app).request("HEAD", "/healthz").status_code == 200


def test_ready_when_all_parts_work(app: FastAPI) -> None:
    app.state.checks.update(readers=works, store=works)
    answer = Client(app).get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "parts": ["readers", "store"]})
    assert Client(app).request("HEAD", "/readyz").status_code == 200


def test_what_the_driver_says_is_for_the_log_alone(app: FastAPI, caplog: pytest.LogCaptureFixture) -> None:
    async def malformed() -> None:
        try:
            raise OSError("the file is malformed")
        except OSError as error:
            raise StoreGoneError from error

    app.state.checks["store"] = malformed
    assert "malformed" not in Client(app).get("/readyz").text
    assert [vars(record)["reason"] for record in caplog.records if "reason" in vars(record)] == [
        "the file is malformed"
    ]


def test_not_ready_says_which_part_and_why(app: FastAPI) -> None:
    app.state.checks.update(readers=works, store=gone)
    answer = Client(app).get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "error": {
            "code": "not-ready",
            "text": "store does not work: the database does not answer at all (store-gone)",
        }
    }
    assert answer.headers["retry-after"] == "5"
    assert HEADERS.items() <= dict(answer.headers).items()


def test_a_part_that_does_not_answer_is_not_waited_for(app: FastAPI, impatient: None) -> None:
    app.state.checks["store"] = hangs
    answer = Client(app).get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["error"]["text"] == "store does not work: no answer within 0.02 seconds"


def test_a_fault_of_a_part_is_a_fault(app: FastAPI) -> None:
    async def broken() -> None:
        raise RuntimeError("secret")

    app.state.checks["store"] = broken
    answer = Client(app).get("/readyz")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "fault")


def test_figures_are_text_and_count_themselves(app: FastAPI) -> None:
    client = Client(app)
    client.get("/healthz")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert 'set_referee_requests_total{method="GET",route="/healthz",status="200"} 1.0\n' in answer.text
    assert "process_resident_memory_bytes" in answer.text
    assert "203.0.113.9" not in answer.text


def test_figures_count_the_tables_of_the_store(app: FastAPI, impatient: None) -> None:
    async def count() -> int:
        return 42

    app.state.count_tables = count
    assert "set_referee_tables_kept 42.0\n" in Client(app).get("/metrics").text


@pytest.mark.parametrize("broken", [gone, hangs])
def test_figures_are_there_while_the_store_is_gone(
    broken: Callable[[], Awaitable[None]], app: FastAPI, impatient: None
) -> None:
    app.state.count_tables = broken
    assert "set_referee_tables_kept 0.0\n" in Client(app).get("/metrics").text


def test_the_store_is_asked_once_a_while_however_many_ask(app: FastAPI) -> None:
    asked = 0

    async def counted() -> int:
        nonlocal asked
        asked += 1
        return asked

    app.state.count_tables = app.state.checks["store"] = counted
    for _ in range(5):
        assert Client(app).get("/metrics").status_code == Client(app).get("/readyz").status_code == 200
    assert asked == 2


def test_an_answer_is_good_for_a_while() -> None:
    async def scenario() -> None:
        now, answers = 10.0, iter(range(9))

        async def ask() -> int:
            await asyncio.sleep(0)
            return next(answers)

        remembered = Remembered(ask, 1.0, lambda: now)
        assert list(await asyncio.gather(remembered(), remembered(), remembered())) == [0, 0, 0]
        now = 10.9
        assert await remembered() == 0
        now = 11.0
        assert await remembered() == 1

    asyncio.run(scenario())


def test_health_is_never_too_much(app: FastAPI) -> None:
    client = Client(app)
    assert {client.get(path).status_code for path in ("/healthz", "/readyz", "/metrics") for _ in range(9)} == {200}
