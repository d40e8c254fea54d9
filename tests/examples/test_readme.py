"""What the README shows of console and library is what they print and give."""

import re
from typing import Any

import pytest

from steadygrid.domain.document import parse_json
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.tree import ROOT

SECONDS = re.compile(r" +\d+\.\d$")
"""At the end of a line: they differ from run to run."""


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("rr4870-figure-3", "master_worker on rr4870-figure-3"),
        ("microscope", "mono_allocation on a microscope"),
        ("divisible-load-on-a-tree-with-results", "divisible_star on a tree"),
        ("bags-of-two-kinds", "bag_of_tasks on a fast worker"),
    ],
)
def test_the_lines_of_an_example_are_printed_in_this_order(name: str, first: str) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = next(
        part
        for part in re.findall(r"(?:^(?:    .*)?\n)+", text, re.MULTILINE)
        if f"    {first}" in part
    )
    shown = [line[4:] for line in block[block.index(f"    {first}") :].splitlines()]
    shown = [line for line in shown if line and line.strip() != "..."]
    body = parse_json((ROOT / "examples" / f"{name}.json").read_bytes())
    asked = parse_submission(body, Limits())
    result, schedule = run(asked, Control(), Limits())
    assert schedule is not None
    printed = [line.plain for line in page(Report(asked, result, schedule), 80, UNICODE)]
    if name == "microscope":
        shown, printed = ([SECONDS.sub("", line) for line in lines] for lines in (shown, printed))
    position = 0
    for line in shown:
        assert line in printed[position:], line
        position = printed.index(line, position) + 1


def test_the_example_of_the_library_runs_and_gives_what_is_shown() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("## As a library\n")[2].partition("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    names: dict[str, Any] = {}
    exec("\n".join(lines), names)
    shown = [line.split("# ") for line in lines if re.match(r"answer\.\S+ +# ", line)]
    assert len(shown) == 5
    for expression, value in shown:
        found = eval(expression, names)
        assert repr(getattr(found, "value", found)) == value
