"""What the API description says before its first address: names, places, games, refusals and limits."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from engine.editions import EDITIONS
from engine.labels import Language
from service.refusals import STATUS
from service.settings import Settings

__all__ = ["TAGS", "description_of"]

_OTHERS = {"bad-parameter": 400, "not-found": 404, "method-not-allowed": 405, "fault": 500, "stopping": 503}
"""Codes of refusals that are no errors of the service's own family."""

TAGS = [
    {"name": "photos", "description": "One photo, or names alone: what lies there, a disputed call, a hint."},
    {"name": "boards", "description": "Boards of Cubed and Junior: turns between two photos, boards, Wild faces."},
    {"name": "tables", "description": "Games that are refereed: players, events, calls, verdicts, records."},
    {"name": "disputes", "description": "The replay of a call: what was shown, and how the table looked."},
    {"name": "Health", "description": "Whether the service is up and ready, and its figures."},
]
"""The groups of addresses."""

_TEXT = """\
Reads photos of SET cards, dice and tiles, lists every SET, and referees games. Photos are worked on in memory and never
stored. `/docs` is this description as a page for people.

**Names of pieces.** Answers name a card `2 red striped diamond`, a tile or a face `2 red diamond`, and a Wild `wild`:
number 1, 2 or 3; colour red, green or purple; shading solid, striped or open; shape oval, diamond, squiggle or
rectangle (only of the Ravensburger deck, in place of the diamond). Where names are sent, the words of any edition and
of {languages} are taken too, in any order: `two red waves`, `zwei rote Wellen`; only a record has the names of answers
alone. `label` is what people of the edition say.

**Places.** Corners are pixels of the picture turned upright by its EXIF orientation, origin top left, clockwise from
the piece's own top left. Squares of a board are [row, column] from 0, top left.

**Games.** {games}. `auto` is whichever fits what lies there. `option` and `options` are the options of records.

**Doubt.** What is hard to read carries its best name and a `doubt`; what rests on it has `sure` (of SETs: `set_sure`)
false. A verdict is an answer (200), also where it is "no".

**Refusals.** Every one is `{{"error": {{"code": "…", "text": "…"}}}}`: a code for programs, one line for people, which
names what was wrong and what is expected. The codes by status:

{codes}
- 422 every other code

With 429 and 503 comes `Retry-After`, in seconds. Every answer has an `X-Request-ID`, by which its operator finds it in
the log.

**Limits here.** {bytes:,} bytes and {pixels:,} pixels a photo, {upload} seconds to send it, {picture} seconds to read
it, {rate} requests a second of one client on average.
"""


def description_of(settings: Settings) -> str:
    """Return the description of the whole service, in Markdown, with the limits of a deployment."""
    return _TEXT.format(
        languages=", ".join(f"{language.name.capitalize()} (`{language}`)" for language in Language),
        games=", ".join(f"`{key}` ({edition.title})" for key, edition in EDITIONS.items()),
        codes="\n".join(f"- {codes}" for codes in _codes({**STATUS, **_OTHERS})),
        bytes=settings.max_bytes,
        pixels=settings.max_pixels,
        upload=settings.upload_seconds,
        picture=settings.picture_seconds,
        rate=settings.client_rate,
    )


def _codes(statuses: Mapping[str, int]) -> list[str]:
    """Return the codes of each status: "409 `last-host`, `seat-taken`"."""
    pairs: list[tuple[int, str]] = sorted((status, code) for code, status in statuses.items() if status != 422)
    by_status = groupby(pairs, key=lambda pair: pair[0])
    return [f"{status} {', '.join(f'`{code}`' for _, code in group)}" for status, group in by_status]
