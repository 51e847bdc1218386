"""The README keeps its word: its Python session runs, its commands exist, its pictures are there."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.editions import EDITIONS
from engine.fields import EVERY_GAME, GAME_FORMS
from engine.options import HINTS
from tests.running import Runner

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("session", re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))
def test_each_python_session_prints_what_the_readme_says(monkeypatch: pytest.MonkeyPatch, session: str) -> None:
    """Every ``>>>`` of the README, each session on its own, run from the root of the checkout."""
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert len(test.examples) >= 8
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


def test_every_make_target_of_the_readme_exists() -> None:
    """A word after ``make`` at the start of a command is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    lines = re.findall(r"^    make ([a-z -]+)", TEXT, re.MULTILINE)
    named = {word for line in lines for word in line.split()}
    assert named
    assert named <= targets


def test_every_command_of_the_readme_exists() -> None:
    """Each ``set-referee NAME`` of the README is a command."""
    from typer.main import get_command

    from service.cli import app

    commands = set(getattr(get_command(app), "commands", {}))
    named = set(re.findall(r"set-referee ([a-z-]+) ", TEXT)) | set(re.findall(r"`set-referee ([a-z-]+)`", TEXT))
    assert {"photo", "judge", "evaluate", "demo", "serve", "replay", "hint", "turn", "board", "learn-wild"} <= named
    assert named <= commands


def _consoles() -> list[tuple[str, str]]:
    """Command and what it prints, of all console sessions."""
    sessions = "".join(re.findall(r"^```console\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE))
    return re.findall(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", sessions, re.MULTILINE)


def _printed(text: str, command: str) -> list[str]:
    """The words of ``text``; of ``photo`` in any order and without ids and confidences, which depend on the machine."""
    if command != "photo":
        return text.split()
    return sorted(re.sub(r"^ *\d+  |\(\d+(, \d+)*\)|\d+%", "", text, flags=re.MULTILINE).split())


def test_the_consoles_print_what_the_readme_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One command after the other, with the shipped networks, in a folder that has the example pictures."""
    from service.cli import app

    (tmp_path / "service").symlink_to(ROOT / "service")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    consoles = _consoles()
    assert {"turn", "photo", "board", "learn-wild"} <= {shlex.split(line)[1] for line, _ in consoles}
    for line, said in consoles:
        whole, _, last = line.replace("\\\n", " ").partition(" | tail -")
        words = shlex.split(whole)
        assert words[0] == ".venv/bin/set-referee"
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code == 0, result.output
        printed = "".join(result.stdout.splitlines(keepends=True)[-int(last or 0) :])
        assert _printed(printed, words[1]) == _printed(said, words[1])


def test_the_sessions_with_pieces_can_fail() -> None:
    table = "id  piece  at\n 0  one red oval  2,1,0  99%\n  SET 1 (0, 1, 2): one red oval"
    assert _printed(table, "photo") == _printed(table.replace(" 0  one", "12  one").replace("99%", "98%"), "photo")
    assert _printed(table, "photo") != _printed(table.replace("2,1,0", "2,1,1"), "photo")
    assert _printed(table, "photo") != _printed(table.replace("red", "green"), "photo")


VERDICTS = re.findall(r"^\| `([a-z0-9-]+)` \| ([A-Z]+-\d+) \| (.+) \|$", TEXT, re.MULTILINE)


def test_every_game_has_a_verdict_in_the_readme() -> None:
    assert {name.split("-forever")[0] for name, _, _ in VERDICTS} == set(EDITIONS)


@pytest.mark.parametrize(("name", "clause", "said"), VERDICTS)
def test_the_verdicts_are_those_of_the_recorded_games(run: Runner, name: str, clause: str, said: str) -> None:
    done = run("replay", ROOT / f"tests/golden/{name}.record.jsonl", "--json")
    assert (clause, said) in [(line["clause"], line["text"]) for line in done.lines[:-1]]


def test_the_readme_documents_every_event() -> None:
    found = re.findall(r"^\| `([a-z_]+)` \| ([a-z`, ]*) \| ([a-z0-9, -]+) \| .+ \|$", TEXT, re.MULTILINE)
    rows = {(event, fields, game) for event, fields, games in found for game in games.split(", ")}
    forms = {**GAME_FORMS, "all": EVERY_GAME}
    wanted = {
        (form.key, ", ".join(f"`{field.key}`" for field in form.fields), game)
        for game, known in forms.items()
        for form in known
    }
    assert wanted == rows


def test_the_readme_documents_every_option() -> None:
    for key, entry in EDITIONS.items():
        for option in entry.options:
            default = "null" if option.default is None else str(option.default).lower()
            values = f"{option.range} ({default})"
            owner = "all" if option is HINTS else key
            assert f"| {owner} | `{option.name}` | {values} | {option.clause.value} | {option.text} |" in TEXT


def test_every_linked_file_exists() -> None:
    """Pictures and pages that the README links lie in the checkout."""
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    missing = [link for link in links if not link.startswith("http") and not (ROOT / link).exists()]
    assert not missing


def test_the_picture_is_what_the_demo_draws_today(tmp_path: Path) -> None:
    """The README's picture comes from ``set-referee demo``; JPEG and rounding may differ by a little."""
    import cv2
    import numpy as np

    from service.commands import read_demo
    from service.settings import Settings

    assert read_demo(str(tmp_path), Settings()) == 0
    drawn, shown = (
        cv2.imread(str(path)) for path in (tmp_path / "demo.sets.jpg", ROOT / "service/static/demo.sets.jpg")
    )
    assert drawn is not None
    assert shown is not None
    assert drawn.shape == shown.shape
    assert (np.abs(drawn.astype(int) - shown).max(axis=2) > 60).mean() < 0.002
