"""Answers of older versions are read, refereed and drawn by this one.

Each folder below a version's number is one answer as that version wrote it: the body, the result
of ``solve --json`` and the file of ``solve --schedule``. They are never changed.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from app.db.packing import pack_schedule
from steadygrid.domain.document import canonical_json, parse_json
from steadygrid.domain.forms import schedule_from_document
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import ASCII
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission

HERE = Path(__file__).parent
ANSWERS = sorted(path.parent for path in HERE.glob("*/*/result.json"))
VERSIONS = sorted(path for path in HERE.iterdir() if (path / "cell").is_dir())


def document(answer: Path, part: str) -> Any:
    return parse_json((answer / f"{part}.json").read_bytes())


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)
def test_every_kind_has_an_answer_of_this_version(version: Path) -> None:
    kinds = {document(path, "result")["kind"] for path in ANSWERS if path.parent == version}
    assert kinds >= {"master_worker", "task_graph", "mono_allocation", "divisible_chain", "cell"}
    assert kinds <= PROBLEMS.keys()


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_stored_answer_is_read_refereed_and_drawn(answer: Path) -> None:
    submission = parse_submission(document(answer, "instance"), Limits())
    problem = submission.problem
    result = problem.result.model_validate(document(answer, "result"))
    schedule = schedule_from_document(document(answer, "schedule"))
    problem.validate(submission.instance, submission.options, result, schedule)
    drawn = page(Report(submission, result, schedule), 100, ASCII)
    assert result.outcome.value.upper() in "\n".join(line.plain for line in drawn)


def first_name(stored: dict[str, Any]) -> str:
    """Name a schedule's document as version 0.1.0 did: by its header, then part by part."""
    parts = [name for name in stored if name in ("allocations", "computations", "slots", "events")]
    header = {name: value for name, value in stored.items() if name not in parts}
    lines = [canonical_json(header)]
    for part in parts:
        lines += [part, *map(canonical_json, stored[part])]
    return "sch_" + sha256("\n".join(lines).encode()).hexdigest()[:32]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_stored_schedule_keeps_its_name(answer: Path) -> None:
    stored = document(answer, "schedule")
    assert "form" not in stored
    assert pack_schedule(schedule_from_document(stored)).id == first_name(stored)


def test_what_the_first_documents_rest_on_is_not_said() -> None:
    first = [path for path in ANSWERS if path.parent.name == "0.1.0"]
    assert first
    for answer in first:
        stored = document(answer, "result")
        assert "proof" not in stored
        result = PROBLEMS[stored["kind"]].result.model_validate(stored)
        assert result.proof is None
        assert result.model_dump(mode="json")["proof"] is None
