"""Write a trained checkpoint as a model folder: ONNX of 32-bit floats, config, metrics, checksum.

    python -m models.training.export segmenter runs/segmenter.pt models/segmenter

models.training.quantise then makes the network quick. The model card (README.md) is written by hand beside it.
``metrics.json`` keeps what the training was; what the pipeline reached with the weights ("pipeline") is added by hand
from ``set-referee evaluate --json``, and new weights drop it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import warnings
from dataclasses import asdict
from pathlib import Path

import torch
from torch import nn

from models.training import finder, segmenter
from models.training.face_reader import FaceNetwork
from models.training.finder import Finder
from models.training.reader import CardReader
from models.training.segmenter import Segmenter
from vision import faces
from vision.classify import HEADS, ClassifyConfig
from vision.faces import FaceConfig
from vision.finder import FinderConfig
from vision.pixels import CROP_MARGIN, CROP_SIZE, FACE_MARGIN, FACE_SIZE
from vision.segment import SegmentConfig

__all__ = ["NETWORKS", "export", "main"]

NETWORKS = ("segmenter", "reader", "finder", "faces")


def _network(name: str) -> tuple[nn.Module, torch.Tensor, dict[int, str], dict[str, object]]:
    """The network, an example input, the names of its free axes, and the config beside it."""
    if name in ("segmenter", "finder"):
        picture, axes = torch.zeros(1, 3, 96, 128), {2: "height", 3: "width"}
        if name == "finder":
            return Finder(), picture, axes, {"channels": list(finder.CHANNELS), **asdict(FinderConfig())}
        return Segmenter(), picture, axes, {"channels": list(segmenter.CHANNELS), **asdict(SegmentConfig())}
    if name == "reader":
        heads = {"heads": HEADS, "crop": list(CROP_SIZE), "margin": CROP_MARGIN}
        crops = torch.zeros(2, 3, CROP_SIZE[1], CROP_SIZE[0])
        return CardReader(), crops, {0: "crops"}, {**heads, **asdict(ClassifyConfig())}
    if name == "faces":
        heads = {"heads": faces.HEADS, "classes": faces.CLASSES, "crop": list(FACE_SIZE), "margin": FACE_MARGIN}
        crops = torch.zeros(2, 3, FACE_SIZE[1], FACE_SIZE[0])
        return FaceNetwork(), crops, {0: "crops"}, {**heads, **asdict(FaceConfig())}
    raise ValueError(f"there is no network {name!r}: {', '.join(NETWORKS)}")


def export(name: str, checkpoint: Path, folder: Path) -> Path:
    """Write the network ``name`` of ``checkpoint`` into ``folder``; return the path of the ONNX file.

    An existing ``config.json`` keeps its numbers: they were tuned for the pipeline, not for the network.
    """
    network, example, axes, config = _network(name)
    saved = torch.load(checkpoint, weights_only=True)
    network.load_state_dict(saved["weights"])
    network.eval()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "model.onnx"
    with warnings.catch_warnings():
        # This exporter calls itself and its own parts deprecated: known, and no business of the caller.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network,
            (example,),
            str(path),
            input_names=["pixels"],
            output_names=["outputs"],
            dynamic_axes={"pixels": axes, "outputs": axes},
            opset_version=17,
            dynamo=False,
        )
    (folder / "SHA256").write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  model.onnx\n")
    kept = json.loads((folder / "config.json").read_text()) if (folder / "config.json").is_file() else {}
    (folder / "config.json").write_text(json.dumps({**config, **kept}, indent=2) + "\n")
    training = {"run": json.loads(saved["run"]), "step": saved["step"]}
    (folder / "metrics.json").write_text(json.dumps({"training": training}, indent=2) + "\n")
    return path


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m models.training.export", description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=NETWORKS)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    path = export(options.name, options.checkpoint, options.folder)
    print(f"{path} {path.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
