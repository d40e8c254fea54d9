"""Trees with missing routes, and what is said of them."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.master_worker.solving import solve

CHAIN: dict[str, Any] = {
    "problem": {
        "kind": "master_worker",
        "routing": "fixed",
        "platform": {
            "processors": [
                {"id": "M"},
                {"id": "R"},
                {"id": "A", "unit_time": 2},
                {"id": "B", "unit_time": 1},
            ],
            "links": [
                {"source": "M", "target": "R", "unit_time": 1},
                {"source": "R", "target": "A", "unit_time": 1},
                {"source": "R", "target": "B", "unit_time": 1},
            ],
            "routes": [{"source": "M", "target": "B", "missing": True}],
        },
        "master": "M",
        "task": {"work": 1, "input_size": 1},
    }
}
"""From M to A and B over a router, but there is no route to B: only A can relay."""


def test_in_a_tree_files_are_relayed_around_a_missing_route() -> None:
    result = solve(CHAIN).result
    # R receives each of B's files twice: its port and A's limit them, and A computes 1/2 meanwhile.
    assert result.outcome == "optimal"
    assert result.objective.value == Fraction(3, 4)
    assert [(r.source, r.target, r.rate) for r in result.routed] == [
        ("A", "B", Fraction(1, 4)),
        ("M", "A", Fraction(3, 4)),
    ]
    assert solve(CHAIN, routing="free").result.objective.value == Fraction(1)


def test_what_the_master_has_no_route_to_is_said() -> None:
    (warning,) = size_submission(parse_submission(CHAIN, Limits()), Limits()).warnings
    assert warning == (
        "the platform has no route from 'M' to 1 of the 2 workers, such as 'B': their files are"
        " relayed by others, or they get no tasks"
    )
    problem = CHAIN["problem"] | {"task": {"work": 1, "input_size": 1, "output_size": 1}}
    platform = problem["platform"] | {"routes": [{"source": "B", "target": "M", "missing": True}]}
    body = {"problem": problem | {"platform": platform}}
    (warning,) = size_submission(parse_submission(body, Limits()), Limits()).warnings
    assert warning.startswith("the platform has no route to 'M' from 1 of the 2 workers")
    free = {"problem": CHAIN["problem"] | {"routing": "free"}}
    (warning,) = size_submission(parse_submission(free, Limits()), Limits()).warnings
    assert warning.startswith("routes are not used")


def test_the_tree_algorithm_knows_no_missing_routes() -> None:
    body = {"problem": CHAIN["problem"] | {"method": "bandwidth_centric"}}
    with pytest.raises(InstanceError, match="knows no routes that are missing"):
        parse_submission(body, Limits())
    submission = parse_submission(CHAIN, Limits())
    assert size_submission(submission, Limits()).method == "lp"
    assert submission.requires == 10
