"""Bounds by messages, and the combinations that they leave, against plain enumeration."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from steadygrid.engine.allocations.dual_ascent import Messages
from steadygrid.engine.allocations.elimination import eliminate
from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.allocations.problem import FloatCosts
from steadygrid.engine.allocations.sparse_labelling import FewLabellings, TooManyCombinations

Pairs = dict[tuple[int, int], Floats]


def nothing() -> None:
    """Check nothing."""


def drawn(seed: int, *, tree: bool = False) -> tuple[list[Floats], Pairs]:
    """Draw costs of all sizes with all their bits, some alike, some pairs forbidden."""
    random = np.random.default_rng(seed)
    number = int(random.integers(2, 6))
    spread = float(random.choice([1.0, 30.0, 200.0]))

    def costs(*shape: int) -> Floats:
        table = random.random(shape) * 2.0 ** random.uniform(-spread, 1, shape)
        table[random.random(shape) < 0.2] = float(random.choice([0.0, 1 / 3, 1.0]))
        return table

    single = [costs(int(random.integers(1, 4))) for _ in range(number)]
    pairs: Pairs = {}
    for b in range(1, number):
        joined = [int(random.integers(b))] if tree else np.flatnonzero(random.random(b) < 0.7)
        for a in joined:
            table = costs(len(single[a]), len(single[b]))
            table[random.random(table.shape) < 0.1] = np.inf
            table[0, 0] = 0.5
            pairs[int(a), b] = table
    return single, pairs


def exactly(single: list[Floats], pairs: Pairs) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Give each labelling that is possible, and its cost to the last bit."""
    for labels in product(*(range(len(costs)) for costs in single)):
        parts = [float(costs[x]) for costs, x in zip(single, labels, strict=True)]
        parts += [float(table[labels[a], labels[b]]) for (a, b), table in pairs.items()]
        if np.isfinite(parts).all():
            yield labels, sum(map(Fraction, parts), Fraction(0))


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_no_rounding_lifts_a_bound_above_the_cheapest_labelling(start: int) -> None:
    for seed in range(start, start + 100):
        single, pairs = drawn(seed)
        least = min(cost for _, cost in exactly(single, pairs))
        messages = Messages(FloatCosts([], single, pairs), 4.0)
        bounds = [messages.least()]
        for order in (range(len(single)), range(len(single))[::-1]) * 3:
            messages.sweep(order)
            bounds.append(messages.least())
        random = np.random.default_rng(seed)
        for moved in (*messages.sent.values(), *messages.received.values()):
            moved += random.normal(size=len(moved)) * 10.0 ** random.integers(-17, 6)
        bounds.append(messages.least())
        assert all(Fraction(bound) <= least for bound in bounds)


@pytest.mark.parametrize("seed", range(30))
def test_in_trees_the_bound_is_the_cheapest_labelling(seed: int) -> None:
    single, pairs = drawn(seed, tree=True)
    least = min(cost for _, cost in exactly(single, pairs))
    far = 2 * float(least) + 1
    bound = Messages(FloatCosts([], single, pairs), far).rise(float(least), nothing)
    assert Fraction(bound) <= least
    assert bound == pytest.approx(float(least), rel=1e-9)


@pytest.mark.parametrize("start", range(0, 300, 100))
def test_what_may_be_cheap_is_kept(start: int) -> None:
    for seed in range(start, start + 100):
        single, pairs = drawn(seed)
        every = dict(exactly(single, pairs))
        least = min(every.values())
        messages = Messages(FloatCosts([], single, pairs), 4.0)
        messages.rise(float(least), nothing)
        spare = messages.spare()
        for labels, cost in every.items():
            for bounds, label in zip(spare.labels(), labels, strict=True):
                assert bounds[label] <= cost + Fraction(messages.doubt)
        order = eliminate(len(single), pairs, [len(costs) for costs in single])
        level = float(least) + 2 * messages.doubt
        few = FewLabellings(order, spare, level, nothing)
        exact = [np.array([Fraction(x) for x in costs.tolist()]) for costs in single]
        tables = {
            pair: np.array(
                [[Fraction(min(x, 1e300)) for x in row] for row in table.tolist()], dtype=object
            )
            for pair, table in pairs.items()
        }
        found = few.cheapest(exact, tables)
        assert found is not None
        assert found[0] == least == every[tuple(found[1][:, 0].tolist())]


def test_combinations_that_are_not_few_are_given_up() -> None:
    single = [np.zeros(3)] * 3
    pairs = {(0, 1): np.zeros((3, 3)), (1, 2): np.zeros((3, 3))}
    order = eliminate(3, pairs, [3, 3, 3])
    spare = Messages(FloatCosts([], single, pairs), 4.0).spare()
    assert FewLabellings(order, spare, 1.0, nothing, 21).cheapest(single, pairs) is not None
    assert FewLabellings(order, spare, 0.0, nothing, 21).cheapest(single, pairs) is None
    with pytest.raises(TooManyCombinations):
        FewLabellings(order, spare, 1.0, nothing, 20)
