"""How work ends, as data that goes from one process to another.

Our exceptions are made from what is wrong and not from their texts, so they do not survive being pickled; they are told
by their classes and texts, each with the one that it was raised from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from traceback import format_exc
from typing import Generic, TypeVar

from service.errors import ServiceError
from service.workers.errors import FaultError
from vision.types import VisionError

__all__ = ["Done", "Fault", "Outcome", "Refusal", "outcome_of", "value_of"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """It came to a ``value``."""

    value: T


@dataclass(frozen=True, slots=True)
class Refusal:
    """It was refused; ``because`` is the refusal that this one tells of."""

    kind: type[ServiceError | VisionError]
    text: str
    because: Refusal | None = None

    @classmethod
    def of(cls, error: ServiceError | VisionError) -> Refusal:
        """Return ``error`` as data."""
        cause = error.__context__
        return cls(type(error), str(error), cls.of(cause) if isinstance(cause, ServiceError | VisionError) else None)

    def error(self) -> ServiceError | VisionError:
        """Return the exception again, without what only its constructor knows."""
        error = self.kind.__new__(self.kind, self.text)
        error.args = (self.text,)
        error.__context__ = None if self.because is None else self.because.error()
        return error


@dataclass(frozen=True, slots=True)
class Fault:
    """It failed by a fault of ours, with this traceback."""

    text: str


Outcome = Done[T] | Refusal | Fault


def outcome_of(work: Callable[[], T]) -> Outcome[T]:
    """Return how ``work`` ends; it raises nothing."""
    try:
        return Done(work())
    except (ServiceError, VisionError) as error:
        return Refusal.of(error)
    except Exception:
        return Fault(format_exc())


def value_of(outcome: Outcome[T]) -> T:
    """Return what an outcome came to.

    :raises ServiceError: or VisionError, it is a refusal.
    :raises FaultError: it is a fault.
    """
    if isinstance(outcome, Done):
        return outcome.value
    if isinstance(outcome, Refusal):
        raise outcome.error()
    raise FaultError(outcome.text)
