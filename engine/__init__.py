"""Rules of the SET family of games: pure standard-library Python, no pixels, no clock, no chance."""
