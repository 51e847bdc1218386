"""Figures of a running service for Prometheus, in a registry of the service's own.

Labels have few values: routes are templates, so that no id of a table, no name and no address of a client is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

__all__ = ["Figures", "Metrics", "Verdict"]

_REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_STAGE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_APPEND_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WEBSOCKET"})


@dataclass(frozen=True, slots=True)
class Figures:
    """How much goes on at the tables."""

    tables: int
    """Tables in memory."""
    sockets: int
    """Open WebSockets and event streams."""
    cameras: int
    """Cameras that are followed."""
    seen: int
    """Pictures of cameras that were looked at since the start."""
    skipped: int
    """Pictures of cameras that were left out, for a newer one had come."""


class Verdict(StrEnum):
    """What the referee said to an event."""

    ACCEPTED = "accepted"
    JUDGED = "judged"
    """Not what the rules want, with its price, such as a false call."""
    REFUSED = "refused"


class Metrics:
    """What the parts of the service count; each app has one, so that two in one process do not mix.

    >>> metrics = Metrics()
    >>> metrics.event("classic", Verdict.ACCEPTED)
    >>> metrics.value("set_referee_events_total", game="classic", verdict="accepted")
    1.0
    """

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        GCCollector(registry=registry)
        self._followed = _Followed()
        registry.register(self._followed)
        self._requests = Counter(
            "set_referee_requests", "Answered requests.", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "set_referee_request_seconds",
            "From the head of a request to the end of its answer.",
            ("method", "route"),
            buckets=_REQUEST_SECONDS,
            registry=registry,
        )
        self._running = Gauge("set_referee_requests_running", "Requests that are being answered.", registry=registry)
        self._refusals = Counter("set_referee_refusals", "Refusals by their code.", ("code",), registry=registry)
        self._photos = Counter("set_referee_photos", "Photos that were read.", registry=registry)
        self._stages = Histogram(
            "set_referee_photo_stage_seconds",
            "Stages of reading a photo.",
            ("stage",),
            buckets=_STAGE_SECONDS,
            registry=registry,
        )
        self._restarts = Counter(
            "set_referee_worker_restarts", "Workers that died or took too long, and were replaced.", registry=registry
        )
        self._kept = Gauge("set_referee_tables_kept", "Tables in the store.", registry=registry)
        self._events = Counter(
            "set_referee_events", "Events of games and what the referee said.", ("game", "verdict"), registry=registry
        )
        self._appends = Histogram(
            "set_referee_journal_append_seconds",
            "From handing entries to the store to their commit.",
            buckets=_APPEND_SECONDS,
            registry=registry,
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count a request as being answered meanwhile."""
        with self._running.track_inprogress():
            yield

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request to ``route``, a template, that was answered after ``seconds``."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)

    def refused(self, code: str) -> None:
        """Count a refusal; ``code`` is one of ours."""
        self._refusals.labels(code).inc()

    def photo(self, stages: Mapping[str, float]) -> None:
        """Count a photo that was read; ``stages`` are in milliseconds, as in its answer."""
        self._photos.inc()
        for name, milliseconds in stages.items():
            self._stages.labels(name).observe(milliseconds / 1000)

    def worker_restarted(self) -> None:
        """Count a worker that was replaced."""
        self._restarts.inc()

    def follow(self, figures: Callable[[], Figures]) -> None:
        """Ask for the ``figures`` of the tables whenever all are read."""
        self._followed.figures = figures

    def kept(self, tables: int) -> None:
        """Note how many tables are in the store."""
        self._kept.set(tables)

    def event(self, game: str, verdict: Verdict) -> None:
        """Count an event of a ``game``."""
        self._events.labels(game, verdict).inc()

    @contextmanager
    def appending(self) -> Iterator[None]:
        """Note how long an append to the journal takes."""
        with self._appends.time():
            yield

    def value(self, name: str, **labels: str) -> float | None:
        """Return the sample ``name`` with these ``labels``, None where there is none yet."""
        return self._registry.get_sample_value(name, labels)

    def exposed(self, accept: str = "") -> tuple[bytes, str]:
        """Return all figures as text, and its media type: OpenMetrics where ``accept`` asks for that."""
        encoder, media_type = choose_encoder(accept)
        return encoder(self._registry), media_type


class _Followed(Collector):
    """Figures that others count."""

    figures: Callable[[], Figures] | None = None

    def collect(self) -> Iterable[Metric]:
        """Return them as they are now."""
        if self.figures is None:
            return ()
        now = self.figures()
        frames = CounterMetricFamily("set_referee_frames", "Pictures of cameras: seen, skipped.", labels=("fate",))
        frames.add_metric(("seen",), now.seen)
        frames.add_metric(("skipped",), now.skipped)
        return (
            GaugeMetricFamily("set_referee_tables_open", "Tables in memory.", now.tables),
            GaugeMetricFamily("set_referee_sockets", "Open WebSockets and event streams.", now.sockets),
            GaugeMetricFamily("set_referee_cameras", "Cameras that are followed.", now.cameras),
            frames,
        )
