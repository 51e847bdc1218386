"""The live table: a game that is followed moment by moment, without a window, a thread or a clock of its own."""
