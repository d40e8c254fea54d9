"""What is kept of what a solve tells."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, Result
from steadygrid.domain.rational import approximate
from steadygrid.domain.trace import MOST_POINTS, Trace
from steadygrid.engine.solving.record import LONGEST_BITS, Record, known
from tests.draws import draws

F = Fraction


def answer(
    value: F | None, bound: F | None, *, exact: bool = True, name: str = "throughput"
) -> Result:
    return Result(
        kind="k",
        outcome=Outcome.FEASIBLE,
        method="m",
        objective=None
        if value is None
        else Objective.model_validate({"name": name, "value": value, "approx": approximate(value)}),
        bound=None if bound is None else Bound.from_value(bound, exact=exact),
        gap=None,
        certificate=NoCertificate(),
    )


def record(*told: tuple[F | float | None, F | float | None]) -> Record:
    made = Record()
    for second, (value, bound) in enumerate(told):
        made.take(second, float(second), known(value), known(bound))
    return made


def rows(trace: Trace) -> list[tuple[float, F | None, F | None, bool]]:
    return [(point.seconds, point.value, point.bound, point.exact) for point in trace]


def test_each_change_is_a_point_and_the_answer_is_the_last() -> None:
    told = record((F(1, 4), None), (F(1, 4), None), (None, F(2)), (F(1, 2), F(1)))
    assert rows(told.trace(answer(F(1, 2), F(2, 3)), 9.1234567)) == [
        (0.0, F(1, 4), None, True),
        (2.0, F(1, 4), F(2), True),
        (3.0, F(1, 2), F(1), True),
        (9.123457, F(1, 2), F(2, 3), True),
    ]


def test_worse_values_and_bounds_change_nothing() -> None:
    told = record((F(1, 2), F(1)), (F(1, 3), F(2)), (None, F(3, 4)))
    assert rows(told.trace(answer(F(1, 2), F(3, 4)), 2.0)) == [
        (0.0, F(1, 2), F(1), True),
        (2.0, F(1, 2), F(3, 4), True),
    ]


def test_of_what_is_minimised_less_is_better() -> None:
    told = record((F(9), None), (F(10), F(1)), (F(8), F(3)), (None, F(2)))
    assert rows(told.trace(answer(F(7), F(4), name="makespan"), 5.0)) == [
        (0.0, F(9), None, True),
        (1.0, F(9), F(1), True),
        (2.0, F(8), F(3), True),
        (5.0, F(7), F(4), True),
    ]


def test_floats_are_shortest_decimals_and_not_exact() -> None:
    told = record((0.1, F(1, 3)), (F(1, 4), F(1, 3)))
    assert rows(told.trace(answer(F(1, 4), F(1, 3)), 2.0)) == [
        (0.0, F(1, 10), F(1, 3), False),
        (1.0, F(1, 4), F(1, 3), True),
    ]


def test_that_the_answer_is_exact_now_is_a_point() -> None:
    told = record((0.5, 0.5))
    assert rows(told.trace(answer(F(1, 2), F(1, 2)), 3.0)) == [
        (0.0, F(1, 2), F(1, 2), False),
        (3.0, F(1, 2), F(1, 2), True),
    ]
    assert rows(told.trace(answer(F(1, 2), F(1, 2), exact=False), 3.0)) == [
        (0.0, F(1, 2), F(1, 2), False)
    ]


def test_what_rounding_has_beyond_the_answer_is_cut() -> None:
    told = record((0.3333333333333334, 0.33333333333333326))
    assert rows(told.trace(answer(F(1, 3), F(1, 3)), 1.0)) == [
        (0.0, F(1, 3), F(1, 3), False),
        (1.0, F(1, 3), F(1, 3), True),
    ]


def test_what_was_not_kept_is_left_out() -> None:
    told = record((F(1, 4), F(1)), (0.4, F(1)), (None, F(3, 4)), (None, F(1, 2)))
    assert rows(told.trace(answer(F(1, 3), F(3, 4)), 4.0)) == [
        (0.0, F(1, 4), F(1), True),
        (2.0, F(1, 4), F(3, 4), True),
        (4.0, F(1, 3), F(3, 4), True),
    ]


def test_without_a_value_in_the_answer_no_point_has_one() -> None:
    falling = record((F(1, 4), F(3)), (F(1, 3), F(2)))
    rising = record((None, F(1)), (None, F(2)))
    for told, first in ((falling, F(3)), (rising, F(1))):
        assert rows(told.trace(answer(None, F(2)), 4.0)) == [
            (0.0, None, first, True),
            (1.0, None, F(2), True),
        ]


def test_nothing_told_and_nothing_answered_is_no_trace() -> None:
    assert Record().trace(answer(F(1), F(1)), 1.0) == ()
    assert record((None, None)).trace(answer(F(1), F(1)), 1.0) == ()
    assert record((F(1), F(2))).trace(answer(None, None), 1.0) == ()


@pytest.mark.parametrize("told", [float("inf"), float("-inf"), float("nan"), None])
def test_what_is_no_number_is_nothing(told: float | None) -> None:
    assert known(told) is None


def test_a_value_below_zero_is_the_rounding_of_zero() -> None:
    assert known(-1e-12) == (F(0), False)


def test_very_long_numbers_are_kept_as_decimals() -> None:
    longest = F(1, 2 ** (LONGEST_BITS - 1))
    assert known(longest) == (longest, True)
    assert known(F(2**LONGEST_BITS + 1, 2**LONGEST_BITS)) == (F(1), False)
    assert known(F(1, 2 ** (2 * LONGEST_BITS))) is None


@pytest.mark.parametrize("changes", [1, 2, 497, 498, 499, 500, 501, 996, 997, 1500, 20_000])
def test_many_changes_are_thinned_and_the_first_and_last_kept(changes: int) -> None:
    told = record(*((None, F(changes - k)) for k in range(changes)))
    assert len(told._kept) <= MOST_POINTS - 2
    trace = told.trace(answer(None, F(1, 2)), float(changes))
    assert len(trace) <= MOST_POINTS
    assert len(trace) >= min(changes + 1, MOST_POINTS // 2)
    if changes < MOST_POINTS - 1:
        assert len(trace) == changes + 1
    seconds = [point.seconds for point in trace]
    assert seconds[0] == 0
    assert seconds[-2:] == [changes - 1, changes]
    steps = {b - a for a, b in pairwise(seconds[:-2])}
    assert len(steps) <= 1, "evenly"


@pytest.mark.parametrize("seed", range(draws(5, 500)))
def test_traces_only_get_better_and_agree_with_the_answer(seed: int) -> None:
    draw = random.Random(seed)
    minimised = draw.random() < 0.5
    sign = -1 if minimised else 1
    value, bound = F(draw.randint(50, 100), 7), F(draw.randint(50, 100), 7)
    value, bound = (max(value, bound), min(value, bound))[::sign][::-1]
    told = []
    for _ in range(draw.randint(1, 40)):
        found, shown = (F(draw.randint(1, 1500), draw.randint(7, 70)) for _ in range(2))
        told.append(
            (
                draw.choice((None, found, float(found))),
                draw.choice((None, shown, float(shown))),
            )
        )
    trace = record(*told).trace(
        answer(value, bound, name="makespan" if minimised else "throughput"), 99.0
    )
    if not trace:
        assert all(pair == (None, None) for pair in told)
        return
    assert trace[-1][2:] == (value, bound, True)
    told_numbers = [known(one) for pair in told for one in pair]
    reported = {one.value for one in told_numbers if one is not None}
    for before, after in pairwise(trace):
        assert before.seconds <= after.seconds
        assert before[2:] != after[2:]
        for old, new in ((before.value, after.value), (after.bound, before.bound)):
            assert old is None or new is None or (new - old) * sign >= 0
        assert before.value is None or after.value is not None
        assert before.bound is None or after.bound is not None
    for point in trace:
        if point.value is not None and point.bound is not None:
            assert (point.bound - point.value) * sign >= 0
        assert {point.value, point.bound} <= reported | {value, bound, None}
