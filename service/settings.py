"""Settings of a deployment: read once from the environment, frozen, each with its sentence of documentation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from service.errors import SettingError

__all__ = ["Settings"]

_PREFIX = "SET_REFEREE_"


def _setting(default: int, least: int, most: int, text: str) -> Any:
    return field(default=default, metadata={"least": least, "most": most, "text": text})


def _text(default: str, text: str) -> Any:
    return field(default=default, metadata={"text": text})


@dataclass(frozen=True)
class Settings:
    """What a deployment may change; the variable of ``max_bytes`` is ``SET_REFEREE_MAX_BYTES``."""

    max_bytes: int = _setting(
        64 * 2**20, 1, 2_000_000_000, "Largest photo accepted, in bytes of the file, at the command line and over HTTP."
    )
    max_pixels: int = _setting(
        100_000_000, 1, 1_000_000_000, "Largest photo accepted, in pixels (width x height), checked before decoding."
    )
    workers: int = _setting(2, 1, 64, "How many photos the HTTP service reads at the same time.")
    max_waiting: int = _setting(16, 0, 10_000, "How many more photos may wait; beyond that the answer is 503.")
    upload_seconds: int = _setting(60, 1, 3_600, "How long an upload over HTTP may take, in seconds.")
    picture_seconds: int = _setting(
        20, 1, 3_600, "How long reading one upload over HTTP may take; what takes longer is given up."
    )
    connections: int = _setting(
        512, 1, 100_000, "Open connections without a WebSocket, idle ones too; more are refused."
    )
    max_tables: int = _setting(10_000, 1, 10_000_000, "Tables that are kept; beyond that no new one is opened.")
    open_tables: int = _setting(1_000, 1, 100_000, "Tables in memory; those that nobody uses are put away.")
    max_sockets: int = _setting(4_000, 1, 100_000, "Open WebSockets and event streams of all tables.")
    table_sockets: int = _setting(32, 1, 10_000, "Open WebSockets and event streams of one table.")
    max_cameras: int = _setting(32, 0, 1_000, "Cameras at the same time.")
    max_frame_rate: int = _setting(15, 1, 120, "Pictures a second that a camera may send at the most.")
    frame_bytes: int = _setting(1_500_000, 1_000, 64 * 2**20, "Largest picture of a camera, in bytes.")
    frame_pixels: int = _setting(2_100_000, 10_000, 100_000_000, "Largest picture of a camera, in pixels.")
    client_rate: int = _setting(
        50,
        1,
        100_000,
        "Requests a second of one client (address), on average; eight times as many messages over its WebSockets.",
    )
    client_connections: int = _setting(
        256,
        1,
        100_000,
        "Requests, WebSockets and event streams of one client (address) at the same time; a quarter may be requests.",
    )
    client_tables: int = _setting(60, 1, 1_000_000, "Tables that one client may open in an hour.")
    table_rate: int = _setting(
        20, 1, 10_000, "Events, calls and corrections a second of one player, or of the hosts, at one table."
    )
    database: str = _text(
        "", "Where tables are kept, as SQLAlchemy writes it; without it a SQLite file of the user's own."
    )
    allowed_origins: str = _text(
        "", "Other origins, separated by commas, whose pages may use the service; a star is none."
    )

    def __post_init__(self) -> None:
        for spec in fields(self):
            value = getattr(self, spec.name)
            if isinstance(value, str):
                continue
            least, most = spec.metadata["least"], spec.metadata["most"]
            if not least <= value <= most:
                raise SettingError(self.variable(spec.name), str(value), least, most)

    @staticmethod
    def variable(name: str) -> str:
        """Return the environment variable of the field ``name``."""
        return _PREFIX + name.upper()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings that ``environment`` (default: the process's own) asks for.

        :raises SettingError: a value is no whole number or lies out of range.
        """
        source = os.environ if environment is None else environment
        given: dict[str, Any] = {}
        for spec in fields(cls):
            text = source.get(cls.variable(spec.name), "").strip()
            if text:
                number = "least" in spec.metadata
                given[spec.name] = _whole(cls.variable(spec.name), text, spec.metadata) if number else text
        return cls(**given)

    @classmethod
    def documented(cls) -> list[tuple[str, str, str]]:
        """Return (variable, default, sentence) of every setting, in order."""
        return [(cls.variable(spec.name), _shown(spec.default), spec.metadata["text"]) for spec in fields(cls)]


def _shown(default: object) -> str:
    return f"{default:,}" if isinstance(default, int) else str(default) or "none"


def _whole(variable: str, text: str, bounds: Mapping[str, Any]) -> int:
    try:
        return int(text)
    except ValueError:
        raise SettingError(variable, text, bounds["least"], bounds["most"]) from None
