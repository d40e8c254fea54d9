"""The command line as a process: documents, exit codes and what goes to which stream."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.acceptance.checking import check
from tests.acceptance.client import STEADYGRID, Service, steadygrid
from tests.acceptance.grids import figure_3, huge_grid, star
from tests.acceptance.test_stored_documents_over_http import EXAMPLES, SIMGRID
from tests.environment import bare


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
    accepted = steadygrid("check", body, "--result", found, "--schedule-in", schedule)
    assert accepted.returncode == 0, accepted.stderr
    first, other = (run for run in header["runs"] if run["sender"] == "P1")
    other["start"] = first["start"]
    refused = steadygrid("check", body, found, written(tmp_path, "changed.json", header))
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr


def test_a_summary_is_for_people_and_shows_no_escape_codes_to_files(tmp_path: Path) -> None:
    shown = steadygrid("solve", EXAMPLES / "rr4870-figure-3.json")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "21/40" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_standard_input_is_a_file_too() -> None:
    solved = steadygrid("solve", "-", "--json", text=json.dumps(star([(1, 2)])))
    assert (solved.returncode, json.loads(solved.stdout)["objective"]["value"]) == (0, "1/2")


def test_bad_input_is_exit_code_2_in_a_sentence(tmp_path: Path) -> None:
    body = written(tmp_path, "body.json", figure_3() | {"surprise": 1})
    refused = steadygrid("solve", body, "--json")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "surprise" in refused.stderr
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
        env=bare(),
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


def test_problems_lists_the_kinds(service: Service) -> None:
    listed = steadygrid("problems")
    assert listed.returncode == 0
    assert all(kind in listed.stdout for kind in service.read("/v1/info")["problems"])


def test_convert_writes_a_platform_that_can_be_posted(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "grid.xml"
    path.write_bytes(SIMGRID)
    converted = steadygrid("convert", path, "--to", "platform")
    assert converted.returncode == 0
    assert "core" in converted.stderr
    platform = json.loads(converted.stdout)
    assert service.post("/v1/platforms", platform).status in (200, 201)
