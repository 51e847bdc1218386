"""The family of everything that the service refuses: each error has a code and one line of text."""

from __future__ import annotations

import re
from typing import ClassVar

__all__ = [
    "ArgumentError",
    "BadRecordError",
    "BoardFileError",
    "DemoMissingError",
    "FolderError",
    "HintError",
    "InstallationError",
    "LabelsError",
    "MissingLibraryError",
    "ModelsMissingError",
    "NoBoardError",
    "NoFileError",
    "NoWildError",
    "PickError",
    "PieceNameError",
    "PortError",
    "ServiceError",
    "SettingError",
    "TargetError",
    "TurnError",
    "UnreadableFileError",
    "code_of",
    "comes_from",
    "one_line",
]

_PACKAGES = {"libGL": "libgl1", "libglib": "libglib2.0-0", "libgthread": "libglib2.0-0", "libGLX": "libgl1"}


class ServiceError(Exception):
    """Anything that the service refuses; ``code`` is a slug for programs, the text one line for people."""

    code: ClassVar[str] = "error"


class SettingError(ServiceError, ValueError):
    """An environment variable that holds no whole number in range."""

    code = "bad-setting"

    def __init__(self, variable: str, value: str, least: int, most: int) -> None:
        """Quote the ``value`` of ``variable`` and say the range."""
        super().__init__(f"{variable} is {value!r}: expected a whole number from {least} to {most}")


class NoFileError(ServiceError, FileNotFoundError):
    """A path at which nothing lies."""

    code = "missing-file"

    def __init__(self) -> None:
        """Say what to check."""
        super().__init__("no such file; check the path")


class UnreadableFileError(ServiceError, OSError):
    """A path that is a directory, may not be read, or breaks while it is read."""

    code = "unreadable-file"

    def __init__(self, reason: str) -> None:
        """Give the ``reason``."""
        super().__init__(reason)


class FolderError(ServiceError, OSError):
    """A folder that cannot be written to."""

    code = "unwritable"
    _advice: ClassVar[str] = "choose a folder that you may write to"

    def __init__(self, path: str, reason: str) -> None:
        """Quote the ``path`` and give the ``reason``."""
        super().__init__(f"cannot write {path!r}: {reason[:1].lower()}{reason[1:]}; {self._advice}")


class TargetError(FolderError):
    """A file that cannot be written."""

    _advice = "choose another file"


class PickError(ServiceError, ValueError):
    """A ``--pick`` that does not name three different pieces of the photo."""

    code = "bad-pick"


class PieceNameError(ServiceError, ValueError):
    """A name that is no piece of the game, or is given twice."""

    code = "bad-name"


class BadRecordError(ServiceError, ValueError):
    """A game record that cannot be read."""

    code = "bad-record"

    def __init__(self, path: str, fault: str) -> None:
        """Name the file and say the line and its ``fault``."""
        super().__init__(f"{path}: {fault}")


class BoardFileError(ServiceError, ValueError):
    """A board file that cannot be used; the text names the field."""

    code = "bad-board-file"


class ArgumentError(ServiceError, ValueError):
    """An argument of a command that does not say what it should."""

    code = "bad-argument"


class NoBoardError(ServiceError, ValueError):
    """A photo in which no board is found, or not which of its squares is which."""

    code = "no-board"


class NoWildError(ServiceError, ValueError):
    """Photos from which no one Wild face can be learnt."""

    code = "no-wild"


class TurnError(ServiceError, ValueError):
    """Two photos, or a photo and a record, that are no turn."""

    code = "no-turn"


class HintError(ServiceError, ValueError):
    """Something that no hint can be given about."""

    code = "bad-hint"


class LabelsError(ServiceError, ValueError):
    """A file of labels that cannot be used."""

    code = "bad-labels"


class InstallationError(ServiceError):
    """An installation that can read no photo at all."""

    code = "bad-installation"


class ModelsMissingError(InstallationError, FileNotFoundError):
    """An installation without its models, or with damaged ones."""

    code = "missing-models"

    def __init__(self, cause: Exception) -> None:
        """Pass on the ``cause``, which says what to do."""
        super().__init__(one_line(cause))


class DemoMissingError(ServiceError, FileNotFoundError):
    """An installation without the demo picture."""

    code = "missing-demo"

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("the demo picture is not in this installation; install set-referee again")


class PortError(ServiceError, OSError):
    """An address that cannot be listened on."""

    code = "bad-address"

    def __init__(self, host: str, port: int, reason: str) -> None:
        """Quote ``host`` and ``port`` and give the operating system's ``reason``."""
        super().__init__(f"cannot listen on {host!r} port {port}: {reason.lower()}; choose another --host or --port")


class MissingLibraryError(InstallationError, ImportError):
    """A library of the system, or a package, that reading photos needs and that is not installed."""

    code = "missing-library"

    def __init__(self, cause: ImportError) -> None:
        """Name the missing library, and the Debian or Ubuntu package that holds it where it is known."""
        text = one_line(cause)
        library = text.split(":")[0]
        package = next((name for start, name in _PACKAGES.items() if library.startswith(start)), None)
        if package is not None:
            advice = f"on Debian or Ubuntu run: apt-get install {package}"
            if package != "libglib2.0-0":
                advice += " libglib2.0-0"
        else:
            advice = "install set-referee again, with all that it depends on"
        super().__init__(f"cannot load what reads photos ({text}); {advice}")


_TOO_LONG = re.compile(r"Exceeds the limit \(\d+ digits\) for integer string conversion.*")
"""What Python says of a number with thousands of digits."""
_MANY_DIGITS = re.compile(r"\d{60,}")


def one_line(error: BaseException) -> str:
    """Return the text of ``error`` as one line, or its type where it has none; long numbers are cut short."""
    text = _TOO_LONG.sub("a number is too long", " ".join(str(error).split()))
    return _MANY_DIGITS.sub(lambda digits: f"{digits[0][:20]}...", text) or type(error).__name__


def comes_from(error: BaseException, kind: type[BaseException]) -> bool:
    """Return whether ``error``, or an exception that it was raised from or while handling, is a ``kind``."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        if isinstance(current, kind):
            return True
        seen.add(id(current))
        waiting += [current.__cause__, current.__context__]
    return False


def code_of(error: BaseException) -> str:
    """Return the slug of ``error``, "error" where it has none."""
    return str(getattr(error, "code", ServiceError.code))
