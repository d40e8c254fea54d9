"""`solve` and `check`: what may be given, what comes back, and what is refused."""

import io
import json
import os
import pickle
import sys
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import steadygrid as sg
from steadygrid import solving
from steadygrid.domain.forms import AnySchedule
from steadygrid.submissions.submission import parse_submission
from tests.cli.commands import Command
from tests.cli.conftest import command
from tests.tree import ROOT

__all__ = ["command"]

BODIES = {
    (problem["kind"], "latencies" in problem): path
    for path in sorted((ROOT / "examples").glob("*.json"))
    for problem in [json.loads(path.read_bytes())["problem"]]
}
"""An example of each kind, and of each that pays latencies."""
STAR: dict[str, Any] = {
    "kind": "master_worker",
    "platform": {
        "processors": [{"id": "M"}, {"id": "A", "unit_time": 2}],
        "links": [{"source": "M", "target": "A", "unit_time": 1}],
    },
    "master": "M",
    "task": {"work": 1},
}


@pytest.fixture(scope="module")
def answer() -> sg.Answer:
    return sg.solve(STAR, time_limit=20)


def with_work(work: Any) -> dict[str, Any]:
    return STAR | {"task": {"work": work}}


def faults(problem: Any, **options: Any) -> dict[str, str]:
    """What is wrong with a problem, by place."""
    with pytest.raises(sg.InstanceError) as refused:
        sg.solve(problem, **options)
    lines = str(refused.value).splitlines()
    assert lines[0].startswith("the problem: ")
    if len(lines) == 1:
        return {"": lines[0].removeprefix("the problem: ")}
    return dict(line.removeprefix("  ").split(": ", 1) for line in lines[1:])


def test_an_answer_is_exact(answer: sg.Answer) -> None:
    assert answer.outcome is sg.Outcome.OPTIMAL
    assert (answer.objective, answer.bound, answer.gap) == (Fraction(1, 2), Fraction(1, 2), 0)
    assert answer.prices == answer.certificate.prices == {"A.compute": Fraction(1, 2)}
    assert answer.verified
    assert answer.schedule is not None
    assert answer.instance["options"]["time_limit"] == 20
    assert answer.instance["problem"]["ports"] == "one_port"


def test_an_answer_without_a_value_has_none(answer: sg.Answer) -> None:
    empty = replace(
        answer,
        result=answer.result.model_copy(update={"objective": None, "bound": None, "gap": None}),
        schedule=None,
    )
    assert (empty.objective, empty.bound, empty.gap) == (None, None, None)
    with pytest.raises(ValueError, match="has no schedule"):
        empty.to_json("schedule")


def test_an_answer_shows_itself_as_the_summary(answer: sg.Answer) -> None:
    assert repr(answer).splitlines()[:4] == [
        "master_worker (2 processors, 1 link, one_port)",
        "OPTIMAL: proved in exact arithmetic, checked by the referee",
        "",
        "  1 task every 2 time units",
    ]
    assert "1/2 = 0.5 tasks per time unit" in repr(answer)
    noted = replace(answer, result=answer.result.model_copy(update={"notes": ["look here"]}))
    assert repr(noted).splitlines()[-1].split() == ["note", "look", "here"]


