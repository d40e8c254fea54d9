"""What goes through every answer of the tests sees each way in which one can be of no use."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from steadygrid import solving
from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.kinds import PROBLEMS
from steadygrid.library import solve as solve_apart
from steadygrid.submissions.submission import Submission, parse_submission
from tests import conftest, every_answer
from tests.every_answer import ANSWERS, MOST_SHOWN, Answers, Unreadable
from tests.kinds.collective.bodies import body
from tests.solved import Solved, solve

ASKED = body("a>b 1, b>a 1", "allgather")


@cache
def answered() -> tuple[Submission, Solved]:
    """An answer that has all uses: it is exported, too."""
    return parse_submission(ASKED, Limits()), solve(ASKED)


def looked(**changes: Any) -> Answers:
    """Look at it, with another result, by a process that has seen nothing yet."""
    submission, solved = answered()
    answers = Answers()
    answers.look(submission, solved.result.model_copy(update=changes), solved.schedule, Limits())
    return answers


def fails(*_: object, **__: object) -> Any:
    raise ZeroDivisionError


def test_an_answer_of_use_is_looked_at_once() -> None:
    submission, solved = answered()
    answers = looked()
    answers.look(submission, *solved, Limits())
    assert answers.looked == 1
    answers.raise_first()


def test_of_answers_that_look_alike_some_are_shown_and_all_are_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    submission, solved = answered()
    judged, shown = [], []
    monkeypatch.setattr(every_answer, "_check", lambda *all_of_it: judged.append(all_of_it))
    monkeypatch.setattr(every_answer, "_show", lambda *all_of_it: shown.append(all_of_it))
    answers = Answers()
    for number in range(MOST_SHOWN + 2):
        changed = solved.result.model_copy(update={"notes": [f"note {number}"]})
        answers.look(submission, changed, solved.schedule, Limits())
    assert (len(judged), len(shown)) == (MOST_SHOWN + 2, MOST_SHOWN)


PRICED = DualityCertificate(prices={"a.send": Fraction(-1)})


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"gap": Fraction(-1)}, "expected a number"),
        ({"gap": Fraction(1, 10**5000)}, "4300 digits"),
        ({"certificate": PRICED}, "expected a number"),
        ({"notes": ("told",)}, "Expected `list"),
        ({"warnings": [7]}, "Expected `str`"),
        ({"messages": []}, "InvalidScheduleError"),
    ],
)
def test_what_cannot_be_written_read_or_judged_is_seen(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        looked(**changes)


@pytest.mark.parametrize(
    "use",
    [
        "restore_submission",
        "read_result",
        "read_schedule",
        "check_told",
        "summary_text",
        "summary_html",
        "picture_of",
        "read_report",
        "laid_out",
        "rendered",
    ],
)
def test_every_use_is_tried(use: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked()
    monkeypatch.setattr(every_answer, use, fails)
    with pytest.raises(Unreadable, match="ZeroDivisionError"):
        looked()


@pytest.mark.parametrize("name", ["msccl"])
def test_every_format_is_tried(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked()
    exporter = every_answer.EXPORTERS[name]
    monkeypatch.setitem(vars(exporter), "convert", fails)
    with pytest.raises(Unreadable, match="ZeroDivisionError"):
        looked()


def test_the_referee_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise InvalidScheduleError("no")

    looked()
    monkeypatch.setitem(vars(PROBLEMS["collective"]), "validate", refuses)
    with pytest.raises(Unreadable, match="InvalidScheduleError"):
        looked()


def test_a_test_fails_at_its_end_that_has_caught_it(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Answers()
    monkeypatch.setattr(every_answer, "ANSWERS", answers)
    ending = conftest.pytest_runtest_call()
    next(ending)
    submission, solved = answered()
    with pytest.raises(Unreadable):
        answers.look(submission, solved.result.model_copy(update={"gap": -1}), None, Limits())
    with pytest.raises(Unreadable, match="collective"):
        ending.send(None)
    answers.raise_first()


@pytest.mark.parametrize("in_process", [True, False])
def test_answers_of_this_process_and_of_its_children_go_through_it(
    in_process: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    watched: Callable[..., None] = lambda submission, *_: seen.append(submission.kind)
    monkeypatch.setattr(ANSWERS, "look", watched)
    solve_apart(PROBLEMS["cell"].example, in_process=in_process)
    assert seen == ["cell"]
    assert pipeline.run.__wrapped__ is not pipeline.run  # type: ignore[attr-defined]
    assert solving.Solver.solve.__wrapped__ is not solving.Solver.solve  # type: ignore[attr-defined]
