"""Confidence that means what it says: the logistic is found again, and the doubt leaves the right ones alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="calibration needs what comes with torch: make test-train")

from models.training.platt import Logistic, OneSidedError, fit, log_odds, settle, threshold


def test_log_odds_are_finite_and_undone_by_the_logistic() -> None:
    odds = log_odds([0.0, 0.2, 1.0])
    assert np.isfinite(odds).all()
    assert Logistic((1.0,), 0.0)(odds[:, None]) == pytest.approx([0.0, 0.2, 1.0], abs=1e-5)


def test_calibration_finds_the_logistic_that_made_the_answers() -> None:
    rng = np.random.default_rng(3)
    odds = rng.normal(2, 2, (6000, 2))
    right = rng.random(6000) < 1 / (1 + np.exp(-(odds @ [0.3, 0.7] - 0.4)))
    found = fit(odds, right)
    assert found.weights == pytest.approx((0.3, 0.7), abs=0.07)
    assert found.bias == pytest.approx(-0.4, abs=0.15)


def test_no_look_counts_against_what_it_says() -> None:
    rng = np.random.default_rng(4)
    odds = rng.normal(2, 2, (6000, 2))
    right = rng.random(6000) < 1 / (1 + np.exp(-(odds @ [1.0, -0.5])))
    whole, least = fit(odds, right).weights
    assert whole > 0.5
    assert least == 0


def test_the_doubt_leaves_most_of_the_right_ones_alone() -> None:
    confidence = np.linspace(0, 1, 1001)
    right = confidence > 0.3
    doubt = threshold(confidence, right, 0.1)
    assert (confidence[right] < doubt).mean() <= 0.1
    assert doubt == pytest.approx(0.37, abs=0.002)


def test_the_numbers_join_those_of_the_model(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"batch": 64, "doubt": 0.5}))
    confidence = np.linspace(0, 1, 1001)
    right = confidence > 0.3
    said = settle(tmp_path, {"whole": 2.00004}, confidence, right, 0.1)
    assert json.loads(path.read_text()) == {"batch": 64, "whole": 2.0, "doubt": pytest.approx(0.37, abs=0.002)}
    assert said.startswith("1001 pieces, 0.6993 right")
    assert said.endswith("in doubt 1.00 of the wrong ones")


@pytest.mark.parametrize("every", [True, False])
def test_where_all_are_right_or_none_there_is_nothing_to_fit(every: bool) -> None:
    with pytest.raises(OneSidedError, match=f"of 4 pieces found {4 if every else 0} are named rightly"):
        fit(np.zeros((4, 1)), np.full(4, every))
