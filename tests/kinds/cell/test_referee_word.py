"""The referee's own look for a better mapping agrees with trying all of them."""

from fractions import Fraction
from itertools import islice

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.kinds.cell.referee_view import RefereeView
from steadygrid.kinds.cell.referee_word import beaten_by
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.cell.bodies import body, both
from tests.kinds.cell.enumeration import mappings, period_of, shortest_period
from tests.kinds.cell.random_instances import random_body

CLOSE = Fraction(1, 10**12)


def view(asked: dict) -> RefereeView:
    return RefereeView(parse_submission(asked, Limits()).instance)


@pytest.mark.parametrize("seed", range(draws(30, 3_000)))
def test_nothing_beats_the_best_and_the_best_beats_what_is_worse(seed: int) -> None:
    try:
        seen = view(random_body(seed, largest=4))
    except InstanceError:
        return
    best = shortest_period(seen.instance)
    if best is None:
        assert beaten_by(seen, {}, Fraction(10**9)) is None
        return
    assert beaten_by(seen, {}, best) is None
    assert beaten_by(seen, {}, best + CLOSE) == best
    for mapping in islice(mappings(seen.instance), 5):
        assert beaten_by(seen, mapping, best) is None
        assert beaten_by(seen, mapping, best + CLOSE) == best


def test_what_is_near_is_found_before_all_else() -> None:
    """With 12 steps only mappings that differ in one task, or two, are looked at."""
    tasks = {name: both(2) for name in "abcd"}
    seen = view(body(tasks, {}, spes=1))
    near = {"a": "PPE1", "b": "PPE1", "c": "PPE1", "d": "SPE1"}
    assert period_of(seen.instance, near) == 6
    assert beaten_by(seen, near, Fraction(6), most_steps=12) == 4
    assert beaten_by(seen, {}, Fraction(6), most_steps=3) is None


def test_two_tasks_may_change_places() -> None:
    tasks = {"a": {"time_ppe": 1, "time_spe": 5}, "b": {"time_ppe": 5, "time_spe": 1}}
    seen = view(body(tasks, {}, spes=1))
    wrong = {"a": "SPE1", "b": "PPE1"}
    assert beaten_by(seen, wrong, Fraction(2), most_steps=6) == 1
