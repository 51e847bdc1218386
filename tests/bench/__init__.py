"""Scripts that measure speed; no tests."""
