"""A service of its own, in a process of its own, as a person starts it: for tests, benches and fuzzing."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

__all__ = ["Server", "running"]

_START = 60.0
_LISTENS = re.compile(r"listens on (https?://\S+)")
_ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Server:
    """A running service; ``log`` holds its standard error."""

    address: str
    process: subprocess.Popen[str]
    log: Path

    @property
    def sockets(self) -> str:
        """Its address for WebSockets."""
        return self.address.replace("http", "ws", 1)

    def memory(self) -> tuple[int, int]:
        """Return the resident bytes of the main process, and of its children together."""
        main = psutil.Process(self.process.pid)
        children = 0
        for child in main.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                children += child.memory_info().rss
        return main.memory_info().rss, children

    def kill(self) -> None:
        """Kill it as a power cut does: it cannot do anything any more."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Interrupt it as Ctrl-C does, and return its exit status."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


@contextmanager
def running(
    folder: Path, settings: Mapping[str, str] | None = None, port: int = 0, *, https: bool = False
) -> Iterator[Server]:
    """Yield a service whose tables are kept in ``folder``; it is killed at the end, if it still runs.

    ``settings`` are environment variables without their prefix, as in ``{"WORKERS": "1"}``. With ``https`` it makes a
    certificate, in ``folder`` too.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SET_REFEREE_")}
    environment["SET_REFEREE_DATABASE"] = f"sqlite:///{folder / 'tables.sqlite3'}"
    environment["XDG_DATA_HOME"] = str(folder)
    environment |= {f"SET_REFEREE_{name}": value for name, value in (settings or {}).items()}
    descriptor, log = tempfile.mkstemp(".log", "serve-", folder)
    command = [sys.executable, "-c", "from service.cli import main; main()", "serve", "--port", str(port)]
    command += ["--https"] if https else []
    with os.fdopen(descriptor, "w") as written:
        process = subprocess.Popen(  # noqa: S603 - our own program
            command, env=environment, cwd=_ROOT, stdout=subprocess.PIPE, stderr=written, text=True
        )
    try:
        yield Server(_address(process, Path(log)), process, Path(log))
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _address(process: subprocess.Popen[str], log: Path) -> str:
    if process.stdout is None:
        raise RuntimeError("the service has no standard output")
    for line in process.stdout:
        found = _LISTENS.search(line)
        if found is not None:
            return found[1]
    raise RuntimeError(f"the service does not start: {log.read_text(encoding='utf-8')[-2000:]}")
