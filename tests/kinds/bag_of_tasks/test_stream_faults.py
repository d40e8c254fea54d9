"""Streams that cannot be simulated: where, and with which remedy."""

from typing import Any

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.bag_of_tasks.bodies import bag, body, example_b, star, uniform
from tests.kinds.bag_of_tasks.test_faults import FAST, ONE, faults, place_of

TEN = {"count": 10}
UNIFORM = uniform("u", (1, 2), (3, 4))


def shared() -> dict[str, Any]:
    platform = star({"speed": 1})
    platform["media"] = [{"id": "bus", "bandwidth": 1}]
    platform["links"][0]["media"] = ["bus"]
    return platform


def asked(*bags: Any, platform: Any = FAST, method: str = "on_demand", **members: Any) -> Any:
    return body(platform, *(bags or (ONE,)), method=method, **({"stream": TEN} | members))


NARROW = star({"speed": 1, "bandwidth": 2}, {"speed": 1, "bandwidth": 1}, bandwidth_out="5/2")
LONG = [(f"1/{10**59 + k}", 1, "1/25") for k in range(25)]
REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    (asked(stream=None), "stream", "stream_missing", 'deals out a stream of tasks: give one, such as {"count": 1000}'),
    (asked(stream={"seed": 1}), "stream", "one_stream", "exactly one of count and order"),
    (asked(stream={"count": 1, "order": ["b"]}), "stream", "one_stream", "exactly one of count and order"),
    (asked(ONE | {"priority": "3/2"}, stream={"count": 3}), "stream/count", "stream_not_whole", "3 times the priority 3/2 of bag 'b' is not whole: multiply count by 2"),
    (asked(ONE | {"priority": f"1/{10**40 + 1}"}, stream={"count": 3}), "stream/count", "stream_not_whole", "is not whole: give whole priorities"),
    (asked(stream={"order": ["b", "B"]}), "stream/order/1", "unknown_bag", "there is no bag 'B'. Did you mean 'b'?"),
    (asked(method="lp_samp", stream={"count": 1}), "sample", "sample_too_large", "all of the 1 tasks, and none is left"),
    (asked(method="compare", sample=1), "sample", "sample_too_large", "lengthen the stream, or lower sample"),
    (asked(method="lp_samp", sample=7), "sample", "sample_too_large", "all of the 10 tasks"),
    (asked(UNIFORM, method="dispatch"), "method", "method_not_applicable", "follows rates of classes: use lp_samp or on_demand, or give classes"),
    (asked(platform=NARROW), "method", "method_not_applicable", "'on_demand' simulates no transfers that share the master's bandwidth_out, and all at once need more: use one_port, or leave out bandwidth_out"),
    (asked(platform=shared()), "method", "method_not_applicable", "simulates no shared media: use one_port, or leave out media"),
    (asked(platform=star({"speed": 1}, cards=2), ports="one_port"), "method", "method_not_applicable", "one task at a time: leave out its cards"),
    (asked(bag("b", (1, 1, "1/2"), (0, 0, "1/2"))), "bags/0/classes/1", "free_tasks", "may take no time at all: give them some work or a size"),
    (asked(bag("b", (1, 1, "1/2"), (1, 0, "1/2")), platform=star({"speed": 1}, speed=1)), "bags/0/classes/1", "free_tasks", "give them some work"),
    (asked(bag("b", *LONG)), "bags", "no_common_unit", "more than 1,000 digits, and no date could be read: round them"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "place", "code", "detail"), REFUSED)
def test_what_cannot_be_simulated_is_refused_with_a_remedy(
    problem: dict[str, Any], place: str, code: str, detail: str
) -> None:
    (fault,) = faults(problem)
    assert place_of(fault) == f"problem/{place}"
    assert fault.code == code
    assert detail in fault.detail


@pytest.mark.parametrize(
    "problem",
    [
        asked(platform=star({"speed": 1, "bandwidth": 2}, {"speed": 1}, bandwidth_out=3)),
        asked(platform=star({"speed": 1, "bandwidth": 9, "bandwidth_in": 1}, bandwidth_out=1)),
        asked(platform=NARROW, ports="one_port"),
        asked(UNIFORM, method="compare"),
        asked(ONE | {"priority": "3/2"}, stream={"count": 2}),
        asked(method="lp", stream=None),
    ],
)
def test_what_can_be_simulated_is_accepted(problem: dict[str, Any]) -> None:
    assert faults(problem) == []


def test_streams_are_counted_over_all_seeds_and_limited() -> None:
    problem = example_b(method="compare", stream={"count": 250_000, "seeds": 2})
    sizing = size_submission(parse_submission(problem, Limits()), Limits())
    assert sizing.method == "compare"
    assert sizing.sizes["stream"] == 1_000_000
    problem["problem"]["stream"]["seeds"] = 3
    with pytest.raises(LimitError) as refusal:
        size_submission(parse_submission(problem, Limits()), Limits())
    (fault,) = refusal.value.faults
    assert fault.pointer == ("problem", "stream")
    assert "1,500,000 tasks, and at most 1,000,000" in fault.detail
    assert "fewer seeds" in fault.detail


def test_what_other_methods_use_is_said_to_be_given_in_vain() -> None:
    problem = example_b(stream=TEN, buffer=3, buckets=2)
    sizing = size_submission(parse_submission(problem, Limits()), Limits())
    assert sizing.warnings == (
        "stream is not used by lp",
        "buffer is not used by lp",
        "split and buckets and work_buckets are not used by lp",
    )
    problem = example_b(method="on_demand", stream=TEN) | {"options": {"max_period": 3}}
    sizing = size_submission(parse_submission(problem, Limits()), Limits())
    assert sizing.warnings == ("max_period is not used: policies are simulated",)
