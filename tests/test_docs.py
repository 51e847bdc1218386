"""The pages under docs/ keep their word: their commands run as they stand, their links lead somewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.record import read_record
from service.settings import Settings
from tests.shared_tables import serving

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").glob("*.md"))


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip("# \n").lower()).replace(" ", "-")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = page if not name else page.parent / name
        assert path.exists(), target
        headings = re.findall(r"^#+ .*$", path.read_text(encoding="utf-8"), re.MULTILINE) if anchor else []
        assert not anchor or anchor in map(_anchor, headings), target


def test_every_setting_that_the_pages_name_exists() -> None:
    names = {name for page in PAGES for name in re.findall(r"SET_REFEREE_\w+", page.read_text(encoding="utf-8"))}
    assert names
    assert names - {"SET_REFEREE_PASSWORD"} <= {name for name, _, _ in Settings.documented()}


def test_the_game_by_hand_is_played_as_the_page_says(tmp_path: Path) -> None:
    curl, bash = shutil.which("curl"), shutil.which("bash")
    if curl is None or bash is None:
        pytest.skip("needs curl and bash")
    lines = re.findall(r"^    (curl .*)$", (ROOT / "docs" / "tables.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == 8
    environment = {"PATH": str(Path(curl).parent), "no_proxy": "*"}
    answers = []
    with serving(tmp_path) as client:
        environment["S"] = f"{str(client.base_url).rstrip('/')}/api/v1"
        for line in lines:
            done = subprocess.run(  # noqa: S603 - commands of our own page
                [bash, "-c", line], env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
            )
            answers.append(json.loads(done.stdout or "{}"))
            if "keys" in answers[0]:
                keys = answers[0]["keys"]
                environment |= {"TABLE": answers[0]["id"], "HOST": keys["host"], "ANN": keys["players"]["Ann"]}
    assert [entry["ok"] for answer in answers[1:4] for entry in answer["entries"]] == [True] * 3
    assert answers[4]["players"][0]["score"] == 1
    assert [entry["number"] for entry in answers[5]["entries"]] == [2, 3]
    assert answers[6]["state"]["players"][0]["score"] == 0
    with (tmp_path / "game.jsonl").open("rb") as stream:
        assert len(read_record(stream)[1]) == 4
