"""The image and the compose file, as far as they can be checked without a container engine."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from fnmatch import fnmatch
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml  # type: ignore[import-untyped]
from packaging.requirements import Requirement

from service.cli import app
from service.health import router
from service.settings import Settings
from service.store.address import parsed

ROOT = Path(__file__).parent.parent
IGNORED = (ROOT / ".dockerignore").read_text().splitlines()
BASE_MB = 130
"""The base image, python:3.12-slim-bookworm, unpacked."""
MOST_MB = 700

Instruction = tuple[str, str]


def instructions() -> list[list[Instruction]]:
    """Return (instruction, rest) of the Dockerfile, stage by stage."""
    text = (ROOT / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    stages: list[list[Instruction]] = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        word, rest = line.split(None, 1)
        if word == "FROM":
            stages.append([])
        stages[-1].append((word, rest))
    return stages


BUILD, FINAL = instructions()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICE: dict[str, Any] = COMPOSE["services"]["referee"]
DATABASE: dict[str, Any] = COMPOSE["services"]["database"]


def only(word: str, stage: list[Instruction] = FINAL) -> str:
    """Return the rest of the only instruction of this kind in a stage."""
    (rest,) = (rest for name, rest in stage if name == word)
    return rest


def test_both_stages_have_one_base_and_it_is_named_exactly() -> None:
    first, second = only("FROM", BUILD), only("FROM")
    assert first == f"{second} AS build"
    assert re.fullmatch(r"python:3\.1[1-3]-slim-[a-z]+", second)


def test_the_service_is_nobody_of_importance() -> None:
    user, group = only("USER").split(":")
    assert user == group
    assert int(user) >= 10_000
    account = next(rest for word, rest in FINAL if word == "RUN")
    assert f"--uid {user}" in account
    assert f"--gid {group}" in account


def test_what_is_copied_is_there_and_reaches_the_build() -> None:
    copied = [name for word, rest in BUILD if word == "COPY" for name in rest.split()[:-1]]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.partition(".")[0] for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages <= set(copied)
    assert {project["project"]["readme"], *project["project"]["license-files"], "pyproject.toml"} <= set(copied)
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in IGNORED, name


def test_nothing_else_reaches_the_build() -> None:
    assert IGNORED[1] == "*"
    for name in (".git", ".venv", "tests", "datasets", "Makefile", ".env", "compose.yaml"):
        assert not any(fnmatch(name, line[1:]) for line in IGNORED if line.startswith("!")), name


def test_the_replaced_names_are_those_of_the_lock_and_the_project() -> None:
    run = " ".join(rest for word, rest in BUILD if word == "RUN")
    for before, after, name in re.findall(r"'s/([^/]+)/([^/]+)/' (\S+)", run):
        path = ROOT / (".ci" if name.endswith(".lock") else "") / name
        assert len(re.findall(before, path.read_text(), re.MULTILINE)) == 1, name
        assert "opencv-python-headless" in after


def test_it_starts_the_service_as_the_command_line_has_it() -> None:
    start = json.loads(only("ENTRYPOINT")) + json.loads(only("CMD"))
    assert start[:2] == ["set-referee", "serve"]
    command = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    context = command.make_context("serve", start[2:])
    assert context.params["host"] == "0.0.0.0"  # noqa: S104  what a container listens on
    assert str(context.params["port"]) == only("EXPOSE")


def test_its_health_is_asked_for_where_it_is_told() -> None:
    check = only("HEALTHCHECK").partition("CMD ")[2]
    _, _, code = json.loads(check)
    ast.parse(code)
    (address,) = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", code)
    assert address == (only("EXPOSE"), "/readyz")
    assert address[1] in {getattr(route, "path", None) for route in router.routes}


def test_its_settings_are_settings() -> None:
    known = {variable for variable, _, _ in Settings.documented()}
    image = dict(pair.split("=", 1) for pair in shlex.split(only("ENV")))
    named = {name for name in (*image, *SERVICE["environment"]) if name.startswith("SET_REFEREE_")}
    assert named <= known
    assert parsed(image["SET_REFEREE_DATABASE"]).database == f"{only('VOLUME')}/tables.sqlite3"


def test_compose_and_image_have_the_same_port_and_only_this_machine_sees_it() -> None:
    (port,) = SERVICE["ports"]
    assert port.startswith("127.0.0.1:")
    assert port.endswith(f":{only('EXPOSE')}")
    assert "ports" not in DATABASE


def test_compose_knows_no_password_and_fails_without_one() -> None:
    secret = re.compile(r"\$\{SET_REFEREE_PASSWORD:\?[^}]+\}")
    environment = DATABASE["environment"]
    assert secret.fullmatch(environment["POSTGRES_PASSWORD"])
    address = parsed(secret.sub("w0rd", SERVICE["environment"]["SET_REFEREE_DATABASE"]))
    assert (address.username, address.password, address.host) == (environment["POSTGRES_USER"], "w0rd", "database")
    assert address.database == environment["POSTGRES_DB"]


def test_the_service_waits_for_its_database_and_keeps_what_it_wrote() -> None:
    assert SERVICE["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert f"--username {DATABASE['environment']['POSTGRES_USER']}" in DATABASE["healthcheck"]["test"][1]
    volume, _, path = DATABASE["volumes"][0].partition(":")
    assert volume in COMPOSE["volumes"]
    assert path == "/var/lib/postgresql/data"


def test_the_service_can_do_little_harm() -> None:
    assert SERVICE["read_only"] is True
    assert SERVICE["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in SERVICE["security_opt"]
    wanted = Settings().connections + Settings().max_sockets
    assert SERVICE["ulimits"]["nofile"] > wanted


def needed() -> dict[str, int]:
    """Return the bytes of each installed package that the service needs, with PostgreSQL."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    waiting = [Requirement(text) for text in project["dependencies"] + project["optional-dependencies"]["postgresql"]]
    sizes: dict[str, int] = {}
    while waiting:
        wanted = waiting.pop()
        try:
            found = distribution(wanted.name)
        except PackageNotFoundError:
            pytest.fail(f"{wanted.name} is not installed")
        name = found.metadata["Name"].lower()
        if name in sizes and not wanted.extras:
            continue
        files = [Path(str(file.locate())) for file in found.files or ()]
        sizes[name] = sum(file.stat().st_size for file in files if file.exists())
        more = [Requirement(text) for text in found.requires or ()]
        extras = wanted.extras or {""}
        waiting += [
            one for one in more if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in extras)
        ]
    return sizes


def test_the_image_is_small() -> None:
    sizes = needed()
    assert {"opencv-python", "sqlalchemy", "psycopg-binary", "uvicorn"} <= set(sizes)
    ours = sum(path.stat().st_size for path in (ROOT / "models").rglob("*.onnx"))
    total = BASE_MB + (sum(sizes.values()) + ours) / 1e6
    assert 300 < total < MOST_MB, sizes
