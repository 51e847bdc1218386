"""Whose pages may use the service: those of its own origin, and of the origins that its operator allows."""

from __future__ import annotations

from urllib.parse import urlsplit

from service.errors import ServiceError
from service.settings import Settings

__all__ = ["OriginError", "allowed_origins", "is_allowed"]

_PORTS = {"http": 80, "https": 443}


class OriginError(ServiceError, ValueError):
    """An origin in the settings that is none."""

    code = "bad-setting"

    def __init__(self, origin: str) -> None:
        """Quote the ``origin`` and show what one looks like."""
        variable = Settings.variable("allowed_origins")
        super().__init__(f"{variable} holds {origin!r}: expected origins such as https://club.example, without a path")


def allowed_origins(settings: Settings) -> tuple[str, ...]:
    """Return the other origins that ``settings`` allow, as browsers write them.

    :raises OriginError: one of them is no origin; a star is none.
    """
    texts = (text.strip().lower().removesuffix("/") for text in settings.allowed_origins.split(","))
    return tuple(_checked(text) for text in texts if text)


def is_allowed(origin: str | None, host: str | None, settings: Settings) -> bool:
    """Return whether a page of ``origin`` may use the service that it knows as ``host``.

    Both are headers of the request. Programs that are no browsers send no Origin: they are let in, for they hold no
    keys of somebody else. The scheme is not compared, as a proxy may have taken TLS away.

    :raises OriginError: the settings hold one that is none.
    """
    if origin is None or origin.lower() in allowed_origins(settings):
        return True
    scheme, separator, place = origin.lower().partition("://")
    if not separator or scheme not in _PORTS or not place or host is None:
        return False
    return _with_port(place, scheme) == _with_port(host.lower(), scheme)


def _with_port(place: str, scheme: str) -> str:
    has_port = ":" in place.rpartition("]")[2]
    return place if has_port else f"{place}:{_PORTS[scheme]}"


def _checked(text: str) -> str:
    try:
        parts = urlsplit(text)
        plain = parts.scheme in _PORTS and bool(parts.hostname) and f"{parts.scheme}://{parts.netloc}" == text
        if not plain or parts.username is not None or "*" in text:
            raise OriginError(text)
        if parts.port == _PORTS[parts.scheme]:
            return text.removesuffix(f":{parts.port}")
    except OriginError:
        raise
    except ValueError:
        raise OriginError(text) from None
    return text
