"""The search behind ``engine.turns``, on plain integers: which dice of a hand, laid where, score most.

A square is ``row * columns + column`` here, a face is its code (``engine.sets.code``), and a *cell* is a face on a
square: ``square * 32 + face``. Every die of a turn must be in a SET made in that turn (CUBED-7), so what a turn lays is
a union of *atoms*: the dice that fill one window of three squares and make it a SET. There are few of them, and which
SETs a turn makes does not depend on the order of its dice. So atoms are listed by how many dice they take, and joined
best first; an order is looked for only where a Wild or a table without waiting dice asks for one.

No value is ever taken for larger than it is: a join may overlook a SET that only its parts together make, for the same
dice come up again as a join of other atoms that has this SET.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import inf
from operator import itemgetter

from engine.grid import CubedBoard, Square
from engine.sets import code, third
from engine.tokens import full_tiles

__all__ = ["Found", "Placement", "Position", "Search"]

Placement = tuple[int, int, bool]
"""Square, face as it counts, and whether a Wild stands for it."""

Cells = tuple[int, ...]
"""What is laid, in ascending order."""

Window = tuple[int, int, int]
"""Three neighbouring squares in a row or a column, in ascending order (CUBED-6)."""

_FACES = 27
_SHIFT = 5
_MASK = 31
_MOST_DICE = 3
_THIRDS = tuple(tuple(code(third(a, b)) for b in full_tiles()) for a in full_tiles())
_ORDERS = tuple(tuple(permutations(range(size))) for size in range(_MOST_DICE + 1))
_by_worth = itemgetter(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A board, a hand, and what the rules of the table allow."""

    board: CubedBoard
    """The printed board: its size."""
    dice: Mapping[int, int]
    """Faces by square, a Wild as the face it stands for."""
    bonus: Mapping[int, int]
    """What the first die on a square pays (CUBED-16)."""
    hand: tuple[int, ...]
    """Faces in the hand that are not wild."""
    wilds: int
    """Wild faces in the hand."""
    left: int = _MOST_DICE
    """How many dice the turn may still lay (CUBED-5)."""
    waiting: frozenset[int] = frozenset()
    """Squares of dice of this turn that are in no SET yet (CUBED-7)."""
    fresh: frozenset[int] = frozenset()
    """Squares of Wilds that count nothing with the die that first puts them into a SET (CUBED-13)."""
    silent: frozenset[int] = frozenset()
    """Squares of Wilds that count nothing before the next turn (CUBED-13, without ``counts_later``)."""
    identical: bool = True
    """Whether three identical dice are a SET (CUBED-17)."""
    may_wait: bool = True
    """Whether a die may wait for the next ones (CUBED-7)."""
    counts_later: bool = True
    """Whether a Wild counts in later SETs of the turn that first puts it into one (CUBED-13)."""

    def square(self, at: Square) -> int:
        """Return the number of the square ``at`` (row, column)."""
        return at[0] * self.board.columns + at[1]

    def at(self, square: int) -> Square:
        """Return row and column of ``square``; the inverse of :meth:`square`."""
        return divmod(square, self.board.columns)

    def around(self, square: int) -> tuple[int, ...]:
        """Return the squares that share a side with ``square``."""
        return tuple(map(self.square, self.board.neighbours(self.at(square))))

    def windows(self, square: int) -> Iterator[Window]:
        """Yield the windows of three squares that hold ``square``: up to six."""
        for first, second, last in self.board.windows(self.at(square)):
            yield self.square(first), self.square(second), self.square(last)


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A turn. The smaller is the better: more points, then fewer Wilds, fewer dice, then reading order."""

    loss: int
    """Points and bonus, with a minus."""
    wilds: int
    """Wilds laid."""
    count: int
    """Dice laid."""
    placements: tuple[Placement, ...]
    """What lies on the board in the end, in reading order."""
    order: tuple[int, ...] = field(compare=False)
    """The order that scores most, as places in ``placements``; of equal ones the first."""

    @property
    def points(self) -> int:
        """Points and bonus."""
        return -self.loss

    @property
    def laid(self) -> tuple[Placement, ...]:
        """The placements in the order in which they are laid."""
        return tuple(self.placements[place] for place in self.order)


class Search:
    """The best turns of one position. It is used once: make it, and call :meth:`best` or :meth:`rate`."""

    def __init__(self, position: Position) -> None:
        """List the atoms of ``position``."""
        self.position = position
        self.stock = [position.hand.count(face) for face in range(_FACES)]
        self.touching = frozenset(
            near for square in position.dice for near in position.around(square) if near not in position.dice
        )
        self.ones: dict[int, list[Window]] = {}
        """SETs that one die makes with the board, by its cell; each as its window."""
        self.twos: dict[tuple[int, int], list[Window]] = {}
        """SETs that two dice make with one on the board."""
        self.threes: dict[tuple[int, int, int], Window] = {}
        """The SET that three dice make alone."""
        self._lacks = self._lacking_pairs()
        self._triples = self._playable_triples() if position.left == _MOST_DICE else []
        self._found: list[Found] = []
        self._seen: set[Cells] = set()
        self._most = 1
        self._list_atoms()

    # Wilds that a hand needs.

    def lacking(self, cells: Cells) -> int:
        """Return how many of ``cells`` the hand can show with Wilds only."""
        faces = [cell & _MASK for cell in cells]
        return sum(max(0, faces.count(face) - self.stock[face]) for face in set(faces))

    def _lacking_pairs(self) -> list[list[int]]:
        faces = range(_FACES)
        return [[self.lacking((first, second)) for second in faces] for first in faces]

    # Atoms.

    def _list_atoms(self) -> None:
        near = self.position.dice.keys() | self.touching
        lists = (self._list_ones, self._list_twos, self._list_threes)
        for window in sorted({window for square in near for window in self.position.windows(square)}):
            empty = [square for square in window if square not in self.position.dice]
            if 0 < len(empty) <= self.position.left:
                lists[len(empty) - 1](window, *empty)

    def _list_ones(self, window: Window, square: int) -> None:
        first, second = (self.position.dice[other] for other in window if other != square)
        face = _THIRDS[first][second]
        if (self.stock[face] or self.position.wilds) and self._differ(first, second):
            self.ones.setdefault(square << _SHIFT | face, []).append(window)

    def _list_twos(self, window: Window, low: int, high: int) -> None:
        (die,) = (self.position.dice[other] for other in window if other not in (low, high))
        for first, second in enumerate(_THIRDS[die]):
            if self._lacks[first][second] <= self.position.wilds and self._differ(first, second):
                pair = (low << _SHIFT | first, high << _SHIFT | second)
                self.twos.setdefault(pair, []).append(window)

    def _list_threes(self, window: Window, *squares: int) -> None:
        low, middle, high = (square << _SHIFT for square in squares)
        for first, second, last in self._triples:
            self.threes[(low | first, middle | second, high | last)] = window

    def _playable_triples(self) -> list[tuple[int, int, int]]:
        wilds = self.position.wilds
        triples = (
            (first, second, last)
            for first, row in enumerate(_THIRDS)
            for second, last in enumerate(row)
            if self._lacks[first][second] <= wilds and self._differ(first, second)
        )
        return [triple for triple in triples if self.lacking(triple) <= wilds]

    def _differ(self, first: int, second: int) -> bool:
        """Return whether a SET of these two may be one: two that are equal call for a third one."""
        return first != second or self.position.identical

    # One turn.

    def windows_of(self, cells: Cells) -> list[tuple[int, Window]]:
        """Return the SETs that ``cells`` make, each with the bits of the cells it needs."""
        made = [(1 << i, window) for i, cell in enumerate(cells) for window in self.ones.get(cell, ())]
        for (i, first), (j, second) in combinations(enumerate(cells), 2):
            made += [(1 << i | 1 << j, window) for window in self.twos.get((first, second), ())]
        if len(cells) == _MOST_DICE and (alone := self.threes.get((cells[0], cells[1], cells[2]))) is not None:
            made.append((7, alone))
        return made

    def rate(self, placements: tuple[Placement, ...]) -> Found | None:
        """Return the turn that lays ``placements`` (in reading order, on free squares) in its best order.

        None: no order is legal. Whether the hand holds the dice is not asked here but where atoms are listed.
        """
        cells = tuple(square << _SHIFT | face for square, face, _ in placements)
        made = self.windows_of(cells)
        if not self._all_covered(placements, made):
            return None
        return self._in_best_order(placements, made)

    def _all_covered(self, placements: tuple[Placement, ...], made: list[tuple[int, Window]]) -> bool:
        covered = {square for _, window in made for square in window}
        return covered.issuperset(square for square, _, _ in placements) and covered >= self.position.waiting

    def _in_best_order(self, placements: tuple[Placement, ...], made: list[tuple[int, Window]]) -> Found | None:
        wilds = {square for square, _, wild in placements if wild}
        silent, fresh = self.position.silent, self.position.fresh
        silent, fresh = (silent, fresh | wilds) if self.position.counts_later else (silent | wilds, fresh)
        fixed = 3 * len(made) + sum(self.position.bonus.get(square, 0) for square, _, _ in placements)
        if silent:
            fixed -= sum(square in silent for _, window in made for square in window)
        best: tuple[int, tuple[int, ...]] | None = None
        for order in _ORDERS[len(placements)]:
            unpaid = self._unpaid(placements, made, order, fresh)
            if unpaid is not None and (best is None or unpaid < best[0]):
                best = (unpaid, order)
                if unpaid <= len(wilds if self.position.counts_later else ()):
                    break
        if best is None:
            return None
        return Found(best[0] - fixed, len(wilds), len(placements), placements, best[1])

    def _unpaid(
        self,
        placements: tuple[Placement, ...],
        made: list[tuple[int, Window]],
        order: tuple[int, ...],
        fresh: frozenset[int],
    ) -> int | None:
        """Return how many dice of the SETs made are fresh Wilds in this order; None: the order is not legal."""
        laid, unpaid, known = 0, 0, set[int]()
        for place in order:
            if not self._connected(placements, place, laid):
                return None
            laid |= 1 << place
            now = [window for bits, window in made if bits >> place & 1 and bits | laid == laid]
            if not now and not self.position.may_wait:
                return None
            if fresh:
                first = [square for window in now for square in window if square in fresh and square not in known]
                unpaid += len(first)
                known.update(first)
        return unpaid

    def _connected(self, placements: tuple[Placement, ...], place: int, laid: int) -> bool:
        square = placements[place][0]
        if square in self.touching:
            return True
        near = tuple(self.position.around(square))
        return any(laid >> other & 1 and placements[other][0] in near for other in range(len(placements)))

    # All turns.

    def best(self, k: int = 1) -> tuple[Found, ...]:
        """Return the ``k`` best turns, best first; fewer if there are no more.

        :raises ValueError: ``k`` is less than 1.
        """
        if k < 1:
            raise ValueError(f"how many turns must be at least 1; got {k!r}")
        self._most = k
        solos = self._solos()
        pairs = self._pairs() if self.position.left > 1 else []
        for worth, cell in solos:
            self._offer((cell,), worth)
        for worth, pair in pairs:
            self._offer(pair, worth)
        if self.position.left > 1:
            self._join_solos(solos)
        if self.position.left > 2:
            self._offer_threes()
            self._join_pairs()
            self._join_pairs_and_solos(pairs, solos)
        return tuple(self._found)

    @property
    def _floor(self) -> float:
        """Fewer points than this are not among the best found so far. A board may have bonuses below 0."""
        return self._found[-1].points if len(self._found) == self._most else -inf

    def _worth(self, cell: int) -> int:
        """Return what ``cell`` is worth alone, at most: SETs, bonus, less the Wild that the hand needs for it."""
        square, face = cell >> _SHIFT, cell & _MASK
        return 3 * len(self.ones.get(cell, ())) + self.position.bonus.get(square, 0) - (not self.stock[face])

    def _solos(self) -> list[tuple[int, int]]:
        return sorted(((self._worth(cell), cell) for cell in self.ones), key=_by_worth, reverse=True)

    def _pairs(self) -> list[tuple[int, tuple[int, int]]]:
        worth = {cell: self._worth(cell) for pair in self.twos for cell in pair}
        pairs = [
            (3 * len(windows) + worth[first] + worth[second], (first, second))
            for (first, second), windows in self.twos.items()
        ]
        return sorted(pairs, key=_by_worth, reverse=True)

    def _join_solos(self, solos: list[tuple[int, int]]) -> None:
        """Offer two or three dice each of which makes a SET with the board alone."""
        for i, (first, one) in enumerate(solos):
            if first + 2 * max(first, 0) < self._floor:
                break
            for j, (second, two) in enumerate(solos[i + 1 :], i + 1):
                if first + second + max(second, 0) < self._floor:
                    break
                if one >> _SHIFT == two >> _SHIFT or self.lacking((one, two)) > self.position.wilds:
                    continue
                self._offer((one, two) if one < two else (two, one), first + second)
                if self.position.left > 2:
                    self._join_third(one, two, first + second, solos[j + 1 :])

    def _join_third(self, one: int, two: int, worth: int, solos: list[tuple[int, int]]) -> None:
        squares = (one >> _SHIFT, two >> _SHIFT)
        for third_worth, three in solos:
            if worth + third_worth < self._floor:
                break
            if three >> _SHIFT not in squares:
                self._offer(tuple(sorted((one, two, three))), worth + third_worth)

    def _offer_threes(self) -> None:
        none: tuple[Window, ...] = ()
        for cells in self.threes:
            first, second, last = cells
            shared = len(self.twos.get((first, second), none)) + len(self.twos.get((second, last), none))
            alone = self._worth(first) + self._worth(second) + self._worth(last)
            self._offer(cells, alone + 3 * (1 + shared))

    def _join_pairs(self) -> None:
        """Offer three dice where two pairs share one. The other two of them are never a pair as well.

        For that all three would have to lie within three squares in a line, and so be the only dice there.
        """
        partners: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for (first, second), windows in self.twos.items():
            partners[first].append((3 * len(windows) + self._worth(second), second))
            partners[second].append((3 * len(windows) + self._worth(first), first))
        for shared, others in partners.items():
            own = self._worth(shared)
            for (worth, one), (more, two) in combinations(others, 2):
                if one >> _SHIFT != two >> _SHIFT:
                    self._offer(tuple(sorted((shared, one, two))), own + worth + more)

    def _join_pairs_and_solos(self, pairs: list[tuple[int, tuple[int, int]]], solos: list[tuple[int, int]]) -> None:
        for worth, (first, second) in pairs:
            squares = (first >> _SHIFT, second >> _SHIFT)
            for more, solo in solos:
                if worth + more < self._floor:
                    break
                if solo >> _SHIFT not in squares:
                    self._offer(tuple(sorted((first, second, solo))), worth + more)

    def _offer(self, cells: Cells, worth: int) -> None:
        """Keep the turns that lay ``cells`` if they are among the best; ``worth`` is the most they can score."""
        if worth < self._floor or cells in self._seen:
            return
        least = self.lacking(cells)
        if least > self.position.wilds:
            return
        self._seen.add(cells)
        made = self.windows_of(cells)
        for wilds in range(least, min(self.position.wilds, len(cells)) + 1):
            for chosen in combinations(cells, wilds):
                self._try(cells, chosen, made)

    def _try(self, cells: Cells, wilds: Cells, made: list[tuple[int, Window]]) -> None:
        if self.lacking(tuple(cell for cell in cells if cell not in wilds)):
            return
        placements = tuple((cell >> _SHIFT, cell & _MASK, cell in wilds) for cell in cells)
        bonus = sum(self.position.bonus.get(square, 0) for square, _, _ in placements)
        hoped = Found(len(wilds) - bonus - 3 * len(made), len(wilds), len(cells), placements, ())
        if self._is_late(hoped) or not self._all_covered(placements, made):
            return
        found = self._in_best_order(placements, made)
        if found is not None and not self._is_late(found):
            insort(self._found, found)
            del self._found[self._most :]

    def _is_late(self, found: Found) -> bool:
        return len(self._found) == self._most and found > self._found[-1]
