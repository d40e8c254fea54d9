"""A body may be sent with changes of itself, which are made before it is read."""

import time
from collections.abc import Mapping
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.patch import Change, Patched
from steadygrid.submissions.changes import MOST_CHANGES, MOST_EXPLAINED
from steadygrid.submissions.common_parts import Reader
from steadygrid.submissions.submission import parse_submission

BODY: dict[str, Any] = {
    "problem": {
        "kind": "master_worker",
        "platform": {
            "processors": [{"id": "M"}, {"id": "W", "unit_time": 2}, {"id": "V", "unit_time": 4}],
            "links": [
                {"source": "M", "target": "W", "bandwidth": 1},
                {"source": "M", "target": "V", "bandwidth": 3},
            ],
        },
        "master": "M",
        "task": {"work": 1, "input_size": 1},
    }
}
LINK = "/problem/platform/links/[source=M,target=V]/bandwidth"


def changed(*changes: Mapping[str, Any]) -> dict[str, Any]:
    return {**BODY, "changes": list(changes)}


def platform_of(body: Any) -> Any:
    return parse_submission(body, Limits()).document()["problem"]["platform"]


def faults_of(body: Any) -> list[tuple[tuple[str | int, ...], str]]:
    with pytest.raises((InstanceError, LimitError)) as caught:
        parse_submission(body, Limits())
    return [fault[:2] for fault in caught.value.faults]


def test_an_option_is_changed_in_a_body_without_options() -> None:
    submission = parse_submission(changed({"at": "/options/time_limit", "value": 3}), Limits())
    assert submission.options.time_limit == 3
    with pytest.raises(InstanceError) as caught:
        parse_submission(changed({"at": "/options/time", "value": 3}), Limits())
    (fault,) = caught.value.faults
    assert (fault.pointer, fault.code) == (("changes", 0, "value"), "extra_forbidden")


def test_changes_are_made_in_their_order_before_the_body_is_read() -> None:
    body = changed(
        {"at": LINK, "value": "7/2"},
        {"scale": LINK, "value": 2},
        {"at": "/problem/platform/processors/[id=W]/unit_time", "value": 5},
        {"at": "/options", "value": {"time_limit": 3}},
    )
    submission = parse_submission(body, Limits())
    platform = submission.document()["problem"]["platform"]
    assert [link["bandwidth"] for link in platform["links"]] == ["1", "7"]
    assert platform["processors"][1]["unit_time"] == "5"
    assert submission.options.time_limit == 3
    assert "changes" not in submission.document()
    assert BODY["problem"]["platform"]["links"][1]["bandwidth"] == 3


def test_a_changed_id_is_found_by_later_changes() -> None:
    at = "/problem/platform/processors/[id={}]/{}"
    body = changed(
        {"at": at.format("W", "unit_time"), "value": 9},
        {"at": at.format("V", "id"), "value": "W2"},
        {"at": at.format("W2", "unit_time"), "value": 8},
        {"at": "/problem/platform/links/1/target", "value": "W2"},
        {"at": "/problem/platform/links/[target=W2]/bandwidth", "value": 6},
    )
    platform = platform_of(body)
    assert [one.get("unit_time") for one in platform["processors"]] == [None, "9", "8"]
    assert platform["links"][1] == {
        "source": "M", "target": "W2", "bandwidth": "6", "duplex": "full", "media": [], "latency": "0",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"at": "/problem/platform/links/[source=M,target=X]/bandwidth", "value": 1}, ("at",), "leads_nowhere"),
        ({"at": "problem", "value": 1}, ("at",), "invalid_target"),
        ({"scale": "/problem/master", "value": 2}, ("scale",), "not_a_quantity"),
        ({"at": LINK, "value": 0}, ("value",), "zero_rational"),
        ({"at": "/problem/platform/links/1", "value": {"source": "M", "target": "V", "bandwidth": -1}}, ("value", "bandwidth"), "negative_rational"),
        ({"at": "/problem/master", "value": "N"}, ("value",), "unknown_processor"),
        ({"at": "/problem/platform", "value": "plt_" + 32 * "0"}, ("value",), "not_storable"),
        ({"at": "/changes", "value": []}, ("value",), "extra_forbidden"),
        ({"value": 1}, (), "one_of_at_and_scale"),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_the_change_that_made_it(
    change: Mapping[str, Any], pointer: tuple[str, ...], code: str
) -> None:
    assert faults_of(changed({"at": LINK, "value": 1}, change)) == [
        (("changes", 1, *pointer), code)
    ]


