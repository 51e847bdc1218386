"""Turn an exported network into one of eight-bit integers: a third of the time, a quarter of the size.

    python -m models.training.quantise segmenter models/segmenter LABELS
    python -m models.training.quantise reader models/reader LABELS

and in the same way for the finder and the faces, with the labels of rendered boards.

Post-training quantisation (Jacob et al. 2018) in ONNX's quantise-dequantise form: one scale for each channel of the
weights, one for each map, measured on the pictures of ``LABELS`` (labels.jsonl, scenes or photos that may be trained
on). The last layer of each branch and what follows it stay float32: positions in pixels and logits need their range.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import onnx
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.training.board_photos import BoardPhoto, read_board_photos
from models.training.export import NETWORKS
from models.training.face_patches import FACE_PATCH, cut_faces
from models.training.photos import Photo, read_photos
from vision.finder import FinderConfig
from vision.pixels import CROP_SIZE, FACE_SIZE, card_crop, reader_input, resize_for_segmenter, segmenter_input
from vision.segment import SegmentConfig
from vision.types import Image, Quad

__all__ = ["main", "quantise"]

_KINDS = ["Conv", "Add", "Relu", "Resize", "Concat", "MaxPool"]
_WEIGHED = {"Conv", "Gemm"}
_CROPS = 12


class _Inputs(CalibrationDataReader):  # type: ignore[misc]  # onnxruntime has no types
    """The inputs one after the other, None at the end, as onnxruntime asks for them."""

    def __init__(self, inputs: Iterator[npt.NDArray[np.float32]]) -> None:
        self.inputs = inputs

    def get_next(self) -> dict[str, npt.NDArray[np.float32]] | None:
        """Return the next input by its name."""
        pixels = next(self.inputs, None)
        return None if pixels is None else {"pixels": pixels}


def _inputs(name: str, photos: Sequence[Photo]) -> Iterator[npt.NDArray[np.float32]]:
    """What the network ``name`` gets of each photo: the resized picture, or crops of what it is to read."""
    longer = {"segmenter": SegmentConfig().longer, "finder": FinderConfig().longer}
    for photo in photos:
        picture, _ = photo.image()
        if name in longer:
            yield segmenter_input(resize_for_segmenter(picture, longer[name]).image)
            continue
        if name == "faces":
            crops, size = _faces(photo), FACE_SIZE
        else:
            named = [thing for thing in photo.things if thing.name is not None and thing.visible > 0.75]
            crops, size = [card_crop(picture, Quad(thing.corners)) for thing in named[:_CROPS]], CROP_SIZE
        if crops:
            yield reader_input(crops, size)


def _faces(photo: Photo) -> list[Image]:
    """Crops of everything that the face reader learns from a picture of a board."""
    if not isinstance(photo, BoardPhoto):
        return []
    left, top = ((patch - crop) // 2 for patch, crop in zip(FACE_PATCH, FACE_SIZE, strict=True))
    patches = [patch for patch, _ in cut_faces(photo, np.random.default_rng(0))]
    return [patch[top : top + FACE_SIZE[1], left : left + FACE_SIZE[0]] for patch in patches]


def _tail(model: onnx.ModelProto) -> list[str]:
    """Names of the nodes from the last layer with weights of each branch to the output."""
    makers = {output: node for node in model.graph.node for output in node.output}
    found: dict[str, None] = {}
    waiting = [output.name for output in model.graph.output]
    while waiting:
        node = makers.get(waiting.pop())
        if node is not None and node.name not in found:
            found[node.name] = None
            waiting += [] if node.op_type in _WEIGHED else list(node.input)
    return list(found)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep warnings out of the log: onnxruntime recommends a step that has just been made."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        logging.disable(before)


def quantise(name: str, folder: Path, photos: Sequence[Photo]) -> Path:
    """Replace ``model.onnx`` in ``folder`` by its eight-bit form, ranges measured on ``photos``; return its path.

    Weights keep seven bits: on processors without VNNI the products of eight would overflow.
    """
    path = folder / "model.onnx"
    with TemporaryDirectory() as scratch, _quiet():
        plain = Path(scratch) / "plain.onnx"
        quant_pre_process(str(path), str(plain), skip_symbolic_shape=True)
        quantize_static(
            str(plain),
            str(path),
            _Inputs(_inputs(name, photos)),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=_KINDS,
            nodes_to_exclude=_tail(onnx.load(plain)),
        )
    (folder / "SHA256").write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  model.onnx\n")
    return path


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.quantise", description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=NETWORKS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--count", type=int, default=60, help="pictures to measure on")
    options = parser.parse_args(arguments)
    read: Callable[[Path], Sequence[Photo]] = read_board_photos if options.name == "faces" else read_photos
    path = quantise(options.name, options.folder, read(options.labels)[: options.count])
    print(f"{path} {path.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
