"""What people see in a terminal: tables and SETs on standard output, progress and complaints on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.streams import legible, send_utf8

if TYPE_CHECKING:
    from rich.progress import Progress

    from service.answer import PhotoAnswer, PieceAnswer

__all__ = [
    "Bar",
    "coloured",
    "complain",
    "output",
    "printable",
    "progress",
    "show_answer",
    "show_judgement",
    "show_table",
    "write_json",
    "write_line",
]

_WIDEST = 1000
_INK = {"red": "red", "green": "green", "purple": "magenta"}


class _Output(Console):
    """A console that lets a broken pipe through to the caller instead of leaving with status 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def output() -> Console:
    """Return the console on standard output."""
    return _Output(highlight=False, markup=False, soft_wrap=False)


def complain(text: str) -> None:
    """Print ``text`` as the one line on standard error that a failure gets."""
    _remark(f"set-referee: {text}\n")


def _remark(text: str) -> None:
    """Print ``text`` on standard error; where that cannot be written, the exit status alone has to tell."""
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def printable(path: str) -> str:
    """Return ``path`` as it is, legible, or quoted where it would break the line."""
    name = legible(path)
    return name if name.isprintable() and name.strip() else ascii(name)


def write_line(text: str) -> None:
    """Print ``text`` as a line on standard output at once, as it is."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def write_json(text: str) -> None:
    """Print ``text``, which is JSON, as a line of UTF-8 on standard output at once."""
    send_utf8()
    write_line(text)


class Bar:
    """Counts steps: as a bar on a terminal, silently elsewhere."""

    def __init__(self, bar: Progress | None = None, what: str = "", count: int = 0) -> None:
        """Count up to ``count`` steps of ``what`` on ``bar``."""
        self._bar = bar
        self._task = None if bar is None else bar.add_task(what, total=count)

    def step(self) -> None:
        """Count one step."""
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Clear the bar off the terminal while something else is printed there."""
        if self._bar is not None:
            self._bar.stop()
        yield
        if self._bar is not None:
            self._bar.start()


@contextmanager
def progress(count: int, what: str) -> Iterator[Bar]:
    """Yield what counts ``count`` steps; from two on a bar on standard error shows them.

    Where standard error is no terminal, one line at the end stands in for the bar.
    """
    console = Console(stderr=True)
    if count < 2:
        yield Bar()
    elif not console.is_terminal:
        yield Bar()
        _remark(f"{what}: {count}/{count}\n")
    else:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as shown:
            yield Bar(shown, what, count)


def show_answer(answer: PhotoAnswer, overlay: str | None = None) -> None:
    """Print the pieces of ``answer`` as a table, its SETs by number, what is odd, and where its ``overlay`` lies."""
    console = output()
    console.print(Text(printable(answer.file), style="bold"), soft_wrap=True)
    if answer.pieces:
        console.print(_pieces(answer))
        for line in _sets(answer):
            console.print(line, soft_wrap=True)
    for line in _best(answer):
        console.print(line, soft_wrap=True)
    for problem in answer.problems:
        console.print(Text(problem.text, style="yellow"), soft_wrap=True)
    if overlay is not None:
        console.print(f"overlay: {printable(overlay)}", soft_wrap=True)


def show_judgement(picked: Sequence[PieceAnswer], is_set: bool, clause: str, lines: Sequence[str]) -> None:
    """Print the three pieces ``picked``, the verdict with its ``clause``, and one of ``lines`` a feature."""
    console = output()
    doubts = [f"{piece.id} ({piece.doubt})" for piece in picked if piece.doubt is not None]
    for piece in picked:
        console.print(Text(f"  {piece.id:>2}  ").append_text(_coloured(piece)), soft_wrap=True)
    verdict = "a SET" if is_set else "not a SET"
    if doubts:
        advice = f"unsure: look at {' and '.join(doubts)}; as read, {verdict} ({clause})"
        console.print(Text(advice, style="bold yellow"), soft_wrap=True)
    else:
        console.print(Text(f"{verdict} ({clause})", style="bold green" if is_set else "bold red"), soft_wrap=True)
    for line in lines:
        console.print(f"  {line}", soft_wrap=True)


def coloured(label: str, name: str) -> Text:
    """Return the ``label`` of a piece in the colour that its ``name`` has."""
    return Text(label, style=next((style for word, style in _INK.items() if word in name.split()), ""))


def show_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first column is text and whose others are numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = output()
    # figures cut short would be worthless: a narrow terminal wraps the lines instead
    console.width = max(console.width, console.measure(table, options=console.options.update(width=_WIDEST)).maximum)
    console.print(table)


_DOUBTED = 0.99
"""What is in doubt is never shown as certain."""
_UNPLACED = ("no-board-file", "no-board", "board-ambiguous")
"""Codes of problems with which it is not known in which lines pieces lie."""


def _pieces(answer: PhotoAnswer) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("id", justify="right")
    table.add_column("piece")
    placed = any(piece.cell is not None for piece in answer.pieces)
    if placed:
        table.add_column("at")
    table.add_column("confidence", justify="right")
    table.add_column("doubt", style="yellow")
    for piece in answer.pieces:
        place = [_place(piece.cell)] if placed else []
        sure = piece.confidence if piece.doubt is None else min(piece.confidence, _DOUBTED)
        table.add_row(str(piece.id), _coloured(piece), *place, f"{sure:.0%}", piece.doubt or "")
    return table


def _place(cell: list[int] | int | None) -> str:
    if cell is None:
        return ""
    return str(cell) if isinstance(cell, int) else ",".join(map(str, cell))


def _best(answer: PhotoAnswer) -> Iterator[Text]:
    """Yield the best turn of a hand, a line a die."""
    if answer.board is None or "best" not in answer.board:
        return
    best = answer.board["best"]
    if best is None:
        yield Text("best turn: none, so pass", style="bold")
        return
    yield Text(f"best turn: {best['points']} point{'s' * (best['points'] != 1)}", style="bold")
    for die in best["dice"]:
        named = "" if die["as"] is None else f" as {die['as']}"
        yield Text("  ").append_text(coloured(die["face"], die["face"])).append(f"{named} at {_place(die['at'])}")


def _coloured(piece: PieceAnswer) -> Text:
    return coloured(piece.label, piece.name)


def _sets(answer: PhotoAnswer) -> Iterator[Text]:
    """Yield a headline, then a line a SET: its number (as on the overlay), the ids, the labels."""
    count = len(answer.sets)
    if not count and any(problem.code in _UNPLACED for problem in answer.problems):
        return  # nobody knows which lines there are
    unsure = answer.set_sure.count(False)
    rest = f", {unsure} of them unsure" if unsure else ""
    yield Text("no SET" if not count else f"{count} SET{'s' if count > 1 else ''}{rest}", style="bold")
    for number, (trio, sure) in enumerate(zip(answer.sets, answer.set_sure, strict=True), start=1):
        line = Text(f"  SET {number} ({', '.join(map(str, trio))}): ")
        line.append_text(Text(", ").join([_coloured(answer.pieces[index]) for index in trio]))
        if not sure:
            line.append("  (unsure: look at the piece in doubt)", style="yellow")
        yield line
