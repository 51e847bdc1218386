"""From an image to the pieces on the table: load, segment, rectify, classify, decode, draw."""
