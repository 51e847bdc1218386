"""Our own renderer of pieces and scenes, and the manifests of real photos. Not part of the wheel."""
