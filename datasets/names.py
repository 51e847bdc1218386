"""Names of pieces as numbers for training."""

from __future__ import annotations

from engine.tokens import Card, Face, Tile

__all__ = ["feature_values"]


def feature_values(kind: str, name: str) -> tuple[int, int, int, int]:
    """Return number, colour, shading and shape of a piece as the indices of their enums; -1s for a wild face.

    Tiles and faces have solid symbols.

    :raises UnknownTokenError: ``name`` is no piece of this ``kind`` ("card", "tile", "die").
    """
    if kind == "card":
        card = Card.parse(name)
        return (card.number.value, card.colour.value, card.shading.value, card.shape.value)
    tile = Tile.parse(name) if kind == "tile" else Face.parse(name).tile
    if tile is None:
        return (-1, -1, -1, -1)
    return (tile.number.value, tile.colour.value, 0, tile.shape.value)
