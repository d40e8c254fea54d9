"""Numbers of copies that are found: the bound by numbers of processors, and the mapping that meets it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowResult
from steadygrid.kinds.replicated_workflow.solver.mappings.copies import by_copies
from steadygrid.kinds.replicated_workflow.solver.mappings.first import first_mapping
from steadygrid.kinds.replicated_workflow.solver.mappings.greedy import greedy, tied
from steadygrid.kinds.replicated_workflow.solver.mappings.local_search import local_search
from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space
from steadygrid.submissions.submission import parse_submission


def chain(
    works: Sequence[int], speeds: Sequence[int], method: str = "portfolio", size: str = "1/100"
) -> dict[str, Any]:
    """Give a chain of stages on processors that are all linked alike."""
    names = [f"g{i}" for i in range(len(speeds))]
    return {
        "problem": {
            "kind": "replicated_workflow",
            "platform": {
                "processors": [{"id": n, "speed": s} for n, s in zip(names, speeds, strict=True)],
                "links": [
                    {"source": a, "target": b, "unit_time": 1} for a, b in combinations(names, 2)
                ],
            },
            "application": {
                "tasks": [{"id": f"s{k}", "work": work} for k, work in enumerate(works)],
                "files": [
                    {"source": f"s{k}", "target": f"s{k + 1}", "size": size}
                    for k in range(len(works) - 1)
                ],
            },
            "method": method,
        }
    }


def space_of(body: dict[str, Any]) -> Space:
    return Space(parse_submission(body, Limits()).instance, lambda: None)


def shared_out(works: Sequence[int], speeds: Sequence[int]) -> Fraction:
    """Give the shortest period without files, over all ways to give each processor a stage or none.

    A stage with r processors takes as long, per data set, as the slowest of them does over r.
    """

    def periods() -> Iterator[Fraction]:
        for stages in product(range(len(works) + 1), repeat=len(speeds)):
            own = [
                [s for s, k in zip(speeds, stages, strict=True) if k == i]
                for i in range(len(works))
            ]
            if all(own):
                yield max(
                    Fraction(work, min(each) * len(each))
                    for work, each in zip(works, own, strict=True)
                )

    return min(periods())


TABLE = [
    ([4] * 8, [1] * 32, Fraction(1)),
    ([1, 2, 3, 4, 5, 6, 7, 4], [1] * 32, Fraction(1)),
    ([3, 5, 2, 7, 4], [1] * 4 + [2] * 4 + [3] * 4, Fraction(1)),
    ([5, 9, 13, 7], [1] * 16, Fraction(7, 3)),
    ([1, 7, 5, 3], [1] + [2] * 6 + [3] * 4, Fraction(7, 9)),
]


@pytest.mark.parametrize(("works", "speeds", "period"), TABLE)
def test_copies_are_found_and_proved(works: list[int], speeds: list[int], period: Fraction) -> None:
    submission = parse_submission(chain(works, speeds), Limits())
    result, schedule = run(submission, Control(10), Limits())
    assert isinstance(result, ReplicatedWorkflowResult)
    assert (result.outcome, result.period, result.verified) == (Outcome.OPTIMAL, period, True)
    assert schedule is not None


def drawn(random: Random) -> tuple[list[int], list[int]]:
    """Draw works and speeds of a chain with two to three times as many processors as stages."""
    stages = random.randint(3, 6)
    speeds = random.choice([[1], [1, 2, 3]])
    processors = random.randint(2 * stages, 3 * stages)
    return (
        [random.randint(1, 9) for _ in range(stages)],
        sorted(random.choice(speeds) for _ in range(processors)),
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_mapping_of_the_bound_meets_it(seed: int) -> None:
    space = space_of(chain(*drawn(Random(seed))))
    counted = by_copies(space, Control(60), None)
    assert counted is not None
    assert counted.mapping is not None
    assert space.period(counted.mapping) == 1 / counted.value


@pytest.mark.parametrize("seed", range(8))
def test_numbers_of_copies_are_the_best_of_all_divisions_of_processors(seed: int) -> None:
    random = Random(seed)
    stages, processors = random.choice([(2, 5), (3, 5), (2, 6)])
    works = [random.randint(1, 9) for _ in range(stages)]
    speeds = sorted(random.choices([1, 2, 3], k=processors))
    space = space_of(chain(works, speeds, size="0"))
    counted = by_copies(space, Control(60), None)
    assert counted is not None
    assert counted.mapping is not None
    assert 1 / counted.value == shared_out(works, speeds) == space.period(counted.mapping)


def test_a_mapping_that_is_known_to_be_as_good_needs_no_other() -> None:
    space = space_of(chain([4, 4], [1] * 4))
    known = by_copies(space, Control(60), Fraction(2))
    assert known is not None
    assert known == (Fraction(1, 2), None, True)


def test_slow_processors_are_preferred() -> None:
    """Either of the slower ones is fast enough for the first stage: the faster stays free."""
    space = space_of(chain([4, 8], [2, 3, 4]))
    counted = by_copies(space, Control(60), None)
    assert counted is not None
    assert (counted.value, counted.mapping) == (Fraction(1, 2), ((0,), (2,)))


def test_without_time_the_bound_is_weak_and_says_so() -> None:
    space = space_of(chain([4, 8], [2, 3, 4]))
    counted = by_copies(space, Control(1e-9), None)
    assert counted is not None
    assert not counted.complete
    assert counted.value > Fraction(1, 2)


def test_processors_without_links_give_no_mapping() -> None:
    """The two fast ones give the bound, but have no link with each other."""
    body = chain([4, 4], [1, 1, 2, 2])
    body["problem"]["max_replicas"] = 1
    links = body["problem"]["platform"]["links"]
    body["problem"]["platform"]["links"] = [link for link in links if link["source"] != "g2"]
    counted = by_copies(space_of(body), Control(60), None)
    assert counted is not None
    assert counted == (Fraction(1, 2), None, True)


def test_both_searches_lower_equal_stages_one_by_one_or_at_once() -> None:
    space = space_of(chain([4] * 4, [1] * 16))
    start = first_mapping(space)
    assert start is not None
    assert [len(one) for one in next(tied(space, start))] == [2] * 4
    assert space.period([*greedy(space, start)][-1]) == 1
    assert space.period([*local_search(space, start, 0, kicks=0)][-1]) == 1


def test_as_many_stages_get_a_copy_as_there_are_processors() -> None:
    space = space_of(chain([4] * 4, [1] * 7))
    start = first_mapping(space)
    assert start is not None
    assert sorted(len(one) for one in next(tied(space, start))) == [1, 2, 2, 2]


def test_mean_times_decide_between_equal_periods() -> None:
    """The first of two equal stages gets a copy, although the period stays."""
    space = space_of(chain([4, 4], [1] * 3, size="0"))
    assert space.sorted_times([(0,), (1,)]) > space.sorted_times([(0, 2), (1,)])
    assert space.longest_stages([(0,), (1,)]) == [0, 1]
    assert space.longest_stages([(0, 2), (1,)]) == [1]
