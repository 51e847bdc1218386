"""What schemathesis has to know of bodies that are no JSON; loaded by ``bench_schema``."""

from __future__ import annotations

from typing import Any

import schemathesis

_KINDS = ("image/jpeg", "image/png", "image/webp", "image/heic", "application/octet-stream", "application/x-ndjson")


@schemathesis.serializer(*_KINDS)
def plain(_context: object, value: Any) -> bytes:
    """Send bytes and texts as they are, and all else as the text that Python makes of it."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
