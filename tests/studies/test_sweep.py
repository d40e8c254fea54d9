"""A sweep is all combinations of its values, and is refused where one of them alone breaks it."""

import json
from collections.abc import Mapping
from copy import deepcopy
from itertools import product
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.reading import LossyFormatWarning, read_platform
from steadygrid.studies import sweep_checks
from steadygrid.studies.bodies import Bodies
from steadygrid.studies.sweep import CheckedSweep, Plan, plan_sweep, read_sweep
from steadygrid.submissions.job_names import name_in, name_of
from steadygrid.submissions.submission import Submission, parse_submission, size_submission
from tests.data import shared_data
from tests.tree import ROOT

LIMITS = Limits()
ON_DEMAND = ROOT / "examples" / "bags-on-demand.json"
SPEEDS = "/problem/platform/processors/*/unit_time"
FIGURE_3: dict[str, Any] = {
    "problem": {
        "kind": "master_worker",
        "platform": {
            "name": "figure 3",
            "processors": [
                {"id": "P1", "unit_time": 10},
                {"id": "P2", "unit_time": 2},
                {"id": "P3", "unit_time": 2},
                {"id": "P4", "unit_time": 1},
                {"id": "7"},
            ],
            "links": [
                {"source": "P1", "target": "P2", "unit_time": 1},
                {"source": "P1", "target": "P3", "unit_time": 1},
                {"source": "P2", "target": "P4", "unit_time": 1},
                {"source": "P3", "target": "P4", "unit_time": "0.1"},
            ],
        },
        "master": "P1",
        "task": {"work": 4, "input_size": 2},
    },
    "labels": {"a": "b"},
}


def parameter(name: str, where: str | list[str], values: Any, how: str = "at") -> dict[str, Any]:
    targets = [where] if isinstance(where, str) else where
    return {"name": name, how: targets, "values": list(values)}


WORK = parameter("work", "/problem/task/work", [1, "5/2", 0.3])
SLOWER = parameter("slower", SPEEDS, ["1/2", 3], "scale")
METHOD = parameter("ports", "/problem/ports", ["one_port", "multiport"])


def planned(*parameters: Any, limits: Limits = LIMITS, **more: Any) -> CheckedSweep:
    body = {"template": FIGURE_3, "parameters": list(parameters), **more}
    before = deepcopy(body)
    checked = plan_sweep(read_sweep(body, limits), limits)
    assert body == before
    return checked


def read_job(plan: Plan, index: int) -> Submission:
    return Bodies(plan.document()).submission(index, LIMITS)


def refused(*parameters: Any, kind: Any = InstanceError, **more: Any) -> list[Any]:
    with pytest.raises(kind) as error:
        planned(*parameters, **more)
    body = {"template": FIGURE_3, "parameters": list(parameters), **more}
    body.pop("limits", None)
    for fault in error.value.faults:
        part: Any = body
        for step in fault.pointer[: -1 if fault.code == "missing" else None]:
            part = part[step]
    return [fault[:2] for fault in error.value.faults]


def changed(work: Any, factor: Any, ports: Any = "one_port") -> dict[str, Any]:
    """Make the body of a job by hand."""
    body = deepcopy(FIGURE_3)
    problem = body["problem"]
    problem["task"]["work"] = work
    problem["ports"] = ports
    for processor in problem["platform"]["processors"]:
        if "unit_time" in processor:
            times = processor["unit_time"] * 3 if factor == 3 else f"{processor['unit_time']}/2"
            processor["unit_time"] = times
    return body


def test_the_jobs_are_all_combinations_the_last_parameter_changing_fastest() -> None:
    plan = planned(WORK, SLOWER, METHOD).plan
    combinations = list(product([1, "5/2", 0.3], ["1/2", 3], ["one_port", "multiport"]))
    assert plan.jobs == len(combinations) == 12
    bodies = Bodies(plan.document())
    for index, (work, factor, ports) in enumerate(combinations):
        assert plan.values(index) == (work, factor, ports)
        expected = parse_submission(changed(work, factor, ports), LIMITS)
        assert bodies.submission(index, LIMITS) == expected
    with pytest.raises(IndexError):
        plan.patch(12)


