"""The referee's own look for a better allocation agrees with trying all of them."""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.document import parse_json
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.job import Bound
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.mono_allocation.referee_search import beaten_by
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.shared.collection_referee import steady_instance
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance
from tests.data import shared_data
from tests.kinds.mono_allocation.answers import bound_only
from tests.kinds.mono_allocation.drawn import drawn
from tests.kinds.mono_allocation.enumeration import Enumeration
from tests.kinds.mono_allocation.single_ports import triangle

CLOSE = Fraction(1, 10**12)


def instance_of(problem: dict[str, Any]) -> MonoAllocationInstance:
    body = {"problem": {"kind": "mono_allocation", **problem}}
    return parse_submission(body, Limits()).instance


def asked(instance: MonoAllocationInstance) -> tuple[SteadyInstance, FixedRoutes]:
    steady = steady_instance(instance)
    return steady, FixedRoutes(steady.network, instance.platform.routes)


@pytest.mark.parametrize(
    ("seed", "ports"),
    [*product(range(25), ("one_port", "multiport")), *product(range(8), SINGLE_PORT)],
)
def test_nothing_beats_the_best_and_the_best_beats_what_is_worse(seed: int, ports: str) -> None:
    random = Random(seed)
    try:
        fields: dict[str, Any] = {"ports": ports, "routing": "fixed", "duplication": "none"}
        instance = instance_of(drawn(random, random.randint(1, 4), 3, **fields))
    except SchedulingError:
        return
    steady, routes = asked(instance)
    best = Enumeration(instance).best()
    if best is None:
        assert beaten_by(steady, routes, Fraction(10**30)) is None
        return
    assert beaten_by(steady, routes, best) is None
    assert beaten_by(steady, routes, best + CLOSE) == best
    anything = beaten_by(steady, routes, 100 * best)
    assert anything is not None
    assert best <= anything < 100 * best


def test_odd_sets_are_looked_at_where_each_takes_part_in_one_transfer_at_a_time() -> None:
    """The first try keeps to all ports, but the three processors need 6 for it together."""
    steady, routes = asked(instance_of(triangle("send_or_receive")))
    assert beaten_by(steady, routes, Fraction(5)) is None
    assert beaten_by(steady, routes, Fraction(6)) == 5
    assert beaten_by(steady, routes, Fraction(7)) == 6
    assert beaten_by(steady, routes, Fraction(6), most_steps=12) is None


EXAMPLE = dict(PROBLEMS["mono_allocation"].example["problem"])


def test_few_steps_find_nothing() -> None:
    steady, routes = asked(instance_of(EXAMPLE))
    assert beaten_by(steady, routes, Fraction(6)) is None
    assert beaten_by(steady, routes, Fraction(7)) == 6
    assert beaten_by(steady, routes, Fraction(7), most_steps=4) is None


def test_all_tasks_on_one_processor_are_tried_first() -> None:
    alone = EXAMPLE | {
        "platform": {"processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 2}]},
        "application": {"tasks": [{"id": "a", "work": 2}, {"id": "b", "work": 4}]},
    }
    steady, routes = asked(instance_of(alone))
    assert beaten_by(steady, routes, Fraction(4), most_steps=0) == 3
    assert beaten_by(steady, routes, Fraction(3)) == 2


def claimed(bound: Fraction, problem: dict[str, Any]) -> set[str]:
    """Let the referee judge a bound that rests on a search's word."""
    return bound_only(
        problem,
        {},
        bound=Bound.from_value(bound, exact=False),
        bound_source="search",
        certificate=SearchCertificate(),
    ).codes()


@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
def test_a_search_s_word_is_not_taken_against_an_allocation(routing: str) -> None:
    problem = EXAMPLE | {"routing": routing}
    assert claimed(Fraction(1, 6), problem) == set()
    assert claimed(Fraction(1, 6) - CLOSE, problem) == {"bound_beaten"}


def test_where_occupation_may_not_be_reached_the_referee_cannot_tell() -> None:
    platform = EXAMPLE["platform"]
    halves = [link | {"duplex": "half"} for link in platform["links"]]
    problem = EXAMPLE | {"platform": platform | {"links": halves}}
    assert claimed(Fraction(1, 100), problem) == {"bound_beaten"}
    assert claimed(Fraction(1, 100), problem | {"ports": "one_port"}) == set()


def test_without_copies_a_near_tie_is_seen_from_one_side_only() -> None:
    """With copies the period is 19/18, without them a billionth more."""
    body = parse_json(shared_data("regressions/mono-near-tie.json").read_bytes())
    steady, routes = asked(parse_submission(body, Limits()).instance)
    best = Fraction(9500000009, 9000000000)
    assert best - Fraction(19, 18) == Fraction(1, 10**9)
    assert beaten_by(steady, routes, best) is None
    assert beaten_by(steady, routes, best + CLOSE) == best
