"""What people see of a turn in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from engine.tokens import parse_piece
from service.answer import label_of
from service.console import coloured, output, printable

if TYPE_CHECKING:
    from service.turn_answer import LaidAnswer, TurnAnswer

__all__ = ["show_turn"]


def show_turn(answer: TurnAnswer, overlay: str | None = None) -> None:
    """Print the verdict of ``answer``, the pieces laid, what they make, and where its ``overlay`` lies."""
    console = output()
    console.print(_verdict(answer), soft_wrap=True)
    if answer.laid:
        console.print(_laid(answer))
    for line in _lines(answer):
        console.print(line, soft_wrap=True)
    console.print(Text(answer.text), soft_wrap=True)
    for problem in answer.problems:
        console.print(Text(problem.text, style="yellow"), soft_wrap=True)
    if overlay is not None:
        console.print(f"overlay: {printable(overlay)}", soft_wrap=True)


def _verdict(answer: TurnAnswer) -> Text:
    unit = "token" if answer.game.value == "junior-1" else "point"
    points = f"{answer.points} {unit}{'s' * (answer.points != 1)}"
    if not answer.sure:
        return Text(
            f"unsure; as read, {'legal' if answer.ok else 'illegal'}, {points} ({answer.clause})", "bold yellow"
        )
    if answer.ok:
        return Text(f"legal: {points} ({answer.clause})", style="bold green")
    return Text(f"illegal ({answer.clause})", style="bold red")


def _laid(answer: TurnAnswer) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("laid")
    table.add_column("at")
    table.add_column("points", justify="right")
    for one in answer.laid:
        table.add_row(_face(one, answer), _place(one.at), str(one.points))
    return table


def _face(one: LaidAnswer, answer: TurnAnswer) -> Text:
    face = _named(one.face, answer)
    return face if one.named is None else face.append(" as ").append_text(_named(one.named, answer))


def _named(name: str, answer: TurnAnswer) -> Text:
    kind = "tile" if answer.game.value == "junior-1" else "die"
    return coloured(label_of(parse_piece(name, kind), answer.game), name)


def _place(at: list[int]) -> str:
    return ",".join(map(str, at))


def _places(squares: list[list[int]]) -> str:
    return " ".join(map(_place, squares))


def _lines(answer: TurnAnswer) -> Iterator[Text]:
    for swap in answer.swapped:
        yield Text("swapped for a Wild: ").append_text(_named(swap.face, answer)).append(f" at {_place(swap.at)}")
    for move in answer.moved:
        told = f" from {_place(move.start)} to {_place(move.end)}"
        yield Text("moved: ").append_text(_named(move.face, answer)).append(told)
    for number, line in enumerate(answer.sets, start=1):
        yield Text(f"SET {number} ({_places(line.at)}): {line.points}")
    for bonus in answer.bonus:
        yield Text(f"bonus at {_place(bonus.at)}: {bonus.points}")
    for maybe in answer.open:
        needs = "" if maybe.needs is None else f", if the Wild at {_places(maybe.wild)} is {maybe.needs}"
        yield Text(f"open ({_places(maybe.at)}){needs}", style="yellow")
    if answer.scores:
        yield Text("scores: " + ", ".join(f"{printable(name)} {points}" for name, points in answer.scores.items()))
