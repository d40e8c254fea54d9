"""Tables show interchangeable processors as one, and what all of them do together."""

from fractions import Fraction

from steadygrid.report.glyphs import ASCII
from steadygrid.report.page import page
from steadygrid.report.pools import PooledReport
from steadygrid.report.report import Report
from tests.report.answers import submission
from tests.solved import solve

BODY = {
    "problem": {
        "kind": "task_graph",
        "platform": {
            "processors": [
                {"id": "S", "switch": True},
                {"id": "x", "unit_time": 4},
                *({"id": f"host-{k}.grid.org", "unit_time": 2} for k in range(3)),
            ],
            "links": [
                {"source": n, "target": "S", "unit_time": 1, "duplex": "full"}
                for n in ("x", *(f"host-{k}.grid.org" for k in range(3)))
            ],
        },
        "application": {
            "tasks": [{"id": "a", "times": {"x": 1}}, {"id": "b", "work": 1}],
            "files": [{"source": "a", "target": "b", "size": "1/8"}],
        },
    }
}
"""Data from x, work on x itself and on three equal hosts."""


def test_a_class_is_one_line_with_the_means_and_the_sums_of_its_members() -> None:
    result, schedule = solve(BODY)
    assert result.classes == [[f"host-{k}.grid.org" for k in range(3)]]
    report = Report(submission(BODY), result, schedule)
    pooled = PooledReport(report.submission, result, schedule)
    hosts = [f"host-{k}.grid.org.compute" for k in range(3)]
    assert sum(pooled.prices.values()) == result.bound.value
    assert pooled.prices.keys().isdisjoint(hosts[1:])
    assert pooled.occupation[hosts[0]] == sum(report.occupation[h] for h in hosts) / 3
    assert pooled.occupation["x.send"] == report.occupation["x.send"]
    assert pooled.shown_schedule is not None
    assert sum(a.rate for a in pooled.shown_schedule.allocations) == result.objective.value
    assert len(pooled.shown_schedule.allocations) == len(result.allocations)
    text = "\n".join(line.plain for line in page(report, 100, ASCII))
    assert "3 processors are solved as 1 pool; 3 x P is P and 2 more like it" in text
    computed = Fraction(sum(c.count for c in schedule.computations if "host" in c.processor))
    line = next(row for row in text.splitlines() if row.startswith("  3 x host-0.grid.org "))
    assert line.split()[3] == str(computed)
    assert line.split()[5:7] == ["50", "%"]
    assert "3 x host-0.grid.org.compute  66.7 %" in text
