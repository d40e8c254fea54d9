"""What a command answers, and what tests give to commands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from steadygrid.domain.job import Result
from steadygrid.domain.schedule import Schedule
from steadygrid.report.report import Report


class Finished(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Finished]


def answer_of(report: Report, **fields: Any) -> tuple[Result, Schedule | None]:
    return report.result.model_copy(update=fields), report.schedule


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