def test_by_zip_the_first_values_go_together() -> None:
    pairs = [(1, "1/2"), ("5/2", 3)]
    work = parameter("work", "/problem/task/work", [1, "5/2"])
    checked = planned(work, SLOWER, mode="zip")
    plan = checked.plan
    assert [plan.values(index) for index in range(plan.jobs)] == pairs
    bodies = [read_job(plan, index) for index in range(2)]
    assert bodies == [parse_submission(changed(*pair), LIMITS) for pair in pairs]
    assert checked.sizing.checked == 2


def test_a_plan_is_read_back_as_it_was() -> None:
    plan = planned(WORK, SLOWER, mode="product").plan
    assert Plan.from_document(json.loads(json.dumps(plan.document()))) == plan


def test_what_is_told_of_a_job_is_what_its_body_says() -> None:
    names = parameter("name", "/problem/platform/name", ["here", "there"])
    limit = parameter("limit", "/options/time_limit", [1, 2.5])
    for plan in (planned(names, limit).plan, planned(WORK).plan, planned(METHOD, name="x").plan):
        for index in range(plan.jobs):
            submission = read_job(plan, index)
            assert plan.facts(index) == (
                submission.kind,
                name_of(submission),
                submission.labels,
                submission.priority,
                submission.options.time_limit,
            )


def test_what_is_put_in_vain_still_gives_a_row() -> None:
    template = parse_submission(FIGURE_3, LIMITS).document()
    wrong = [
        ("/options/time_limit", "long"),
        ("/options", None),
        ("/options/time_limit", float("inf")),
        ("/problem/platform/name", 3),
        ("/problem/platform", "plt_1"),
        ("/name", "x" * 201),
        ("/name", []),
    ]
    for target, value in wrong:
        document = {"parameters": [parameter("p", target, [value])], "mode": "product"}
        facts = Plan.from_document(document | {"template": template}).facts(0)
        assert facts.time_limit == 60
        assert facts.name in (None, "figure 3")


@pytest.mark.parametrize("kind", PROBLEMS)
def test_a_name_is_made_of_a_document_as_of_what_was_read(kind: str) -> None:
    body = deepcopy(dict(PROBLEMS[kind].example))
    for part in ("platform", "application", "graph"):
        if part in body["problem"]:
            body["problem"][part]["name"] = f"the {part}"
    for name in ({}, {"name": "mine"}):
        submission = parse_submission(body | name, LIMITS)
        assert name_of(submission) == name_in(submission.document())
        named = name_of(submission) is not None
        assert named or (PROBLEMS[kind].simulated and not name)


def test_a_template_may_need_its_parameters() -> None:
    template = deepcopy(FIGURE_3)
    del template["problem"]["task"]["work"]
    plan, whole = planned(WORK, template=template).plan, planned(WORK).plan
    for index in range(3):
        body = read_job(plan, index)
        assert body == read_job(whole, index)
    assert refused(SLOWER, template=template) == [
        (("template", "problem", "task"), "ambiguous_work")
    ]
    bad = parameter("work", "/problem/task/work", [-1, 2])
    assert refused(bad, template=template) == [
        (("parameters", 0, "values", 0), "negative_rational")
    ]


