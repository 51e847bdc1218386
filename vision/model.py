"""A shipped model: a folder with ``model.onnx``, ``config.json``, ``metrics.json``, a card and a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime

from vision.types import VisionError

__all__ = ["Model", "ModelError", "ModelFileError", "shipped_folder", "sigmoid"]


class ModelError(VisionError):
    """A model that cannot be used."""


class ModelFileError(ModelError, FileNotFoundError):
    """A model folder in which a file is missing or is not what it should be."""


def sigmoid(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the probabilities of ``logits``, float32 of the same shape."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def shipped_folder(name: str) -> Path:
    """Return the folder of the shipped model ``name`` ("segmenter" or "reader")."""
    return Path(str(files("models"))) / name


@dataclass(frozen=True, eq=False)
class Model:
    """An ONNX network with one input and one output, and the numbers beside it."""

    session: onnxruntime.InferenceSession
    config: Mapping[str, object]

    @classmethod
    def open(cls, folder: Path) -> Model:
        """Open the model in ``folder``; it runs on all cores.

        :raises ModelFileError: a file is missing, or ``model.onnx`` does not match ``SHA256``.
        """
        for name in ("model.onnx", "config.json", "SHA256"):
            if not (folder / name).is_file():
                raise ModelFileError(f"the model folder {str(folder)!r} has no {name}: install the package again")
        data = (folder / "model.onnx").read_bytes()
        if hashlib.sha256(data).hexdigest() != (folder / "SHA256").read_text().split()[0]:
            raise ModelFileError(
                f"{str(folder / 'model.onnx')!r} does not match its checksum: install the package again"
            )
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # Threads that spin while they wait keep the cores from OpenCV and from the other network.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        return cls(session, json.loads((folder / "config.json").read_text()))

    def run(self, inputs: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the network's only output for its only input."""
        name = self.session.get_inputs()[0].name
        return np.asarray(self.session.run(None, {name: inputs})[0], np.float32)
