"""One photo of dice or tiles from pixels to readings on their squares: find, read, register, name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from vision.believable import believable, free_tops, only, renumbered, stands_there
from vision.board_reading import CubedRead, read_cubed_board
from vision.boards import CubedPlan, JuniorPlan, Placement, Square
from vision.colours import has_one_tint, without_colours
from vision.covered import covered_against_empty
from vision.decode import reading_order
from vision.face_names import FaceNamesConfig, Seen, face_chance, is_face, name_faces, of_one_size
from vision.faces import CLASSES, FaceEvidence, FaceReader
from vision.finder import Finder, Sight
from vision.geometry import transform
from vision.junior import JuniorPlacement, number_spaces, register_junior
from vision.load import Loaded
from vision.pixels import FACE_SIZE
from vision.register import Look, register
from vision.types import Detection, Doubt, Frame, Image, Kind, Problem, Quad, Reading
from vision.watch import Watch

__all__ = ["Asked", "TableConfig", "TableReader"]

Floats = npt.NDArray[np.float32]
_SYMBOLS, _WILD = (CLASSES["what"].index(what) for what in ("symbols", "wild"))
_BARE = [CLASSES["what"].index(what) for what in ("number", "blank")]
SPACES = tuple((square, row, column) for square in range(3) for row in range(3) for column in range(3))
"""The 27 spaces of face 1 of a Junior board."""


@dataclass(frozen=True)
class TableConfig:
    """``loose``: a tile is one above this probability, else a picture printed on a board; within ``unsure`` of it that
    is in doubt. Where no more than ``few`` pictures are seen none is taken for printed: a board shows 27. On free
    squares beside dice the reader looks for faces that the finder has overlooked, where that has seen a ``hint`` of
    one: the reader must be sure of one with at least ``face``, and finds at most about ``most``. A tile needs
    ``symbols``. Pieces of a kind that is given are in doubt where the finder leans to the other one by ``other_kind``,
    of 0.5 at most: where it is right it leans to it by 0.26 with dice, and by -0.02 with tiles. A Wild is learnt where
    the finder sees something there and the reader a Wild with at least ``taught``, upon a die with at least ``body``. A
    square is bare where the reader is sure of it with at least ``plain``. The colours of faces are looked at where it
    sees symbols with at least ``printed``.
    """

    loose: float = 0.5
    unsure: float = 0.45
    few: int = 12
    hint: float = 0.03
    face: float = 0.95
    most: int = 12
    symbols: float = 0.5
    other_kind: float = 0.3
    taught: float = 0.5
    body: float = 0.9
    plain: float = 0.9
    printed: float = 0.97
    names: FaceNamesConfig = field(default_factory=FaceNamesConfig)


@dataclass(frozen=True, eq=False)
class Asked:
    """What is known of a table before its photo is read.

    ``kind`` is what lies there, None for whichever does; ``spaces`` how many places face 2 of a Junior board has, None
    for a board that may show printed tiles; ``plan`` what is printed on the board, ``corners`` where that lies in the
    picture (pixels of the full-size picture); ``empty`` a picture of the board without tiles; ``before`` an earlier
    layout, square to name; ``wild`` (k, 32) embeddings of the table's own Wild.
    """

    kind: Kind | None = None
    spaces: int | None = None
    plan: CubedPlan | JuniorPlan | None = None
    corners: Quad | None = None
    empty: Loaded | None = None
    before: Mapping[tuple[int, ...], str] = field(default_factory=dict)
    wild: Floats | None = None


class TableReader:
    """The networks for dice, tiles and boards, loaded once and used for any number of photos."""

    def __init__(self, finder: Finder, faces: FaceReader, config: TableConfig | None = None) -> None:
        """Use the two networks; ``config`` overrides the numbers of the model folders."""
        self.finder, self.faces = finder, faces
        known = FaceNamesConfig.__dataclass_fields__
        numbers = {k: v for k, v in faces.model.config.items() if k in known}
        self.config = config if config is not None else TableConfig(names=FaceNamesConfig(**numbers))  # type: ignore[arg-type]

    @classmethod
    def shipped(cls) -> TableReader:
        """Open the models that come with the package.

        :raises ModelFileError: a model folder is not complete.
        """
        reader = cls(Finder.open(), FaceReader.open())
        reader.warm()
        return reader

    def warm(self) -> None:
        """Run both networks once on pictures of nothing, so that the first photo is as quick as the next."""
        self.finder.maps(np.zeros((480, 640, 3), np.uint8))
        self.faces.outputs([np.zeros((FACE_SIZE[1], FACE_SIZE[0], 3), np.uint8)] * 12)

    def read(self, loaded: Loaded, asked: Asked, watch: Watch | None = None) -> Frame:
        """Return the dice or tiles in a picture; quads and the placement are in pixels of the full-size picture."""
        watch = Watch() if watch is None else watch
        sight = self.finder.look(loaded.image)
        watch.lap("segment")
        found = self._faces(loaded.image, sight)
        watch.lap("classify")
        readings, problems, placement = self.named(loaded, sight, found, asked)
        watch.lap("decode")
        scale = loaded.scale
        if placement is not None and scale != 1:
            tops = None if placement.tops is None else _enlarged(placement.tops, scale)
            placement = replace(placement, matrix=_enlarged(placement.matrix, scale), tops=tops)
        full = tuple(replace(reading, quad=reading.quad.scaled(1 / scale)) for reading in readings)
        return Frame(loaded.size, full, None, watch.total, watch.stages, problems, loaded.warnings, placement)

    def looked(self, image: Image, detections: Sequence[Detection]) -> list[Seen]:
        """Return what the reader says of each of ``detections`` in a BGR ``image``."""
        evidence = self.faces.read(image, [detection.quad for detection in detections])
        return [Seen(detection, one) for detection, one in zip(detections, evidence, strict=True)]

    def named(
        self, loaded: Loaded, sight: Sight, found: Sequence[Seen], asked: Asked
    ) -> tuple[tuple[Reading, ...], tuple[Problem, ...], Placement | None]:
        """Return the readings of all that was ``found`` and read in a picture, the problems, and the board's place.

        Quads and placement are in pixels of ``loaded.image``. What is no face after all is left out, and dice that the
        finder has overlooked come on top; the quad of a reading is that of its evidence, the very object.
        """
        found = [one for one in found if is_face(one, self.config.names)]
        leaning = _leaning(found)
        kind = asked.kind or (Kind.DIE if leaning >= 0 else Kind.TILE)
        look = self._dice if kind is Kind.DIE else self._tiles
        readings, problems, placement = _ordered(*look(loaded, sight, found, asked))
        sure = [one for one in found if np.exp(one.evidence.logs["what"][_SYMBOLS]) >= self.config.printed]
        if readings and (leaning if kind is Kind.DIE else -leaning) < -self.config.other_kind:
            readings, problems = _of_other_kind(readings, problems, kind)
        if readings and has_one_tint(loaded.image, [one.evidence.crop for one in sure]):
            readings, problem = without_colours(readings)
            return readings, (*problems, problem), placement
        return readings, problems, placement

    def _dice(
        self, loaded: Loaded, sight: Sight, found: Sequence[Seen], asked: Asked
    ) -> tuple[tuple[Reading, ...], tuple[Problem, ...], Placement | None]:
        """The dice, and where the board of Cubed lies under them."""
        readings, problems = name_faces(found, Kind.DIE, _size(loaded), asked.wild, self.config.names)
        if not isinstance(asked.plan, CubedPlan):
            return readings, problems, None
        placement = self._registered(loaded, sight, found, readings, asked)
        dice, placement = believable(readings, placement, asked.plan)
        found, readings = [found[number] for number in dice], tuple(readings[number] for number in dice)
        more = self._overlooked(loaded, sight, placement, asked)
        if more:
            found = [*found, *(seen for seen, _ in more)]
            placement = replace(placement, cells=(*placement.cells, *(cell for _, cell in more)))
            readings, problems = name_faces(found, Kind.DIE, _size(loaded), asked.wild, self.config.names)
        placed = tuple(replace(r, cell=cell) for r, cell in zip(readings, placement.cells, strict=True))
        return placed, problems, placement

    def _overlooked(
        self, loaded: Loaded, sight: Sight, placement: Placement, asked: Asked
    ) -> list[tuple[Seen, tuple[int, int]]]:
        """Faces on free squares beside dice that the finder has overlooked, with their squares."""
        assert isinstance(asked.plan, CubedPlan)  # noqa: S101  the caller has asked
        out: list[tuple[Seen, tuple[int, int]]] = []
        while len(out) < self.config.most:
            free = free_tops(placement, asked.plan, _size(loaded))
            hints = sight.hint([quad for _, quad in free])
            free = [one for one, hint in zip(free, hints, strict=True) if hint >= self.config.hint]
            glance = self.faces.read(loaded.image, [quad for _, quad in free], again=False)
            free = [one for one, seen in zip(free, glance, strict=True) if _is_likely(seen)]
            evidence = self.faces.read(loaded.image, [quad for _, quad in free])
            new = []
            for (at, quad), one in zip(free, evidence, strict=True):
                seen = Seen(Detection(quad, self.config.face, Kind.DIE), one)
                if face_chance(seen) < self.config.face:
                    continue
                (reading,), _ = name_faces([seen], Kind.DIE, _size(loaded), asked.wild, self.config.names)
                if reading.doubt is None and stands_there(reading, at, placement, asked.plan):
                    new.append((replace(seen, evidence=replace(one, quad=quad)), at))
            if not new:
                break
            out += new
            placement = replace(placement, cells=(*placement.cells, *(at for _, at in new)))
        return out

    def _tiles(
        self, loaded: Loaded, sight: Sight, found: Sequence[Seen], asked: Asked
    ) -> tuple[tuple[Reading, ...], tuple[Problem, ...], Placement | None]:
        """The loose tiles, and where the board of Junior lies under them."""
        del sight
        found = [one for one in found if face_chance(one) >= self.config.symbols]
        if not isinstance(asked.plan, JuniorPlan):
            found = of_one_size(found, Kind.TILE, self.config.names)
            if asked.spaces is not None or len(found) <= self.config.few:
                readings, problems = name_faces(found, Kind.TILE, _size(loaded), None, self.config.names)
                return _numbered(readings, asked.spaces), problems, None
            tiles = [one for one in found if one.evidence.raised >= self.config.loose]
            readings, problems = name_faces(tiles, Kind.TILE, _size(loaded), None, self.config.names)
            return self._in_doubt(readings, [one.evidence.raised for one in tiles]), problems, None
        every, _ = name_faces(found, Kind.TILE, _size(loaded), None, self.config.names)
        board = _on_board(asked.plan, found, every)
        raised = self._raised(loaded, found, board, asked)
        loose = [index for index, chance in enumerate(raised) if chance >= self.config.loose]
        readings, problems = name_faces([found[i] for i in loose], Kind.TILE, _size(loaded), None, self.config.names)
        placement = only(board.placement, loose)
        readings = self._in_doubt(readings, [raised[index] for index in loose])
        placed = tuple(replace(reading, cell=cell) for reading, cell in zip(readings, placement.cells, strict=True))
        return placed, problems, placement

    def _raised(self, loaded: Loaded, found: Sequence[Seen], board: JuniorPlacement, asked: Asked) -> list[float]:
        """How likely each of ``found`` is a loose tile: by the reader, and by a picture of the empty board if given."""
        own = [one.evidence.raised for one in found]
        if asked.empty is None or not isinstance(asked.plan, JuniorPlan):
            return own
        before = self._faces(asked.empty.image, self.finder.look(asked.empty.image))
        names, _ = name_faces(before, Kind.TILE, _size(asked.empty), None, self.config.names)
        bare = _on_board(asked.plan, before, names)
        opinion = _by_space(board, own)
        usual = _by_space(bare, [one.evidence.raised for one in before])
        now, then = ([one.quad(*at) for at in SPACES] for one in (board, bare))
        covered = covered_against_empty(loaded.image, now, asked.empty.image, then, opinion, usual)
        return [
            chance if at is None else float(covered[SPACES.index(at)])
            for at, chance in zip(board.placement.cells, own, strict=True)
        ]

    def wilds(self, loaded: Loaded) -> list[Floats]:
        """Return the (32,) embedding of each Wild face in a picture that is plainly one, on a die."""
        found = self._faces(loaded.image, self.finder.look(loaded.image))
        size = (loaded.image.shape[1], loaded.image.shape[0])
        readings, _ = name_faces(found, Kind.DIE, size, None, self.config.names)
        return [
            one.evidence.embedding
            for one, reading in zip(found, readings, strict=True)
            if reading.name == "wild" and reading.doubt is None and self._teaches(one)
        ]

    def _teaches(self, seen: Seen) -> bool:
        """Whether a Wild may be learnt from what is seen: it would be known for certain from then on."""
        die, sure = seen.detection, self.config.taught
        plain = die.kind is Kind.DIE and die.kind_score >= self.config.body and die.score >= sure
        return bool(plain and np.exp(seen.evidence.logs["what"][_WILD]) >= sure)

    def bare(self, loaded: Loaded, placement: Placement, squares: Sequence[Square]) -> list[bool]:
        """Return whether the picture plainly shows each of ``squares`` of a board of Cubed with nothing upon it.

        ``placement`` is in pixels of the full-size picture, as in a frame.
        """
        units = np.array([[(c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)] for r, c in squares], np.float64)
        quads = [Quad(transform(one, placement.matrix)).scaled(loaded.scale) for one in units]
        shown = [bool(((q.corners >= 0) & (q.corners <= np.array(_size(loaded)) - 1)).all()) for q in quads]
        read = self.faces.read(loaded.image, quads, again=False)
        plain = [float(np.exp(one.logs["what"][_BARE]).sum()) >= self.config.plain for one in read]
        return [inside and empty for inside, empty in zip(shown, plain, strict=True)]

    def printed_board(
        self, loaded: Loaded, corners: Quad | None = None, rows: int | None = None, columns: int | None = None
    ) -> CubedRead:
        """Return the empty board of Cubed in a picture; ``corners`` are those of its grid in the full-size picture.

        :raises BoardReadingError: no board is seen, or what is given does not fit what is seen.
        """
        given = None if corners is None else corners.scaled(loaded.scale)
        sight = self.finder.look(loaded.image)
        dice = (one for one in self._faces(loaded.image, sight) if face_chance(one) >= self.config.face)
        sight = replace(sight, detections=tuple(one.moved for one in dice))
        read = read_cubed_board(sight, self._look(loaded), _size(loaded), corners=given, rows=rows, columns=columns)
        matrix = read.placement.matrix if loaded.scale == 1 else _enlarged(read.placement.matrix, loaded.scale)
        return replace(read, placement=replace(read.placement, matrix=matrix))

    def printed_spaces(self, loaded: Loaded) -> list[FaceEvidence]:
        """Return what the reader says of every picture of a tile in a picture, printed or not."""
        return [seen.evidence for seen in self._faces(loaded.image, self.finder.look(loaded.image))]

    def _look(self, loaded: Loaded, again: bool = True) -> Look:
        return lambda quads: self.faces.read(loaded.image, quads, again)

    def _faces(self, image: Image, sight: Sight) -> list[Seen]:
        """What the finder has found and the reader takes for faces."""
        return [one for one in self.looked(image, sight.detections) if is_face(one, self.config.names)]

    def _in_doubt(self, readings: Sequence[Reading], raised: Sequence[float]) -> tuple[Reading, ...]:
        """The tiles, in doubt where one may be a picture printed on a board."""
        edge = self.config.loose + self.config.unsure
        return tuple(
            replace(reading, doubt=Doubt.LOW_CONFIDENCE) if reading.doubt is None and chance < edge else reading
            for reading, chance in zip(readings, raised, strict=True)
        )

    def _registered(
        self, loaded: Loaded, sight: Sight, found: Sequence[Seen], readings: Sequence[Reading], asked: Asked
    ) -> Placement:
        """Where the board of Cubed lies, and on which squares the dice stand."""
        assert isinstance(asked.plan, CubedPlan)  # noqa: S101  the caller has asked
        return register(
            asked.plan,
            sight,
            [one.moved for one in found],
            self._look(loaded, again=False),
            _size(loaded),
            corners=None if asked.corners is None else asked.corners.scaled(loaded.scale),
            previous={(at[0], at[1]): name for at, name in asked.before.items()},
            names=[reading.name for reading in readings],
        )


def _is_likely(evidence: FaceEvidence) -> bool:
    """Whether symbols or a Wild are the likeliest of what may be there, after one look."""
    return int(evidence.logs["what"].argmax()) <= CLASSES["what"].index("wild")


def _ordered(
    readings: Sequence[Reading], problems: Sequence[Problem], placement: Placement | None
) -> tuple[tuple[Reading, ...], tuple[Problem, ...], Placement | None]:
    """The pieces in the order of their squares, then the others in the order in which one reads."""
    read = reading_order(readings)
    order = sorted(read, key=lambda number: (readings[number].cell is None, readings[number].cell or ()))
    placed = None if placement is None else only(placement, order)
    return tuple(readings[number] for number in order), renumbered(problems, order), placed


def _numbered(readings: Sequence[Reading], spaces: int | None) -> tuple[Reading, ...]:
    """The tiles of face 2 with the numbers of their places, where these can be counted."""
    cells = () if spaces is None else number_spaces([reading.quad for reading in readings], spaces)
    if len(cells) != len(readings):
        return tuple(readings)
    return tuple(replace(reading, cell=cell) for reading, cell in zip(readings, cells, strict=True))


def _by_space(board: JuniorPlacement, chances: Sequence[float]) -> list[float]:
    """What is said of each of the 27 spaces, 0.5 where nothing is."""
    said = dict(zip(board.placement.cells, chances, strict=True))
    return [said.get(at, 0.5) for at in SPACES]


def _size(loaded: Loaded) -> tuple[int, int]:
    return loaded.image.shape[1], loaded.image.shape[0]


def _on_board(plan: JuniorPlan, found: Sequence[Seen], readings: Sequence[Reading]) -> JuniorPlacement:
    """Where the board of Junior lies, by the names of all that is seen on it, printed and laid."""
    named = [(reading.name, reading.confidence) for reading in readings]
    return register_junior(plan, named, [one.evidence.quad for one in found])


def _enlarged(matrix: npt.NDArray[np.float64], scale: float) -> npt.NDArray[np.float64]:
    """The same mapping into a picture whose sides are 1 / ``scale`` times as long (see ``Quad.scaled``)."""
    shift = 0.5 / scale - 0.5
    return np.asarray(np.array([[1 / scale, 0, shift], [0, 1 / scale, shift], [0, 0, 1]]) @ matrix)


def _leaning(found: Sequence[Seen]) -> float:
    """How much the finder takes the pieces for dice, from -0.5 (all are tiles) to 0.5."""

    def share(detection: Detection) -> float:
        return detection.kind_score if detection.kind is Kind.DIE else 1 - detection.kind_score

    weights = [one.detection.score for one in found]
    sum_of = sum(weight * (share(one.detection) - 0.5) for one, weight in zip(found, weights, strict=True))
    return sum_of / max(sum(weights), 1e-9)


def _of_other_kind(
    readings: Sequence[Reading], problems: Sequence[Problem], kind: Kind
) -> tuple[tuple[Reading, ...], tuple[Problem, ...]]:
    """The pieces, all in doubt, and the problems where a person takes for ``kind`` what hardly looks like it."""
    doubted = tuple(replace(one, doubt=one.doubt or Doubt.LOW_CONFIDENCE) for one in readings)
    names = ("tiles", "dice") if kind is Kind.DIE else ("dice", "tiles")
    text = f"these look like {names[0]}, not {names[1]}: check the game and the board file that are given"
    return doubted, (*problems, Problem("other-kind", tuple(range(len(doubted))), text))
