"""Examples of answers, for the API description: one game of three events. The keys in them open nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = [
    "BOARD",
    "CALLED",
    "CLOCK",
    "CREATED",
    "DISPUTE",
    "ENTRY",
    "INVITATION",
    "INVITED",
    "KEY",
    "KEYS",
    "PAGE",
    "PLAYED",
    "STATE",
]

ENTRY: Mapping[str, Any] = {
    "number": 3,
    "at": "2026-01-06T19:04:31.250Z",
    "kind": "event",
    "t": 63.4,
    "text": "A SET for Ann. Number: all different (one, two, three); Colour: all the same (red); "
    "Shading: all the same (solid); Shape: all the same (oval).",
    "points": {"Ann": 1},
    "event": 2,
    "type": "picked",
    "player": "Ann",
    "ok": True,
    "judged": False,
    "clause": "CLASSIC-5",
    "scores": {"Ann": 1, "Ben": 0},
    "pieces": ["1 red solid oval", "2 red solid oval", "3 red solid oval"],
    "lines": [
        "Number: all different (one, two, three)",
        "Colour: all the same (red)",
        "Shading: all the same (solid)",
        "Shape: all the same (oval)",
    ],
}
_LEFT = (
    *("1 green solid oval", "2 purple open diamond", "1 purple striped squiggle", "3 green open oval"),
    *("2 red striped diamond", "1 green open diamond", "3 purple solid squiggle", "2 green striped oval"),
    "1 red open squiggle",
)
"""What lies on the table after the SET of :data:`ENTRY`."""
_SEAT: Mapping[str, Any] = {"out": False, "won": 0, "agreed": False, "hand": None}
STATE: Mapping[str, Any] = {
    "id": "t5hw9qpzk3",
    "name": "Friday",
    "game": "classic",
    "title": "SET",
    "options": {"hints": "never", "small_deck": False, "solitaire": False, "rounds": False, "lowest_score": None},
    "language": "en",
    "players": [
        {"name": "Ann", "score": 1, "connected": True, "clock_error": 0.021, **_SEAT, "won": 1},
        {"name": "Ben", "score": 0, "connected": False, "clock_error": None, **_SEAT},
    ],
    "time": 63.8,
    "last": 3,
    "events": 3,
    "caller": None,
    "call_ends": None,
    "turn": None,
    "round": 1,
    "master": None,
    "pile": 69,
    "tie": None,
    "oddity": None,
    "legal": {
        "due": [{"task": "deal", "count": 3, "player": None, "optional": False}],
        "moves": ["called", "no_set"],
    },
    "layout": [{"name": name, "at": None, "stands_for": None} for name in _LEFT],
    "hands": None,
    "outcome": None,
    "hints": "never",
    "call_limit": 10.0,
    "camera": {"connected": True, "fps": 4.0, "scene": "still"},
}
_OPENED: Mapping[str, Any] = {
    **STATE,
    "players": [
        {"name": name, "score": 0, "connected": False, "clock_error": None, **_SEAT} for name in ("Ann", "Ben")
    ],
    "pile": 81,
    "time": 0.0,
    "last": 0,
    "events": 0,
    "legal": {"due": [{"task": "deal", "count": 12, "player": None, "optional": False}], "moves": []},
    "layout": [],
    "camera": {"connected": False, "fps": None, "scene": None},
}
_HOST = "q2w3e4r5.Yx3cV5bN7mQ9wE1rT3zU5g"
_PLAYER = "b7n8m9k2.pO2iU4zT6rE8wQ0aS1dF3g"
CREATED: Mapping[str, Any] = {
    "id": STATE["id"],
    "keys": {
        "host": _HOST,
        "join": "s5d6f7g8.hJ1kL3yX5cV7bN9mQ2wE4r",
        "spectator": "t6z7u8x9.oP1aS3dF5gH7jK9lY2xC4v",
        "camera": "v8b9n2m3.qW2eR4tZ6uI8oP0aS3dF5g",
        "players": {"Ann": _PLAYER, "Ben": "k2h3y4x5.cV6bN8mQ0wE1rT3zU5iO7p"},
    },
    "state": _OPENED,
}
PLAYED: Mapping[str, Any] = {"entries": [ENTRY], "state": STATE}
CALLED: Mapping[str, Any] = {"entries": [], "state": STATE, "error": 0.021}
CLOCK: Mapping[str, Any] = {"number": 4, "server": 63.412, "error": 0.021}
PAGE: Mapping[str, Any] = {"entries": [ENTRY], "last": 3}
_HELD: Mapping[str, Any] = {"id": "b7n8m9k2", "role": "player", "player": "Ann"}
KEYS: Mapping[str, Any] = {"keys": [{**_HELD, "revoked": False, "created": 1767725071.25}]}
KEY: Mapping[str, Any] = {**_HELD, "key": _PLAYER}
BOARD: Mapping[str, Any] = {
    "game": "cubed",
    "rows": 13,
    "columns": 13,
    "logo": [[6, 5], [6, 6], [6, 7]],
    "bonus": [{"at": [2, 2], "points": 3}],
}
INVITATION: Mapping[str, Any] = {"code": "k7m4qx", "seconds": 1800.0}
INVITED: Mapping[str, Any] = {"table": STATE["id"], "key": CREATED["keys"]["join"], "role": "join", "player": None}
DISPUTE: Mapping[str, Any] = {
    "number": 1,
    "at": 61.2,
    "player": "Ann",
    "pieces": ENTRY["pieces"],
    "is_set": True,
    "lines": ENTRY["lines"],
    "text": ENTRY["text"],
    "place": 0,
    "stills": [{"number": 0, "time": 60.9, "settled": True, "layout": [*ENTRY["pieces"], *_LEFT], "picture": True}],
}
