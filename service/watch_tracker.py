"""What follows the pieces of a live table, opened for a game, and the guess which game lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from service.board_file import AnyBoard
from service.errors import MissingLibraryError, ModelsMissingError
from service.game import Game
from service.reading import Referee
from service.settings import Settings

if TYPE_CHECKING:
    from engine.tokens import Piece
    from vision.tracks import Moment
    from vision.types import Image

__all__ = ["Follows", "GameGuess", "game_of", "open_tracker"]

_FEWEST = 3
"""So many pieces tell which game lies there."""


class Follows(Protocol):
    """What the live window needs of a tracker: see :class:`vision.tracker.Tracker`."""

    def see(self, image: Image, time: float) -> Moment:
        """Return what is known of the table after a (height, width, 3) uint8 BGR picture at ``time`` seconds."""
        ...

    def correct(self, identity: int, piece: Piece | None) -> None:
        """Take a person's word for what a piece is; raises KeyError where it does not lie there any more."""
        ...


def open_tracker(game: Game, board: AnyBoard | None, settle: float) -> Follows:
    """Return what follows the pieces of ``game``, ``auto`` for cards; the table counts as settled after ``settle`` s.

    :raises InstallationError: OpenCV, onnxruntime or the models cannot be loaded.
    """
    try:
        from service.table_reader import asked_of
        from vision.eyes import CardEyes, FaceEyes
        from vision.model import ModelError
        from vision.reader import Reader
        from vision.table import TableReader
        from vision.tracker import Tracker, TrackerConfig
    except ImportError as error:
        raise MissingLibraryError(error) from error
    config = TrackerConfig(settle=settle)
    try:
        if game.has_cards:
            return Tracker(CardEyes(Reader.shipped()), config)
        return Tracker(FaceEyes(TableReader.shipped(), asked_of(game.value, board)), config)
    except ModelError as error:
        raise ModelsMissingError(error) from error


def game_of(moment: Moment, refereed: bool = False) -> Game | None:
    """Return the game whose pieces lie there, as far as a look for cards tells; None while there are too few to tell.

    Where it is to be ``refereed``, pieces without shading are the tiles of face 2 of Junior: every other game that has
    such pieces needs a board.
    """
    if not moment.settled or len(moment.tracks) < _FEWEST:
        return None
    kinds = [track.reading.kind.value for track in moment]
    if 2 * kinds.count("card") >= len(kinds):
        return Game.RAVENSBURGER if moment.deck == "ravensburger" else Game.CLASSIC
    return Game.CUBED if kinds.count("die") > kinds.count("tile") and not refereed else Game.JUNIOR_2


class GameGuess:
    """Tells from single pictures which game lies there: what follows cards takes tiles for cards, and takes time.

    Where the game is ``refereed`` dice and tiles are those of face 2 of Junior: all other games need a board.
    """

    def __init__(
        self, settings: Settings, refereed: bool = False, pause: float = 1.0, referee: Referee | None = None
    ) -> None:
        """Look every ``pause`` seconds at most, with a ``referee`` that is open already or one of its own."""
        self._settings, self._refereed, self._pause = settings, refereed, pause
        self._referee = referee
        self._next = 0.0
        self._last: Game | None = None

    def of(self, image: Image, moment: Moment) -> Game | None:
        """Return the game that lies in ``image``, None where it is not settled, or there are too few to tell.

        ``moment`` is what a look for cards made of it; where that is sure of cards and the picture shows none, the next
        picture has to show the same.

        :raises InstallationError: the models cannot be loaded.
        """
        if not self._is_due(moment):
            return None
        looked, before = self._looked_again(image)
        followed = game_of(moment, self._refereed)
        if looked is None or (looked.has_cards and followed is not None and followed.has_cards):
            return followed
        sure = any(track.reading.doubt is None for track in moment)
        return looked if looked == before or (not sure and not looked.has_cards) else None

    def instead(self, image: Image, moment: Moment, game: Game) -> Game | None:
        """Return the game that lies there instead of ``game``, as two pictures one after the other show it, else None.

        :raises InstallationError: the models cannot be loaded.
        """
        if not self._is_due(moment):
            return None
        looked, before = self._looked_again(image)
        return looked if looked == before and looked != game else None

    def _is_due(self, moment: Moment) -> bool:
        if moment.time < self._next or not moment.settled:
            return False
        self._next = moment.time + self._pause
        return True

    def _looked_again(self, image: Image) -> tuple[Game | None, Game | None]:
        """Return the game in a picture, and that in the one that was looked at before."""
        before, self._last = self._last, self._looked(image)
        return self._last, before

    def _looked(self, image: Image) -> Game | None:
        """Return the game in a picture where there are enough pieces, sure and of different names."""
        import cv2

        coded = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
        self._referee = self._referee or Referee.opened(self._settings)
        answer = self._referee.answer("", coded.tobytes())
        if len({piece.name for piece in answer.pieces if piece.doubt is None}) < _FEWEST:
            return None
        game = Game(answer.game)
        return Game.JUNIOR_2 if self._refereed and not game.has_cards else game
