"""One table says with which code a job fails, and the documentation lists all of them."""

import re
from pathlib import Path

import pytest

from steadygrid.domain import errors
from steadygrid.domain.errors import (
    FAILURES,
    OutOfTime,
    SchedulingError,
    TimeLimitError,
    failure_of,
)

ROOT = Path(__file__).parents[2]


def _scheduling_errors() -> list[type[SchedulingError]]:
    return [
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, SchedulingError)
    ]


def test_the_documentation_lists_every_code_of_a_failed_job_and_no_other() -> None:
    text = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    table = (
        text.partition("A job that `failed`")[2].partition("|---|---|\n")[2].partition("\n\n")[0]
    )
    first_cells = [row.split("|")[1] for row in table.splitlines()]
    listed = re.findall(r"`(\w+)`", " ".join(first_cells))
    assert sorted(listed) == sorted(FAILURES)


@pytest.mark.parametrize("failure", FAILURES.values(), ids=lambda failure: failure.code)
def test_every_failure_has_a_sentence_and_is_what_its_exception_gives(failure) -> None:
    assert re.fullmatch(r"[A-Z].*\.", failure.sentence)
    assert failure.exit_code in (1, 2, 4)
    assert FAILURES[failure.code] is failure
    if failure.raised is not None:
        assert failure_of(failure.raised()) is failure


@pytest.mark.parametrize("error", _scheduling_errors())
def test_every_error_of_ours_knows_its_code(error) -> None:
    named = {failure.raised: failure.code for failure in FAILURES.values()}
    named[TimeLimitError] = named[OutOfTime]
    assert error().code == named.get(error, "internal")


@pytest.mark.parametrize(
    ("error", "code", "exit_code"),
    [
        (MemoryError(), "out_of_memory", 1),
        (OutOfTime(), "hard_timeout", 4),
        (KeyError("x"), "internal", 1),
        (SystemExit(), "internal", 1),
    ],
)
def test_what_ends_a_solve_has_a_stable_code(error, code, exit_code) -> None:
    assert (failure_of(error).code, failure_of(error).exit_code) == (code, exit_code)
