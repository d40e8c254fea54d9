import pytest

from steadygrid.domain.limits import Limits
from steadygrid.kinds.collective import PROBLEM as COLLECTIVE
from steadygrid.kinds.master_worker import PROBLEM
from steadygrid.studies.bodies import Bodies, patched_body
from steadygrid.studies.sweep_plan import Parameter, Plan
from steadygrid.submissions.submission import parse_submission

TEMPLATE = dict(PROBLEM.example) | {"options": {}, "labels": {}}
WORK, SIZE = "/problem/task/work", "/problem/task/input_size"
BOTH = [
    Plan(
        TEMPLATE,
        (
            Parameter(name="work", at=(WORK,), values=(1, 2)),
            Parameter(name="size", scale=(SIZE,), values=("1/2", 3)),
        ),
    ).document(),
    {
        "template": TEMPLATE,
        "patches": [
            [{"at": WORK, "value": work}, {"scale": SIZE, "value": size}]
            for work in (1, 2)
            for size in ("1/2", 3)
        ],
    },
]


@pytest.mark.parametrize("plan", BOTH)
def test_a_body_is_the_template_with_what_is_different(plan: dict[str, object]) -> None:
    tasks = [patched_body(plan, index)["problem"]["task"] for index in range(4)]
    assert [(task["work"], task["input_size"]) for task in tasks] == [
        (1, "1"),
        (1, "6"),
        (2, "1"),
        (2, "6"),
    ]
    assert TEMPLATE["problem"]["task"]["work"] == 4


@pytest.mark.parametrize("plan", BOTH)
def test_there_are_no_more_bodies_than_jobs(plan: dict[str, object]) -> None:
    with pytest.raises(IndexError):
        patched_body(plan, 4)


def test_what_the_jobs_share_is_read_once() -> None:
    bodies = Bodies(BOTH[0])
    first, other = (bodies.submission(index, Limits()) for index in (0, 3))
    assert other == parse_submission(bodies.body(3), Limits())
    assert other.instance.platform is first.instance.platform
    assert other.instance.task != first.instance.task


def test_a_study_asks_for_optima_and_no_programs() -> None:
    body = dict(COLLECTIVE.example)
    problem = body["problem"] | {"operation": "multicast", "ports": "multiport"}
    template = parse_submission(body | {"problem": problem}, Limits()).document()
    asking = template | {"problem": template["problem"] | {"execution": {"sizes": [1000]}}}
    place = "/problem/size"
    for told, of_sweep in ((template, ()), (asking, (1000,))):
        sweep = Plan(told, (Parameter(name="size", at=(place,), values=(1, 2)),)).document()
        what_if = {"template": told, "patches": [[{"at": place, "value": 1}]]}
        assert Bodies(sweep).submission(1, Limits()).instance.execution.sizes == of_sweep
        assert Bodies(what_if).submission(0, Limits()).instance.execution.sizes == ()