@pytest.mark.parametrize(
    ("parameters", "faults"),
    [
        ([parameter("x", "/problem/taks/work", [1])], [("at", 0, "leads_nowhere")]),
        ([parameter("x", "/problem/tasks", [1])], [("values", 0, "extra_forbidden")]),
        ([parameter("x", "work", [1])], [("at", 0, "invalid_target")]),
        ([parameter("x", "/problem/kind", ["cell"])], [("at", 0, "not_a_target")]),
        ([parameter("x", "/problem/*", ["cell"])], [("at", 0, "not_a_target")]),
        ([parameter("x", "/problem", [{}])], [("at", 0, "not_a_target")]),
        ([parameter("x", "/labels/a", ["c"])], [("at", 0, "not_a_target")]),
        ([parameter("x", "/labels", [{}])], [("at", 0, "not_a_target")]),
        ([parameter("x", "/priority", [1])], [("at", 0, "not_a_target")]),
        (
            [parameter("x", "/problem/platform/processors/*/id", [2], "scale")],
            [("scale", 0, "not_a_quantity")],
        ),
        ([parameter("x", "/options/time_limit", [2], "scale")], [("scale", 0, "not_a_quantity")]),
        ([parameter("x", SPEEDS, [2, {}], "scale")], [("values", 1, "not_a_rational")]),
        ([parameter("x", SPEEDS, [2, 0], "scale")], [("values", 1, "zero_rational")]),
        ([parameter("x", SPEEDS, [0], "scale")], [("values", 0, "zero_rational")]),
        ([parameter("x", "/problem/task/work", [1, "a", -1])],
         [("values", 1, "not_a_rational"), ("values", 2, "negative_rational")]),
        ([parameter("x", "/problem/task/work", ["1/2", 2, "0.5"])], [("values", 2, "equal_values")]),
        ([parameter("x", "/options/time_limit", [60, 60.0])], [("values", 1, "equal_values")]),
        ([parameter("x", "/problem/task", [{"work": 1}, {"work": 1}])], [("values", 1, "equal_values")]),
        ([parameter("x", "/problem/platform", ["plt_" + "0" * 32])], [("values", 0, "not_storable")]),
        ([parameter("x", [SPEEDS, "/problem/platform/processors/[id=P2]/unit_time"], [2], "scale")],
         [("scale", 1, "overlapping_targets")]),
        ([parameter("x", "/problem/task/work", [])], [("values", "too_short")]),
        ([parameter("x", [], [1])], [("at", "too_short")]),
        ([{"name": "x", "values": [1]}], [("one_of_at_and_scale",)]),
        ([parameter("", "/problem/task/work", [1])], [("name", "too_short")]),
    ],
)  # fmt: skip
def test_a_parameter_is_refused_where_it_is_wrong(parameters: Any, faults: Any) -> None:
    assert refused(*parameters) == [(("parameters", 0, *at), code) for *at, code in faults]


def test_two_parameters_never_change_the_same_place() -> None:
    task = parameter("task", "/problem/task", [{"work": 1}])
    for one, other in ((WORK, task), (task, WORK), (WORK, {**WORK, "name": "again"})):
        (fault,) = refused(one, other)
        assert fault == (("parameters", 1, "at", 0), "overlapping_targets")


def test_a_fault_deep_in_a_value_is_shown_there() -> None:
    task = parameter("task", "/problem/task", [{"work": 1}, {"work": 1, "input_size": "x"}, {}])
    assert refused(WORK | {"values": [1]}, parameter("m", "/problem/master", ["P1", "P9"])) == [
        (("parameters", 1, "values", 1), "unknown_processor")
    ]
    assert refused(task) == [
        (("parameters", 0, "values", 1, "input_size"), "not_a_rational"),
        (("parameters", 0, "values", 2), "ambiguous_work"),
    ]


def test_a_value_that_breaks_another_place_is_blamed() -> None:
    ids = parameter("id", "/problem/platform/processors/[id=P4]/id", ["P4", "P5"])
    assert refused(ids) == [(("parameters", 0, "values", 1), "unknown_processor")]
    assert refused(ids | {"values": ["P5", "P4"]})[0][0][:4] == (
        "template",
        "problem",
        "platform",
        "links",
    )


