"""Rounded answers prove what they say, and miss the exact optimum by next to nothing."""

from fractions import Fraction
from random import Random

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.kinds.divisible_star.solver.tree.answer import answer
from steadygrid.kinds.divisible_star.solver.tree.closed_form import divide_exactly, divide_rounded
from steadygrid.kinds.divisible_star.solver.tree.tree import read_tree
from steadygrid.kinds.divisible_star.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.divisible_star.bodies import random_tree, tree

F = Fraction
CLOSE = F(1, 10**60)


@pytest.mark.parametrize("factors", [(1,), (F(1, 10**30), 10**30), (10**40,), (F(1, 10**40), 1)])
def test_rounded_answers_enclose_the_exact_optimum(factors: tuple[Fraction | int, ...]) -> None:
    """On random trees, where some take no time, in any unit and in many at once."""
    for seed in range(draws(8, 2000)):
        random = Random(seed)
        document = random_tree(random, 7)
        for part in (
            *document["problem"]["platform"]["processors"],
            *document["problem"]["platform"]["links"],
        ):
            if "unit_time" in part:
                part["unit_time"] = str(F(part["unit_time"]) * random.choice(factors))
        submission = parse_submission(document, Limits())
        read = read_tree(submission.instance)
        exact = answer(submission.instance, read, "closed_form", divide_exactly(read))
        best = exact.result.objective
        rounded = answer(submission.instance, read, "closed_form", divide_rounded(read))
        value, bound = rounded.result.objective, rounded.result.bound
        assert best is not None
        assert value is not None
        assert bound is not None
        assert bound.value <= best.value <= value.value
        assert value.value - bound.value <= CLOSE * best.value
        validate(submission.instance, submission.options, rounded.result, rounded.schedule)  # type: ignore[arg-type]


def test_numbers_of_deep_trees_stay_short() -> None:
    """Link times of a chain have other denominators each, and so would every date."""
    names = [f"P{i}" for i in range(150)]
    wires = {(names[i - 1], names[i]): F(1, 10**6 + i) for i in range(1, 150)}
    document = tree(dict.fromkeys(names, 1), wires, master="P0")
    submission = parse_submission(document, Limits())
    read = read_tree(submission.instance)
    solution = answer(submission.instance, read, "closed_form", divide_rounded(read))
    assert solution.schedule is not None
    longest = max(len(str(event.end)) for event in solution.schedule.events)  # type: ignore[union-attr]
    assert longest < 400
