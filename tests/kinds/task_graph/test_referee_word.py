"""The referee's own look for better rates finds none better than the best."""

from fractions import Fraction

import pytest

from steadygrid.kinds.shared.collection_referee import steady_instance
from steadygrid.kinds.task_graph.referee_word import beaten_by
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance
from tests.draws import draws
from tests.kinds.task_graph.random_instances import SHAPES, random_instance
from tests.kinds.task_graph.solving import solve

FAST = Fraction(10) ** 400
"""More than a double holds."""


def asked(instance: TaskGraphInstance) -> tuple[SteadyInstance, FixedRoutes]:
    steady = steady_instance(instance)
    return steady, FixedRoutes(steady.network, ())


def two_users(**times: dict[str, object]) -> TaskGraphInstance:
    """A source, and two processors that are linked to it but not to each other."""
    links = [
        {"source": "S", "target": end, "unit_time": 1, "duplex": "simplex"} for end in ("A", "B")
    ]
    platform = {"processors": [{"id": name} for name in "SAB"], "links": links}
    application = {
        "tasks": [{"id": task, "times": by_name} for task, by_name in times.items()],
        "files": [{"source": "make", "target": "use", "size": "1/4"}],
    }
    return TaskGraphInstance.model_validate(
        {"kind": "task_graph", "platform": platform, "application": application}
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_beats_the_optimum_and_nearly_all_beat_much_less(shape: str) -> None:
    """Where not all processors are joined, one task after the other may end where none can be next."""
    looked = lost = 0
    for seed in range(draws(8, 300)):
        instance = random_instance(shape, seed)
        steady, routes = asked(instance)
        objective = solve(instance, "column_generation").result.objective
        if steady.network.rates_need_slots or objective is None:
            continue
        looked += 1
        assert beaten_by(steady, routes, objective.value) is None
        found = beaten_by(steady, routes, objective.value / 100)
        lost += found is None
        assert found is None or objective.value / 100 < found <= objective.value
    assert looked > 5 * lost


def test_a_mix_does_more_than_any_of_its_allocations() -> None:
    """Each of two users does one in two time units; the second way is taken once the first is dear."""
    steady, routes = asked(two_users(make={"S": 1}, use={"A": 2, "B": 2}))
    assert beaten_by(steady, routes, Fraction(1, 2)) == 1
    assert beaten_by(steady, routes, Fraction(99, 100)) == 1
    assert beaten_by(steady, routes, Fraction(1)) is None


def test_a_look_ends_where_it_takes_too_long_or_leads_nowhere() -> None:
    steady, routes = asked(two_users(make={"S": 1}, use={"A": 2, "B": 2}))
    assert beaten_by(steady, routes, Fraction(1, 2), most_steps=4) is None
    steady, routes = asked(two_users(make={"A": 1}, use={"B": 1}))
    assert beaten_by(steady, routes, Fraction(1, 2)) is None
    steady, routes = asked(two_users(make={"S": 0}, use={"S": 0}))
    assert beaten_by(steady, routes, Fraction(1, 2)) is None
    steady, routes = asked(two_users(make={"S": FAST}, use={"A": FAST}))
    assert beaten_by(steady, routes, 1 / (2 * FAST)) is None
