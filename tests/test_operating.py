"""A whole run of the service as its operator sees it: the log, the figures, and no secret in either."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from service.metrics import Figures, Metrics
from tests.shared_tables import CLASSIC, TABLES, opened, serving


def test_a_whole_run_is_counted_and_told_without_secrets(
    tmp_path: Path, jpeg: bytes, log: StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as client:
        assert client.get("/readyz").json()["parts"] == ["store"]
        table = opened(client, client.post(TABLES, json=CLASSIC))
        keys = list(table.keys.values())
        assert len(keys) >= 4
        table.post("/events", {"type": "called", "player": "Ann"})
        table.post("/events", {"type": "called", "player": "Nobody"})
        table.get("/events?after=0", who=None)
        for key in keys:
            client.get(f"{table.path}/{key}?key={key}", headers={"authorization": f"Bearer {key}"})
            client.get(table.path, headers={"authorization": f"Bearer {key[:-1]}-"})
        socket_address = f"ws{str(client.base_url)[4:].rstrip('/')}{table.path}/socket"
        for key in (keys[0], f"{keys[0]}x"):
            with connect(socket_address, proxy=None) as socket:
                socket.send(json.dumps({"type": "hello", "key": key}))
                with suppress(ConnectionClosed):
                    socket.recv()
        assert client.post("/api/v1/photos", files={"photo": ("a.jpg", jpeg)}).status_code == 200
        figures = client.get("/metrics").text
    said = log.getvalue()
    everything = said + figures + "".join(capfd.readouterr())
    for key in keys:
        assert key.split(".")[1] not in everything
    assert table.id not in figures
    routes = {json.loads(line).get("route") for line in said.splitlines()}
    assert {"/api/v1/tables", "/api/v1/tables/{table}/events", "/api/v1/tables/{table}/socket"} <= routes
    for line in (
        'set_referee_requests_total{method="POST",route="/api/v1/tables",status="201"} 1.0',
        "set_referee_tables_open 1.0",
        "set_referee_tables_kept 1.0",
        "set_referee_photos_total 1.0",
        'set_referee_photo_stage_seconds_count{stage="load"} 1.0',
        "set_referee_journal_append_seconds_count 1.0",
        "set_referee_cameras 0.0",
    ):
        assert f"{line}\n" in figures, figures
    assert 'set_referee_events_total{game="classic",verdict=' in figures
    assert 'set_referee_refusals_total{code="bad-key"} ' in figures


def test_every_figure_is_documented() -> None:
    page = (Path(__file__).parent.parent / "docs" / "operating.md").read_text(encoding="utf-8")
    metrics = Metrics()
    metrics.follow(lambda: Figures(0, 0, 0, 0, 0))
    found = re.findall(r"^# HELP (set_referee_\w+)", metrics.exposed()[0].decode(), re.MULTILINE)
    assert len(found) > 12
    for name in found:
        assert name.endswith("_created") or f"`{name}" in page, name
