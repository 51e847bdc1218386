"""The two networks: architecture, training and export, beside the shipped ONNX folders."""
