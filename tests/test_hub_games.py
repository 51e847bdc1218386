"""Whole games seen by a camera of the hub, killed in the middle and started again: the record is as it was played."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from datasets.film_script import ScriptSettings
from engine.events import Event, NoSet, Passed, TurnEnded
from engine.record import read_record, write_event
from service.board_file import parse_board
from service.game import Game
from service.hub import TableSetup
from service.hub.setup import board_of
from service.live.table import LiveTable
from tests.fake_moments import Scripted, scripted
from tests.fake_vision import FakeVision, picture
from tests.hub_play import Lab, Table, opened
from tests.live import lines_of, plain
from tests.test_live_cubed import plays_of
from vision.tracks import Moment

SHORT = ScriptSettings(picks=6)
LAG = 1.0
"""Seconds after which people say what nobody can see."""


@dataclass
class Film:
    """The moments of a scripted game, and what people say meanwhile."""

    script: Scripted
    spoken: tuple[type[Event], ...] = ()
    calls: bool = True

    def __post_init__(self) -> None:
        self.moments = list(self.script.moments())
        self._calls = list(self.script.timeline.calls) if self.calls else []
        self._said = [
            (time, plain(write_event(event, self.script.header)))
            for (time, _), event in zip(self.script.timeline.events, self.script.events, strict=True)
            if isinstance(event, self.spoken)
        ]

    def shown(self, number: int, time: float) -> Moment:
        """What a picture shows, in the time of the table."""
        found = self.moments[number]
        return replace(found, time=time, changed=found.changed + time - found.time)

    async def play(self, lab: Lab, table: Table, first: int, last: int) -> None:
        """Show the pictures of these numbers, and say what is said meanwhile."""
        camera = table.session.camera(table.camera)
        clock = table.session.clock(table.host)
        for number in range(first, last):
            lab.seconds += 0.1
            now = self.moments[number].time
            while self._calls and self._calls[0][0] <= now:
                clock.pong(clock.ping().number, now)
                at, player = self._calls.pop(0)
                await table.session.call(table.host, player=player, at=at)
            while self._said and self._said[0][0] <= now - LAG * (not self.calls):
                await table.session.put(table.host, self._said.pop(0)[1])
            camera.frame(picture(number))
            await lab.rest()
            await lab.hub.tick()
        camera.close()


def refereed(tmp_path: Path, film: Film) -> tuple[list[str], dict[str, int]]:
    """Return the record of the hub and its scores after a film, with a restart in the middle of it."""
    header = film.script.header
    board: Any = board_of(header)

    async def scenario() -> tuple[list[str], dict[str, int]]:
        async with opened(tmp_path, vision=FakeVision(film.shown, ms=10.0)) as lab:
            setup = TableSetup(
                Game(header.edition.key),
                header.players,
                header.options,
                None if board is None else parse_board(json.dumps(board)),
                call_limit=5.0,
            )
            table = await Table.of(lab, await lab.hub.create(setup))
            if not film.calls:
                await table.session.call(table.host, player=header.players[0])
            half = len(film.moments) // 2
            await film.play(lab, table, 0, half)
            lab.restart()
            table = await lab.rejoin(table)
            await film.play(lab, table, half, len(film.moments))
            state = await table.session.state(table.host)
            record = (await table.session.record(table.host)).splitlines()
            return record, {one.name: one.score for one in state.players}

    return asyncio.run(scenario())


@pytest.mark.parametrize(("game", "seed"), [("classic", 1), ("ravensburger", 0), ("junior-2", 2)])
def test_a_game_of_calls_is_recorded_as_it_was_played(game: str, seed: int, tmp_path: Path) -> None:
    script = scripted(game, seed, SHORT)
    record, scores = refereed(tmp_path, Film(script, (NoSet,)))
    assert [plain(line) for line in record[1:]] == lines_of(script.events, LiveTable(script.header))
    assert scores == script.referee.state.score


def test_a_game_of_cubed_is_recorded_as_it_was_played(tmp_path: Path) -> None:
    script = scripted("cubed", 1, SHORT)
    record, scores = refereed(tmp_path, Film(script, (Passed, TurnEnded), calls=False))
    _, events = read_record(BytesIO("\n".join(record).encode()))
    assert plays_of(events) == plays_of(script.events)
    assert scores == script.referee.state.score
