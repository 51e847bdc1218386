"""What lies on a table: as it was understood last, as it is seen, and as people have told it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from engine.editions import Edition
from engine.events import Corrected, Event, Picked, Undone
from engine.game import State
from engine.layout import Layout
from engine.referee import Referee
from engine.tokens import Piece
from service.game import Game
from service.live.correcting import renamed
from service.live.lying import Mark, lying, marks
from service.live.seen import Seen, missing, seen_in, unfollowed, with_told
from vision.tracks import Moment, Track

__all__ = ["View"]


@dataclass(slots=True)
class View:
    """What lies there, of a game with pieces of ``kind``, on a board or not.

    ``base`` is what was understood last and ``seen`` what was last seen settled. ``awaited`` are pieces that people
    have told of and nobody has seen yet, and ``since`` is when the last of them was told or seen. ``judged`` are
    three that were told as a false call: they may be lifted once without that being a pick. ``names`` are what people
    have said of tracks: that counts, also in a picture that was under way when they said it.
    """

    kind: str
    on_board: bool
    base: Seen = field(default_factory=Seen)
    seen: Seen = field(default_factory=Seen)
    moment: Moment | None = None
    awaited: frozenset[Mark] = frozenset()
    since: float | None = None
    judged: frozenset[Piece] = frozenset()
    names: dict[int, Piece] = field(default_factory=dict)

    @classmethod
    def of(cls, edition: Edition) -> View:
        """Return the view of a table of ``edition`` on which nothing lies yet."""
        return cls(edition.deck[0].kind, Game(edition.key).needs_board)

    @property
    def is_as_understood(self) -> bool:
        """Whether what is seen is what was understood."""
        return self.seen.layout == self.base.layout

    @property
    def is_complete(self) -> bool:
        """Whether all that was understood to lie there is seen, wherever it lies."""
        return not Counter(self.base.layout.values()) - Counter(self.seen.layout.values())

    def layout(self, state: State) -> Layout:
        """Return what is understood to lie there in a game that stands at ``state``."""
        return with_told(self.base, lying(state), self.awaited)

    def named(self, moment: Moment) -> Moment:
        """Return ``moment`` with its pieces called what people have said."""
        here = {track.identity for track in moment.tracks}
        self.names = {one: piece for one, piece in self.names.items() if one in here}
        if not self.names:
            return moment
        return replace(moment, tracks=tuple(_called(track, self.names.get(track.identity)) for track in moment.tracks))

    def take_in(self, moment: Moment, state: State) -> None:
        """Take in a ``moment``: only what is settled shows all that lies there."""
        self.moment = moment
        if moment.settled:
            self.seen = seen_in(moment, self.kind, self.on_board)
            self._tick_off(marks(lying(state)) - marks(self.seen.layout), moment.time)

    def _tick_off(self, unseen: frozenset[Mark], now: float) -> None:
        if not self.awaited <= unseen:
            self.awaited &= unseen
            self.since = None if self.since is None else now

    def missed(self, now: float, patience: float) -> tuple[Piece, ...]:
        """Return, once, the pieces that people have told of if none of them has been seen for so long."""
        if self.since is None or now - self.since < patience:
            return ()
        self.since = None
        return tuple(sorted(one[1] if isinstance(one, tuple) else one for one in self.awaited))

    def lifted(self, moment: Moment) -> frozenset[Piece]:
        """Return the pieces that are seen to be gone in a ``moment`` that has not settled."""
        return missing(self.base, moment)

    def rest(self, seen: Seen) -> None:
        """Take ``seen`` for what is understood."""
        self.base = seen
        if not self.judged.issubset(seen.layout.values()):
            self.judged = frozenset()

    def resume(self, referee: Referee) -> None:
        """Take what lies there by the game of ``referee`` for what is understood, though nobody has seen it."""
        self.base = self.seen = Seen(lying(referee.state))
        for event, verdict in referee.counted():
            self.judged = _false_pick(event, judged=verdict.judged)

    def restart(self) -> None:
        """Take it that no number of a track means what it meant before."""
        self.base, self.seen, self.moment = unfollowed(self.base), unfollowed(self.seen), None
        self.names.clear()

    def follow(self, event: Event, before: State, after: State, *, judged: bool, now: float) -> None:
        """Note what an ``event`` that people have told ``now`` has brought to the table.

        Taking back and correcting bring nothing that a camera does not see: they change what has happened. Three that
        were a false call before a correction may be lifted still.
        """
        if self.moment is None or not isinstance(event, Undone | Corrected):
            came = marks(lying(after)) - marks(lying(before)) - marks(self.seen.layout)
            self.awaited, self.since = self.awaited | came, now if came else self.since
        if not isinstance(event, Corrected):
            self.judged = _false_pick(event, judged=judged)

    def shows(self, piece: Piece) -> bool:
        """Return whether ``piece`` is seen, or known to lie there."""
        return bool(self.tracks_of(piece)) or piece in (*self.base.layout.values(), *self.seen.layout.values())

    def knows(self, identity: int) -> bool:
        """Return whether there is a track of this number."""
        tracks = () if self.moment is None else self.moment.tracks
        return any(track.identity == identity for track in tracks) or self.stood(identity) is not None

    def tracks_of(self, piece: Piece) -> tuple[int, ...]:
        """Return the tracks that read ``piece``."""
        tracks = () if self.moment is None else self.moment.tracks
        return tuple(track.identity for track in tracks if track.reading.piece == piece)

    def stood(self, identity: int) -> Piece | None:
        """Return what the track was understood to be; None for one that is not understood yet."""
        spots = {number: spot for spot, number in self.base.identities.items()}
        return self.base.layout[spots[identity]] if identity in spots else None

    def rename(self, old: Piece, new: Piece, tracks: Collection[int | None] | None = None) -> tuple[int | None, ...]:
        """Read ``old`` as ``new`` on these tracks, or wherever it is read or known to lie; return the tracks.

        None among them: where it lies without a track.
        """
        named = (*self.tracks_of(old), None) if tracks is None else tuple(tracks)
        self.base, self.seen = renamed(self.base, old, new, named), renamed(self.seen, old, new, named)
        self.judged = frozenset(new if piece == old else piece for piece in self.judged)
        if None in named:
            self.awaited = frozenset(_called_mark(one, old, new) for one in self.awaited)
        self.names |= {one: new for one in named if one is not None}
        self.moment = None if self.moment is None else self.named(self.moment)
        return named


def _called_mark(one: Mark, old: Piece, new: Piece) -> Mark:
    if isinstance(one, tuple):
        return (one[0], new) if one[1] == old else one
    return new if one == old else one


def _called(track: Track, piece: Piece | None) -> Track:
    if piece is None or piece == track.reading.piece:
        return track
    return replace(track, reading=replace(track.reading, piece=piece, doubt=None), corrected=True)


def _false_pick(event: Event, *, judged: bool) -> frozenset[Piece]:
    """Return the three of an ``event`` that was ``judged`` a false call by what was picked; of others none."""
    return frozenset(event.cards) if judged and isinstance(event, Picked) else frozenset()
