"""Answers of every form of schedule, for the tests of what draws them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.problems.submission import parse_submission
from steadygrid.report.report import Report
from workers.pipeline import run
from workers.solving.control import Control

EXAMPLES = Path(__file__).parents[2] / "examples"
DRAWN = (
    "bags-of-two-kinds",
    "cell-filter-bank",
    "dataflow-two-actors",
    "divisible-load-on-a-tree-with-results",
    "divisible-loads-on-a-chain",
    "file-server-two-cards",
    "replicated-workflow",
    "rr4870-figure-3",
    "rr4870-figure-3-latencies",
    "rr4870-figure-9",
    "rr4872-figure-2-scatter",
    "shared-wide-area-link",
    "three-sites-broadcast",
    "triangle-no-overlap",
    "triangle-one-allocation",
)
"""Examples with a schedule: each form, and each port model."""


@cache
def example(name: str) -> Report:
    """Solve one of the examples."""
    return solved(json.loads((EXAMPLES / f"{name}.json").read_text()))


def solved(body: Mapping[str, Any]) -> Report:
    """Solve a body."""
    asked = parse_submission(body, Limits())
    result, schedule = run(asked, Control(60), Limits())
    return Report(asked, result, schedule)