def test_what_no_change_has_made_is_told_at_its_place() -> None:
    body = changed({"at": LINK, "value": 1})
    body["problem"] = body["problem"] | {"master": "N"}
    assert faults_of(body) == [(("problem", "master"), "unknown_processor")]


def test_the_last_change_of_a_place_is_blamed() -> None:
    whole = {"source": "M", "target": "V", "bandwidth": 0}
    at = "/problem/platform/links/1"
    body = changed({"at": f"{at}/bandwidth", "value": 1}, {"at": at, "value": whole})
    assert faults_of(body) == [(("changes", 1, "value", "bandwidth"), "zero_rational")]


def test_there_are_at_most_a_thousand() -> None:
    change = {"at": LINK, "value": 1}
    assert platform_of(changed(*[change] * MOST_CHANGES))["links"][1]["bandwidth"] == "1"
    assert faults_of(changed(*[change] * (MOST_CHANGES + 1))) == [(("changes",), "limit_exceeded")]


def test_changes_of_a_large_platform_take_time_for_it_once() -> None:
    many = 5_000
    processors = [{"id": "M"}, *({"id": f"W{i}", "unit_time": 2} for i in range(many))]
    links = [{"source": "M", "target": f"W{i}", "unit_time": 1} for i in range(many)]
    body = {"problem": BODY["problem"] | {"platform": {"processors": processors, "links": links}}}
    body["problem"]["task"] = {"work": 1}
    named = [
        {"at": f"/problem/platform/links/[source=M,target=W{i}]/unit_time", "value": i + 3}
        for i in range(0, many, many // MOST_CHANGES)
    ]
    begun = time.process_time()
    alone = parse_submission(body, Limits())
    once = time.process_time() - begun
    begun = time.process_time()
    submission = parse_submission(body | {"changes": named}, Limits())
    assert time.process_time() - begun < 20 * once + 1  # not once for each change
    assert submission.instance.platform.links[20].unit_time == 23
    assert alone.instance.platform.links[20].unit_time == 1


def test_targets_that_look_at_too_much_are_refused() -> None:
    every = Change(scale="/problem/platform/*/*/bandwidth", value=2)
    patched = Patched(BODY, 40)
    assert len(patched.make(every)) == 2
    with pytest.raises(LimitError, match="more than 40 members"):
        for _ in range(4):
            patched.make(every)


def test_a_reader_of_many_bodies_is_not_led_astray_by_changes() -> None:
    reader = Reader()
    first = reader.read(changed({"at": LINK, "value": 5}), Limits())
    second = reader.read(BODY, Limits())
    assert first.instance.platform.links[1].bandwidth == 5
    assert second.instance.platform.links[1].bandwidth == 3


def test_changes_that_lead_nowhere_are_explained_up_to_some() -> None:
    """Each is explained by the names that there are: a thousand would take minutes."""
    hosts = [{"id": f"host-{i:04}.cluster.example", "unit_time": 1} for i in range(3_000)]
    problem = {**BODY["problem"], "platform": {"processors": hosts, "links": []}}
    lost = [
        {"at": f"/problem/platform/processors/[id=hxst-{i:04}.cluster.example]/speed", "value": 1}
        for i in range(MOST_CHANGES)
    ]
    faults = faults_of({"problem": problem, "changes": lost})
    assert faults == [(("changes", i, "at"), "leads_nowhere") for i in range(MOST_EXPLAINED)]


def test_a_selector_of_many_pairs_is_not_repeated_whole() -> None:
    pairs = ",".join(f"x{i}=1" for i in range(2_000))
    at = f"/problem/platform/processors/[id=W,{pairs}]/unit_time"
    with pytest.raises(InstanceError) as caught:
        parse_submission(changed({"at": at, "value": 1}), Limits())
    (fault,) = caught.value.faults
    assert len(fault.detail) < 300
