"""Making the networks: architectures, data, training and export. Needs the extra ``train``; not in the wheel."""
