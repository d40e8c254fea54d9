"""What is refused, with its place and its remedy."""

import copy
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds.layer_pipeline import PROBLEM
from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.layer_pipeline.bodies import (
    Document,
    G,
    alike,
    body,
    faults,
    instance,
    layers,
)

FORWARD = body(layers({"forward": 1}, {"forward": 2}), {"count": 2})
PAIRS = [{"source": "x", "target": "y", "bandwidth": 1}]


def with_problem(document: Document, **more: Any) -> Document:
    return {"problem": copy.deepcopy(document["problem"]) | more}


def stages(*listed: tuple[str, str, str, int]) -> Document:
    """Let G be judged with these stages."""
    given = [
        {"layers": [first, last], "device": device_type, "replicas": copies}
        for first, last, device_type, copies in listed
    ]
    return with_problem(G, method="evaluate", stages=given)


def too_small() -> Document:
    document = copy.deepcopy(G)
    document["problem"]["layers"][1]["memory"] = 50
    return document


def long_times() -> Document:
    listed = [
        {"forward": f"1/{10**63 + 2 * i + 1}", "backward": f"1/{10**62 + 2 * i + 1}"}
        for i in range(10)
    ]
    return body(layers(*listed), {"count": 1})


CASES: list[tuple[Document, str, str, str]] = [
    (
        body([*alike(1), *alike(1)], {"count": 1}),
        "layers/1/id",
        "duplicate_layer",
        "give each layer a name of its own",
    ),
    (
        body(alike(1), [{"id": "x", "count": 1}, {"id": "x", "count": 1}]),
        "devices/1/id",
        "duplicate_sort",
        "give each device type a name of its own",
    ),
    (
        body(alike(1), [{"id": "x", "count": 1000}, {"id": "y", "count": 100}]),
        "devices",
        "limit_exceeded",
        "at most 1,024",
    ),
    (
        with_problem(G, skips=[{"source": "a", "target": "z", "size": 1}]),
        "skips/0/target",
        "unknown_layer",
        "there is no layer 'z'",
    ),
    (
        with_problem(G, skips=[{"source": "c", "target": "b", "size": 1}]),
        "skips/0",
        "skip_backward",
        "must come after its source",
    ),
    (
        with_problem(G, max_replicas={"q": 1}),
        "max_replicas/q",
        "unknown_layer",
        "there is no layer 'q'",
    ),
    (
        body(alike(2), {"count": 1, "times": {"a": [1, 1], "q": [1, 1]}}),
        "devices/0/times/q",
        "unknown_layer",
        "there is no layer 'q'",
    ),
    (
        body(alike(3), {"count": 1, "times": {"a": [1, 1]}}),
        "devices/0/times",
        "missing_times",
        "no times for layer 'b' and 1 more",
    ),
    (
        with_problem(G, bandwidth=[*PAIRS, {"source": "y", "target": "z", "bandwidth": 1}]),
        "bandwidth/1/target",
        "unknown_sort",
        "there is no device type 'z'",
    ),
    (
        with_problem(G, bandwidth=[*PAIRS, {"source": "y", "target": "x", "bandwidth": 2}]),
        "bandwidth/1",
        "duplicate_pair",
        "is given twice",
    ),
    (with_problem(G, bandwidth=PAIRS), "bandwidth", "missing_bandwidth", "'y' and 'y' may be"),
    (with_problem(G, schedule="forward"), "schedule", "backward_given", "one_forward_one_backward"),
    (
        with_problem(FORWARD, schedule="one_forward_one_backward"),
        "schedule",
        "backward_missing",
        "use schedule forward",
    ),
    (
        body(layers({"forward": 1, "gradient": 2}), {"count": 1}),
        "layers/0/gradient",
        "gradient_without_backward",
        "leave gradient out",
    ),
    (long_times(), "layers", "too_many_digits", "round works"),
    (
        body(
            layers({"forward": 0}, {"forward": 1}),
            {"count": 1, "times": {"a": [0, 0], "b": [0, 0]}},
        ),
        "layers",
        "no_throughput_limit",
        "give a layer work above 0",
    ),
    (too_small(), "layers/1", "too_little_memory", "needs 53 for one data set"),
    (with_problem(G, method="evaluate"), "stages", "stages_missing", "give its stages"),
    (stages(("a", "q", "x", 1)), "stages/0/layers/1", "unknown_layer", "there is no layer 'q'"),
    (stages(("a", "d", "z", 1)), "stages/0/device", "unknown_sort", "there is no device type 'z'"),
    (
        stages(("a", "a", "x", 1), ("d", "b", "y", 1)),
        "stages/1/layers",
        "not_an_interval",
        "name the first layer first",
    ),
    (
        stages(("a", "a", "x", 1), ("c", "d", "y", 1)),
        "stages/1",
        "gap_in_layers",
        "'b' must follow here, and 'c' does",
    ),
    (stages(("a", "c", "x", 1)), "stages/0", "gap_in_layers", "'d' must follow here"),
    (
        stages(("a", "b", "x", 1), ("c", "d", "x", 2)),
        "stages/1",
        "too_many_devices",
        "2 more devices of 'x'",
    ),
    (
        with_problem(stages(("a", "b", "x", 1), ("c", "d", "y", 2)), max_replicas={"c": 1}),
        "stages/1/replicas",
        "too_many_replicas",
        "max_replicas allows 1",
    ),
]


