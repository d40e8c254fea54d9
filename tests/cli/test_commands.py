"""The command from outside: exit codes, standard output, standard error, files."""

import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import workers.cli
from app.domain.errors import (
    CertificationError,
    Fault,
    InstanceError,
    InvalidScheduleError,
    LimitError,
)
from app.domain.job import Certificate, Outcome, Result
from app.domain.schedule import Schedule
from app.problems import PROBLEMS
from app.problems.submission import Submission
from app.settings import Limits
from tests.cli.answers import figure_3, rounded_star, shared_link, star
from workers.console.report import Report
from workers.solving.control import Control, Interrupted

ROOT = Path(__file__).resolve().parents[2]


class Finished(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Finished]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process."""

    def run(*arguments: str | Path) -> Finished:
        with pytest.raises(SystemExit) as exit_:
            workers.cli.main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        code = exit_.value.code
        assert isinstance(code, int)
        assert "Traceback" not in err
        return Finished(code, out, err)

    return run


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Replace the pipeline by one that gives, or raises, what a test wants."""

    def install(answer: Any) -> None:
        def run(submission: Submission, control: Control, limits: Limits) -> Any:
            assert submission.document()
            assert control.remaining <= 3600
            assert limits.max_processors
            if isinstance(answer, BaseException):
                raise answer
            return answer

        monkeypatch.setattr("workers.cli.run_pipeline", run)

    return install


def answer_of(report: Report, **fields: Any) -> tuple[Result, Schedule | None]:
    return report.result.model_copy(update=fields), report.schedule


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture
def body(tmp_path: Path) -> Path:
    return write(tmp_path / "body.json", PROBLEMS["master_worker"].example)


# --- solve ---------------------------------------------------------------------------------


def test_solve_explains_the_answer(command: Command, pipeline: Any, body: Path) -> None:
    pipeline(answer_of(figure_3()))
    code, out, err = command("solve", body)
    assert code == 0
    assert "21 tasks every 40 time units" in out
    assert "One period: 40 time units" in out
    assert err == ""


def test_solve_json_is_exactly_one_document_that_reads_back(
    command: Command, pipeline: Any, body: Path
) -> None:
    answer = answer_of(figure_3(), notes=["é"])
    pipeline(answer)
    code, out, err = command("solve", body, "--json")
    assert code == 0
    assert err == ""
    assert PROBLEMS["master_worker"].result.model_validate(json.loads(out)) == answer[0]


def test_solve_reads_standard_input(
    command: Command, pipeline: Any, body: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline(answer_of(figure_3()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body.read_bytes())))
    assert command("solve", "-").code == 0


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.OPTIMAL, 0),
        (Outcome.FEASIBLE, 0),
        (Outcome.INFEASIBLE, 3),
        (Outcome.BOUND_ONLY, 4),
    ],
)
def test_the_exit_code_follows_the_outcome(
    command: Command, pipeline: Any, body: Path, outcome: Outcome, code: int
) -> None:
    pipeline(answer_of(figure_3(), outcome=outcome))
    assert command("solve", body).code == code
    assert command("solve", body, "--json").code == code


def test_a_bound_is_success_where_a_bound_was_asked_for() -> None:
    report = figure_3()
    result = report.result.model_copy(update={"outcome": Outcome.BOUND_ONLY})
    instance = report.submission.instance.model_copy(update={"method": "upper_bound"})
    asked = replace(report.submission, instance=instance)
    assert workers.cli.exit_code(asked, result) == 0


@pytest.mark.parametrize(
    ("error", "code", "phrase"),
    [
        (CertificationError("no basis."), 1, "failed (not_certified): The solver's answer could"),
        (InvalidScheduleError("two sends at once."), 1, "failed (invalid_schedule)"),
        (InstanceError("", [Fault(("problem",), "x", "is odd")]), 2, "#/problem: is odd"),
        (LimitError("9 processors."), 2, "larger than this service accepts. 9 processors."),
        (Interrupted("time_limit"), 4, "the time limit of 60 s left no answer"),
        (Interrupted("cancelled"), 130, ""),
        (KeyboardInterrupt(), 130, ""),
        (MemoryError(), 1, "out of memory"),
        (ZeroDivisionError("oh\x1b[2J"), 1, "internal error: ZeroDivisionError: oh\\x1b[2J"),
    ],
)
def test_every_failure_is_a_sentence_and_an_exit_code(
    command: Command, pipeline: Any, body: Path, error: BaseException, code: int, phrase: str
) -> None:
    pipeline(error)
    finished = command("solve", body, "--json")
    assert finished.code == code
    assert finished.out == ""
    assert phrase in finished.err


