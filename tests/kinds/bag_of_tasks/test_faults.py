"""What is refused, where, and with which remedy; and what is counted before anything is built."""

from typing import Any

import pytest

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.bag_of_tasks.bodies import bag, body, example_b, star, uniform

ONE = bag("b", (1, 1, 1))
FAST = star({"speed": 1}, {"speed": 2})
LONG = [(1, 1, f"1/{10**59 + k}") for k in range(150)]
"""Classes whose probabilities sum to a number of thousands of digits."""


def faults(problem: dict[str, Any]) -> list[Fault]:
    try:
        parse_submission(problem, Limits())
    except InstanceError as error:
        return list(error.faults)
    return []


def place_of(fault: Fault) -> str:
    return "/".join(map(str, fault.pointer))


def chain() -> dict[str, Any]:
    platform = star({"speed": 1})
    platform["processors"].append({"id": "P2", "speed": 1})
    platform["links"].append({"source": "P1", "target": "P2", "bandwidth": 1})
    return platform


def homeward() -> dict[str, Any]:
    platform = star({"speed": 1})
    platform["links"][0] |= {"source": "P1", "target": "P0", "duplex": "simplex"}
    return platform


REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    (body(FAST, ONE, master="P9"), "master", "unknown_processor", "there is no processor 'P9'"),
    (body(FAST, ONE, ONE), "bags/1/id", "duplicate_bag", "bag 'b' is given twice"),
    (body(FAST, {"id": "b"}), "bags/0", "one_distribution", "exactly one of classes, tasks and uniform"),
    (body(FAST, ONE | {"tasks": [{"input_size": 1, "work": 1}]}), "bags/0", "one_distribution", "exactly one of classes, tasks and uniform"),
    (body(FAST, bag("b", (1, 1, "1/2"), (1, 2, "1/3"))), "bags/0/classes", "probabilities", "sum to 5/6, not to 1: give them as fractions"),
    (body(FAST, bag("b", *LONG)), "bags/0/classes", "probabilities", "sum to about 1.5e-57, not to 1"),
    (body(FAST, bag("b", *LONG, (1, 1, 1))), "bags/0/classes", "probabilities", "sum to nearly 1 (more), not to 1"),
    (body(FAST, *(bag(f"b{k}", (1, 1, 1), priority=f"1/{10**59 + k}") for k in range(150))), "bags", "batch_too_long", "more than 3,000 digits. Write both"),
    (body(FAST, *(bag(f"b{k}", (1, 1, f"1/{10**59 + k}"), (1, 2, f"{10**59 + k - 1}/{10**59 + k}")) for k in range(150))), "bags", "batch_too_long", "more than 3,000 digits"),
    (body(FAST, uniform("b", (1, 2), (4, 3))), "bags/0/uniform/work", "empty_interval", "the least, 4, is above the greatest, 3: exchange them"),
    (body(FAST, uniform("b", (0, 2), (3, 4))), "bags/0/uniform/input_size", "minimum_zero", "does not reach 0: give a least value above it, or classes"),
    (body(FAST, uniform("b", (1, 2), (3, 4), "3/2")), "bags/0/uniform/correlation", "correlation", "from 0 to 1"),
    (body(FAST, ONE | uniform("b", (1, 2), (3, 4))), "bags/0", "one_distribution", "exactly one of classes, tasks and uniform"),
    (body(FAST, uniform("b", (1, 2), (3, 4)), method="lp"), "method", "method_not_applicable", "a finite number of classes: ask means or approximation"),
    (body(FAST, uniform("b", (1, 10**9), (1, 10**9)), epsilon="1/20"), "epsilon", "too_many_cells", "more than 10,000 cells, or bounds of very many digits: give a larger epsilon"),
    (body(FAST, uniform("b", (1, 9), (1, 9)), epsilon="1/1000000007"), "epsilon", "too_many_cells", "give a larger epsilon"),
    (body(FAST, *(uniform(f"b{k}", (1, 99), (1, 9)) for k in range(5)), epsilon="1/20"), "epsilon", "too_many_cells", "give a larger epsilon"),
    (body(chain(), ONE), "platform/links/1", "not_a_star", "between 'P1' and 'P2': leave it out, and link them to the master"),
    (body(chain(), ONE), "platform/processors/2", "unreachable", "no link leads there from 'P0': add one, or take away its speed"),
    (body(homeward(), ONE), "platform/processors/1", "unreachable", "no link leads there from 'P0'"),
    (body(star({"switch": True}, {"speed": 1}), ONE), "platform/processors/1/switch", "switch_in_star", "leave it out"),
    (body(star({}), ONE), "platform/processors", "no_processor", "give a processor a speed"),
    (body(star({"speed": 1}), bag("b", (0, 0, 1))), "bags", "unbounded_throughput", "give a class some work or a size"),
    (body(star({"speed": 1}, speed=1), bag("b", (3, 0, 1))), "bags", "unbounded_throughput", "give a class some work, or take away the master's speed"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "place", "code", "text"), REFUSED)
def test_what_is_refused(problem: dict[str, Any], place: str, code: str, text: str) -> None:
    found = {(place_of(fault), fault.code): fault.detail for fault in faults(problem)}
    assert text in found[f"problem/{place}", code]


@pytest.mark.parametrize(
    ("place", "value"),
    [("priority", 0), ("classes", []), ("uniform", {}), ("uniform", {"input_size": [1], "work": [1, 2]}), ("tasks", [{"input_size": 1, "work": 1, "count": 0}])],
)  # fmt: skip
def test_what_the_schema_refuses(place: str, value: Any) -> None:
    first = faults(body(FAST, ONE | {place: value}))[0]
    assert place_of(first).startswith(f"problem/bags/0/{place}")


def test_no_work_on_the_master_is_bounded_where_one_class_of_one_bag_costs_something() -> None:
    platform = star({"speed": 1}, speed=1)
    assert faults(body(platform, bag("a", (3, 0, 1)), bag("b", (3, 1, 1)))) == []


def test_sizes_are_those_of_the_program() -> None:
    sizing = size_submission(parse_submission(example_b(), Limits()), Limits())
    assert sizing.sizes == {
        "bags": 2,
        "classes": 2,
        "workers": 2,
        "variables": 5,
        "constraints": 6,
        "coefficients": 14,
    }


def test_what_is_given_in_vain_is_said() -> None:
    platform = star({"speed": 1, "bandwidth_in": 1})
    sizing = size_submission(
        parse_submission(body(platform, ONE, ports="one_port"), Limits()), Limits()
    )
    assert sizing.warnings == ("bandwidth_in and bandwidth_out are not used under one_port",)
