"""``solve --mapping``: a mapping of its own file, beside a body, or two files."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.cli.commands import Command, write
from tests.tree import ROOT

TABLE = ROOT / "examples" / "camera-as-it-runs.csv"
BODY: dict[str, Any] = dict(PROBLEMS["mono_allocation"].example)
MAPPING = {"capture": ["camera"], "align": ["small"], "detect": ["small"], "track": ["small"]}


@pytest.fixture
def body(tmp_path: Path) -> Path:
    return write(tmp_path / "body.json", BODY)


def printed(command: Command, *arguments: Any) -> dict[str, Any]:
    code, out, err = command("solve", *arguments, "--print-body")
    assert (code, err) == (0, "")
    problem: dict[str, Any] = json.loads(out)["problem"]
    return problem


def test_a_mapping_goes_into_a_body_and_asks_what_it_does(command: Command, body: Path) -> None:
    asked = BODY["problem"] | {"method": "given", "mapping": MAPPING}
    assert printed(command, body, "--mapping", TABLE) == asked


def test_a_mapping_goes_before_that_of_the_body_and_its_method(
    command: Command, tmp_path: Path
) -> None:
    problem = BODY["problem"] | {"method": "milp", "mapping": {"capture": ["large"]}}
    own = write(tmp_path / "own.json", problem)
    assert printed(command, own, "--mapping", TABLE)["mapping"] == MAPPING
    assert printed(command, own, "--mapping", TABLE)["method"] == "given"


def test_a_platform_and_an_application_with_a_mapping_are_one_allocation(
    command: Command, tmp_path: Path
) -> None:
    parts = [
        write(tmp_path / f"{name}.json", BODY["problem"][name])
        for name in ("application", "platform")
    ]
    problem = printed(command, *parts, "--mapping", TABLE)
    assert problem["kind"] == "mono_allocation"
    assert (problem["method"], problem["mapping"]) == ("given", MAPPING)


def test_the_answer_tells_the_distance_and_the_best_move(command: Command, body: Path) -> None:
    code, out, _ = command("solve", body, "--mapping", TABLE)
    assert code == 0
    assert "66.7 % below the bound" in out
    assert "detect from small to large: 1/10 instances per s" in out


def test_the_mapping_of_a_result_can_be_evaluated(
    command: Command, body: Path, tmp_path: Path
) -> None:
    _, out, _ = command("solve", body, "--json")
    result = write(tmp_path / "result.json", json.loads(out))
    _, again, _ = command("solve", body, "--mapping", result, "--json")
    assert json.loads(again)["objective"] == json.loads(out)["objective"]


def test_faults_name_the_file_of_the_mapping(command: Command, body: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("task,processor\ncapture,camera\nalign,smal\ndetect,large\ntrack,large\n")
    code, _, err = command("solve", body, "--mapping", table)
    assert code == 2
    assert f"{table}: #/align/0: there is no processor 'smal'. Did you mean 'small'?" in err
    table.write_text("task,processor\ncapture,\nalign\n")
    code, _, err = command("solve", body, "--mapping", table)
    assert code == 2
    assert err.splitlines()[1:] == [
        "  line 2: there is no processor [malformed_mapping]",
        "  line 3: there is no processor [malformed_mapping]",
        "steadygrid explain CODE says more.",
    ]


def test_faults_of_the_body_name_its_own_file(command: Command, tmp_path: Path) -> None:
    wrong = write(tmp_path / "wrong.json", BODY["problem"] | {"ports": "none"})
    code, _, err = command("solve", wrong, "--mapping", TABLE)
    assert code == 2
    assert f"{wrong}: 1 fault" in err
    assert "#/problem/ports" in err


@pytest.mark.parametrize("kind", ["master_worker", "replicated_workflow"])
def test_other_kinds_evaluate_no_such_mapping(command: Command, tmp_path: Path, kind: str) -> None:
    other = write(tmp_path / "other.json", PROBLEMS[kind].example)
    code, _, err = command("solve", other, "--mapping", TABLE)
    assert code == 2
    assert f"--mapping: {kind} evaluates no mapping" in err


def test_what_does_not_go_with_a_mapping_is_refused(
    command: Command, body: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = write(tmp_path / "platform.json", BODY["problem"]["platform"])
    application = write(tmp_path / "application.json", BODY["problem"]["application"])
    both = platform, application, "--mapping", TABLE
    assert "leave out one or the other" in command("solve", *both, "--method", "milp").err
    assert "give the file of one" in command("solve", platform, "--mapping", TABLE).err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert "only one of the files" in command("solve", "-", "--mapping", "-").err
    missing = command("solve", body, "--mapping", tmp_path / "none.csv")
    assert missing.code == 2
    assert "none.csv" in missing.err