def test_a_value_that_breaks_what_it_stands_in_is_blamed() -> None:
    limit = parameter("limit", "/options/time_limit", [1, 2])
    work = WORK | {"values": [None, 1]}
    first = [(("parameters", 1, "values", 0), "ambiguous_work")]
    assert refused(limit, work) == refused(limit, work, mode="zip") == first
    work["values"] = [1, None]
    second = [(("parameters", 1, "values", 1), "ambiguous_work")]
    assert refused(limit, work) == refused(limit, work, mode="zip") == second
    huge = {"kind": LimitError, "limits": Limits(max_coefficients=2)}
    assert refused(limit, WORK, **huge)[0][0][0] == "template"


def test_what_only_a_combination_breaks_is_found_when_it_is_solved() -> None:
    first = parameter("a", "/problem/platform/processors/[id=P4]/id", ["P4", "P3x"])
    second = parameter("b", "/problem/platform/links/[source=P2]/target", ["P4", "P3"])
    other = parameter("c", "/problem/platform/links/[source=P3]/target", ["P4", "P2"])
    with pytest.raises(InstanceError):
        planned(first, second, other)
    plan = planned(second, other).plan
    with pytest.raises(InstanceError) as broken:
        read_job(plan, 3)
    assert broken.value.faults[0].pointer[:3] == ("problem", "platform", "links")


def test_the_form_of_the_request_is_checked() -> None:
    assert refused(WORK, WORK) == [(("parameters", 1, "name"), "duplicate_parameter")]
    assert refused(WORK, SLOWER, mode="zip") == [(("parameters", 1, "values"), "unequal_lengths")]
    zipped = [parameter("a", "/problem/task/work", [1, "1"]), parameter("b", "/name", ["x", "x"])]
    assert refused(*zipped, mode="zip") == [(("parameters", 0, "values", 1), "equal_values")]
    assert refused(*(WORK | {"name": str(i)} for i in range(9))) == [(("parameters",), "too_long")]
    assert refused() == [(("parameters",), "too_short")]
    assert refused(WORK, mode="all") == [(("mode",), "literal_error")]
    assert refused(WORK, kind=LimitError, limits=Limits(max_sweep_jobs=2)) == [
        (("parameters",), "limit_exceeded")
    ]
    assert planned(WORK, limits=Limits(max_sweep_jobs=3)).plan.jobs == 3


@pytest.mark.parametrize("value", ["\ud800", float("nan"), {"a": "\udfff"}, object()])
def test_a_value_that_nothing_can_store_is_refused(value: Any) -> None:
    assert refused(parameter("x", "/name", ["a", value])) == [
        (("parameters", 0, "values", 1), "malformed_json")
    ]


def test_faults_of_the_template_are_below_it() -> None:
    assert refused(WORK, template={**FIGURE_3, "options": {"time_limit": 0}}) == [
        (("template", "options", "time_limit"), "greater_than")
    ]
    assert refused(WORK, template={"problem": {"kind": "no"}}) == [
        (("template", "problem", "kind"), "unknown_kind")
    ]
    assert refused(WORK, kind=LimitError, limits=Limits(max_processors=4)) == [
        (("template", "problem", "platform", "processors"), "limit_exceeded")
    ]


def test_a_job_that_is_too_large_is_refused_at_its_value() -> None:
    template = json.loads(ON_DEMAND.read_text(encoding="utf-8"))
    tasks = parameter("tasks", "/problem/stream/count", [10, 10**6])
    assert refused(tasks, kind=LimitError, template=template, limits=Limits(max_stream_tasks=1000))[
        0
    ][0] == ("parameters", 0, "values", 1)


def test_targets_lead_to_so_many_places_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_checks, "MOST_PLACES", 5)
    assert planned(SLOWER, WORK).plan.jobs == 6
    assert refused(SLOWER, WORK, METHOD, kind=LimitError) == [
        (("parameters", 2, "at", 0), "limit_exceeded")
    ]


