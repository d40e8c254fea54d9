"""Factors by which times are wrong."""

from hashlib import sha256

import pytest

from steadygrid.engine.executions.noise import factors_of


def test_factors_are_those_that_the_contract_says() -> None:
    draw = factors_of("P1", 0.1, "operation", 7)
    for k in range(10):
        digest = sha256(f"7:P1:{k // 4}".encode()).digest()[8 * (k % 4) :][:8]
        part = int(digest.hex(), 16) / 2**64
        assert draw() == pytest.approx(0.9 + 0.2 * part, abs=1e-15)


def test_factors_of_a_resource_are_one_and_the_same() -> None:
    draw = factors_of("P1", 0.1, "resource", 7)
    assert {draw() for _ in range(10)} == {factors_of("P1", 0.1, "operation", 7)()}


def test_factors_are_spread_over_the_whole_interval() -> None:
    draw = factors_of("A->B", 0.5, "operation", 0)
    drawn = sorted(draw() for _ in range(4000))
    assert 0.5 <= drawn[0] < 0.502
    assert 1.498 < drawn[-1] <= 1.5
    assert abs(sum(drawn) / 4000 - 1) < 0.02


def test_another_seed_or_resource_draws_other_numbers() -> None:
    drawn = {factors_of(name, 0.5, "operation", seed)() for name in ("A", "B") for seed in range(3)}
    assert len(drawn) == 6


def test_factors_that_drift_go_straight_from_one_random_one_to_the_next() -> None:
    drawn = factors_of("P1", 0.1, "operation", 7)
    ends = [drawn() for _ in range(3)]
    draw = factors_of("P1", 0.1, "drift", 7)
    for k in range(200):
        turn, part = divmod(k, 100)
        between = ends[turn] + (ends[turn + 1] - ends[turn]) * part / 100
        assert draw() == pytest.approx(between, abs=1e-15)
