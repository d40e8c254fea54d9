"""What people are told of an answer in its first lines."""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.limits import Limits
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.report import Report
from steadygrid.report.summary import facts
from steadygrid.submissions.submission import parse_submission
from tests.solved import solve


def facts_of(body: Mapping[str, Any], result: Any = None, schedule: Any = None) -> dict[str, str]:
    """Give what the lines say by their labels; without a result the body is solved."""
    if result is None:
        result, schedule = solve(body)
    report = Report(parse_submission(body, Limits()), result, schedule)
    return dict(facts(report, 1_000, UNICODE))
