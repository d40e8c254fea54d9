"""A sweep solved here gives a row for each job, in order, whatever its job does."""

import json
import os
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import steadygrid as sg
from steadygrid import solving
from steadygrid.domain.schedule import Schedule
from steadygrid.engine.answer_process import answer
from steadygrid.kinds import PROBLEMS
from steadygrid.processes.child import Child
from steadygrid.studies.sweep_run import read_plan, run_sweep, run_sweep_here
from tests.library.test_solving import children
from tests.tree import ROOT

EXAMPLE = PROBLEMS["master_worker"].example
LINKS = "/problem/platform/links/*/unit_time"
WAYWARD = "tests.studies.wayward_solver"


def body(*parameters: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"template": EXAMPLE, "parameters": list(parameters), **more}


def names(*values: str) -> dict[str, Any]:
    return {"name": "name", "at": ["/name"], "values": list(values)}


def solvers() -> list[int]:
    """Give the processes of ours that solve jobs; other tests may have left others."""
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children(os.getpid())}
    return [pid for pid, line in lines.items() if solving.MODULE.encode() in line]


@pytest.fixture
def wayward(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "MODULE", WAYWARD)


def test_rows_have_what_solving_each_body_gives() -> None:
    factors: list[Any] = [1, Fraction(3, 2), "2"]
    speeds = {"name": "slower", "scale": [LINKS], "values": factors}
    rows = list(sg.sweep(body(speeds), in_process=True))
    assert [row.index for row in rows] == [0, 1, 2]
    assert [row.parameters for row in rows] == [{"slower": v} for v in (1, "3/2", "2")]
    for row, factor in zip(rows, factors, strict=True):
        problem = EXAMPLE["problem"]
        platform = dict(problem["platform"])
        platform["links"] = [
            {**link, "unit_time": Fraction(link["unit_time"]) * Fraction(factor)}
            for link in platform["links"]
        ]
        answer = sg.solve(problem | {"platform": platform}, in_process=True)
        assert (row.state, row.outcome) == ("succeeded", answer.outcome.value)
        assert (row.value, row.bound, row.gap) == (answer.objective, answer.bound, answer.gap)
        assert isinstance(answer.schedule, Schedule)
        assert row.period == answer.schedule.period
        assert row.exact is True


def test_the_example_is_solved_by_processes_as_it_is_here() -> None:
    path = ROOT / "examples" / "sweeps" / "figure-3-links-and-machines.json"
    counted: list[tuple[int, int]] = []
    apart = list(sg.sweep(path, workers=2, on_ended=lambda *count: counted.append(count)))
    here = list(sg.sweep(path, in_process=True))
    assert len(apart) == 12
    assert [row.document() | {"seconds": 0} for row in apart] == [
        row.document() | {"seconds": 0} for row in here
    ]
    assert counted[-1] == (12, 0)
    assert counted == sorted(counted)
    sg.close()
    assert solvers() == []


def test_rows_come_in_order_and_every_failure_is_one(wayward: None) -> None:
    asked = names("sleep 1", "a", "die", "b", "memory", "break", "c")
    ended: list[tuple[int, int]] = []
    rows = list(sg.sweep(body(asked), workers=2, on_ended=lambda *count: ended.append(count)))
    assert [row.parameters["name"] for row in rows] == asked["values"]
    assert [row.error for row in rows] == [
        *(None, None, "internal", None, "out_of_memory", "internal", None)
    ]
    assert {row.state for row in rows if row.error} == {"failed"}
    assert all(row.detail for row in rows if row.error)
    assert "instance" not in rows[5].detail
    assert ended[-1] == (7, 3)
    assert {row.value for row in rows if row.error is None} == {Fraction(21, 40)}
    # The one that is kept, unless what it did last has ended it: that depends on who was faster.
    assert len(solvers()) <= 1
    sg.close()
    assert solvers() == []


def test_a_sweep_takes_the_process_that_is_kept_and_leaves_it_to_the_next_solve() -> None:
    sg.solve(EXAMPLE)
    kept = solvers()
    assert len(kept) == 1
    assert [row.value for row in sg.sweep(body(names("a", "b")))] == 2 * [Fraction(21, 40)]
    assert solvers() == kept
    assert len(list(sg.sweep(body(names("a", "b")), workers=2))) == 2
    sg.solve(EXAMPLE)
    assert solvers() == kept
    sg.close()


