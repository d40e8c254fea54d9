"""How the optimum of classes is written, and prices of streams too large for a program."""

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.solver import stream_bound
from steadygrid.kinds.bag_of_tasks.solver.policy_runs import COARSE_BOUND
from steadygrid.kinds.bag_of_tasks.solver.program import Optimum, optimum, readable
from steadygrid.kinds.bag_of_tasks.solver.star import Star
from steadygrid.submissions.submission import parse_submission
from tests.kinds.bag_of_tasks.bodies import F, bag, body, star
from tests.kinds.bag_of_tasks.test_policies import streamed
from tests.solved import solve

THIRDS = body(star({"speed": 1}, {"speed": 1}), bag("b", (1, 1, "1/3"), (2, 1, "2/3")))
STAR = Star(parse_submission(THIRDS, Limits()).instance)


def test_what_clients_can_read_is_told_exactly_without_what_is_0() -> None:
    rates = {(0, 0): F(1, 7), (1, 1): F(2, 7)}
    found = readable(STAR, rates, {"P2.compute": F(1, 3), "P1.in": F(0), "P1.compute": F(2, 3)})
    assert found == (rates, {"P1.compute": F(2, 3), "P2.compute": F(1, 3)}, False)


def test_too_long_rates_are_rounded_down_in_proportion_and_prices_up() -> None:
    tiny = F(1, 3**9000)
    part = (F(1, 2) - tiny) / 3
    rates = {(0, 0): part, (1, 0): part, (1, 1): part}
    prices = {"P1.compute": F(1) + tiny, "P2.compute": tiny}
    assert too_long([part])
    found = readable(STAR, rates, prices)
    assert found.is_rounded
    assert not too_long([*found.rates.values(), *found.prices.values(), found.value, found.bound])
    assert all(found.rates[key] <= rate for key, rate in rates.items())
    assert 2 * found.rates[0, 0] == found.rates[1, 0] + found.rates[1, 1]
    assert 0 < 3 * part - found.value < F(1, 2**1000)
    assert all(0 <= found.prices[name] - price < F(1, 2**1000) for name, price in prices.items())


@pytest.mark.parametrize("seed", range(5))
def test_prices_of_means_in_cells_bound_streams_nearly_as_well(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if programs had to be tiny: the referee accepts, and no bound is below the optimum."""
    problem = streamed(seed)
    exact = solve(problem).result
    for name in ("MOST_COLUMNS", "MOST_DRAWN"):
        monkeypatch.setattr(stream_bound, name, 4)
    coarse = solve(problem).result
    for one, other in zip(exact.simulation, coarse.simulation, strict=True):
        assert one.makespan == other.makespan
        assert one.empirical_bound <= other.empirical_bound


def late(star: Star, control: Control) -> Optimum:
    raise OutOfTime


def test_without_the_best_prices_some_bound_is_proved_and_said_to_be_coarse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = streamed(1)
    exact = solve(problem).result
    monkeypatch.setattr(stream_bound, optimum.__name__, late)
    coarse = solve(problem).result
    assert COARSE_BOUND in coarse.notes
    assert COARSE_BOUND not in exact.notes
    for one, other in zip(exact.simulation, coarse.simulation, strict=True):
        assert one.empirical_bound <= other.empirical_bound


def test_too_long_prices_are_rounded_and_prove_hardly_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = streamed(2)
    exact = solve(problem).result
    monkeypatch.setattr(stream_bound, too_long.__name__, lambda _: True)
    rounded = solve(problem).result
    for one, other in zip(exact.simulation, rounded.simulation, strict=True):
        assert one.empirical_bound <= other.empirical_bound
        assert other.empirical_bound - one.empirical_bound < one.empirical_bound / 2**30
