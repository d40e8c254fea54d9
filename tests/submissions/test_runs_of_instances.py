"""What may be asked of a run, and what is refused with its place."""

from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission


@pytest.mark.parametrize(
    ("kind", "options", "place", "code", "words"),
    [
        ("master_worker", {"run": {}}, "/run", "invalid_request", "either instances or horizon"),
        (
            "master_worker",
            {"run": {"instances": 1, "horizon": 1}},
            "/run",
            "invalid_request",
            "one",
        ),
        ("master_worker", {"run": {"instances": 0}}, "/run/instances", "greater_than_equal", "1"),
        (
            "master_worker",
            {"run": {"instances": "9"}},
            "/run/instances",
            "int_type",
            "whole number",
        ),
        (
            "master_worker",
            {"run": {"horizon": 0}},
            "/run/horizon",
            "zero_rational",
            "greater than zero",
        ),
        (
            "master_worker",
            {"run": {"instances": 9}, "total_instances": 9},
            "/total_instances",
            "invalid_request",
            "give run only",
        ),
        ("dataflow", {"run": {"instances": 9}}, "/run", "not_periodic", "timetable"),
        ("divisible_star", {"run": {"horizon": 9}}, "/run", "not_periodic", "makespan"),
    ],
)
def test_what_cannot_be_run_is_refused_with_its_place(
    kind: str, options: dict[str, Any], place: str, code: str, words: str
) -> None:
    with pytest.raises(InstanceError) as refused:
        parse_submission({**PROBLEMS[kind].example, "options": options}, Limits())
    (fault,) = refused.value.faults
    assert fault.pointer == ("options", *place.strip("/").split("/"))
    assert (fault.code, words in fault.detail) == (code, True), fault


def test_only_newer_workers_are_asked_for_a_run() -> None:
    body = {**PROBLEMS["cell"].example, "options": {"run": {"instances": 9}}}
    assert parse_submission(body, Limits()).requires == 11
    assert parse_submission(dict(PROBLEMS["cell"].example), Limits()).requires == 0
