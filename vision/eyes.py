"""What a tracker sees with: find pieces, look at some of them, and name all of them together.

Cards, tiles and dice have networks of their own. Their evidence about one piece from several pictures can be put
together: a sum of log-probabilities for each feature, so that one picture with glare does no harm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from vision.boards import Placement
from vision.classify import Evidence
from vision.decode import decode
from vision.face_names import Seen
from vision.finder import Sight
from vision.load import Loaded
from vision.reader import Reader
from vision.table import Asked, TableReader
from vision.types import Deck, Detection, Image, Quad, Reading
from vision.verify import standing

__all__ = ["CardEyes", "Eyes", "FaceEyes", "Found", "Named"]

Floats = npt.NDArray[np.float32]
E = TypeVar("E")
_LEAST_WEIGHT = 0.05


@dataclass(frozen=True, eq=False)
class Found:
    """What is found in one picture: the pieces, and for dice and tiles all that the finder sees."""

    image: Image
    detections: tuple[Detection, ...]
    sight: Sight | None = None


@dataclass(frozen=True, eq=False)
class Named:
    """Names of one table.

    ``readings`` are those of the evidence given, in its order, None where it is no piece after all. ``deck`` and
    ``placement`` are those of the whole table, None where there is none.
    """

    readings: tuple[Reading | None, ...]
    deck: Deck | None = None
    placement: Placement | None = None


class Eyes(Protocol[E]):
    """What finds, looks and names. ``E`` is the evidence about one piece."""

    def find(self, image: Image) -> Found:
        """Return what lies in a (height, width, 3) uint8 BGR picture."""
        ...

    def look(self, found: Found, detections: Sequence[Detection]) -> list[E]:
        """Return the evidence about some of the pieces."""
        ...

    def quad(self, evidence: E) -> Quad:
        """Return where the piece lies, corners corrected."""
        ...

    def together(self, evidence: Sequence[E], quad: Quad) -> E:
        """Return what several looks at one piece say together, which lies at ``quad`` now."""
        ...

    def name(self, found: Found, evidence: Sequence[E]) -> Named:
        """Return the names of a whole table."""
        ...


def _mean(logs: Sequence[Mapping[str, Floats]], weights: Sequence[float] | None = None) -> dict[str, Floats]:
    """The log-probabilities of each head by all looks: their sum decides, their mean is as sure as one look."""
    out = {}
    for name in logs[0]:
        mean = np.average([one[name] for one in logs], axis=0, weights=weights)
        out[name] = np.asarray(mean - np.logaddexp.reduce(mean), np.float32)
    return out


@dataclass(frozen=True, eq=False)
class CardEyes:
    """Looks at cards."""

    reader: Reader

    def find(self, image: Image) -> Found:
        """See :class:`Eyes`."""
        return Found(image, tuple(self.reader.segmenter.detect(image)))

    def look(self, found: Found, detections: Sequence[Detection]) -> list[Evidence]:
        """See :class:`Eyes`."""
        return self.reader.classifier.read(found.image, detections)

    def quad(self, evidence: Evidence) -> Quad:
        """See :class:`Eyes`."""
        return evidence.detection.quad

    def together(self, evidence: Sequence[Evidence], quad: Quad) -> Evidence:
        """See :class:`Eyes`. A look at what can hardly be read counts little."""
        weights = [max(one.readable, _LEAST_WEIGHT) for one in evidence]
        return replace(
            evidence[-1],
            detection=replace(evidence[-1].detection, quad=quad),
            logs=_mean([one.logs for one in evidence], weights),
            least=_mean([one.least for one in evidence], weights),
            readable=float(np.mean([one.readable for one in evidence])),
            wild=float(np.mean([one.wild for one in evidence])),
        )

    def name(self, found: Found, evidence: Sequence[Evidence]) -> Named:
        """See :class:`Eyes`."""
        height, width = found.image.shape[:2]
        decoded = decode(standing(evidence, self.reader.verify), self.reader.config, (width, height))
        mine = {id(reading.quad): reading for reading in decoded.readings}
        readings = tuple(mine.get(id(one.detection.quad)) for one in evidence)
        return Named(readings, decoded.deck)


@dataclass(frozen=True, eq=False)
class FaceEyes:
    """Looks at dice or tiles, and where a board is asked for, at that."""

    reader: TableReader
    asked: Asked = field(default_factory=Asked)

    def find(self, image: Image) -> Found:
        """See :class:`Eyes`."""
        sight = self.reader.finder.look(image)
        return Found(image, sight.detections, sight)

    def look(self, found: Found, detections: Sequence[Detection]) -> list[Seen]:
        """See :class:`Eyes`."""
        return self.reader.looked(found.image, detections)

    def quad(self, evidence: Seen) -> Quad:
        """See :class:`Eyes`."""
        return evidence.evidence.quad

    def together(self, evidence: Sequence[Seen], quad: Quad) -> Seen:
        """See :class:`Eyes`."""
        faces = [one.evidence for one in evidence]
        embedding = np.mean([one.embedding for one in faces], axis=0)
        return replace(
            evidence[-1],
            evidence=replace(
                faces[-1],
                quad=quad,
                logs=_mean([one.logs for one in faces]),
                raised=float(np.mean([one.raised for one in faces])),
                embedding=np.asarray(embedding / max(float(np.linalg.norm(embedding)), 1e-6), np.float32),
            ),
        )

    def name(self, found: Found, evidence: Sequence[Seen]) -> Named:
        """See :class:`Eyes`."""
        assert found.sight is not None  # noqa: S101  find() gives it
        image = found.image
        loaded = Loaded(image, (image.shape[1], image.shape[0]), 1.0, ())
        named, _, placement = self.reader.named(loaded, found.sight, evidence, self.asked)
        mine = {id(reading.quad): reading for reading in named}
        # Dice that the finder has overlooked come on top there; they are followed once it finds them.
        return Named(tuple(mine.get(id(one.evidence.quad)) for one in evidence), None, placement)
