"""Reductions whose combining takes time, or keeps an order, against the program over all bracketings."""

import pytest

from steadygrid.domain.job import Options
from steadygrid.problems.collective.choice import tabulated
from steadygrid.problems.collective.referee_reductions import MOST_SOURCES, MOST_SUMS
from steadygrid.problems.collective.schemas import CollectiveInstance
from steadygrid.verification.cheapest_combinations import pairs_of_any, pairs_of_neighbours
from tests.draws import draws
from tests.problems.collective.bodies import F, body
from tests.problems.collective.bracketings import by_all_bracketings, drawn_reduction
from tests.solved import solve

PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")
ORDERS = ("any", "fixed")
QUARTERS = {"times": {"a": "1/4", "b": "1/4"}}
THREE = body("a>b 1, b>a 1, c>b 1", "reduce", target="a", sources=["b", "a", "c"], combine=QUARTERS)


@pytest.mark.parametrize(("order", "expected"), [("fixed", F(2, 3)), ("any", F(1))])
def test_what_order_costs(order: str, expected: F) -> None:
    """In the order b, a, c the data of a has to meet that of b before that of c, or on its way."""
    problem = {"problem": THREE["problem"] | {"order": order}}
    solved = solve(problem)
    assert (solved.result.outcome, solved.result.objective.value) == ("optimal", expected)
    assert by_all_bracketings({"problem": problem["problem"] | {"ports": "one_port"}}) == expected


@pytest.mark.parametrize("order", ORDERS)
def test_an_operand_leaves_its_owner_and_comes_back_combined(order: str) -> None:
    """a is slow: its data goes to b, and in no arborescence does it come back."""
    times = {"times": {"a": 50, "b": 1}}
    slow = body(
        "a>b 1, b>a 1", "reduce", target="a", sources=["a", "b"], combine=times, order=order
    )
    solved = solve(slow)
    assert solved.result.objective.value == 1
    (allocation,) = solved.result.allocations
    assert allocation.tasks == {"--0": "b"}
    (computation,) = solved.schedule.computations
    assert (computation.processor, computation.time) == ("b", computation.count)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(draws(12, 300)))
def test_the_optimum_is_that_of_all_bracketings(seed: int, ports: str, order: str) -> None:
    problem = drawn_reduction(seed, order, ports)
    if len(problem["problem"]["sources"]) == 1 and problem["problem"]["sources"] == [problem["problem"]["target"]]:  # fmt: skip
        return
    best = by_all_bracketings(problem)
    solved = solve(problem, whole_files=False, max_period="exact")
    result = solved.result
    if best is None:
        assert (result.outcome, result.certificate.type) == ("infeasible", "unreachable")
        return
    assert result.objective.value == best
    assert solved.schedule.loss == 0


def test_where_a_table_is_made_the_referee_makes_one() -> None:
    """Else a bound would be claimed that it cannot prove."""
    for number, places, order in [(12, 75, "any"), (12, 76, "any"), (13, 2, "any"), (3, 9, "any"), (60, 500, "fixed"), (60, 600, "fixed")]:  # fmt: skip
        names = [f"P{i}" for i in range(max(places, number))]
        instance = CollectiveInstance.model_validate(
            {
                "kind": "collective",
                "operation": "reduce",
                "platform": {"processors": [{"id": name} for name in names]},
                "target": "P0",
                "sources": names[:number],
                "order": order,
                "combine": {"times": dict.fromkeys(names[:places], 1)},
            }
        )
        pairs = pairs_of_any(number) if order == "any" else pairs_of_neighbours(number)
        possible = pairs * places <= MOST_SUMS and (order == "fixed" or number <= MOST_SOURCES)
        assert tabulated(instance, Options()) == possible
        assert not tabulated(instance, Options(max_labelling_entries=1)) or order == "fixed"
