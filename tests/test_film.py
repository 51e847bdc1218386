"""Films: the same each time, with a truth that the picture and the referee bear out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from datasets.film import Film, FilmFrame, FilmSettings, produce
from datasets.film_director import Pace
from datasets.film_script import GameError, ScriptSettings, StepKind
from datasets.film_stage import StageSettings
from engine.record import read_event, read_header

CALM = ScriptSettings(picks=2, false_call=0, false_pick=0, nudge=0, reach=0, bump=0, lamp=0, focus=0)
SMALL = StageSettings(size=(320, 180), uneven=0)


def settings(script: ScriptSettings = CALM, fps: float = 6.0) -> FilmSettings:
    """A small film with few frames."""
    return FilmSettings(fps, SMALL, script)


@pytest.fixture(scope="module")
def film() -> Film:
    return produce("classic", 3, settings(ScriptSettings(picks=2, false_pick=1.0, bump=1.0, nudge=1.0)))


@pytest.fixture(scope="module")
def frames(film: Film) -> list[FilmFrame]:
    return list(film.frames())


def test_the_same_seed_makes_the_same_film(film: Film, frames: list[FilmFrame]) -> None:
    again = list(islice(film.frames(), 30))
    assert all(np.array_equal(one.image, other.image) for one, other in zip(frames, again, strict=False))
    other = produce("classic", 4, film.settings)
    assert not np.array_equal(next(other.frames()).image, frames[0].image)


def test_settled_frames_show_what_the_referee_has_on_the_table(film: Film, frames: list[FilmFrame]) -> None:
    header = read_header(json.dumps(film.timeline.script.header))
    referee, read, checked = header.referee(), 0, 0
    for frame in frames:
        for _, event in film.timeline.events[read : frame.truth.events]:
            referee.apply(read_event(json.dumps(event), header))
        read = frame.truth.events
        dealing = any(s.start <= frame.time + 1 and frame.time < s.end + 1 for s in film.timeline.strokes)
        if frame.truth.settled and not dealing:
            names = Counter(piece.name for piece in frame.truth.pieces)
            assert names == Counter(str(card) for card in referee.state.table)
            checked += 1
    assert checked > 10


def upright(image: npt.NDArray[np.uint8], quad: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """The inside of a quad as a small picture."""
    corners = np.array([[-0.5, -0.5], [31.5, -0.5], [31.5, 47.5], [-0.5, 47.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
    return np.asarray(cv2.warpPerspective(image, matrix, (32, 48)), np.float32)


def test_quads_lie_where_the_cards_are_drawn(frames: list[FilmFrame]) -> None:
    still = [frame for frame in frames if frame.truth.settled]
    before, after = next(pair for pair in pairwise(still) if len(pair[0].truth.pieces) - len(pair[1].truth.pieces) == 3)
    left = {piece.key for piece in after.truth.pieces}
    change = np.abs(before.image.astype(int) - after.image.astype(int)).max(axis=2)
    for piece in before.truth.pieces:
        inside = np.zeros((180, 320), np.uint8)
        cv2.fillConvexPoly(inside, np.round(piece.quad).astype(np.int32), 1)
        assert (np.median(change[inside > 0]) > 20) == (piece.key not in left)


def test_a_knock_moves_the_quads_with_the_picture(film: Film, frames: list[FilmFrame]) -> None:
    knock = next(effect for effect in film.timeline.effects if type(effect).__name__ == "Bump")
    before = [f for f in frames if f.time < knock.start and f.truth.settled][-1]
    after = next(f for f in frames if f.time > knock.end and f.truth.settled)
    moved = np.mean([abs(a.quad - b.quad).max() for a, b in zip(before.truth.pieces, after.truth.pieces, strict=True)])
    assert moved > 0.5
    for piece, again in zip(before.truth.pieces, after.truth.pieces, strict=True):
        same = np.abs(upright(before.image, piece.quad) - upright(after.image, again.quad)).mean()
        wrong = np.abs(upright(before.image, piece.quad) - upright(after.image, piece.quad)).mean()
        assert same < max(wrong, 6)


def test_shaking_frames_are_told(frames: list[FilmFrame]) -> None:
    shaking = [frame for frame in frames if frame.truth.shaking]
    assert shaking
    assert not any(frame.truth.settled for frame in shaking)


def test_hands_come_and_cover(film: Film, frames: list[FilmFrame]) -> None:
    assert any(piece.visible < 0.7 for frame in frames for piece in frame.truth.pieces)
    still = [frame for frame in frames if not frame.truth.hands]
    comings = sum(not one.truth.hands and other.truth.hands for one, other in pairwise(frames))
    assert 0.5 * len(film.timeline.strokes) <= comings <= len(film.timeline.strokes)
    assert all(piece.visible == 1 for frame in still for piece in frame.truth.pieces)
    assert 0.1 < len(still) / len(frames) < 0.9


def test_the_table_is_settled_between_two_plays(film: Film) -> None:
    least = Pace().settled - 1e-6
    steps = [step for step in film.timeline.script.steps if step.kind is StepKind.CALL]
    for (call, player), step in zip(film.timeline.calls, steps, strict=True):
        assert player == step.player
        before = max(stroke.end for stroke in film.timeline.strokes if stroke.end <= call)
        assert call - before >= least


def test_events_stand_in_the_order_of_their_times(film: Film) -> None:
    times = [time for time, _ in film.timeline.events]
    assert times == sorted(times)
    assert times[-1] < film.timeline.length
    called = [(time, event["player"]) for time, event in film.timeline.events if event["type"] == "called"]
    assert called == list(film.timeline.calls)


@pytest.mark.parametrize("game", ["junior-2", "cubed"])
def test_dice_and_tiles_are_filmed(game: str) -> None:
    film = produce(game, 2, settings(fps=1.0))
    last = list(film.frames())[-1]
    assert last.image.shape == (180, 320, 3)
    assert len(last.truth.pieces) == (10 if game == "junior-2" else len(film.timeline.script.places))
    areas = [cv2.contourArea(piece.quad.astype(np.float32)) for piece in last.truth.pieces]
    assert min(areas) > 20


def test_a_false_call_waits_for_its_end() -> None:
    film = produce("classic", 1, settings(ScriptSettings(picks=1, false_call=1.0, bump=0, nudge=0, lamp=0)))
    told = {str(event["type"]): time for time, event in film.timeline.events}
    first = film.timeline.calls[0][0]
    assert told["gave_up"] - first == pytest.approx(Pace().call_limit)


def test_another_hand_starts_and_draws_back() -> None:
    film = produce("classic", 5, FilmSettings(6.0, SMALL, CALM, Pace(rival=1.0)))
    strokes = film.timeline.strokes
    pairs = [(one, two) for one in strokes for two in strokes if one.start < two.start < one.end]
    assert pairs
    assert all(one.player != two.player and two.end <= one.end for one, two in pairs)
    frame = next(frame for frame in film.frames() if frame.time >= pairs[0][1].keys[1].time)
    assert frame.truth.hands


def test_a_lamp_out_darkens_the_frames() -> None:
    film = produce("classic", 6, settings(replace(CALM, picks=1, lamp=1.0)))
    light = {dark: [f.image.mean() for f in film.frames() if f.truth.dark is dark] for dark in (True, False)}
    assert max(light[True]) < 0.95 * min(light[False])


def test_other_games_are_refused() -> None:
    with pytest.raises(GameError, match="'setup'"):
        produce("setup", 1)
