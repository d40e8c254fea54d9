"""``steadygrid sweep`` writes a row for each job, and says by its exit code whether one failed."""

import csv
import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import steadygrid as sg
from steadygrid import solving
from steadygrid.kinds import PROBLEMS
from tests.cli.commands import Command, write
from tests.integration.drills import gone, until
from tests.library.test_solving import children as children_of
from tests.studies.test_sweep_run import WAYWARD
from tests.tree import ROOT

EXAMPLE = ROOT / "examples" / "sweeps" / "figure-3-links-and-machines.json"


def swept(tmp_path: Path, *values: str) -> Path:
    names = {"name": "name", "at": ["/name"], "values": list(values)}
    template = PROBLEMS["master_worker"].example
    return write(tmp_path / "sweep.json", {"template": template, "parameters": [names]})


@pytest.fixture
def wayward(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "MODULE", WAYWARD)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_has_the_rows_that_the_library_gives(command: Command) -> None:
    finished = command("sweep", EXAMPLE, "--csv", "--workers", "2")
    assert (finished.code, finished.err) == (0, "")
    rows = list(sg.sweep(EXAMPLE, in_process=True))
    assert len(rows) == 12
    for line, row in zip(rows_of(finished.out), rows, strict=True):
        assert line["index"] == str(row.index)
        assert [line[name] for name in ("bandwidth", "slower")] == [
            str(value) for value in row.parameters.values()
        ]
        assert (line["value"], float(line["approx"])) == (str(row.value), row.approx)
        assert (line["period"], line["exact"]) == (str(row.period), "true")


def test_a_person_gets_a_table(command: Command) -> None:
    finished = command("sweep", EXAMPLE)
    assert finished.code == 0
    first, _, _, headings, *lines = finished.out.splitlines()
    assert first == "12 of 12 jobs: 12 optimal."
    assert headings.split()[:5] == ["job", "bandwidth", "slower", "value", "outcome"]
    assert lines[3].split()[:5] == ["3", "3/4", "1", "2/5", "optimal"]


def test_a_failed_job_is_a_row_and_exit_code_1(
    command: Command, wayward: None, tmp_path: Path
) -> None:
    finished = command("sweep", swept(tmp_path, "a", "break", "b"), "--csv")
    assert finished.code == 1
    assert [row["state"] for row in rows_of(finished.out)] == ["succeeded", "failed", "succeeded"]
    assert rows_of(finished.out)[1]["error"] == "internal"
    assert finished.err.startswith("job 1 failed (internal): Something went wrong")


def test_each_job_has_the_memory_that_is_asked_for(command: Command, tmp_path: Path) -> None:
    body = write(tmp_path / "body.json", json.loads(EXAMPLE.read_text(encoding="utf-8")))
    finished = command("sweep", body, "--csv", "--memory", "100MB")
    assert finished.code == 1
    assert {row["error"] for row in rows_of(finished.out)} == {"out_of_memory"}


def test_ctrl_c_leaves_the_rows_so_far(tmp_path: Path) -> None:
    body, target = swept(tmp_path, "a", "sleep 60", "b"), tmp_path / "rows.json"
    code = (
        "from steadygrid import solving\n"
        "from steadygrid.cli.command import main\n"
        f"solving.MODULE = {WAYWARD!r}\n"
        f"main(['sweep', {str(body)!r}, '--workers', '1', '-o', {str(target)!r}])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        until(lambda: target.exists() and '"index": 0' in target.read_text(encoding="utf-8"))
        (solver,) = children_of(command.pid)
        command.send_signal(signal.SIGINT)
        told = b"steadygrid: interrupted: 1 of 3 jobs have ended\n"
        assert command.communicate(timeout=30) == (b"", told)
    assert command.returncode == 130
    until(lambda: gone(solver), 45)
    assert [row["index"] for row in json.loads(target.read_text(encoding="utf-8"))["rows"]] == [0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--csv", "--json"], "choose one"),
        (["-o", "rows.txt"], "say --csv or --json"),
        (["-o", "nowhere/rows.csv"], "there is no directory"),
        (["--time-limit", "5 parsecs"], "--time-limit: "),
        (["--time-limit", "2h"], "#/template/options/time_limit"),
        (["--memory", "2 parsecs"], "--memory: "),
        (["--memory", "0"], "--memory 0: from 1 byte"),
        (["--workers", "0"], "--workers"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_solved(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: Any, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("steadygrid.cli.sweeping.run_sweep", None)
    finished = command("sweep", EXAMPLE, *arguments)
    assert finished.code == 2
    assert words in finished.err
    assert finished.out == ""


def test_faults_are_listed_with_their_places(command: Command, tmp_path: Path) -> None:
    body = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    body["parameters"][0]["at"] = ["/problem/platform/links/[source=P9]/bandwidth"]
    body["template"]["problem"]["master"] = "P9"
    finished = command("sweep", write(tmp_path / "body.json", body))
    assert finished.code == 2
    assert "#/template/problem/master" in finished.err
    body["template"]["problem"]["master"] = "P1"
    finished = command("sweep", write(tmp_path / "body.json", body))
    assert "#/parameters/0/at/0" in finished.err
    assert "source 'P9'" in finished.err
