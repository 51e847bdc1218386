"""Requests made up from the service's own description: none may be answered by a fault, all as it is described.

    python -m tests.bench.bench_schema [--examples 50] [--seed 1]

Starts a service, opens a table with cards on it, and lets schemathesis ask every address with keys of that table: with
examples, with values at and beyond their bounds, and at random. The stream is left out, for it never ends; the table is
taken away last. The exit status is 1 if an answer was 5xx or not as the description says.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx

from tests.server_process import Server, running

__all__ = ["main"]

_ROOT = Path(__file__).resolve().parents[2]
_CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
_FREE = {"CLIENT_RATE": "100000", "TABLE_RATE": "10000", "CLIENT_TABLES": "1000000", "CLIENT_CONNECTIONS": "10000"}
_CARDS = [f"{number} red solid {shape}" for number in (1, 2, 3) for shape in ("oval", "diamond", "squiggle")]
_CARDS += ["1 green open oval", "2 green open oval", "3 green open oval"]


def _table(server: Server) -> tuple[str, str]:
    """Open a table and deal; return its id and the host's key."""
    setup = {"game": "classic", "players": ["Ann", "Ben"], "options": {"hints": "three"}}
    table = httpx.post(f"{server.address}/api/v1/tables", json=setup).raise_for_status().json()
    key = table["keys"]["host"]
    address = f"{server.address}/api/v1/tables/{table['id']}/events"
    deal = {"type": "dealt", "cards": _CARDS}
    httpx.post(address, json=deal, headers={"Authorization": f"Bearer {key}"}).raise_for_status()
    return table["id"], key


def _run(server: Server, folder: Path, examples: int, seed: int, *only: str) -> int:
    """Let schemathesis ask the service; return its exit status."""
    table, key = _table(server)
    config = folder / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.table" = "{table}"\n', encoding="utf-8")
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)),
        *("run", f"{server.address}/openapi.json", "--checks", _CHECKS, "--phases", "examples,coverage,fuzzing"),
        *("--max-examples", str(examples), "--seed", str(seed), "--continue-on-failure", "--warnings", "off"),
        *("--header", f"Authorization:Bearer {key}", "--request-timeout", "60", *only),
    ]
    hooks = {"SCHEMATHESIS_HOOKS": "tests.bench.schema_hooks", "PYTHONPATH": str(_ROOT)}
    return subprocess.run(command, check=False, cwd=folder, env={**os.environ, **hooks}).returncode


def main(arguments: list[str] | None = None) -> int:
    """Ask every address; print what schemathesis finds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--examples", type=int, default=50, help="random requests at each address")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with running(folder, _FREE) as server:
            stays = ("--exclude-path-regex", "/stream$", "--exclude-method", "DELETE")
            wrong = _run(server, folder, asked.examples, asked.seed, *stays)
            wrong |= _run(server, folder, asked.examples, asked.seed, "--include-method", "DELETE")
            alive = httpx.get(f"{server.address}/healthz").status_code == 200
            log = server.log.read_text(encoding="utf-8")
        shutil.copy(server.log, Path(tempfile.gettempdir()) / "schema-serve.log") if "Traceback" in log else None
    faults = log.count("Traceback")
    print(f"{faults} faults in the log; the service still answers: {'yes' if alive else 'NO'}")
    return 1 if wrong or faults or not alive else 0


if __name__ == "__main__":
    sys.exit(main())
