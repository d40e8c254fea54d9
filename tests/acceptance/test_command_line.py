"""The command line as a process: documents, exit codes and what goes to which stream."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.checking import check
from tests.acceptance.client import STEADYGRID, Service, steadygrid, without_settings
from tests.acceptance.grids import figure_3, huge_grid, star
from tests.acceptance.test_stored_documents_over_http import EXAMPLES, SIMGRID

ANSWER = ("result", "schedule")


def written(folder: Path, name: str, document: Any) -> Path:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def test_solve_writes_one_document_that_check_accepts(tmp_path: Path) -> None:
    asked = figure_3(output_size=1)
    body = written(tmp_path, "body.json", asked)
    schedule = tmp_path / "schedule.json"
    solved = steadygrid("solve", body, "--json", "--schedule", schedule)
    assert (solved.returncode, solved.stderr) == (0, "")
    result = json.loads(solved.stdout)
    header = json.loads(schedule.read_text())
    check(asked, result, header)
    found = written(tmp_path, "result.json", solved.stdout)
    accepted = steadygrid("check", body, found, schedule)
    assert accepted.returncode == 0, accepted.stderr


def price_less(result: Any, schedule: Any) -> None:
    result["certificate"]["prices"]["P1.compute"] = "1/41"


def throughput_more(result: Any, schedule: Any) -> None:
    result["objective"]["value"] = "22/40"


def two_slots_at_once(result: Any, schedule: Any) -> None:
    schedule["slots"][1]["start"] = schedule["slots"][0]["start"]


def path_without_link(result: Any, schedule: Any) -> None:
    schedule["allocations"][-1]["transfers"][0]["path"] = ["P1", "P4"]


FAULTS = [price_less, throughput_more, two_slots_at_once, path_without_link]


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with figure 3 and its answer."""
    folder = tmp_path_factory.mktemp("answered")
    body = written(folder, "body.json", figure_3())
    solved = steadygrid("solve", body, "--json", "--schedule", folder / "schedule.json")
    written(folder, "result.json", solved.stdout)
    return folder


@pytest.mark.parametrize("fault", FAULTS)
def test_check_finds_what_was_changed(answered: Path, tmp_path: Path, fault: Any) -> None:
    result, schedule = (json.loads((answered / f"{n}.json").read_text()) for n in ANSWER)
    fault(result, schedule)
    paths = [written(tmp_path, *item) for item in zip(ANSWER, (result, schedule), strict=True)]
    found = steadygrid("check", answered / "body.json", *paths)
    assert found.returncode == 1
    assert "Traceback" not in found.stderr


def test_check_judges_what_came_over_http(service: Service, tmp_path: Path) -> None:
    asked = figure_3()
    solved = service.solve(asked)
    files = [
        written(tmp_path, f"{name}.json", document)
        for name, document in (("body", asked), ("result", solved.result), ("s", solved.schedule))
    ]
    accepted = steadygrid("check", *files)
    assert accepted.returncode == 0, accepted.stderr


def test_a_summary_is_for_people_and_shows_no_escape_codes_to_files(tmp_path: Path) -> None:
    shown = steadygrid("solve", EXAMPLES / "rr4870-figure-3.json")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "21/40" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_standard_input_is_a_file_too() -> None:
    solved = steadygrid("solve", "-", "--json", text=json.dumps(star([(1, 2)])))
    assert (solved.returncode, json.loads(solved.stdout)["objective"]["value"]) == (0, "1/2")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", ""),
        ('{"a": 1, "a": 2}', "a"),
        (json.dumps({"problem": {"kind": "tea"}}), "kind"),
        (json.dumps(figure_3()).replace('"P4"', '"P9"', 1), "#/problem/platform/links"),
        (json.dumps(figure_3() | {"surprise": 1}), "surprise"),
    ],
)
def test_bad_input_is_exit_code_2_in_a_sentence(tmp_path: Path, text: str, named: str) -> None:
    refused = steadygrid("solve", written(tmp_path, "body.json", text), "--json")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr
    assert named in refused.stderr
    assert "Traceback" not in refused.stderr


def test_what_cannot_be_read_is_exit_code_2(tmp_path: Path) -> None:
    body = written(tmp_path, "body.json", figure_3())
    for arguments in (
        ("solve", tmp_path / "none.json"),
        ("solve", body, "--schedule", tmp_path / "no folder" / "s.json"),
        ("check", body, body, body),
        ("convert", tmp_path / "none.xml", "--to", "platform"),
        ("problems", "tea"),
        ("brew",),
    ):
        refused = steadygrid(*arguments)
        assert refused.returncode == 2, (arguments, refused)
        assert refused.stdout == ""
        assert "Traceback" not in refused.stderr


def test_a_time_limit_leaves_the_best_so_far_and_a_valid_bound(tmp_path: Path) -> None:
    asked = huge_grid(1, 300, 900, 400) | {"options": {"time_limit": 0.001}}
    schedule = tmp_path / "schedule.json"
    body = written(tmp_path, "body.json", asked)
    stopped = steadygrid("solve", body, "--json", "--schedule", schedule)
    assert stopped.returncode == 0, stopped.stderr
    result = json.loads(stopped.stdout)
    assert result["outcome"] == "feasible"
    assert "time limit" in result["notes"][0]
    assert not any("optimal throughput" in note for note in result["notes"])
    check(asked, result, json.loads(schedule.read_text()))


def test_ctrl_c_is_exit_code_130() -> None:
    process = subprocess.Popen(
        [STEADYGRID, "solve", "-", "--json"],
        env=without_settings(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(huge_grid(1, 1000, 6000, 400)))
    process.stdin.close()  # it does not fit a pipe, so the process has begun to read it
    process.stdin = None
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err


def test_problems_lists_the_kinds_and_says_what_one_asks(service: Service) -> None:
    listed = steadygrid("problems")
    assert listed.returncode == 0
    for kind in service.read("/v1/info")["problems"]:
        assert kind in listed.stdout
        assert steadygrid("problems", kind).returncode == 0


def test_convert_writes_a_platform_that_can_be_posted(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "grid.xml"
    path.write_bytes(SIMGRID)
    converted = steadygrid("convert", path, "--to", "platform")
    assert converted.returncode == 0
    assert "core" in converted.stderr
    platform = json.loads(converted.stdout)
    assert service.post("/v1/platforms", platform).status in (200, 201)
    to_file = steadygrid("convert", path, "--to", "platform", "-o", tmp_path / "out.json")
    assert (to_file.returncode, to_file.stdout) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text()) == platform
