"""What the README and the pages show of console and library is what they print and give."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import Command
from tests.cli.conftest import command
from tests.examples.shown import blocks, folder_with_examples, run, shown
from tests.tree import ROOT, name_of

__all__ = ["command"]

PAGES = {
    "README.md": 4,
    "docs/bag-of-tasks.md": 1,
    "docs/cell.md": 1,
    "docs/check-answer.md": 2,
    "docs/choose-port-model.md": 2,
    "docs/cluster-throughput.md": 4,
    "docs/collective.md": 1,
    "docs/dataflow-throughput.md": 2,
    "docs/dataflow.md": 2,
    "docs/describe-platform.md": 3,
    "docs/divisible-chain.md": 1,
    "docs/divisible-star.md": 2,
    "docs/export-msccl.md": 2,
    "docs/failures.md": 1,
    "docs/first-schedule.md": 11,
    "docs/fixed-routes.md": 2,
    "docs/gpu-collectives.md": 6,
    "docs/heuristic-against-optimum.md": 5,
    "docs/import-workflow.md": 2,
    "docs/judge-mapping.md": 4,
    "docs/layer-pipeline.md": 1,
    "docs/lecture.md": 5,
    "docs/master-worker.md": 1,
    "docs/memory-and-pipelines.md": 2,
    "docs/mono-allocation.md": 3,
    "docs/own-files.md": 4,
    "docs/pictures.md": 4,
    "docs/proofs.md": 1,
    "docs/re-planning.md": 1,
    "docs/replicated-workflow.md": 1,
    "docs/runs-of-instances.md": 1,
    "docs/shared-links.md": 2,
    "docs/short-periods.md": 2,
    "docs/simgrid-file.md": 1,
    "docs/simulation.md": 2,
    "docs/steady-state.md": 2,
    "docs/sweeps.md": 1,
    "docs/task-graph.md": 1,
    "docs/time-limits.md": 2,
    "docs/what-if.md": 3,
}
"""Pages, and how many of their commands are run at least."""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page_run_and_print_what_it_shows(
    name: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = shown(text_of(name))
    assert len(commands) >= PAGES[name]
    monkeypatch.chdir(folder_with_examples(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    for one in commands:
        run(one, command)


def test_every_page_whose_commands_can_be_run_is_among_them() -> None:
    pages = {
        name_of(path) for path in (ROOT / "docs").glob("*.md") if shown(text_of(name_of(path)))
    }
    usage = {"docs/command-line.md"}  # it has the synopsis of each command, and no example
    assert pages - usage <= PAGES.keys()


def test_the_readme_shows_the_first_example_whole_enough() -> None:
    """Its headline, its rate and its proof are there."""
    (one,) = [one for one in shown(text_of("README.md")) if "rr4870-figure-3" in one.command]
    assert len(one.lines) >= 5


@pytest.mark.parametrize(("name", "least"), [("README.md", 3), ("docs/library.md", 5)])
def test_the_example_of_the_library_runs_and_gives_what_is_shown(name: str, least: int) -> None:
    (lines,) = [block for block in blocks(text_of(name)) if "answer.objective" in "".join(block)]
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    told = [line.split("# ") for line in lines if re.match(r"answer\.\S+ +# ", line)]
    assert len(told) == least
    for expression, value in told:
        found = eval(expression, names)
        assert repr(getattr(found, "value", found)) == value