def test_the_place_of_an_internal_error_is_shown_on_demand(
    command: Command,
    pipeline: Any,
    body: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("STEADYGRID_LOG_LEVEL", "debug")
    pipeline(ZeroDivisionError("oh"))
    with pytest.raises(SystemExit):
        workers.cli.main(["solve", str(body)])
    assert "Traceback" in capsys.readouterr().err


def test_faults_of_a_body_are_listed_with_their_pointers(command: Command, tmp_path: Path) -> None:
    example = json.loads(json.dumps(PROBLEMS["master_worker"].example))
    example["problem"]["master"] = "P9"
    example["problem"]["platform"]["links"][3]["target"] = "P8"
    code, out, err = command("solve", write(tmp_path / "bad.json", example))
    assert code == 2
    assert out == ""
    assert err.splitlines() == [
        f"steadygrid: {tmp_path / 'bad.json'}: 2 faults",
        "  #/problem/platform/links/3/target: there is no processor 'P8'",
        "  #/problem/master: there is no processor 'P9'",
    ]


@pytest.mark.parametrize(
    ("content", "phrase"),
    [
        (b"", "not a JSON document: line 1, column 1"),
        (b"\xff\xfe\x00", "not a JSON document: the document is not UTF-8"),
        (b'{"a": 1, "a": 2}', "the name 'a' is given twice"),
        (b"NaN", "NaN is not a JSON number"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "1 fault\n  #: expected a JSON object"),
        (b"{}", "#/problem"),
        (b'{"problem": {"kind": "nothing"}}', "the kind is one of: master_worker"),
        (
            b'{"problem": {"kind": "master_worker", "platform": "plt_1"}}',
            "#/problem/platform: no platform is stored under this id",
        ),
    ],
)
def test_junk_is_refused_in_a_sentence(
    command: Command, tmp_path: Path, content: bytes, phrase: str
) -> None:
    file = tmp_path / "junk"
    file.write_bytes(content)
    code, out, err = command("solve", file)
    assert code == 2
    assert out == ""
    assert phrase in err


def test_unreadable_files_are_refused_by_name(command: Command, tmp_path: Path) -> None:
    assert command("solve", tmp_path / "none.json") == (
        2,
        "",
        f"steadygrid: {tmp_path / 'none.json'}: No such file or directory\n",
    )
    assert "Is a directory" in command("solve", tmp_path).err
    assert command("solve", "a\0b").code == 2
    assert "unexpected" not in command("solve", "/dev/null").err


def test_an_endless_file_is_not_read_for_ever(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_BODY_BYTES", "1000")
    code, _, err = command("solve", "/dev/zero")
    assert code == 2
    assert "longer than 1,000 bytes" in err


def test_wrong_settings_are_named(
    command: Command, body: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_LINKS", "many")
    code, _, err = command("solve", body)
    assert code == 2
    assert "STEADYGRID_MAX_LINKS: Input should be a valid integer" in err


@settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(content=st.binary(max_size=200))
def test_no_bytes_give_a_traceback(command: Command, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "fuzz"
    file.write_bytes(content)
    assert command("solve", file).code == 2


def mutations() -> st.SearchStrategy[Any]:
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
        max_leaves=5,
    )
    places = st.sampled_from(
        [
            ("problem",),
            ("options",),
            ("labels",),
            ("problem", "kind"),
            ("problem", "platform"),
            ("problem", "platform", "processors"),
            ("problem", "platform", "links"),
            ("problem", "master"),
            ("problem", "task"),
            ("problem", "task", "work"),
            ("problem", "ports"),
        ]
    )
    return st.tuples(places, values)


@settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(mutation=mutations())
def test_no_document_gives_a_traceback(
    command: Command, pipeline: Any, tmp_path: Path, mutation: tuple[Sequence[str], Any]
) -> None:
    pipeline(answer_of(figure_3()))
    document = json.loads(json.dumps(PROBLEMS["master_worker"].example))
    *way, last = mutation[0]
    part = document
    for step in way:
        part = part[step]
    part[last] = mutation[1]
    assert command("solve", write(tmp_path / "fuzz", document), "--json").code in (0, 2)


# --- --schedule, and check -----------------------------------------------------------------


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
    assert command("check", asked, result, schedule) == (
        0,
        "accepted: every rule holds, in exact arithmetic\n",
        "",
    )


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
    code, out, err = command("check", *files)
    assert code == 1
    assert out == ""
    assert err.startswith("steadygrid: refused: ")
    assert phrase in err


def test_check_counts_the_faults_that_it_lists(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    document = json.loads(schedule.read_text())
    document["computations"] = []
    err = command("check", asked, result, write(schedule, document)).err
    first, *rest = err.splitlines()
    assert first == f"steadygrid: refused: {len(rest)} faults"
    assert len(rest) > 1


def test_check_needs_no_schedule_where_there_is_none(command: Command, tmp_path: Path) -> None:
    asked, result, _ = figure_3_files(tmp_path)
    assert command("check", asked, result).code in (0, 1)


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        (lambda d: d.pop("slots"), "'slots' is missing; expected the file that"),
        (lambda d: d.update(period="x"), "not a schedule"),
        (lambda d: d.update(ports="two"), "not a schedule: unknown port model 'two'"),
        (lambda d: d.update(allocations=[1]), "not a schedule"),
        (lambda d: d.update(period=None), "not a schedule: it has no period, but this kind's"),
        (lambda d: d["allocations"][0].update(tasks=[]), "not a schedule"),
        (lambda d: d["allocations"][0].update(tasks={"task": {"W": 1}}), "not a schedule: a task"),
        (lambda d: d.update(prologue_periods=1e999), "not a schedule"),
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
    code, _, err = command("check", asked, result, schedule)
    assert code == 2
    assert phrase in err


def test_a_document_that_is_no_result_is_bad_input(command: Command, tmp_path: Path) -> None:
    asked, result, schedule = figure_3_files(tmp_path)
    code, _, err = command("check", asked, schedule, schedule)
    assert code == 2
    assert "schedule.json: " in err
    assert "#/outcome: Field required" in err
    assert command("check", asked, write(result, [1]), schedule).code == 2


def test_check_reads_standard_input_once(command: Command, tmp_path: Path) -> None:
    asked, _, _ = figure_3_files(tmp_path)
    assert "only one of the files" in command("check", asked, "-", "-").err


def test_a_schedule_has_one_line_for_each_part(
    command: Command, pipeline: Any, body: Path, tmp_path: Path
) -> None:
    pipeline(answer_of(figure_3()))
    schedule = tmp_path / "schedule.json"
    command("solve", body, "--schedule", schedule)
    lines = schedule.read_text().splitlines()
    assert lines[0] == "{"
    assert lines[1] == '  "period": "40",'
    assert sum('"rate"' in line for line in lines) == 4
    assert sum('"duration"' in line for line in lines) == 4


@pytest.mark.parametrize(
    ("name", "phrase"),
    [("no/such/dir/s.json", "there is no directory"), (".", "this is a directory")],
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
    return Certificate(type="none")


# --- problems, convert, version ------------------------------------------------------------


def test_problems_lists_every_kind(command: Command) -> None:
    code, out, _ = command("problems")
    assert code == 0
    for line, problem in zip(out.splitlines(), PROBLEMS.values(), strict=False):
        assert line.split(maxsplit=1) == [problem.kind, problem.title]
    listed = json.loads(command("problems", "--json").out)
    assert [item["kind"] for item in listed] == list(PROBLEMS)


def test_problems_tells_all_about_a_kind(command: Command) -> None:
    code, out, _ = command("problems", "master_worker")
    assert code == 0
    for phrase in (
        "  bandwidth_centric  the tree algorithm",
        '  kind*      "master_worker"',
        "  platform*  {name, units, processors*, links, media, routes}",
        "  task*      {work, times, input_size = 1, output_size = 0}",
        "  ports      one_port or multiport, default one_port",
        "  max_period             number: longest period",
        "RR-4870",
        '    {"id": "P1", "unit_time": 10},',
    ):
        assert phrase in out
    document = json.loads(command("problems", "master_worker", "--json").out)
    assert document["instance"]["required"]
    assert document["example"] == PROBLEMS["master_worker"].example


def test_the_example_of_a_kind_can_be_solved_as_it_is(
    command: Command, pipeline: Any, tmp_path: Path
) -> None:
    pipeline(answer_of(figure_3()))
    out = command("problems", "master_worker", "--example").out
    file = tmp_path / "example.json"
    file.write_text(out, encoding="utf-8")
    assert command("solve", file).code == 0


def test_an_unknown_kind_is_refused_with_the_known_ones(command: Command) -> None:
    assert command("problems", "nothing").err == (
        f"steadygrid: there is no kind 'nothing'; the kinds are: {', '.join(PROBLEMS)}\n"
    )
    assert command("problems", "--example").code == 2


def test_the_version_is_printed(command: Command) -> None:
    code, out, _ = command("--version")
    assert code == 0
    assert out.startswith("steadygrid ")


def test_usage_errors_are_bad_input(command: Command) -> None:
    assert command("solve").code == 2
    assert command("nothing").code == 2
    assert command().code == 2


SIMGRID = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="2Gf" core="2"/>
    <link id="l" bandwidth="1MBps" latency="1ms"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
"""


@pytest.fixture
def simgrid(tmp_path: Path) -> Path:
    file = tmp_path / "platform.xml"
    file.write_text(SIMGRID, encoding="utf-8")
    return file


def test_convert_gives_a_platform_and_says_what_it_could_not_keep(
    command: Command, simgrid: Path, tmp_path: Path
) -> None:
    code, out, err = command("convert", simgrid, "--to", "platform")
    assert code == 0
    assert {p["id"] for p in json.loads(out)["processors"]} >= {"a", "b"}
    assert err.startswith("warning: ")
    target = tmp_path / "ours.json"
    assert command("convert", simgrid, "--to", "platform", "-o", target).out == ""
    assert json.loads(target.read_text()) == json.loads(out)


@pytest.mark.parametrize("name", ["simgrid", "application/simgrid+xml"])
def test_a_format_can_be_named(command: Command, simgrid: Path, name: str) -> None:
    other = simgrid.rename(simgrid.with_suffix(".txt"))
    assert command("convert", other, "--to", "platform", "--format", name).code == 0


def test_convert_refuses_what_it_cannot_read(
    command: Command, simgrid: Path, tmp_path: Path
) -> None:
    junk = tmp_path / "junk.xml"
    junk.write_bytes(b"<platform")
    assert command("convert", junk, "--to", "platform").code == 2
    assert "give --format" in command("convert", "-", "--to", "platform").err
    assert "known: simgrid" in command("convert", simgrid, "--to", "platform", "--format", "x").err
    assert command("convert", simgrid, "--to", "application").code == 2
    assert command("convert", simgrid, "--to", "nothing").code == 2
    assert "NAME=VALUE" in command("convert", simgrid, "--to", "platform", "--set", "x").err
    assert "no parameter 'x'" in command("convert", simgrid, "--to", "platform", "--set", "x=1").err
    assert command("convert", simgrid, "--to", "platform", "-o", tmp_path / "no" / "x").code == 2


def test_a_fraction_is_never_rounded_on_the_way(
    command: Command, pipeline: Any, body: Path
) -> None:
    pipeline(answer_of(star([(1, 3), (7, 11)], 13)))
    value = json.loads(command("solve", body, "--json").out)["objective"]["value"]
    assert Fraction(value) == star([(1, 3), (7, 11)], 13).result.objective.value  # type: ignore[union-attr]


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.json")))
def test_the_whole_way_from_an_example_to_the_referee(
    command: Command, tmp_path: Path, example: Path
) -> None:
    schedule = tmp_path / "schedule.json"
    solved = command("solve", example, "--json", "--schedule", schedule)
    assert (solved.code, solved.err) == (0, "")
    result = tmp_path / "result.json"
    result.write_text(solved.out, encoding="utf-8")
    assert json.loads(solved.out)["verified"] is True
    assert command("check", example, result, schedule).code == 0


def test_an_instance_over_the_limits_is_bad_input(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_COEFFICIENTS", "1")
    code, out, err = command("solve", ROOT / "examples" / "star.json")
    assert (code, out) == (2, "")
    assert "coefficients, and at most 1 are accepted" in err


def test_a_router_without_workers_has_throughput_zero_and_a_note(
    command: Command, tmp_path: Path
) -> None:
    platform = {"processors": [{"id": "R"}]}
    problem = {"kind": "master_worker", "platform": platform, "master": "R", "task": {"work": 1}}
    code, out, _ = command("solve", write(tmp_path / "zero.json", {"problem": problem}))
    assert code == 0
    assert "throughput   0 tasks per time unit" in out
    assert "note " in out
