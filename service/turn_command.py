"""What the command ``turn`` does: two photos of a board in, the verdict on what was played between them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.cubed_state import CubedState
from engine.events import Event, Place
from engine.grid import CubedBoard, Square
from engine.junior1 import Junior1State
from engine.record import Header, RecordError, read_record
from engine.tokens import Face, Piece, Tile
from service.agreement import agree, by_place, with_record
from service.arguments import parse_corners, parse_options, parse_wilds
from service.board_answer import NUMBERS, Asked
from service.board_file import AnyBoard, CubedFile, Junior1File, board_text, parse_board
from service.commands import Desk, empty_photo
from service.console import printable, write_json
from service.corners import fault_between, lost, other_corners
from service.errors import (
    ArgumentError,
    BadRecordError,
    BoardFileError,
    NoBoardError,
    NoFileError,
    TurnError,
    UnreadableFileError,
    one_line,
)
from service.files import STANDARD_INPUT, overlay_paths, prepare_folder, write_whole
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
    from vision.types import Frame, Problem

__all__ = ["TurnRequest", "judge_turn", "turn_answer"]

_NEED_BOARD = (
    "--board FILE is needed: it says what is printed on the board; set-referee board PHOTO --game {game} -o FILE makes "
    "one from a photo of the empty board"
)


_OF_TURNS = (Game.CUBED, Game.JUNIOR_1)
_TURNS = "a turn is one of cubed or junior-1"


@dataclass(frozen=True)
class TurnRequest:
    """What the command line says of a turn."""

    before: str
    after: str
    game: Game = Game.AUTO
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


@dataclass(frozen=True)
class _Told:
    """What people say about a turn, with what lies on the desk under the names that they give."""

    request: TurnRequest
    desk: Desk

    def check(self) -> None:
        """Read everything but the photos.

        :raises ServiceError: something cannot be used.
        """
        _ = self.game
        if self.request.before == self.request.after == STANDARD_INPUT:
            raise ArgumentError(
                "BEFORE and AFTER are both -: standard input holds one photo; give a file for the other"
            )
        if self.request.record is not None and (self.request.wilds or self.request.options):
            given = "--wild" if self.request.wilds else "--option"
            raise ArgumentError(f"{given} and --record: the record tells that already; leave one of them out")
        if self.game is Game.JUNIOR_1 and (self.request.wilds or self.request.announced):
            given = "--wild" if self.request.wilds else "--as"
            raise ArgumentError(f"{given}: SET Junior has no Wilds; leave it out")
        if self.game is Game.JUNIOR_1 and self._with_corners:
            raise ArgumentError("--corners: a board of SET Junior is found by its pictures; leave it out")
        _ = self.file, self.wilds, self.announced, self.options, self.corners, self.player, self.empty

    @cached_property
    def game(self) -> Game:
        """The game that is asked for, else that of the board file or of the record.

        :raises ServiceError: none of these is a game of turns on a board, or a file cannot be read.
        """
        request, named = self.request, self.request.game
        if named in _OF_TURNS:
            return named
        if named is not Game.AUTO:
            raise ArgumentError(f"--game {named.value}: {_TURNS}")
        if self._board is not None:
            path, game = request.board, Game(self._board.game)
        elif self._recorded is not None:
            path, game = request.record, Game(self._recorded[0].edition.key)
        else:
            raise ArgumentError(_NEED_BOARD.format(game="GAME"))
        if game not in _OF_TURNS:
            raise ArgumentError(f"{printable(str(path))}: this is of {game.value}, and {_TURNS}")
        return game

    @property
    def _with_corners(self) -> bool:
        return self.request.corners is not None or self.request.corners_after is not None

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
        return parse_options(self.request.options, self.game.value)

    @cached_property
    def corners(self) -> tuple[Corners | None, Corners | None]:
        """The corners in BEFORE and in AFTER."""
        before = parse_corners(self.request.corners)
        after = parse_corners(self.request.corners_after, "--corners-after")
        return before, after or before

    @cached_property
    def empty(self) -> bytes | None:
        """The photo of the board without tiles."""
        return None if self.request.empty is None else empty_photo(self.desk, self.request.empty, self.file)

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
        game, file = self.game.value, self._board
        if file is None:
            if self.record is None:
                raise ArgumentError(_NEED_BOARD.format(game=game))
            return self._recorded_board()
        if file.game != game:
            raise ArgumentError(
                f"{printable(str(self.request.board))}: this is a board of {file.game}, and --game says {game}"
            )
        if self.record is not None:
            self._check_same(file)
        return file

    @cached_property
    def _board(self) -> AnyBoard | None:
        """The board file, whatever its game is; None if none is given."""
        return None if self.request.board is None else self.desk.board_at(self.request.board)

    @cached_property
    def _recorded(self) -> tuple[Header, Sequence[Event]] | None:
        """The header and the events of the record, whatever its game is; None if none is given."""
        path = self.request.record
        if path is None:
            return None
        try:
            with self.desk.record_at(path) as stream:
                return read_record(stream)
        except (RecordError, NoFileError, UnreadableFileError) as error:
            raise BadRecordError(printable(path), one_line(error)) from None

    @cached_property
    def record(self) -> tuple[Any, Any] | None:
        """The header of the record and where its game stands; None if there is none."""
        if self._recorded is None:
            return None
        header, events = self._recorded
        if header.edition.key != self.game.value:
            says = "--game says" if self.request.game is not Game.AUTO else "the board is one of"
            fault = f"this is a game of {header.edition.key}, and {says} {self.game.value}"
            raise BadRecordError(printable(str(self.request.record)), fault)
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
            try:
                return parse_board(board_text({"game": "cubed", **state.grid.board.to_json()}))
            except BoardFileError as error:
                raise BadRecordError(printable(str(self.request.record)), f"its board: {one_line(error)}") from None
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
        table = self.table(after=True)
        frames = self._frames(table)
        try:
            before, after, judged = self.judge(*frames)
        except TurnError:
            for later in (False, True):
                if (text := self._misfit(later)) is not None:
                    raise ArgumentError(text) from None
            raise
        if not judged.ok:
            remarks = [f"Look at {text}." for later in (False, True) if (text := self._misfit(later)) is not None]
            judged = replace(judged, text=" ".join([judged.text, *remarks]))
        if any(problem.code == NUMBERS for frame in frames for problem in _of_placement(frame)):
            judged = replace(judged, sure=False)
        return answer_turn(judged, before, after, Asked(self.game, table)), judged.status

    def _frames(self, table: Table) -> tuple[Frame, Frame]:
        """Return what lies in both photos; where only one shows which square is which, it helps the other one.

        :raises NoBoardError: no board is found, or not which of its squares is which; names the photo.
        :raises ArgumentError: corners are given in which most of the dice lie on no square.
        """
        request, game = self.request, self.game
        before = _read(self.desk, request.before, self.table(after=False), game)
        known = lost(before) is None
        after = _read(self.desk, request.after, table, game, before if known else None)
        if not known and lost(after) is None:
            before = _read(self.desk, request.before, self.table(after=False), game, after)
        for later, frame in ((False, before), (True, after)):
            if (text := lost(frame)) is not None:
                raise NoBoardError(f"{printable(self._path(later))}: {text}")
            if self.corners[later] is not None and (fault := fault_between(frame)) is not None:
                raise ArgumentError(self._misfit(later) or self._unfit(later, fault))
        return before, after

    def _path(self, later: bool) -> str:
        return self.request.after if later else self.request.before

    def _misfit(self, later: bool) -> str | None:
        """Return where the board plainly lies in a photo with other corners; None where those given may be right."""
        given = self.corners[later]
        if given is None:
            return None
        frame = _read(self.desk, self._path(later), Table(self.file), self.game)
        other = other_corners(given, frame, self.file)
        return None if other is None else self._unfit(later, other)

    def _unfit(self, later: bool, reason: str) -> str:
        option = "--corners-after" if later and self.request.corners_after is not None else "--corners"
        return f"{option}: these corners do not fit {printable(self._path(later))}: {reason}"

    def table(self, *, after: bool) -> Table:
        """Return what is known of the table before a photo is read."""
        return Table(self.file, self.corners[after], self.empty)

    # The verdict.

    def judge(self, before: Frame, after: Frame) -> tuple[Frame, Frame, Judged]:
        """Return both photos as they are read together, and the verdict.

        :raises TurnError: they are no turn.
        """
        lying = self._lying()
        self._check_told(before)
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

    def _check_told(self, before: Frame) -> None:
        """Check that no Wild is named where BEFORE plainly shows an empty square.

        :raises TurnError: one is; its name is meant for one laid now, perhaps.
        """
        unseen = [at for at in self.wilds if at not in by_place(before.readings)]
        if not unseen or self.state is not None:
            return
        data, referee = self.desk.bytes_of(self.request.before), self.desk.referee
        for at in referee.table_reader.bare(data, referee.limits, before, unseen)[:1]:
            place, name = f"{at[0]},{at[1]}", self.wilds[at]
            raise TurnError(
                f'--wild {place}={name}: BEFORE shows nothing on {place}; did you mean --as "{place}={name}"?'
            )

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


def _of_placement(frame: Frame) -> Sequence[Problem]:
    """Return what is odd about where the board lies."""
    return () if frame.placement is None else frame.placement.problems


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
