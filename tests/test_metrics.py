"""Metrics: Prometheus can read them, they count what happened, and two services do not mix."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from service.metrics import Figures, Metrics, Verdict


def test_two_services_do_not_mix() -> None:
    one, other = Metrics(), Metrics()
    one.worker_restarted()
    assert one.value("set_referee_worker_restarts_total") == 1
    assert other.value("set_referee_worker_restarts_total") == 0


def test_requests_are_counted_by_template_and_timed() -> None:
    metrics = Metrics()
    with metrics.running():
        assert metrics.value("set_referee_requests_running") == 1
    assert metrics.value("set_referee_requests_running") == 0
    metrics.answered("GET", "/api/v1/tables/{id}", 200, 0.02)
    metrics.answered("GET", "/api/v1/tables/{id}", 200, 0.3)
    metrics.answered("BREW", "unmatched", 405, 0.001)
    labels = {"method": "GET", "route": "/api/v1/tables/{id}"}
    assert metrics.value("set_referee_requests_total", status="200", **labels) == 2
    assert metrics.value("set_referee_request_seconds_bucket", le="0.025", **labels) == 1
    assert metrics.value("set_referee_request_seconds_bucket", le="0.5", **labels) == 2
    assert metrics.value("set_referee_requests_total", status="405", method="other", route="unmatched") == 1


def test_photos_count_their_stages_in_seconds() -> None:
    metrics = Metrics()
    metrics.photo({"load": 10.0, "segment": 40.0})
    assert metrics.value("set_referee_photos_total") == 1
    assert metrics.value("set_referee_photo_stage_seconds_sum", stage="segment") == 0.04


def test_what_goes_on_is_asked_for_when_it_is_read() -> None:
    metrics, tables = Metrics(), [3]
    metrics.follow(lambda: Figures(tables[-1], sockets=7, cameras=1, seen=20, skipped=5))
    metrics.kept(40)
    assert metrics.value("set_referee_tables_open") == 3
    tables.append(4)
    assert metrics.value("set_referee_tables_open") == 4
    assert metrics.value("set_referee_tables_kept") == 40
    assert (metrics.value("set_referee_sockets"), metrics.value("set_referee_cameras")) == (7, 1)
    assert metrics.value("set_referee_frames_total", fate="seen") == 20
    assert metrics.value("set_referee_frames_total", fate="skipped") == 5


def test_games_the_journal_and_refusals_are_counted() -> None:
    metrics = Metrics()
    metrics.event("cubed", Verdict.REFUSED)
    with metrics.appending():
        pass
    metrics.refused("busy")
    assert metrics.value("set_referee_events_total", game="cubed", verdict="refused") == 1
    assert metrics.value("set_referee_journal_append_seconds_count") == 1
    assert metrics.value("set_referee_refusals_total", code="busy") == 1


def test_prometheus_can_read_it_all() -> None:
    metrics = Metrics()
    metrics.answered("GET", "/", 200, 0.1)
    text, media_type = metrics.exposed()
    assert media_type.startswith("text/plain; version=")
    names = {family.name for family in text_string_to_metric_families(text.decode())}
    assert {"set_referee_requests", "set_referee_request_seconds", "process_resident_memory_bytes"} <= names
    assert metrics.exposed("application/openmetrics-text; version=1.0.0")[0].endswith(b"# EOF\n")
