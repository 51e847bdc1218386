"""The tracker with its real eyes, on the beginning of a film of a game."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from datasets.film import FilmSettings, produce
from datasets.film_script import ScriptSettings
from datasets.film_stage import StageSettings
from tests.drawn_table import names
from vision.eyes import CardEyes
from vision.reader import Reader
from vision.tracker import Tracker

SETTINGS = FilmSettings(10.0, StageSettings(size=(960, 540)), ScriptSettings(picks=1, false_call=0, bump=1))


def test_settled_moments_of_a_film_show_its_truth_soon_after_each_hand() -> None:
    tracker, settled, quiet = Tracker(CardEyes(Reader.shipped())), 0, 0
    for frame in islice(produce("classic", 5, SETTINGS).frames(), 120):
        moment = tracker.see(frame.image, frame.time)
        quiet = quiet + 1 if frame.truth.settled else 0
        if moment.settled:
            settled += 1
            assert Counter(names(moment)) == Counter(piece.name for piece in frame.truth.pieces)
        assert moment.settled or quiet <= 7
    assert settled > 20
