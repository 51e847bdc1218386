"""Turns a script into a timeline: who reaches where and when, what lies there meanwhile, what is called and recorded.

People need their time: a call, a hand about 0.6 s later, three pieces gone within two seconds more, a look at what is
left, a refill. Between two plays the table is always settled for at least :attr:`Pace.settled` seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from datasets.film_camera import Bump, Effect, Focus, LampOut
from datasets.film_motion import Carry, Key, Rest, Stroke, nearest_turn, relative
from datasets.film_script import Place, Script, Step, StepKind
from datasets.film_stage import Stage
from datasets.layouts import Pose

__all__ = ["Pace", "Timeline", "direct"]

Random = np.random.Generator
Range = tuple[float, float]


@dataclass(frozen=True)
class Pace:
    """How long people take, in seconds; pairs are ranges.

    ``settled`` is the least time for which a table lies still between plays and ``pause`` what people wait;
    ``stroke_gap`` is between two reaches of one deal, ``call_limit`` from a false call until it is given up.
    ``speed`` is that of a hand in millimetres a second; ``jitter`` and ``turn`` say how far from its place a piece is
    put, as a share of its shorter side and in radians, ``nudge`` how far it is pushed. ``rival`` is how often another
    hand starts for the table at a call, and draws back.
    """

    settled: float = 0.8
    pause: Range = (0.8, 2.4)
    start: Range = (0.8, 1.4)
    after: float = 1.5
    reaction: Range = (0.35, 0.75)
    refill: Range = (0.9, 2.0)
    stroke_gap: Range = (0.0, 0.12)
    agree: Range = (0.3, 0.9)
    call_limit: float = 5.0
    dwell: Range = (0.1, 0.24)
    hold: Range = (0.8, 1.6)
    speed: Range = (520.0, 1100.0)
    least: float = 0.28
    most: float = 0.85
    stroke: int = 4
    jitter: float = 0.02
    turn: float = 0.025
    nudge: float = 0.06
    rival: float = 0.12


@dataclass(frozen=True, eq=False)
class Timeline:
    """A whole film before it is drawn.

    ``events`` are the lines of the record and ``calls`` the calls (player), each with its time in seconds; ``effects``
    is what happens to camera and light.
    """

    script: Script
    rests: tuple[Rest, ...]
    carries: tuple[Carry, ...]
    strokes: tuple[Stroke, ...]
    effects: tuple[Effect, ...]
    events: tuple[tuple[float, Mapping[str, object]], ...]
    calls: tuple[tuple[float, str], ...]
    length: float

    def lying(self, time: float) -> tuple[Rest, ...]:
        """What lies still at ``time``, in the order in which it was laid."""
        return tuple(rest for rest in self.rests if rest.start <= time < rest.end)


@dataclass
class _Lying:
    """A piece on the table whose rest has begun."""

    key: str
    name: str
    pose: Pose
    since: float


@dataclass
class _Director:
    """The cursor of a film that is being written."""

    rng: Random
    script: Script
    stage: Stage
    pace: Pace
    time: float = 0.0
    table: dict[Place, _Lying] = field(default_factory=dict)
    rests: list[Rest] = field(default_factory=list)
    carries: list[Carry] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    events: list[tuple[float, Mapping[str, object]]] = field(default_factory=list)
    calls: list[tuple[float, str]] = field(default_factory=list)
    laid: int = 0
    turned: float = 0.0

    def between(self, low_high: Range) -> float:
        """A number in a range."""
        return float(self.rng.uniform(*low_high))

    def anyone(self) -> str:
        """Some player."""
        return self.script.players[int(self.rng.integers(0, len(self.script.players)))]

    def note(self, step: Step, time: float) -> None:
        """Put the events of ``step`` into the record."""
        self.events += [(time, event) for event in step.events]

    # ---------------------------------------------------------------- where hands come from

    def shoulder(self, player: str) -> tuple[float, float]:
        """Where the arm of ``player`` comes from: each has a side of the table."""
        names = self.script.players
        seat = names.index(player)
        angle = self.turned + 2 * np.pi * seat / len(names) + self.rng.normal(0, 0.08)
        middle, reach = _middle(self.stage), _reach(self.stage)
        x, y = middle + (reach * 0.75 + 260) * np.array([np.cos(angle), np.sin(angle)])
        return float(x), float(y)

    def outside(
        self, shoulder: tuple[float, float], target: tuple[float, float], empty: bool = False
    ) -> tuple[float, float]:
        """Where the tips are out of the picture, and what they carry unless ``empty``, on the way to the shoulder."""
        start, end = np.array(target), np.array(shoulder)
        way = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
        size, pad = np.array(self.stage.settings.size), self.stage.settings.pad
        beyond = 25.0 if empty else float(np.hypot(*self.stage.size_mm)) + 30
        for step in range(200):
            place = start + way * step * 20
            pixel = self.stage.view.project([[*place, 0.0]])[0] - pad
            if (pixel < 0).any() or (pixel > size).any():
                break
        x, y = place + way * beyond
        return float(x), float(y)

    def grip(self, pose: Pose, shoulder: tuple[float, float]) -> tuple[float, float]:
        """Where the tips take hold of a piece: on the side of the hand's owner."""
        way = np.array(shoulder) - [pose.x, pose.y]
        x, y = np.array([pose.x, pose.y]) + way / np.hypot(*way) * 0.3 * min(self.stage.size_mm)
        return float(x), float(y)

    def travel(self, first: Sequence[float], last: Sequence[float]) -> float:
        """How long a hand takes from one place to another."""
        far = float(np.hypot(last[0] - first[0], last[1] - first[1]))
        return float(np.clip(far / self.between(self.pace.speed), self.pace.least, self.pace.most))

    def stroke(
        self,
        player: str,
        shoulder: tuple[float, float],
        stops: Sequence[tuple[float, float, float]],
        brings: bool = False,
        takes: bool = False,
    ) -> Stroke:
        """A reach along ``stops`` (x, y, seconds there), from outside and back; it is added to the film.

        What it ``brings`` or ``takes`` has to be out of the picture at its start or its end.
        """
        out = self.outside(shoulder, stops[0][:2], not brings)
        keys = [Key(self.time, *out, 30.0)]
        for x, y, stay in stops:
            when = keys[-1].time + self.travel((keys[-1].x, keys[-1].y), (x, y))
            keys += [Key(when, x, y, 3.0, float(self.rng.normal(0, 14))), Key(when + stay, x, y, 3.0)]
        back = self.outside(shoulder, stops[-1][:2], not takes)
        when = keys[-1].time + self.travel((keys[-1].x, keys[-1].y), back)
        keys.append(Key(when, *back, 45.0, float(self.rng.normal(0, 14))))
        made = Stroke(player, shoulder, tuple(keys))
        self.strokes.append(made)
        self.time = made.end
        return made

    # ---------------------------------------------------------------- pieces

    def lift(self, place: Place, stroke: Stroke, time: float, until: float, end: Pose | None = None) -> _Lying:
        """Let the hand of ``stroke`` carry off what lies on ``place``, until it is put to the pose ``end`` or gone."""
        piece = self.table.pop(place)
        self.rests.append(Rest(piece.key, piece.name, piece.pose, piece.since, time))
        first = relative(stroke.at(time).pose, piece.pose)
        last = first if end is None else nearest_turn(first, relative(stroke.at(until).pose, end))
        self.carries.append(Carry(piece.key, piece.name, stroke, first, last, time, until))
        return piece

    def put(self, place: Place, key: str, name: str, pose: Pose, time: float) -> None:
        """Let a piece lie on ``place`` from ``time`` on."""
        self.table[place] = _Lying(key, name, pose, time)

    def jittered(self, pose: Pose, much: float = 1.0) -> Pose:
        """A pose about ``pose``, as hands put things down."""
        slip = self.pace.jitter * min(self.stage.size_mm) * much
        x, y = np.clip(self.rng.normal(0, slip, 2), -2 * slip, 2 * slip)
        turn = float(np.clip(self.rng.normal(0, self.pace.turn), -2 * self.pace.turn, 2 * self.pace.turn)) * much
        return Pose(pose.x + float(x), pose.y + float(y), pose.angle + turn)

    def lay(self, step: Step) -> None:
        """Lay pieces, a few at each reach."""
        groups = list(zip(step.pieces, step.places, strict=True))
        for first in range(0, len(groups), self.pace.stroke):
            if first:
                self.time += self.between(self.pace.stroke_gap)
            self.lay_some(step.player, groups[first : first + self.pace.stroke])
        self.note(step, self.time)
        self.time += self.between(self.pace.pause)

    def lay_some(self, player: str, pieces: Sequence[tuple[str, Place]]) -> None:
        """Lay some pieces in one reach."""
        shoulder = self.shoulder(player)
        poses = [self.jittered(self.stage.slots[place]) for _, place in pieces]
        stops = [(*self.grip(pose, shoulder), self.between(self.pace.dwell)) for pose in poses]
        made = self.stroke(player, shoulder, stops, brings=True)
        for index, ((name, place), pose) in enumerate(zip(pieces, poses, strict=True)):
            key, down = f"{self.laid}", made.keys[1 + 2 * index].time + 0.03
            self.laid += 1
            held = relative(made.at(down).pose, pose)
            self.carries.append(Carry(key, name, made, held, held, made.start, down))
            self.put(place, key, name, pose, down)

    def take(self, step: Step) -> None:
        """Carry off what lies on the places of ``step``."""
        shoulder = self.shoulder(step.player)
        self.time += self.between(self.pace.reaction)
        stops = [(*self.grip(self.table[place].pose, shoulder), self.between(self.pace.dwell)) for place in step.places]
        made = self.stroke(step.player, shoulder, stops, takes=True)
        for index, place in enumerate(step.places):
            self.lift(place, made, made.keys[2 + 2 * index].time - 0.03, made.end)
        self.rival(step.player, made)
        self.note(step, made.end)
        self.time = made.end + self.between(self.pace.refill)

    def rival(self, player: str, stroke: Stroke) -> None:
        """Now and then let another hand start for the table and draw back before ``stroke`` of ``player`` is over."""
        others = [name for name in self.script.players if name != player]
        if not others or self.rng.random() >= self.pace.rival:
            return
        other = others[int(self.rng.integers(0, len(others)))]
        shoulder = self.shoulder(other)
        middle = _middle(self.stage)
        edge = np.array(self.outside(shoulder, (float(middle[0]), float(middle[1])), empty=True))
        x, y = edge + (middle - edge) * self.rng.uniform(0.2, 0.5)
        self.time = stroke.start + self.between((0.0, 0.2))
        made = self.stroke(other, shoulder, [(float(x), float(y), 0.05)])
        if made.end > stroke.end:
            self.strokes.remove(made)

    def move(self, step: Step) -> None:
        """Carry pieces from place to place, one after another, in one reach."""
        shoulder, pairs = self.shoulder(step.player), list(zip(step.places[::2], step.places[1::2], strict=True))
        ends = [self.jittered(self.stage.slots[end]) for _, end in pairs]
        poses = [pose for (start, _), end in zip(pairs, ends, strict=True) for pose in (self.table[start].pose, end)]
        stops = [(*self.grip(pose, shoulder), self.between(self.pace.dwell)) for pose in poses]
        made = self.stroke(step.player, shoulder, stops)
        for index, ((start, place), end) in enumerate(zip(pairs, ends, strict=True)):
            lifted, put = made.keys[2 + 4 * index].time - 0.03, made.keys[3 + 4 * index].time + 0.03
            piece = self.lift(start, made, lifted, put, end)
            self.put(place, piece.key, piece.name, end, put)
        self.time += self.between(self.pace.pause)

    def show(self, step: Step) -> None:
        """Lift three pieces, let all see that they are no SET, and put each back."""
        shoulder = self.shoulder(step.player)
        self.time += self.between(self.pace.reaction)
        poses = [self.table[place].pose for place in step.places]
        ends = [self.jittered(pose, 1.6) for pose in poses]
        middle = np.mean([(pose.x, pose.y) for pose in poses], axis=0)
        aside = middle + (np.array(shoulder) - middle) * 0.35
        up = [(*self.grip(pose, shoulder), self.between(self.pace.dwell)) for pose in poses]
        down = [(*self.grip(pose, shoulder), self.between(self.pace.dwell)) for pose in ends]
        held = (float(aside[0]), float(aside[1]), self.between(self.pace.hold))
        made = self.stroke(step.player, shoulder, [*up, held, *down])
        back = 2 * len(poses) + 3
        for index, (place, end) in enumerate(zip(step.places, ends, strict=True)):
            lifted, put = made.keys[2 + 2 * index].time - 0.03, made.keys[back + 2 * index].time + 0.03
            piece = self.lift(place, made, lifted, put, end)
            self.put(place, piece.key, piece.name, end, put)
        self.note(step, made.keys[back - 1].time)
        self.time += self.between(self.pace.pause)

    def exchange(self, step: Step) -> None:
        """Take what lies on a place and lay another piece there."""
        shoulder, (place,) = self.shoulder(step.player), step.places
        stop = (*self.grip(self.table[place].pose, shoulder), self.between(self.pace.dwell))
        made = self.stroke(step.player, shoulder, [stop], takes=True)
        self.lift(place, made, made.keys[2].time - 0.03, made.end)
        self.time += self.between(self.pace.stroke_gap)
        self.lay(step)

    def nudge(self, step: Step) -> None:
        """Push a piece a little, as a sleeve does."""
        shoulder, (place,) = self.shoulder(step.player), step.places
        pose = self.table[place].pose
        push = self.pace.nudge * min(self.stage.size_mm)
        x, y = np.clip(self.rng.normal(0, push, 2), -1.2 * push, 1.2 * push)
        end = Pose(pose.x + float(x), pose.y + float(y), pose.angle + float(self.rng.normal(0, self.pace.turn)))
        stops = [(*self.grip(pose, shoulder), 0.08), (*self.grip(end, shoulder), 0.08)]
        made = self.stroke(step.player, shoulder, stops)
        piece = self.lift(place, made, made.keys[2].time, made.keys[3].time, end)
        self.put(place, piece.key, piece.name, end, made.keys[3].time)
        self.time += self.between(self.pace.pause)

    def reach(self, step: Step) -> None:
        """Point at something and draw back."""
        shoulder = self.shoulder(step.player)
        pose = self.stage.slots[step.places[0]]
        self.stroke(step.player, shoulder, [(*self.grip(pose, shoulder), self.between(self.pace.hold) / 2)])
        self.time += self.between(self.pace.pause)

    # ---------------------------------------------------------------- all else

    def call(self, step: Step) -> None:
        """A player calls."""
        self.calls.append((self.time, step.player))
        self.note(step, self.time)

    def give_up(self, step: Step) -> None:
        """Nothing follows a call, until its time is up."""
        self.note(step, self.time + self.pace.call_limit)
        self.time += self.pace.call_limit + self.between(self.pace.pause)

    def say(self, step: Step) -> None:
        """Somebody says something, or rolls beside the board."""
        self.time += self.between(self.pace.agree)
        self.note(step, self.time)

    def bump(self, step: Step) -> None:
        """Somebody knocks against the camera."""
        self.effect(Bump.random(self.rng, self.time, self.stage.settings.size))

    def lamp(self, step: Step) -> None:
        """Somebody switches the lamp off and on again."""
        self.effect(LampOut.random(self.rng, self.time))

    def focus(self, step: Step) -> None:
        """The camera looks for its focus."""
        self.effect(Focus.random(self.rng, self.time))

    def effect(self, effect: Effect) -> None:
        """Add ``effect`` and wait until it is over and the table has settled."""
        self.effects.append(effect)
        self.time = effect.end + self.between(self.pace.pause)

    def direct(self) -> Timeline:
        """Go through the script."""
        self.turned = float(self.rng.uniform(0, 2 * np.pi))
        self.time = self.between(self.pace.start)
        acts: dict[StepKind, Callable[[Step], None]] = {
            StepKind.LAY: self.lay,
            StepKind.TAKE: self.take,
            StepKind.SHOW: self.show,
            StepKind.EXCHANGE: self.exchange,
            StepKind.MOVE: self.move,
            StepKind.CALL: self.call,
            StepKind.GIVE_UP: self.give_up,
            StepKind.SAY: self.say,
            StepKind.NUDGE: self.nudge,
            StepKind.REACH: self.reach,
            StepKind.BUMP: self.bump,
            StepKind.LAMP: self.lamp,
            StepKind.FOCUS: self.focus,
        }
        for step in self.script.steps:
            acts[step.kind](step if step.player else replace(step, player=self.anyone()))
        length = self.time + self.pace.after
        rests = [*self.rests, *(Rest(p.key, p.name, p.pose, p.since, np.inf) for p in self.table.values())]
        rests.sort(key=lambda rest: (rest.start, int(rest.key)))
        return Timeline(
            self.script,
            tuple(rests),
            tuple(self.carries),
            tuple(self.strokes),
            tuple(self.effects),
            tuple(self.events),
            tuple(self.calls),
            length,
        )


def _middle(stage: Stage) -> npt.NDArray[np.float64]:
    return np.asarray(np.mean([(pose.x, pose.y) for pose in stage.slots.values()], axis=0))


def _reach(stage: Stage) -> float:
    """How far the picture goes from the middle of the places, in millimetres."""
    (width, height), inverse = stage.view.size, np.linalg.inv(stage.view.plane())
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]) @ inverse.T
    return float(np.hypot(*(corners[:, :2] / corners[:, 2:] - _middle(stage)).T).max())


def direct(rng: Random, script: Script, stage: Stage, pace: Pace | None = None) -> Timeline:
    """Return the timeline of ``script`` on ``stage``."""
    return _Director(rng, script, stage, Pace() if pace is None else pace).direct()