def test_stored_documents_take_the_place_of_their_ids() -> None:
    template = deepcopy(FIGURE_3)
    platform, key = template["problem"]["platform"], "plt_" + "0" * 32
    template["problem"]["platform"] = key

    def resolve(document: Any) -> tuple[Any, Mapping[str, str]]:
        assert document == template
        problem = {**document["problem"], "platform": platform}
        return {**document, "problem": problem}, {"platform": key}

    def plan(*parameters: Any) -> CheckedSweep:
        body = {"template": template, "parameters": list(parameters)}
        return plan_sweep(read_sweep(body, LIMITS), LIMITS, resolve)

    assert plan(SLOWER).plan == planned(SLOWER).plan
    assert plan(SLOWER).meant()["template"]["problem"]["platform"] == key
    platform["links"][0]["source"] = "P17"
    with pytest.raises(InstanceError) as error:
        plan(SLOWER)
    assert [fault.pointer for fault in error.value.faults] == [("template", "problem", "platform")]


def test_the_sizes_are_those_of_jobs() -> None:
    template = json.loads(ON_DEMAND.read_text(encoding="utf-8"))
    tasks = parameter("tasks", "/problem/stream/count", [10, 5, 40, 20])
    checked = planned(tasks, template=template)
    sizing = checked.sizing
    assert (sizing.jobs, sizing.checked) == (4, 4)
    assert [job.index for job in (sizing.first, sizing.least, sizing.greatest)] == [0, 1, 2]
    for job in (sizing.first, sizing.least, sizing.greatest):
        body = read_job(checked.plan, job.index)
        assert job.sizing == size_submission(body, LIMITS)
    document = json.loads(json.dumps(sizing.document()))
    assert (
        document["sizes"]["greatest"]["sizes"]["stream"]
        == 40 * document["sizes"]["first"]["sizes"]["stream"] // 10
    )


def test_of_many_long_bodies_the_extremes_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    works = parameter("work", "/problem/task/work", [5, "-1", 3, 9, 7])
    assert refused(works) == [(("parameters", 0, "values", 1), "negative_rational")]
    monkeypatch.setattr(sweep_checks, "MOST_CHECKED_BYTES", 10_000)
    words = parameter("name", "/name", [str(i) * (1 + i % 5) for i in range(30)])
    checked = planned(works | {"values": [5, 3, 9, 7, *range(10, 30)]}, words)
    assert checked.sizing.checked < 6
    assert "combinations were checked" in checked.sizing.warnings[0]
    (fault,) = refused(works | {"values": [5, 3, 0, 7, *range(10, 40)]})
    assert fault == (("parameters", 0, "values", 2), "unbounded_throughput")


def test_ten_thousand_jobs_are_planned() -> None:
    names = parameter("name", "/name", [f"n{i}" for i in range(100)])
    works = parameter("work", "/problem/task/work", range(1, 101))
    plan = planned(names, works).plan
    assert len({plan.facts(index).name for index in range(10_000)}) == 100


def test_a_real_platform_is_swept() -> None:
    with pytest.warns(LossyFormatWarning):
        platform = read_platform(shared_data("simgrid-platforms/g5k.xml"))
    template = {
        "problem": {
            "kind": "master_worker",
            "platform": platform.model_dump(mode="json", exclude_none=True),
            "master": "edel-1.grenoble.grid5000.fr",
            "task": {"work": 10**9, "input_size": 1000},
            "ports": "multiport",
        }
    }
    speeds = parameter("speed", "/problem/platform/processors/*/speed", range(1, 101), "scale")
    works = parameter("work", "/problem/task/work", range(1, 101))
    checked = planned(speeds, works, template=template)
    assert checked.plan.jobs == 10_000
    assert checked.sizing.checked == 3
    scaled = read_job(checked.plan, 9_999).instance.platform
    pairs = zip(scaled.processors, platform.processors, strict=True)
    factors = {new.speed / old.speed for new, old in pairs if old.speed is not None}
    assert factors == {100}
