"""Published graphs have their published periods, and the referee agrees."""

from fractions import Fraction

import pytest

from steadygrid.domain.job import Outcome, Proof
from tests.kinds.dataflow.published import CONCURRENCIES, PUBLISHED, Concurrency, graph
from tests.solved import solve


@pytest.mark.parametrize("concurrency", CONCURRENCIES)
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_graph_has_its_published_period(name: str, concurrency: Concurrency) -> None:
    document, auto, sequential = PUBLISHED[name]
    result, schedule = solve(
        {"problem": {"kind": "dataflow", "graph": document, "concurrency": concurrency}}
    )
    due = Fraction(auto if concurrency == "auto" else sequential)
    assert result.outcome is Outcome.OPTIMAL
    assert result.proof is Proof.EXACT
    assert (result.period, result.objective.value) == (due, 1 / due)
    assert schedule.throughput == 1 / due


def test_phases_of_one_actor_may_overlap_under_auto() -> None:
    # Phase 2 of a takes nothing, so it waits for nothing: only phase 1 limits.
    document = graph({"a": [4, 100]}, ("a", "a", [1, 0], [1, 0], 1))
    body = {"problem": {"kind": "dataflow", "graph": document}}
    assert solve(body).result.period == 104
    auto = {"problem": body["problem"] | {"concurrency": "auto"}}
    assert solve(auto).result.period == 4


def test_repetitions_of_any_size_take_no_longer() -> None:
    many = 10**14
    document = graph(
        {"a": 2, "b": 5}, ("a", "b", 1, many), ("b", "a", many, 1, 2 * many), loops="a b"
    )
    result, _ = solve({"problem": {"kind": "dataflow", "graph": document}})
    assert (result.period, result.repetitions) == (2 * many, {"a": many, "b": 1})
    assert result.unfolding == {"a": 1, "b": 1}
