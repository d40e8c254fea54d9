"""`solve --schedule` and `check` from outside: what is written reads back."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from steadygrid.cli.documents import read_result, read_schedule, read_submission
from steadygrid.domain.certificate import Certificate, NoCertificate
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import Schedule
from steadygrid.report.report import Report
from tests.cli.commands import Command, Finished, answer_of, write
from tests.data import shared_data
from tests.report.answers import figure_3, rounded_star, shared_link, star


def check(command: Command, asked: Any, result: Any, schedule: Any = None, *more: str) -> Finished:
    given = [] if schedule is None else ["--schedule-in", schedule]
    return command("check", asked, "--result", result, *given, *more)


@pytest.mark.parametrize("report", [figure_3(), shared_link(), rounded_star(), star([], 5)])
def test_check_accepts_what_solve_wrote(
    command: Command, pipeline: Any, tmp_path: Path, report: Report
) -> None:
    pipeline(answer_of(report))
    asked = write(tmp_path / "body.json", report.submission.document())
    schedule = tmp_path / "schedule.json"
    solved = command("solve", asked, "--json", "--schedule", schedule)
    assert solved.code == 0
    result = tmp_path / "result.json"
    result.write_text(solved.out, encoding="utf-8")
    assert Schedule.from_document(json.loads(schedule.read_text())) == report.schedule
    code, out, err = check(command, asked, result, schedule)
    first, left_out = out.splitlines()
    assert (code, first, err) == (0, "accepted: every rule holds, in exact arithmetic", "")
    assert left_out.startswith("not judged: /")


def figure_3_files(tmp_path: Path) -> tuple[Path, Path, Path]:
    report = figure_3()
    assert report.schedule is not None
    return (
        write(tmp_path / "body.json", report.submission.document()),
        write(tmp_path / "result.json", report.result.model_dump(mode="json")),
        write(tmp_path / "schedule.json", report.schedule.document),
    )


@pytest.mark.parametrize(
    ("file", "place", "value", "phrase"),
    [
        ("schedule", ("period",), "41", "schedule#"),
        ("schedule", ("slots", 0, "transfers", 0, "count"), "6", "schedule#"),
        ("schedule", ("slots", 0, "transfers", 0, "sender"), "P3", "schedule#"),
        ("schedule", ("slots", 1, "start"), "9", "schedule#"),
        ("schedule", ("computations", 0, "time"), "41", "schedule#"),
        ("schedule", ("prologue_periods",), 1, "schedule#"),
        ("result", ("objective", "value"), "22/40", "result#"),
        ("result", ("certificate", "prices", "P4.compute"), "1/5", "result#"),
        ("result", ("computed", "P1"), "1/39", "result#"),
        ("result", ("method",), "magic", "result#/method: 'magic' is no method"),
        ("schedule", ("counts", "slots"), 9, "schedule#/counts/slots: The counts say 9 slots"),
    ],
)
def test_check_lists_every_planted_fault(
    command: Command, tmp_path: Path, file: str, place: Sequence[Any], value: Any, phrase: str
) -> None:
    files = figure_3_files(tmp_path)
    target = tmp_path / f"{file}.json"
    document = json.loads(target.read_text())
    part = document
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    write(target, document)
    code, out, err = check(command, *files)
    assert code == 1
    assert out == ""
    assert err.startswith("steadygrid: refused: ")
    assert phrase in err


def test_check_counts_the_faults_that_it_lists(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    document = json.loads(schedule.read_text())
    document["computations"] = []
    err = check(command, asked, result, write(schedule, document)).err
    first, *rest, _ = err.splitlines()
    assert first == f"steadygrid: refused: {len(rest)} faults"
    assert len(rest) > 1


def test_check_needs_no_schedule_where_there_is_none(command: Command, tmp_path: Path) -> None:
    asked, result, _ = figure_3_files(tmp_path)
    assert check(command, asked, result).code in (0, 1)


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        (lambda d: d.pop("slots"), "'runs' is missing: expected what"),
        (lambda d: d.update(period="x"), "not a schedule"),
        (lambda d: d.update(ports="two"), "not a schedule: unknown port model 'two'"),
        (lambda d: d.update(allocations=[1]), "not a schedule"),
        (lambda d: d.update(period=None), "not a schedule: its form is 'periodic', but its period"),
        (lambda d: d.update(form="once"), "its form is 'once', but this kind's schedules are"),
        (lambda d: d.update(form="timetable"), "its form is 'timetable', but this kind's"),
        (lambda d: d.update(form=None), "expected a name, not 'None'"),
        (lambda d: d["allocations"][0].update(tasks=[]), "not a schedule"),
        (lambda d: d["allocations"][0].update(tasks={"task": {"W": 1}}), "not a schedule: a task"),
        (lambda d: d.update(prologue_periods=1e999), "not a schedule"),
        (lambda d: d.update(prologue_periods=2.5), "expected a whole number, not '2.5'"),
        (lambda d: d.update(latency_periods=3.0), "expected a whole number, not '3.0'"),
        (lambda d: d.update(latency_periods="3"), "expected a whole number, not '3'"),
        (lambda d: d.update(latency_periods=True), "expected a whole number, not 'True'"),
        (lambda d: d.update(preempted=0), "expected true or false, not '0'"),
        (lambda d: d["counts"].update(slots=3.5), "expected a whole number, not '3.5'"),
        (lambda d: d["allocations"][1].update(index=1.5), "expected a whole number, not '1.5'"),
        (lambda d: d["allocations"][0].update(instances_per_period=1.0), "expected a number"),
        (lambda d: d["allocations"][1]["transfers"][0].update(path=["P1", 2]), "expected a name"),
        (lambda d: d["computations"][0].update(allocation=0.5), "expected a whole number"),
        (lambda d: d["computations"][0].update(task=1), "expected a name, not '1'"),
        (lambda d: d["slots"][0]["transfers"][0].update(allocation=1.5), "whole number, not '1.5'"),
    ],
)
def test_a_document_that_is_no_schedule_is_bad_input(
    command: Command, tmp_path: Path, change: Any, phrase: str
) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    document = json.loads(schedule.read_text())
    change(document)
    text = json.dumps(document).replace("Infinity", "1e999")
    schedule.write_text(text, encoding="utf-8")
    code, _, err = check(command, asked, result, schedule)
    assert code == 2
    assert phrase in err


def test_a_document_that_is_no_result_is_bad_input(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    code, _, err = check(command, asked, write(tmp_path / "other.json", {}), schedule)
    assert code == 2
    assert "other.json: " in err
    assert "#/outcome: the field 'outcome' is missing" in err
    assert check(command, asked, write(result, [1]), schedule).code == 2


def test_check_says_that_result_and_schedule_stand_in_the_wrong_order(
    command: Command, tmp_path: Path
) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    code, _, err = check(command, asked, schedule, result)
    assert code == 2
    assert "this is a schedule. The order is instance, result, schedule" in err
    assert "fault" not in err


def test_check_says_where_the_schedule_that_it_misses_is_from(
    command: Command, tmp_path: Path
) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    code, _, err = check(command, asked, result)
    assert code == 1
    assert err.endswith(
        "no schedule was given: name the file that `steadygrid solve --schedule` wrote with"
        " --schedule-in\nsteadygrid explain CODE says more.\n"
    )
    document = json.loads(schedule.read_text()) | {"prologue_periods": 9}
    assert (
        "no schedule was given" not in check(command, asked, result, write(schedule, document)).err
    )


def test_check_asks_for_exact_numbers_where_it_gets_rounded_ones(
    command: Command, tmp_path: Path
) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    report = figure_3()
    exact = report.result.model_dump(mode="json")
    rounded = report.result.model_dump(mode="json", context={"numbers": "float"})
    code, _, err = check(command, asked, write(result, rounded), schedule)
    assert code == 2
    assert "fetch it without numbers=float" in err.splitlines()[-2]
    write(result, exact | {"gap": "none"})
    assert "numbers=float" not in check(command, asked, result, schedule).err
    document = json.loads(schedule.read_text())
    document["allocations"][0]["rate"] = 0.25
    code, _, err = check(command, asked, write(result, exact), write(schedule, document))
    assert code == 2
    assert "fetch it without numbers=float" in err


def test_check_reads_standard_input_once(command: Command, tmp_path: Path) -> None:
    asked, _, _ = figure_3_files(tmp_path)
    assert "only one of the files" in check(command, asked, "-", "-").err


def test_a_schedule_has_one_line_for_each_part(
    command: Command, pipeline: Any, body: Path, tmp_path: Path
) -> None:
    pipeline(answer_of(figure_3()))
    schedule = tmp_path / "schedule.json"
    command("solve", body, "--schedule", schedule)
    lines = schedule.read_text().splitlines()
    assert lines[0] == "{"
    assert lines[1:3] == ['  "form": "periodic",', '  "period": "40",']
    assert sum('"rate"' in line for line in lines) == 4
    assert sum('"duration"' in line for line in lines) == 4


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("no/such/dir/s.json", "there is no directory"),
        (".", "this is a directory"),
        ("s" * 300, "File name too long"),
    ],
)
def test_a_schedule_that_cannot_be_written_is_refused_before_solving(
    command: Command, pipeline: Any, body: Path, tmp_path: Path, name: str, phrase: str
) -> None:
    pipeline(AssertionError("solved in vain"))
    code, out, err = command("solve", body, "--schedule", tmp_path / name)
    assert code == 2
    assert out == ""
    assert phrase in err


def test_a_place_without_permission_is_refused_before_solving(
    command: Command, body: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert "no permission to write" in command("solve", body, "--schedule", tmp_path / "s").err


def test_a_disk_that_fills_up_is_a_failure(command: Command, pipeline: Any, body: Path) -> None:
    pipeline(answer_of(figure_3()))
    code, _, err = command("solve", body, "--schedule", "/dev/full")
    assert code == 1
    assert "/dev/full: No space left on device" in err


def test_where_there_is_no_schedule_none_is_written(
    command: Command, pipeline: Any, body: Path, tmp_path: Path
) -> None:
    result, _ = answer_of(figure_3(), outcome=Outcome.INFEASIBLE, certificate=none())
    pipeline((result, None))
    code, _, err = command("solve", body, "--schedule", tmp_path / "s.json")
    assert code == 3
    assert "there is no schedule" in err
    assert not (tmp_path / "s.json").exists()
    pipeline((figure_3().result, None))
    assert command("solve", body, "--schedule", tmp_path / "s.json").code == 4


def none() -> Certificate:
    return NoCertificate()


STORED = Path(__file__).parents[1] / "stored" / "0.1.0"


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("cell", "every rule holds, in exact arithmetic"),
        ("cell-search", "the schedule holds, optimality rests on the search alone"),
    ],
)
def test_check_says_what_it_had_to_believe(command: Command, name: str, holds: str) -> None:
    files = [STORED / name / f"{part}.json" for part in ("instance", "result", "schedule")]
    code, out, err = check(command, *files)
    assert (code, out.splitlines()[0], err) == (0, f"accepted: {holds}", "")


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        ({"outcome": "feasible"}, "the schedule holds. The bound is the search's word"),
    ],
)
def test_check_says_what_a_bound_rests_on(
    command: Command, tmp_path: Path, change: dict[str, Any], holds: str
) -> None:
    folder = STORED / "cell-search"
    document = json.loads((folder / "result.json").read_text()) | change
    result = write(tmp_path / "result.json", document)
    checked = check(command, folder / "instance.json", result, folder / "schedule.json")
    assert (checked.code, checked.out.splitlines()[0]) == (0, f"accepted: {holds}")


def test_check_says_where_nothing_is_proved(command: Command, tmp_path: Path) -> None:
    instance = json.loads((STORED / "cell" / "instance.json").read_text())
    for task in instance["problem"]["application"]["tasks"]:
        task.setdefault("time_spe", task.pop("time_ppe"))
    instance["problem"]["method"] = "ppe_only"
    asked = write(tmp_path / "instance.json", instance)
    solved = command("solve", asked, "--json")
    assert solved.code == 4
    result = tmp_path / "result.json"
    result.write_text(solved.out, encoding="utf-8")
    checked = check(command, asked, result)
    assert checked.out.startswith("accepted: every rule holds, and nothing is proved\n")


def test_an_answer_that_a_reference_beats_is_refused() -> None:
    folder = shared_data("regressions")
    submission = read_submission(str(folder / "cell-referee-instance.json"), Limits())
    result = read_result(str(folder / "cell-referee-result.json"), submission, Limits())
    schedule = read_schedule(str(folder / "cell-referee-schedule.json"), Limits(), Schedule)
    with pytest.raises(InvalidScheduleError) as refused:
        submission.problem.validate(submission.instance, submission.options, result, schedule)
    assert [fault.code for fault in refused.value.faults] == ["bound_beaten"]


def test_check_lists_what_no_rule_looks_at(command: Command) -> None:
    files = [STORED / "cell-search" / f"{part}.json" for part in ("instance", "result", "schedule")]
    listed = [
        "/bound",
        "/certificate/nodes",
        "/certificate/solver",
        "/verified",
        "/notes",
        "/statistics",
    ]
    out = check(command, *files).out
    told_each = ", ".join(listed).replace("/verified", "/verified (the referee's own mark)")
    assert out.splitlines()[1] == f"not judged: {told_each}"
    told = check(command, *files, "--json")
    assert json.loads(told.out) == {
        "accepted": True,
        "holds": "the schedule holds, optimality rests on the search alone",
        "not_judged": listed,
        "faults": [],
    }


def test_a_forged_note_is_taken_and_listed(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    forged = json.loads(result.read_text()) | {"notes": ["twice as much was proved"]}
    told = check(command, asked, write(result, forged), schedule, "--json")
    assert told.code == 0
    assert "/notes" in json.loads(told.out)["not_judged"]


def test_an_unverified_answer_is_reported_as_such(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    forged = json.loads(result.read_text()) | {"verified": False}
    told = check(command, asked, write(result, forged), schedule, "--json")
    assert told.code == 0
    assert "/verified" in json.loads(told.out)["not_judged"]


def test_what_is_proved_the_best_is_not_taken_as_feasible(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    forged = json.loads(result.read_text()) | {"outcome": "feasible"}
    told = check(command, asked, write(result, forged), schedule)
    assert told.code == 1
    assert (
        "result#/outcome: The value 21/40 reaches a bound that is exact: the outcome is optimal."
        in told.err
    )


def test_faults_are_listed_as_json(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    forged = json.loads(result.read_text()) | {"method": "magic"}
    code, out, err = check(command, asked, write(result, forged), schedule, "--json")
    told = json.loads(out)
    assert (code, err, told["accepted"], told["holds"]) == (1, "", False, None)
    assert told["faults"] == [
        {
            "part": "result",
            "pointer": "#/method",
            "code": "wrong_method",
            "detail": "'magic' is no method of master_worker: bandwidth_centric or lp.",
        }
    ]


def test_the_answer_to_another_problem_is_told_to_be_one(command: Command, tmp_path: Path) -> None:
    _, result, schedule = figure_3_files(tmp_path)
    other = Path(__file__).parents[2] / "examples" / "star.json"
    said = check(command, other, result, schedule).err.splitlines()
    assert said[0].startswith("steadygrid: refused: ")
    assert "in this problem: is this the answer to another one?" in said[1]
