"""`solve` from outside: exit codes, standard output, standard error."""

import io
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import steadygrid.cli.answering
import steadygrid.cli.command
from steadygrid.domain.errors import (
    CertificationError,
    Fault,
    InstanceError,
    InternalError,
    InvalidScheduleError,
    LimitError,
    TimeLimitError,
)
from steadygrid.domain.job import Outcome
from steadygrid.domain.view import View
from steadygrid.kinds import PROBLEMS
from tests.cli.commands import Command, answer_of, write
from tests.report.answers import figure_3


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
    for view, code in ((View(), 4), (View(bound_asked=True), 0)):
        problem = replace(report.submission.problem, view=lambda *_, view=view: view)
        assert (
            steadygrid.cli.answering.exit_code(replace(report.submission, problem=problem), result)
            == code
        )


@pytest.mark.parametrize(
    ("error", "code", "phrase"),
    [
        (CertificationError("no basis."), 1, "failed (not_certified): The solver's answer could"),
        (InvalidScheduleError("two sends at once."), 1, "failed (invalid_schedule)"),
        (InstanceError("", [Fault(("problem",), "x", "is odd")]), 2, "#/problem: is odd"),
        (LimitError("9 processors."), 2, "larger than this service accepts. 9 processors."),
        (TimeLimitError("60 s."), 4, "the time limit of 60 s left no answer"),
        (KeyboardInterrupt(), 130, "steadygrid: interrupted"),
        (MemoryError(), 1, "out of memory"),
        (InternalError("KeyError: 7"), 1, "internal error: Something went wrong that should not"),
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
        steadygrid.cli.command.main(["solve", str(body)])
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
        "  #/problem/platform/links/3/target: there is no processor 'P8'. There are 'P1', 'P2', 'P3', 'P4' [unknown_processor]",
        "  #/problem/master: there is no processor 'P9'. There are 'P1', 'P2', 'P3', 'P4' [unknown_processor]",
        "steadygrid explain CODE says more.",
    ]


def test_a_file_cannot_name_what_only_the_service_stores(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "body.json"
    file.write_bytes(b'{"problem": {"kind": "master_worker", "platform": "plt_1"}}')
    assert "A file has to hold the object itself" in command("solve", file).err
    file.write_bytes(b'{"problem": {"kind": "master_worker", "platform": {}}}')
    assert "A file has to hold the object itself" not in command("solve", file).err


@pytest.mark.parametrize(
    ("content", "phrase"),
    [
        (b"", "not a JSON document: line 1, column 1"),
        (b"\xff\xfe\x00", "line 1, column 1: the document is not UTF-8"),
        (b'{"a": 1, "a": 2}', "line 1, column 10: the name 'a' is given twice"),
        (b"NaN", "NaN is not a JSON number"),
        (b"<?xml version='1.0'?>", "`steadygrid convert FILE --to platform`"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "junk: expected a JSON object, not a list"),
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
    assert "STEADYGRID_MAX_LINKS: it must be a whole number" in err


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


def test_the_memory_of_a_solve_is_an_option(command: Command, body: Path) -> None:
    solved = command("solve", body, "--memory", "2GiB", "--json")
    assert (solved.code, json.loads(solved.out)["outcome"]) == (0, "optimal")
    assert command("solve", body, "--memory", "1MB").err == "steadygrid: out of memory\n"
    for wrong, says in (("much", "expected a number"), ("0", "from 1 byte"), ("9EB9", "9EB9")):
        refused = command("solve", body, "--memory", wrong)
        assert refused.code == 2
        assert says in refused.err
