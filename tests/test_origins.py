"""Origins: a page of the service itself, pages that the operator allows, programs; nobody else."""

from __future__ import annotations

import pytest

from service.origins import OriginError, allowed_origins, is_allowed
from service.settings import Settings


@pytest.mark.parametrize(
    ("origin", "host", "fine"),
    [
        (None, "table.example", True),
        (None, None, True),
        ("https://table.example", "table.example", True),
        ("https://Table.example", "table.EXAMPLE", True),
        ("https://table.example", "table.example:443", True),
        ("http://table.example", "table.example:80", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://[::1]", "[::1]:80", True),
        ("http://[::1]", "[::1]", True),
        ("https://table.example", "table.example:80", False),
        ("http://127.0.0.1:8001", "127.0.0.1:8000", False),
        ("https://table.example.evil.example", "table.example", False),
        ("https://evil.example/table.example", "table.example", False),
        ("https://table.example", None, False),
        ("null", "null", False),
        ("", "", False),
        ("://", "", False),
        ("https://", "", False),
        ("file://table.example", "table.example", False),
        ("table.example", "table.example", False),
        ("https://other.example", "table.example", False),
    ],
)
def test_own_pages_and_programs_are_let_in(origin: str | None, host: str | None, fine: bool) -> None:
    assert is_allowed(origin, host, Settings()) is fine


def test_pages_of_allowed_origins_are_let_in() -> None:
    settings = Settings(allowed_origins=" https://Club.example:443/ ,http://localhost:3000, ")
    assert allowed_origins(settings) == ("https://club.example", "http://localhost:3000")
    assert is_allowed("https://club.example", "table.example", settings)
    assert is_allowed("http://localhost:3000", "table.example", settings)
    assert not is_allowed("http://club.example", "table.example", settings)
    assert not is_allowed("https://evil.example", "table.example", settings)


@pytest.mark.parametrize(
    "text",
    ["*", "club.example", "https://", "https://club.example/page", "https://*.example", "https://a@b", "http://[::1"]
    + ["https://club.example:none", "ftp://club.example", "https://club.example?a", "null"],
)
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(OriginError, match="SET_REFEREE_ALLOWED_ORIGINS holds"):
        allowed_origins(Settings(allowed_origins=f"https://fine.example,{text}"))
