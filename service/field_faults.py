"""What is wrong with a field of a request or a message, in plain words: where, what is expected, and what is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from engine.fields import short

__all__ = ["expected_of", "field_fault"]

_KINDS: Mapping[str, str] = {
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "finite_number": "a number that is finite",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a JSON object",
    "model": "a JSON object",
    "model_attributes": "a JSON object",
}
"""What pydantic expects, by what its types of errors begin with."""
_BOUNDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "greater_than": lambda bound: f"more than {bound['gt']}",
    "greater_than_equal": lambda bound: f"at least {bound['ge']}",
    "less_than": lambda bound: f"less than {bound['lt']}",
    "less_than_equal": lambda bound: f"at most {bound['le']}",
    "string_too_short": lambda bound: f"at least {_counted(bound['min_length'], 'character')}",
    "string_too_long": lambda bound: f"at most {_counted(bound['max_length'], 'character')}",
    "too_short": lambda bound: f"at least {_counted(bound['min_length'], 'item')}",
    "too_long": lambda bound: f"at most {_counted(bound['max_length'], 'item')}",
    "literal_error": lambda bound: str(bound["expected"]),
    "enum": lambda bound: str(bound["expected"]),
}
"""What is expected of a value of the right kind, by pydantic's types of errors, out of their contexts."""
_TAG = re.compile(r"'([^']*)'")
_HIDDEN = frozenset({"key"})
"""Fields whose values are never repeated."""


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def expected_of(fault: Mapping[str, Any]) -> str | None:
    """Return what a value should be, as pydantic's ``fault`` says; None where it says no such thing."""
    kind = str(fault["type"])
    if kind in _BOUNDS:
        return _BOUNDS[kind](fault["ctx"])
    return _KINDS.get(re.sub("_(type|parsing|parsing_size|from_float)$", "", kind))


def field_fault(
    fault: Mapping[str, Any], found: object, where: Sequence[int | str], types: Collection[str] = ()
) -> str:
    """Return in one line what pydantic's ``fault`` is about: the field, what is expected, and what stands there.

    ``found`` is the JSON value in which it lies at ``where``; what pydantic puts in between, such as the kind of an
    object, is left out. Where the ``type`` of an event is wrong, ``types`` are those that there can be.
    """
    path = _path(where, found, is_missing=fault["type"] == "missing")
    named = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    kind = fault["type"]
    if kind == "missing":
        return f"`{named}` is missing" if named else "the body is missing: send a JSON object"
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _tag_fault(fault, named, types)
    before = f"`{named}`: " if named else ""
    expected = expected_of(fault)
    if expected is None:
        text = str(fault["msg"]).removeprefix("Value error, ")
        return f"{before}{text[:1].lower()}{text[1:]}"
    return f"{before}expected {expected}{'' if _HIDDEN.intersection(path) else f'; got {_shown(fault)}'}"


def _path(where: Sequence[int | str], found: object, *, is_missing: bool) -> list[int | str]:
    """Return the fields and places that lead through ``found``; the last one may be what ``is_missing``."""
    path: list[int | str] = []
    for part in where:
        match found, part:
            case list(), int() if part < len(found):
                found = found[part]
            case dict(), str() if part in found:
                found = found[part]
            case dict() | list(), _ if is_missing and part == where[-1]:
                found = None
            case _:
                continue
        path.append(part)
    return path


def _tag_fault(fault: Mapping[str, Any], named: str, types: Collection[str]) -> str:
    """Return what is wrong with the field that says of which kind an object is."""
    tag = str(fault["ctx"]["discriminator"]).strip("'")
    field = f"`{named}.{tag}`" if named else f"`{tag}`"
    known = _TAG.findall(str(fault["ctx"].get("expected_tags", "")))
    if not known:
        return f"{field} is missing, or no text{': ' if types else ''}{_listed(types)}"
    possible = [one for one in known if one in types] or known
    return f"{field}: {_listed(possible)}; got {short(fault['input'].get(tag))}"


def _listed(types: Collection[str]) -> str:
    return f"expected one of {', '.join(types)}" if types else ""


def _shown(fault: Mapping[str, Any]) -> str:
    """Return what stands there: of a list or an object only that it is one, of a text that is too long its length."""
    value = fault["input"]
    if isinstance(value, dict):
        return "a JSON object"
    if isinstance(value, list):
        return _counted(len(value), "item") if fault["type"] in ("too_short", "too_long") else "a list"
    if fault["type"] == "string_too_long":
        return f"{len(value)}"
    return short(value)
