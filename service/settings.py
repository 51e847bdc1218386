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


@dataclass(frozen=True)
class Settings:
    """Whole numbers that a deployment may change; the variable of ``max_bytes`` is ``SET_REFEREE_MAX_BYTES``."""

    max_bytes: int = _setting(
        64 * 2**20, 1, 2_000_000_000, "Largest photo accepted, in bytes of the file, at the command line and over HTTP."
    )
    max_pixels: int = _setting(
        100_000_000, 1, 1_000_000_000, "Largest photo accepted, in pixels (width x height), checked before decoding."
    )
    workers: int = _setting(2, 1, 64, "How many photos the HTTP service reads at the same time.")
    max_waiting: int = _setting(16, 0, 10_000, "How many more photos may wait; beyond that the answer is 503.")
    upload_seconds: int = _setting(60, 1, 3_600, "How long an upload over HTTP may take, in seconds.")

    def __post_init__(self) -> None:
        for spec in fields(self):
            value, least, most = getattr(self, spec.name), spec.metadata["least"], spec.metadata["most"]
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
        given: dict[str, int] = {}
        for spec in fields(cls):
            text = source.get(cls.variable(spec.name), "").strip()
            if text:
                given[spec.name] = _whole(cls.variable(spec.name), text, spec.metadata)
        return cls(**given)

    @classmethod
    def documented(cls) -> list[tuple[str, int, str]]:
        """Return (variable, default, sentence) of every setting, in order."""
        return [(cls.variable(spec.name), spec.default, spec.metadata["text"]) for spec in fields(cls)]  # type: ignore[misc]


def _whole(variable: str, text: str, bounds: Mapping[str, Any]) -> int:
    try:
        return int(text)
    except ValueError:
        raise SettingError(variable, text, bounds["least"], bounds["most"]) from None
