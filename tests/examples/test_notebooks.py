"""The notebooks run, and say what they promise; the example with Dask keeps to its plan."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.tree import ROOT

FOLDER = ROOT / "examples" / "notebooks"
SAID = {
    "1-administrator": ["throughput   22/5", "node-1.compute, 2 times as fast, brings"],
    "2-researcher": ["simple_greedy", "1000000"],
    "3-machine-learning": ["800/3 97.8%", "400 65.2%"],
    "4-signal-processing": ["1/11 becomes 2/11"],
    "5-teacher": [
        "\n21/40\n",
        "The value 11/20 is above the bound 21/40",
        "dispatch 2000/1001 of 2",
    ],
    "6-middleware": [
        "7/12 tasks per time unit",
        "{'near': 12, 'middle': 12, 'far': 4}",
        "far 1/12 a time unit: 1 in 12",
    ],
}


def notebook(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))


def code(name: str) -> list[str]:
    return ["".join(c["source"]) for c in notebook(name)["cells"] if c["cell_type"] == "code"]


def test_there_are_six_short_notebooks_without_outputs() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == list(SAID)
    for name in SAID:
        cells = notebook(name)["cells"]
        assert (FOLDER / f"{name}.ipynb").stat().st_size < 20_000
        assert [c for c in cells if c.get("outputs") or c.get("execution_count")] == []
        assert cells[0]["cell_type"] == "markdown"
        assert sum(len(cell.splitlines()) for cell in code(name)) <= 40


@pytest.mark.parametrize("name", list(SAID))
def test_a_notebook_says_what_it_promises(name: str, tmp_path: Path) -> None:
    if name == "6-middleware":
        pytest.importorskip("distributed")
    script = tmp_path / "cells.py"
    script.write_text("\n".join(code(name)), encoding="utf-8")
    said = ran(FOLDER, script)
    assert [words for words in SAID[name] if words not in said] == []


def ran(folder: Path, script: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        cwd=folder,
        env={"MPLBACKEND": "Agg", "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_dask_carries_out_the_plan() -> None:
    pytest.importorskip("distributed")
    said = ran(ROOT, ROOT / "examples" / "dask_master_worker.py", "30", "0.004")
    told = re.findall(r"^(.+): ([0-9.]+) tasks per unit, [0-9]+% of ([0-9/]+)$", said, re.MULTILINE)
    assert [what for what, _, _ in told] == ["in the order of the plan", "on demand"]
    assert {Fraction(optimum) for _, _, optimum in told} == {Fraction(7, 12)}
    assert all(float(reached) > 0 for _, reached, _ in told)
