"""Options of a table as data: what can be chosen, what holds by default, and which clause it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.clauses import Clause
from engine.hints import HintLevel

__all__ = ["HINTS", "Option", "OptionError", "OptionValue", "Options", "choose", "switch"]

OptionValue = bool | int | str | None
"""A value as JSON has it."""

Options = Mapping[str, OptionValue]
"""A value for every option of an edition."""


class OptionError(ValueError):
    """An option that an edition does not have, or a value out of its range."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something a table can choose."""

    name: str
    """As records and the command line write it."""
    default: OptionValue
    """What holds if nothing is said."""
    clause: Clause
    """The clause it belongs to."""
    text: str
    """What it does, in one line."""
    values: tuple[OptionValue, ...] = ()
    """Every value it takes."""
    counts: bool = False
    """Whether it also takes any whole number from 0."""
    players: Mapping[OptionValue, tuple[int, int]] = field(default_factory=dict)
    """Fewest and most players where a value changes them."""

    def __post_init__(self) -> None:
        if not self.takes(self.default):
            raise OptionError(f"the default of {self.name!r} must be one of its values; got {self.default!r}")

    def takes(self, value: object) -> bool:
        """Return whether ``value`` is in range. ``1`` is not ``True``, and ``True`` is no number."""
        if self.counts and type(value) is int and value >= 0:
            return True
        return any(type(value) is type(known) and value == known for known in self.values)

    @property
    def range(self) -> str:
        """The values in words: "true, false"."""
        words = ["null" if value is None else str(value).lower() for value in self.values]
        return ", ".join([*words, *(["a whole number from 0"] if self.counts else [])])


HINTS = Option(
    "hints",
    HintLevel.NEVER.value,
    Clause.CLASSIC_7,
    "how much the referee may tell who asks",
    tuple(level.value for level in HintLevel),
)
"""The option of every edition."""


def switch(
    name: str,
    clause: Clause,
    text: str,
    *,
    default: bool = False,
    players: Mapping[OptionValue, tuple[int, int]] | None = None,
) -> Option:
    """Return an option that is on or off."""
    return Option(name, default, clause, text, (True, False), players=players or {})


def choose(known: tuple[Option, ...], given: Mapping[str, object], edition: str) -> Options:
    """Return a value for each of the ``known`` options: the one ``given``, or the default.

    :raises OptionError: ``given`` has an option that is not known, or a value out of range; both are named.
    """
    names = {option.name for option in known}
    for name in given:
        if name not in names:
            raise OptionError(f"{name!r} is no option of {edition}: expected one of {', '.join(sorted(names))}")
    chosen: dict[str, OptionValue] = {}
    for option in known:
        value = given.get(option.name, option.default)
        if not option.takes(value):
            raise OptionError(f"option {option.name!r} of {edition} cannot be {_shown(value)}: expected {option.range}")
        assert value is None or isinstance(value, bool | int | str)  # noqa: S101  what takes() has just found
        chosen[option.name] = value
    return chosen


def _shown(value: object) -> str:
    """Return a value as JSON has it, or quoted."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return repr(value)
