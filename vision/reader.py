"""One photo from bytes to readings: load, segment, classify, decode. There is one way through, always timed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision import colours
from vision.classify import Classifier
from vision.decode import DecodeConfig, decode
from vision.load import Limits, Loaded, load
from vision.pixels import CROP_SIZE
from vision.segment import Segmenter
from vision.types import Frame, Image, Reading
from vision.verify import VerifyConfig, standing
from vision.watch import Watch

__all__ = ["Reader"]


class Reader:
    """Both networks and the numbers of the joint decoding, loaded once and used for any number of photos."""

    def __init__(self, segmenter: Segmenter, classifier: Classifier, config: DecodeConfig | None = None) -> None:
        """Use the two networks; ``config`` overrides the shipped numbers of the decoding."""
        self.segmenter, self.classifier = segmenter, classifier
        known = DecodeConfig.__dataclass_fields__
        numbers = {k: v for k, v in classifier.model.config.items() if k in known}
        self.verify = VerifyConfig()
        self.config = config if config is not None else DecodeConfig(**numbers)  # type: ignore[arg-type]

    @classmethod
    def shipped(cls) -> Reader:
        """Open the models that come with the package.

        :raises ModelFileError: a model folder is not complete.
        """
        reader = cls(Segmenter.open(), Classifier.open())
        reader.warm()
        return reader

    def warm(self) -> None:
        """Run both networks once on pictures of nothing, so that the first photo is as quick as the next."""
        colours.warm()
        for height, width in ((480, 640), (640, 480)):
            self.segmenter.maps(np.zeros((height, width, 3), np.uint8))
        self.classifier.outputs([np.zeros((CROP_SIZE[1], CROP_SIZE[0], 3), np.uint8)] * 12)

    def read(self, data: bytes, limits: Limits | None = None) -> Frame:
        """Read a photo file.

        Quads of the frame are pixels of the full-size picture, turned upright.

        :raises LoadError: ``data`` is no picture that can be read within ``limits``.
        """
        watch = Watch()
        loaded = load(data, Limits() if limits is None else limits)
        watch.lap("load")
        return self._read(loaded, watch)

    def read_image(self, image: Image) -> Frame:
        """Read a (height, width, 3) uint8 BGR image."""
        watch = Watch()
        watch.lap("load")
        return self._read(Loaded(image, (image.shape[1], image.shape[0]), 1.0, ()), watch)

    def _read(self, loaded: Loaded, watch: Watch) -> Frame:
        found = self.segmenter.detect(loaded.image)
        watch.lap("segment")
        evidence = self.classifier.read(loaded.image, found)
        watch.lap("classify")
        height, width = loaded.image.shape[:2]
        decoded = decode(standing(evidence, self.verify), self.config, (width, height))
        readings = _full_size(decoded.readings, loaded.scale)
        watch.lap("decode")
        return Frame(loaded.size, readings, decoded.deck, watch.total, watch.stages, decoded.problems, loaded.warnings)


def _full_size(readings: Sequence[Reading], scale: float) -> tuple[Reading, ...]:
    if scale == 1.0:
        return tuple(readings)
    return tuple(replace(reading, quad=reading.quad.scaled(1 / scale)) for reading in readings)
