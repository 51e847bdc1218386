"""Time by a clock that may jump."""

from __future__ import annotations

from vision.shots import Elapsed


def test_elapsed_counts_no_time_for_a_jump_back() -> None:
    readings = iter([10.0, 11.0, 4.0, 4.5])
    elapsed = Elapsed(lambda: next(readings))
    assert [elapsed.now() for _ in range(3)] == [1.0, 1.0, 1.5]
