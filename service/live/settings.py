"""How a live table behaves."""

from __future__ import annotations

from dataclasses import dataclass

from engine.labels import Language

__all__ = ["LiveSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSettings:
    """Seconds are those of the source.

    ``call_limit``: a call after which nobody has picked for so long is a false one (None: never).
    ``clock_error``: calls are held for so long before they count; closer than that they are tied.
    ``late``: a call that comes later than this after its time displaces no other.
    ``patience``: a change that nothing explains is told after so long; ``deal_patience``: one that is the beginning
    of a deal.
    ``show_seconds``: three pieces of the caller's that are off the table at the same time for so long have been shown,
    even if they are put back before the hand has left.
    ``replay``: whether anything is kept for disputes: ``replay_seconds`` of stills, ``replay_rate`` a second, their
    pictures ``replay_width`` pixels wide as JPEG of ``replay_quality`` (0..100), ``replay_bytes`` altogether.
    ``most_events``: with so many events in its record a table is full.
    """

    call_limit: float | None = None
    clock_error: float = 0.05
    late: float = 2.0
    patience: float = 2.0
    deal_patience: float = 6.0
    show_seconds: float = 0.3
    replay: bool = True
    replay_seconds: float = 60.0
    replay_rate: float = 2.0
    replay_width: int = 480
    replay_quality: int = 70
    replay_bytes: int = 16_000_000
    most_events: int = 20_000
    language: Language = Language.ENGLISH
