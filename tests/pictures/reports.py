"""Answers of whole solves, as pictures get them."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from steadygrid.domain.document import parse_json
from steadygrid.domain.limits import Limits
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.solved import solve
from tests.tree import ROOT

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.json"))


def reported(body: Mapping[str, Any], **options: Any) -> Report:
    """Solve a body; a bare problem gets its wrapper."""
    whole = body if "problem" in body else {"problem": body, "options": options}
    answer = solve(whole)
    return Report(parse_submission(whole, Limits()), answer.result, answer.schedule)


@cache
def example(name: str) -> Report:
    """Solve an example."""
    return reported(parse_json((ROOT / "examples" / f"{name}.json").read_bytes()))


def star(workers: Sequence[tuple[str, Any, Any]], master: str = "M") -> dict[str, Any]:
    """Make a problem of a master with links to workers: each with its unit times, first of work."""
    return {
        "kind": "master_worker",
        "platform": {
            "processors": [
                {"id": master, "unit_time": 1},
                *({"id": name, "unit_time": work} for name, work, _ in workers),
            ],
            "links": [
                {"source": master, "target": name, "unit_time": data} for name, _, data in workers
            ],
        },
        "master": master,
        "task": {"work": 1, "input_size": 1},
        "ports": "one_port",
    }


def slow_links(names: Sequence[str]) -> dict[str, Any]:
    """Make a broadcast along three processors, by links with latencies: its times are predicted."""
    return {
        "kind": "collective",
        "operation": "broadcast",
        "source": names[0],
        "ports": "multiport",
        "execution": {"sizes": [1_000, 1_000_000, 10**9]},
        "platform": {
            "units": {"time": "s", "data": "GB"},
            "processors": [{"id": name} for name in names],
            "links": [
                {"source": one, "target": other, "bandwidth": 2, "latency": "1/1000"}
                for one, other in pairwise(names)
            ],
        },
    }