def test_an_answer_can_be_printed_where_only_ascii_can(
    answer: sg.Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    objective = answer.result.objective
    assert objective is not None
    third = objective.model_copy(update={"value": Fraction(1, 3)})
    shown = replace(answer, result=answer.result.model_copy(update={"objective": third}))
    assert not repr(shown).isascii()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert repr(shown).isascii()
    monkeypatch.setattr(sys, "stdout", None)
    assert repr(shown).isascii()


def test_an_answer_travels_between_processes(answer: sg.Answer) -> None:
    there = pickle.loads(pickle.dumps(answer))
    assert there.to_json() == answer.to_json()
    assert there.schedule == answer.schedule


@pytest.mark.parametrize(
    "work",
    [
        "1/3",
        Fraction(1, 3),
        np.float64(0.5),
        np.int64(2),
        Decimal("0.25"),
        0.1,
    ],
    ids=repr,
)
def test_numbers_are_read_as_they_are_written(work: Any) -> None:
    found = sg.solve(with_work(work), in_process=True)
    assert found.instance["problem"]["task"]["work"] == str(Fraction(str(work)))


def test_a_body_a_problem_a_path_and_a_submission_are_the_same(
    answer: sg.Answer, tmp_path: Path
) -> None:
    path = tmp_path / "body.json"
    path.write_text(json.dumps({"problem": STAR, "options": {"time_limit": 7}}))
    limits = sg.Limits()
    for problem in (
        {"problem": STAR, "options": {"time_limit": 7}},
        path,
        str(path),
        parse_submission({"problem": STAR, "options": {"time_limit": 7}}, limits),
    ):
        found = sg.solve(problem, in_process=True)
        assert found.instance["options"]["time_limit"] == 7
        assert found.objective == answer.objective
        assert sg.solve(problem, in_process=True, time_limit=8).instance["options"] == {
            **found.instance["options"],
            "time_limit": 8,
        }


def test_nouns_stand_where_their_documents_may(answer: sg.Answer) -> None:
    platform = sg.Platform.model_validate(STAR["platform"])
    found = sg.solve(STAR | {"platform": platform}, in_process=True)
    assert found.instance["problem"] == answer.instance["problem"]


def test_what_is_told_comes_while_it_is_solved() -> None:
    told: list[Mapping[str, Any]] = []
    sg.solve(STAR, on_progress=told.append)
    assert {"solving", "verifying"} <= {state["phase"] for state in told}


@pytest.mark.parametrize("body", BODIES.values(), ids=lambda path: path.stem)
def test_library_and_command_give_the_same_documents_that_both_accept(
    body: Path, tmp_path: Path, command: Command
) -> None:
    schedule = tmp_path / "schedule.json"
    found = sg.solve(body, in_process=True)
    names: list[Literal["instance", "result", "schedule"]] = ["instance", "result"]
    if found.schedule is None:
        solved = command("solve", body, "--json")
    else:
        solved = command("solve", body, "--json", "--schedule", schedule)
        assert found.to_json("schedule") == schedule.read_text(encoding="utf-8")
        names.append("schedule")
    assert (solved.code, solved.err) == (0, "")
    assert without_seconds(found.to_json()) == without_seconds(solved.out)
    parts = {}
    for part in names:
        parts[part] = tmp_path / f"{part}.json"
        parts[part].write_text(found.to_json(part), encoding="utf-8")
    sg.check(*parts.values())
    accepted = command("check", *parts.values())
    assert accepted.code == 0
    assert accepted.out.startswith("accepted: ")


def without_seconds(text: str) -> Any:
    """A result but for what the clock says."""

    def strip(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: strip(value) for name, value in part.items() if name != "seconds"}
        return [strip(value) for value in part] if isinstance(part, list) else part

    return strip(json.loads(text))


@pytest.mark.parametrize(
    ("problem", "place", "words"),
    [
        (None, "", "expected a JSON object, not null"),
        ([], "", "expected a JSON object, not a list"),
        ({}, "#/problem", "the field 'problem' is missing"),
        (
            {1: 2},
            "#/1",
            "there is no field '1' here. There are: labels, name, options, priority, problem",
        ),
        ({"kind": "nothing"}, "#/problem/kind", "the kind is one of: master_worker"),
        ({"problem": STAR, "options": 5}, "#/options", "expected a JSON object, not a number"),
        (STAR | {"master": "Z"}, "#/problem/master", "there is no processor 'Z'"),
        (STAR | {"platform": "plt_1"}, "#/problem/platform", "no platform is stored"),
        (with_work(float("nan")), "#/problem/task/work", "expected a number"),
        (with_work(object()), "#/problem/task/work", "expected a number"),
        (with_work(-1), "#/problem/task/work", "a quantity cannot be negative"),
        (with_work(Fraction(10) ** 5000), "#/problem/task/work", "at most 64 digits"),
        (with_work(Decimal("1e1000000")), "#/problem/task/work", "at most 64 digits"),
    ],
)
def test_faults_are_listed_with_their_places(problem: Any, place: str, words: str) -> None:
    assert faults(problem)[place].startswith(words)


def test_a_problem_within_itself_is_refused() -> None:
    endless = dict(STAR)
    endless["platform"] = endless
    assert faults(endless) == {"": "the document is nested too deeply"}


def test_options_that_do_not_exist_are_refused() -> None:
    assert faults(STAR, timelimit=5) == {
        "#/options/timelimit": "there is no field 'timelimit' here. Did you mean 'time_limit'?"
    }
    with pytest.raises(ValueError, match="memory is a number of bytes above 0, not '4G'"):
        sg.solve(STAR, memory="4G")  # type: ignore[call-overload]


def test_faults_of_a_file_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    path.write_text("{]")
    with pytest.raises(sg.InstanceError) as refused:
        sg.solve(path)
    assert str(refused.value).startswith(f"{path}: not a JSON document: line 1, column 2")
    path.write_bytes(b" " * 101)
    with pytest.raises(sg.LimitError, match="longer than 100 bytes"):
        sg.solve(path, limits=sg.Limits(max_body_bytes=100))
    with pytest.raises(FileNotFoundError):
        sg.solve(tmp_path / "nothing.json")


def test_a_problem_that_is_too_large_says_so() -> None:
    with pytest.raises(sg.LimitError, match="at most 1 are accepted"):
        sg.solve(STAR, limits=sg.Limits(max_processors=1))


def test_check_accepts_objects_and_documents(answer: sg.Answer) -> None:
    schedule = answer.schedule
    assert schedule is not None
    documents: tuple[Any, AnySchedule | Any] = (
        json.loads(answer.to_json()),
        json.loads(answer.to_json("schedule")),
    )
    for result in (answer.result, documents[0]):
        for given in (schedule, documents[1]):
            verdict = sg.check(answer.instance, result, given)
            assert verdict.holds == "every rule holds, in exact arithmetic"
            assert verdict.not_judged == ("/method", "/verified")


def test_check_lists_what_the_referee_finds(answer: sg.Answer) -> None:
    better = json.loads(answer.to_json())
    better["objective"]["value"] = "2/3"
    with pytest.raises(sg.InvalidScheduleError, match=r"^the answer: \d+ faults\n") as refused:
        sg.check(answer.instance, better, answer.schedule)
    assert len(refused.value.faults) > 1
    assert "  result#/" in str(refused.value)


def test_check_refuses_what_is_no_document(answer: sg.Answer) -> None:
    result, schedule = json.loads(answer.to_json()), json.loads(answer.to_json("schedule"))
    with pytest.raises(sg.InstanceError, match=r"the result: this is a schedule. The order is"):
        sg.check(answer.instance, schedule, result)
    with pytest.raises(sg.InstanceError, match="the schedule: not a whole schedule, 'period'"):
        sg.check(answer.instance, result, {})
    rounded = answer.result.model_dump(mode="json", context={"numbers": "float"})
    with pytest.raises(sg.InstanceError, match="the result: ") as refused:
        sg.check(answer.instance, rounded, schedule)
    assert "only exact ones can be judged" in refused.value.__notes__[0]


def test_an_unknown_part_of_an_answer_is_refused(answer: sg.Answer) -> None:
    with pytest.raises(ValueError, match="No 'picture'"):
        answer.to_json("picture")  # type: ignore[arg-type]


@pytest.mark.parametrize("cores", [0, "2", 1.5])
def test_cores_that_are_no_number_are_refused(cores: Any) -> None:
    with pytest.raises(ValueError, match="cores is a number of cores above 0, not"):
        sg.solve(STAR, cores=cores)


@pytest.mark.parametrize("in_process", [False, True])
def test_a_solve_computes_on_as_many_cores_as_it_is_given(*, in_process: bool) -> None:
    answers = [sg.solve(STAR, cores=cores, in_process=in_process) for cores in (1, 2, 3)]
    assert len({answer.objective for answer in answers}) == 1


def test_a_solve_computes_on_two_cores_where_the_machine_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used: list[int] = []
    module = import_module(solving.MODULE)
    answered = module.answer

    def answer(submission: Any, limits: Any, told: Any, cores: int) -> Any:
        used.append(cores)
        return answered(submission, limits, told, cores)

    monkeypatch.setattr(module, "answer", answer)
    for cpus, cores in ((1, 1), (2, 2), (64, 2)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, n=cpus: set(range(n)), raising=False)
        sg.solve(STAR, in_process=True)
        assert used.pop() == cores
    sg.solve(STAR, in_process=True, cores=1)
    assert used == [1]