@pytest.mark.parametrize(("document", "place", "code", "words"), CASES)
def test_what_is_wrong_is_told_with_its_place(
    document: Document, place: str, code: str, words: str
) -> None:
    found = faults(document)
    pointers = {"/".join(map(str, fault.pointer[1:])): fault for fault in found}
    assert place in pointers
    assert pointers[place].code == code
    assert words in pointers[place].detail
    with pytest.raises(InstanceError):
        parse_submission(document, Limits())


def test_what_is_right_has_no_faults() -> None:
    assert faults(G) == []
    assert faults(FORWARD) == []
    assert faults(with_problem(FORWARD, schedule="forward")) == []
    assert faults(stages(("a", "b", "x", 1), ("c", "d", "y", 2))) == []
    # One device of a device type is no neighbour of itself.
    only = [{"id": "x", "count": 1}, {"id": "y", "count": 1}]
    assert faults(body(alike(2), only, bandwidth=PAIRS)) == []


@pytest.mark.parametrize("given", [True, "2", 0, {"a": 0}, [1]])
def test_copies_are_whole_numbers(given: Any) -> None:
    with pytest.raises(InstanceError):
        parse_submission(with_problem(G, max_replicas=given), Limits())


def test_many_numbers_of_devices_are_refused_by_their_product() -> None:
    many = [{"id": f"s{i}", "count": 2} for i in range(13)]
    with pytest.raises(LimitError, match="give fewer device types") as refused:
        size_submission(parse_submission(body(alike(2), many), Limits()), Limits())
    assert refused.value.faults[0].code == "limit_exceeded"
    assert refused.value.faults[0].pointer == ("problem", "devices")


def test_many_steps_are_refused_and_fewer_copies_are_not() -> None:
    listed = [{"id": f"l{i}", "forward": 1} for i in range(1000)]
    submission = parse_submission(body(listed, {"count": 100}), Limits())
    with pytest.raises(LimitError, match="give max_replicas"):
        size_submission(submission, Limits())
    submission = parse_submission(body(listed, {"count": 100}, max_replicas=2), Limits())
    assert size_submission(submission, Limits()).sizes["steps"] == 101 * 2 * 1000 * 1001 // 2


def test_stages_that_fit_no_device_are_not_counted() -> None:
    sizes = PROBLEM.sizing(instance(body(alike(3), {"count": 2, "memory": 4})), Options()).sizes
    # Two layers fit, three do not: 2 + 2 + 1 intervals, on one copy or two, after 0 to 2 devices.
    assert sizes["steps"] == 3 * 5 * 2
    assert sizes["states"] == 3
    assert "steps" not in PROBLEM.sizing(instance(stages(("a", "d", "x", 1))), Options()).sizes


def test_what_is_not_used_is_warned_of() -> None:
    document = body(alike(1), {"count": 1, "speed": 2, "times": {"a": [1, 2]}})
    warned = PROBLEM.sizing(instance(document), Options()).warnings
    assert warned == ("the speed of 'gpu' is not used: it has times",)
    submission = parse_submission(
        with_problem(FORWARD, stages=[{"layers": ["a", "b"], "device": "gpu"}]), Limits()
    )
    warned = size_submission(submission, Limits()).warnings
    assert "stages is not used: exact finds them" in warned


def test_denominators_are_looked_at_until_they_are_too_long() -> None:
    chain = Chain.from_instance(instance(body(layers({"forward": "1/7"}), {"count": 1})))
    assert chain.unit == 7
    assert chain.is_short(8)
    assert not chain.is_short(7)
