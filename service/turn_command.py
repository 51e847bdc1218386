"""What the command ``turn`` does: two photos of a board in, the verdict on what was played between them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.cubed_state import CubedState
from engine.events import Place
from engine.grid import CubedBoard, Square
from engine.junior1 import Junior1State
from engine.record import RecordError, read_record
from engine.tokens import Face, Piece, Tile
from service.agreement import agree, by_place, with_record
from service.arguments import parse_corners, parse_options, parse_wilds
from service.board_answer import LOST, Asked
from service.board_file import AnyBoard, CubedFile, Junior1File
from service.commands import Desk
from service.console import printable, write_json
from service.errors import (
    ArgumentError,
    BadRecordError,
    NoBoardError,
    NoFileError,
    ServiceError,
    TurnError,
    UnreadableFileError,
    one_line,
)
from service.files import overlay_paths, prepare_folder, write_whole
from service.game import Game
from service.judged import Judged
from service.junior_turn import JuniorTable, judge_junior
from service.settings import Settings
from service.show_turn import show_turn
from service.tables import Corners, Table
from service.turn import CubedTable, judge_cubed
from service.turn_answer import TurnAnswer, answer_turn
from vision.types import VisionError

if TYPE_CHECKING:
    from vision.types import Frame

__all__ = ["TurnRequest", "judge_turn", "turn_answer"]

_NEED_BOARD = (
    "--board FILE is needed: it says what is printed on the board; set-referee board PHOTO --game {game} -o FILE makes "
    "one from a photo of the empty board"
)


@dataclass(frozen=True)
class TurnRequest:
    """What the command line says of a turn."""

    before: str
    after: str
    game: Game
    board: str | None = None
    record: str | None = None
    wilds: Sequence[str] = ()
    announced: Sequence[str] = ()
    empty: str | None = None
    corners: Sequence[str] | None = None
    corners_after: Sequence[str] | None = None
    options: Sequence[str] = ()
    player: str | None = None
    as_json: bool = False
    overlay: str | None = None


def judge_turn(request: TurnRequest, settings: Settings) -> int:
    """Print the verdict; return 0 if the turn stands, 1 if not, 3 where a doubt decides.

    :raises ServiceError: an argument, a file, a photo, or two photos that are no turn.
    """
    desk = Desk(settings)
    told = _Told(request, desk)
    told.check()
    target = None
    if request.overlay is not None:
        (target,) = overlay_paths([request.after], prepare_folder(request.overlay), "turn")
    answer, status = told.answer()
    if target is not None:
        from service.turn_overlay import turn_jpeg

        write_whole(target, turn_jpeg(desk.bytes_of(request.after), answer, desk.referee.limits))
    if request.as_json:
        write_json(answer.model_dump_json(by_alias=True))
    else:
        show_turn(answer, None if target is None else str(target))
    return status


def turn_answer(request: TurnRequest, desk: Desk) -> TurnAnswer:
    """Return the verdict on the turn between two photos that lie on ``desk``, as everything else does that is named.

    :raises ServiceError: an argument, a file, a photo, or two photos that are no turn.
    """
    told = _Told(request, desk)
    told.check()
    return told.answer()[0]


def _read(desk: Desk, path: str, table: Table, game: Game, before: Frame | None = None) -> Frame:
    """Return what lies in the photo at ``path``; ``before`` is what another photo of the board was read as.

    :raises TurnError: the photo cannot be read.
    """
    try:
        data = desk.bytes_of(path)
        referee = desk.referee
        return table.read(referee.table_reader, data, referee.limits, game.value, before)
    except (NoFileError, UnreadableFileError, VisionError) as error:
        raise TurnError(f"{printable(path)}: {one_line(error)}") from None


def _lost(frame: Frame) -> str | None:
    """Return why nobody knows which squares the pieces in ``frame`` lie on; None where that is known."""
    problems = (*frame.problems, *(frame.placement.problems if frame.placement is not None else ()))
    lost = next((problem.text for problem in problems if problem.code in LOST), None)
    if lost is None and frame.placement is None:
        return "no board is found; take the photo so that all of the board is in it, or give --corners"
    return lost


@dataclass(frozen=True)
class _Told:
    """What people say about a turn, with what lies on the desk under the names that they give."""

    request: TurnRequest
    desk: Desk

    def check(self) -> None:
        """Read everything but the photos.

        :raises ServiceError: something cannot be used.
        """
        if self.request.game not in (Game.CUBED, Game.JUNIOR_1):
            raise ArgumentError(f"--game {self.request.game.value}: a turn is one of cubed or junior-1")
        if self.request.record is not None and (self.request.wilds or self.request.options):
            given = "--wild" if self.request.wilds else "--option"
            raise ArgumentError(f"{given} and --record: the record tells that already; leave one of them out")
        if self.request.game is Game.JUNIOR_1 and (self.request.wilds or self.request.announced):
            given = "--wild" if self.request.wilds else "--as"
            raise ArgumentError(f"{given}: SET Junior has no Wilds; leave it out")
        _ = self.file, self.wilds, self.announced, self.options, self.corners, self.player

    @cached_property
    def wilds(self) -> dict[Square, Tile]:
        return self._on_board(parse_wilds(self.request.wilds, "--wild"), "--wild")

    @cached_property
    def announced(self) -> dict[Square, Tile]:
        return self._on_board(parse_wilds(self.request.announced, "--as"), "--as")

    def _on_board(self, names: dict[Square, Tile], option: str) -> dict[Square, Tile]:
        for at in names:
            if isinstance(self.file, CubedFile) and not self.file.board.holds(at):
                raise ArgumentError(
                    f"{option} {at[0]},{at[1]}: not on the board, whose rows are 0 to {self.file.rows - 1} and columns "
                    f"0 to {self.file.columns - 1}"
                )
        return names

    @cached_property
    def options(self) -> Mapping[str, Any]:
        return parse_options(self.request.options, self.request.game.value)

    @cached_property
    def corners(self) -> tuple[Corners | None, Corners | None]:
        """The corners in BEFORE and in AFTER."""
        before = parse_corners(self.request.corners)
        after = parse_corners(self.request.corners_after, "--corners-after")
        return before, after or before

    @cached_property
    def player(self) -> str | None:
        player = self.request.player
        if player is not None and not (player.strip() and player.isprintable()):
            raise ArgumentError(f"--player {player!r}: expected a name")
        if player is not None and self.state is not None and player not in self.state.players:
            known = ", ".join(map(ascii, self.state.players))
            raise ArgumentError(f"--player {player!r}: the record has no such player: expected one of {known}")
        return player

    @cached_property
    def file(self) -> AnyBoard:
        """The board file, or what the record says of the board."""
        game = self.request.game.value
        if self.request.board is None:
            if self.record is None:
                raise ArgumentError(_NEED_BOARD.format(game=game))
            return self._recorded_board()
        file = self.desk.board_at(self.request.board)
        if file.game != game:
            raise ArgumentError(
                f"{printable(self.request.board)}: this is a board of {file.game}, and --game says {game}"
            )
        if self.record is not None:
            self._check_same(file)
        return file

    @cached_property
    def record(self) -> tuple[Any, Any] | None:
        """The header of the record and where its game stands; None if there is none."""
        path = self.request.record
        if path is None:
            return None
        try:
            with self.desk.record_at(path) as stream:
                header, events = read_record(stream)
        except (RecordError, NoFileError, UnreadableFileError) as error:
            raise BadRecordError(printable(path), one_line(error)) from None
        if header.edition.key != self.request.game.value:
            fault = f"this is a game of {header.edition.key}, and --game says {self.request.game.value}"
            raise BadRecordError(printable(path), fault)
        referee = header.referee()
        for event in events:
            referee.apply(event)
        return header, referee.state

    @property
    def state(self) -> Any:
        return None if self.record is None else self.record[1]

    def _recorded_board(self) -> AnyBoard:
        state = self.state
        if isinstance(state, CubedState):
            return CubedFile.model_validate({"game": "cubed", **state.grid.board.to_json()})
        return Junior1File.model_validate(state.board.to_json())

    def _check_same(self, file: AnyBoard) -> None:
        """Check that the record was played on the board of ``file``.

        :raises BadRecordError: it was not; says what differs.
        """
        played = self._recorded_board()
        fields = ("rows", "columns", "logo", "bonus") if isinstance(file, CubedFile) else ("squares",)
        for field in fields:
            ours, theirs = (_comparable(getattr(board, field)) for board in (file, played))
            if ours != theirs:
                fault = (
                    f"it was played on another board: its `{field}` is not that of {printable(str(self.request.board))}"
                )
                raise BadRecordError(printable(str(self.request.record)), fault)

    def answer(self) -> tuple[TurnAnswer, int]:
        """Return the verdict, and the exit status that goes with it.

        :raises ServiceError: a photo, or two photos that are no turn.
        """
        request, table = self.request, self.table(after=True)
        before, after, judged = self.judge(*self._frames(table))
        return answer_turn(judged, before, after, Asked(request.game, table)), judged.status

    def _frames(self, table: Table) -> tuple[Frame, Frame]:
        """Return what lies in both photos; where only one shows which square is which, it helps the other one.

        :raises NoBoardError: no board is found, or not which of its squares is which; names the photo.
        """
        request = self.request
        before = _read(self.desk, request.before, self.table(after=False), request.game)
        known = _lost(before) is None
        after = _read(self.desk, request.after, table, request.game, before if known else None)
        if not known and _lost(after) is None:
            before = _read(self.desk, request.before, self.table(after=False), request.game, after)
        for path, frame in ((request.before, before), (request.after, after)):
            lost = _lost(frame)
            if lost is not None:
                raise NoBoardError(f"{printable(path)}: {lost}")
        return before, after

    def table(self, *, after: bool) -> Table:
        """Return what is known of the table before a photo is read."""
        try:
            empty = None if self.request.empty is None else self.desk.bytes_of(self.request.empty)
        except (ServiceError, VisionError) as error:
            raise ArgumentError(f"--empty {printable(str(self.request.empty))}: {one_line(error)}") from None
        return Table(self.file, self.corners[after], empty)

    # The verdict.

    def judge(self, before: Frame, after: Frame) -> tuple[Frame, Frame, Judged]:
        """Return both photos as they are read together, and the verdict.

        :raises TurnError: they are no turn.
        """
        lying = self._lying()
        earlier, misread = before.readings, tuple[Place, ...]()
        if lying is not None:
            earlier, misread = with_record(earlier, lying)
            _check_record(before, misread, lying)
        earlier, later = agree(earlier, after.readings)
        before, after = replace(before, readings=earlier), replace(after, readings=later)
        judged = self._judge(before, after, lying)
        if misread and lying is not None:
            told = ", ".join(f"{lying[at]} on {list(at)}" for at in misread)
            judged = replace(judged, text=f"{judged.text} BEFORE was read otherwise; by the record it is {told}.")
        return before, after, judged

    def _lying(self) -> dict[Place, Piece] | None:
        """Return what lies on the board by the record."""
        match self.state:
            case CubedState() as state:
                return {at: die.face for at, die in state.grid.dice.items()}
            case Junior1State() as state:
                return {at: state.board[at] for at in state.covered}
        return None

    def _judge(self, before: Frame, after: Frame, lying: Mapping[Place, Piece] | None) -> Judged:
        earlier = {**(lying or {}), **_pieces(before)}
        later = _pieces(after)
        doubts = {at for at, number in by_place(after.readings).items() if after.readings[number].doubt is not None}
        if isinstance(self.file, Junior1File):
            table = JuniorTable(self.file.board, self.player, self.state)
            return judge_junior(_tiles(earlier), _tiles(later), table, doubts)
        assert isinstance(self.file, CubedFile)  # noqa: S101  as checked
        cubed = CubedTable(self.file.board, self.player, self.options, self.wilds, self.announced, self.state)
        board = self.file.board
        squares = {(at[0], at[1]) for at in doubts if board.holds(at)}
        return judge_cubed(_faces(earlier, board), _faces(later, board), cubed, squares)


def _comparable(value: Any) -> Any:
    return sorted(map(repr, value)) if isinstance(value, list) else value


def _check_record(before: Frame, misread: Sequence[Place], lying: Mapping[Place, Piece]) -> None:
    """Check that BEFORE shows the board as the record leaves it; one die in five may be misread.

    :raises TurnError: it does not.
    """
    shown = _pieces(before)
    extra = {at: piece for at, piece in shown.items() if at not in lying}
    if len(misread) > max(1, len(lying) // 5) or extra:
        at = next(chain(extra, misread))
        there = str(lying.get(at, "nothing"))
        raise TurnError(
            f"BEFORE does not show the board as the record leaves it: on {list(at)} lies {shown[at]}, and by the "
            f"record {there}; give the record as it was when BEFORE was taken"
        )


def _pieces(frame: Frame) -> dict[Place, Piece]:
    return {at: frame.readings[number].piece for at, number in sorted(by_place(frame.readings).items())}


def _faces(pieces: Mapping[Place, Piece], board: CubedBoard) -> dict[Square, Face]:
    return {(at[0], at[1]): piece for at, piece in pieces.items() if isinstance(piece, Face) and board.holds(at)}


def _tiles(pieces: Mapping[Place, Piece]) -> dict[Place, Tile]:
    return {at: piece for at, piece in pieces.items() if isinstance(piece, Tile)}
