"""Tasks that take no time and files without size: every method answers, and none wrongly."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine.allocations.generation import FreeAllocation
from steadygrid.engine.allocations.initial_bound import first_guess
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import REFERENCES
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.enumeration import Enumeration
from tests.kinds.mono_allocation.test_methods import METHODS, solved
from tests.kinds.mono_allocation.zero_times import drawn_with_zeros

LINK = [{"source": "P", "target": "Q", "unit_time": 1}]


def small(
    tasks: dict[str, dict[str, int]], files: list[tuple[str, str, int]], **fields: Any
) -> dict[str, Any]:
    """Give a document of two linked processors, by the tasks' times."""
    return {
        "platform": {"processors": [{"id": "P"}, {"id": "Q"}], "links": LINK},
        "application": {
            "tasks": [{"id": name, "times": times} for name, times in tasks.items()],
            "files": [{"source": a, "target": b, "size": size} for a, b, size in files],
        },
        **fields,
    }


INSTANT = small({"a": {"P": 0}, "b": {"P": 1, "Q": 0}}, [("a", "b", 1)])
"""Each task has a processor that runs it in no time, but not both together."""
COPIES = small(
    {"a": {"P": 0}, "b": {"P": 1, "Q": 0}, "c": {"P": 0}},
    [("a", "b", 1), ("a", "c", 2)],
    duplication="tasks",
)
"""With only the largest file of each task, an allocation would need nothing."""


@pytest.mark.parametrize(
    ("document", "method"),
    [
        *((INSTANT, method) for method in METHODS),
        *(
            (COPIES, method)
            for method in METHODS
            if method not in (*REFERENCES, "compare", "upper_bound")
        ),
    ],
)
def test_every_method_answers_where_all_tasks_can_be_instant(
    document: dict[str, Any], method: str
) -> None:
    result = solved(document, method).result
    assert result.verified
    if method in ("milp", "portfolio"):
        assert result.outcome is Outcome.OPTIMAL
        assert result.objective is not None
        assert result.objective.value == 1


@pytest.mark.parametrize(
    "find", [prices.relaxation, prices.rough, prices.allocations], ids=lambda find: find.__name__
)
def test_the_shortest_operation_bounds_what_prices_cannot(find: Any) -> None:
    bound = find(MonoTables(instance(COPIES)), Control())
    assert bound.exact
    assert bound.period == Fraction(1, 1)
    assert bound.weights == {"b": 1}


def test_a_first_guess_says_that_a_mix_costs_nothing() -> None:
    with pytest.raises(FreeAllocation):
        first_guess(prices._problem(MonoTables(instance(COPIES)), Control()), Control())


@pytest.mark.parametrize("start", range(0, draws(5, 100), 20))
def test_no_method_fails_or_beats_enumeration(start: int) -> None:
    answered = 0
    for seed in range(start, start + 20):
        random = Random(seed)
        document = drawn_with_zeros(
            random,
            random.randint(1, 4),
            random.randint(1, 3),
            instances=3,
            routing=random.choice(["fixed", "free", "multipath"]),
            duplication=random.choice(["none", "tasks", "tasks_and_files"]),
        )
        best: Fraction | None = None
        others = METHODS[seed % draws(3, 1) :: draws(3, 1)]
        for method in dict.fromkeys(("milp", "portfolio", *others)):
            body = {"problem": {"kind": "mono_allocation", **document, "method": method}}
            try:
                parse_submission(body, Limits())
            except SchedulingError:
                continue
            result = solved(document, method, 20).result
            best = best or Enumeration(instance(document)).best()
            answered += 1
            if result.bound is not None and best is not None:
                assert result.bound.value * best >= 1
            if result.outcome is Outcome.OPTIMAL and method in ("milp", "portfolio"):
                assert result.objective is not None
                assert result.objective.value * best == 1
    assert answered > 30
