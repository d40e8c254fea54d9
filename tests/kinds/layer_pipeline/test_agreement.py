"""The period is that of an enumeration of all plans, on many small pipelines."""

import random

import pytest

from steadygrid.domain.job import Outcome
from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.referee_search import some_plan_fits, some_plan_is_faster
from steadygrid.kinds.layer_pipeline.referee_terms import Terms
from tests.kinds.layer_pipeline.bodies import drawn, instance
from tests.kinds.layer_pipeline.enumeration import Numbers
from tests.kinds.layer_pipeline.solving import least_of, least_of_all
from tests.solved import solve


@pytest.mark.parametrize("seed", range(75))
def test_the_least_period_is_that_of_an_enumeration(seed: int) -> None:
    document = drawn(random.Random(seed))
    due = least_of_all(document)
    solved = solve(document)
    if due is None:
        assert solved.result.outcome is Outcome.INFEASIBLE
        return
    assert solved.result.outcome is Outcome.OPTIMAL
    assert solved.result.period == due
    assert least_of(document, solved) == due


def test_what_is_drawn_is_of_all_device_types() -> None:
    """Copies, more data sets in flight than one, boundaries that ask for copies, nothing that fits."""
    seen: set[str] = set()
    for seed in range(150):
        result, _ = solve(drawn(random.Random(seed)))
        if not result.stages:
            seen.add("infeasible")
            continue
        seen |= {name.split(" ")[-1 if name.startswith("stage") else 0] for name in result.limiting}
        if any(stage.replicas > 1 for stage in result.stages):
            seen.add("copies")
        if any(stage.in_flight > 1 for stage in result.stages):
            seen.add("in flight")
    assert seen == {
        "boundary",
        "compute",
        "copies",
        "in flight",
        "infeasible",
        "memory",
        "reduce",
    }


@pytest.mark.parametrize("seed", range(20))
def test_the_referee_knows_the_least_period_by_itself(seed: int) -> None:
    document = drawn(random.Random(1000 + seed))
    due = least_of_all(document)
    terms = Terms(instance(document))
    assert some_plan_fits(terms) is (due is not None)
    if due is not None:
        assert not some_plan_is_faster(terms, due)
        assert some_plan_is_faster(terms, due + due / 10**9)


@pytest.mark.parametrize("seed", range(20))
def test_numbers_are_those_that_the_contract_says(seed: int) -> None:
    document = drawn(random.Random(2000 + seed))
    chain, plain = Chain.from_instance(instance(document)), Numbers(document["problem"])
    assert (chain.trains, chain.outputs, chain.gradients) == (
        plain.trains,
        plain.output,
        plain.gradient,
    )
    for device_type in range(chain.num_device_types):
        for i in range(chain.num_layers):
            assert (
                chain.load(i, i + 1, device_type)
                == plain.forward[device_type][i] + plain.backward[device_type][i]
            )
            assert chain.held(i, i + 1, 3) == plain.memory[i] + 3 * plain.in_flight[i]
        if chain.num_layers > 1:
            assert chain.transfer(0, device_type, 0) == plain.transfers(0, device_type, 0)
    known = [most for most in plain.most if most is not None]
    assert all(
        most in (*known, sum(s["count"] for s in plain.device_types)) for most in chain.most_copies
    )