def test_all_jobs_are_told_once_to_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    send = Child.send

    def noted(child: Child, message: dict[str, Any], payload: bytes = b"") -> None:
        sent.append(message["type"])
        send(child, message, payload)

    monkeypatch.setattr(Child, "send", noted)
    sg.close()
    assert len(list(sg.sweep(body(names("a", "b", "c"))))) == 3
    assert sent == ["shared", "job", "job", "job"]
    sg.solve(EXAMPLE)
    assert sent[4:] == ["shared", "job"], "the process forgets them"
    sg.close()


def test_a_process_that_takes_over_is_told_all_jobs(wayward: None) -> None:
    asked = names("die", "a", "die again", "b")
    rows = list(sg.sweep(body(asked)))
    assert [row.error for row in rows] == ["internal", None, None, None]
    rows = list(sg.sweep(body(names("a", "die", "b"))))
    assert [row.error for row in rows] == [None, "internal", None]
    sg.close()


def test_a_job_is_sized_where_it_is_solved() -> None:
    template = json.loads((ROOT / "examples" / "bags-on-demand.json").read_text(encoding="utf-8"))
    count = {"name": "count", "at": ["/problem/stream/count"], "values": [10, 20]}
    plan = read_plan({"template": template, "parameters": [count]}, sg.Limits()).plan
    rows = list(run_sweep_here(plan, sg.Limits(max_stream_tasks=319), answer))
    assert [row.error for row in rows] == [None, "limit_exceeded"]
    assert "tasks" in str(rows[1].detail)


def test_a_job_that_outlives_its_time_is_a_row(
    wayward: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steadygrid.library.run_sweep", partial(run_sweep, grace=0.2))
    rows = list(sg.sweep(body(names("sleep 60", "a")), time_limit=0.3))
    assert [row.error for row in rows] == ["hard_timeout", None]
    assert rows[0].seconds < 30


def test_what_only_a_combination_breaks_is_a_row_that_failed() -> None:
    one = {"name": "one", "at": ["/problem/platform/links/2/target"], "values": ["P4", "P3"]}
    other = {"name": "other", "at": ["/problem/platform/links/3/target"], "values": ["P4", "P2"]}
    rows = list(sg.sweep(body(one, other), in_process=True))
    assert [row.error for row in rows] == [None, None, None, "invalid_request"]
    assert "#/problem/platform/links/3" in rows[3].detail


def test_after_ctrl_c_there_are_the_rows_that_have_ended(wayward: None) -> None:
    def interrupt(ended: int, _failed: int) -> None:
        if ended == 2:
            raise KeyboardInterrupt

    rows = sg.sweep(body(names("sleep 60", "a", "b", "c")), workers=2, on_ended=interrupt)
    assert [next(rows).index, next(rows).index] == [1, 2]
    assert solvers() == []
    with pytest.raises(KeyboardInterrupt):
        next(rows)


def test_rows_that_are_not_asked_for_leave_no_process(wayward: None) -> None:
    rows = sg.sweep(body(names("a", "sleep 60")), workers=2)
    assert next(rows).index == 0
    assert solvers()
    rows.close()
    assert solvers() == []


def test_options_go_before_those_of_the_template() -> None:
    template = {**EXAMPLE, "options": {"time_limit": 5, "mip_gap": "x"}}
    with pytest.raises(sg.InstanceError) as refused:
        sg.sweep(body(names("a"), template=template), time_limit=0)
    assert [fault.pointer for fault in refused.value.faults] == [
        ("template", "options", "time_limit"),
        ("template", "options", "mip_gap"),
    ]
    assert str(refused.value).startswith("the sweep: 2 faults")


def test_who_refers_to_a_stored_platform_hears_that_there_is_none_here() -> None:
    template = {"problem": {**EXAMPLE["problem"], "platform": "plt_" + "0" * 32}}
    with pytest.raises(sg.InstanceError) as refused:
        sg.sweep(body(names("a"), template=template))
    assert refused.value.faults[0].pointer == ("template", "problem", "platform")
    assert "only the service stores" in refused.value.__notes__[0]


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"workers": 1.5}, {"memory": 0}])
def test_what_is_no_number_of_processes_or_bytes_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        sg.sweep(body(names("a")), **wrong)
