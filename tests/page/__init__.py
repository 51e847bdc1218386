"""Tests of the page in a real browser; how to write one stands in conftest.py."""
