"""Of all optimal routes of messages that differ, those of least traffic, and what the referee refuses."""

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.limits import Limits
from steadygrid.domain.preferred import Preferred
from steadygrid.engine.solving.second_objective import (
    MORE_ALLOCATIONS,
    NO_PROOF,
    NO_TIME,
    TOO_LONG,
)
from steadygrid.kinds.collective.schemas import CollectiveResult
from steadygrid.kinds.collective.solver import answer as answers
from steadygrid.kinds.collective.solver import flows
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.solved import solve
from tests.verification.answers import Answer

F = Fraction
LEAST = {"prefer": "least_traffic"}
ANY = {"prefer": "any"}
AT = "result/preferred"


def body(
    links: list[tuple[str, str, Any]], options: dict[str, Any] | None = None, **problem: Any
) -> dict[str, Any]:
    names = list(dict.fromkeys(name for a, b, _ in links for name in (a, b)))
    platform = {
        "processors": [{"id": name} for name in names],
        "links": [{"source": a, "target": b, "unit_time": time} for a, b, time in links],
    }
    return {
        "problem": {"kind": "collective", "platform": platform, **problem},
        "options": LEAST if options is None else options,
    }


TRIANGLE = body(
    [("M", "A", 1), ("M", "B", 1), ("B", "A", "1/100")],
    operation="scatter",
    source="M",
    targets=["A"],
)
"""By hand: M sends one message per time unit; the way over B takes 1/100 longer."""


def drawn(seed: int, operation: str, **problem: Any) -> dict[str, Any]:
    draw = random.Random(seed)
    names = [f"P{i}" for i in range(draw.randint(4, 7))]
    pairs = {(names[draw.randrange(i)], names[i]) for i in range(1, len(names))}
    while len(pairs) < len(names) + 2:
        a, b = sorted(draw.sample(range(len(names)), 2))
        pairs.add((names[a], names[b]))
    ends: dict[str, dict[str, Any]] = {
        "scatter": {"source": "P0", "targets": names[1:4]},
        "gather": {"target": "P0", "sources": names[1:4]},
        "all_to_all": {"participants": names[:3]},
    }
    links = [(a, b, draw.randint(1, 6)) for a, b in sorted(pairs)]
    return body(links, operation=operation, **ends[operation], **problem)


def traffic(asked: dict[str, Any], result: CollectiveResult) -> Fraction:
    links = asked["problem"]["platform"]["links"]
    times = {frozenset((one["source"], one["target"])): F(one["unit_time"]) for one in links}
    return sum(
        (
            way.rate * times[frozenset(ends)]
            for way in result.allocations
            for transfer in way.transfers
            for ends in pairwise(transfer.path)
        ),
        F(0),
    )


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive"])
@pytest.mark.parametrize(
    ("seed", "operation"), [(1, "scatter"), (2, "gather"), (3, "all_to_all"), (13, "all_to_all")]
)
def test_the_paths_of_least_traffic_have_the_same_throughput_and_proof(
    seed: int, operation: str, ports: str
) -> None:
    asked = drawn(seed, operation, ports=ports)
    found, first = solve(asked).result, solve(asked | {"options": ANY}).result
    assert first.preferred is None
    assert (found.objective, found.certificate) == (first.objective, first.certificate)
    told = found.preferred
    assert told.proof == "exact"
    assert told.value == traffic(asked, found) <= told.before == traffic(asked, first)


def test_a_message_takes_the_shorter_of_two_paths_as_fast() -> None:
    result = solve(TRIANGLE).result
    assert (result.objective.value, result.preferred.value) == (1, 1)
    (way,) = result.allocations
    assert way.transfers[0].path == ["M", "A"]


def test_by_default_traffic_is_least_where_that_takes_no_more_allocations() -> None:
    assert solve(TRIANGLE | {"options": {}}).result.preferred.proof == "exact"
    kept = drawn(4, "all_to_all", ports="multiport")
    first, plain, asked = (solve(kept | {"options": one}).result for one in (ANY, {}, LEAST))
    assert plain.allocations == first.allocations
    counts = len(asked.allocations), len(first.allocations)
    assert counts[0] > counts[1]
    assert (plain.preferred, plain.notes) == (None, [MORE_ALLOCATIONS.format(*counts)])


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (OutOfTime(), NO_TIME),
        (CertificationError("no basis"), NO_PROOF),
        (SolverError("it stopped"), NO_PROOF),
    ],
)
def test_where_the_second_program_fails_the_first_paths_stand(
    error: Exception, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise error

    first = solve(TRIANGLE | {"options": ANY}).result
    monkeypatch.setattr(flows.SolvedFlows, "least_traffic", failing)
    result = solve(TRIANGLE).result
    assert (result.allocations, result.outcome) == (first.allocations, "optimal")
    assert result.preferred == Preferred.unproved("least_traffic", traffic(TRIANGLE, first))
    assert result.notes == [note]


def test_proofs_that_are_too_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = drawn(1, "scatter")
    told = solve(asked).result.preferred
    monkeypatch.setattr(answers, "too_long", lambda numbers: told.before in numbers)
    result = solve(asked).result
    assert result.notes == [TOO_LONG]
    assert (result.preferred.value, result.preferred.proof) == (told.value, "none")


def test_after_the_time_is_over_the_traffic_is_told_without_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: Any) -> Any:
        raise OutOfTime

    monkeypatch.setattr(flows, "by_flows", late)
    result = solve(TRIANGLE).result
    assert result.preferred == Preferred.unproved("least_traffic", traffic(TRIANGLE, result))


def test_copies_have_no_second_objective() -> None:
    asked = body([("M", "A", 1), ("M", "B", 1)], operation="broadcast", source="M")
    (warning,) = size_submission(parse_submission(asked, Limits()), Limits()).warnings
    assert warning == "prefer is not used: only messages that differ have a second objective"
    assert solve(asked).result.preferred is None


def right(options: dict[str, Any] | None = None, **problem: Any) -> Answer:
    asked = TRIANGLE | {"problem": TRIANGLE["problem"] | problem}
    if options is not None:
        asked |= {"options": options}
    submission = parse_submission(asked, Limits())
    return Answer(submission.instance, submission.options, *solve(asked))


def over_b(ways: list[Any]) -> list[Any]:
    (way,) = ways
    transfers = [way.transfers[0].model_copy(update={"path": ["M", "B", "A"]})]
    return [way.model_copy(update={"transfers": transfers})]


def dearer(preferred: Preferred) -> Preferred:
    """Let an operation be worth more, and raise a price so that the sum is right."""
    assert preferred.worth is not None
    prices = {"B.send": preferred.prices.get("B.send", F(0)) + 1, **preferred.prices}
    return preferred.model_copy(update={"worth": preferred.worth + 1, "prices": prices})


PLANTED: list[tuple[str, Any, str, str]] = [
    (AT, None, "wrong_preferred", "where `prefer` asks for it"),
    ("options/prefer", "any", "wrong_preferred", "not where any rates are asked for"),
    (f"{AT}/value", F(2), "wrong_traffic", "for 1 of the time together, not for 2"),
    ("result/allocations", over_b, "wrong_traffic", "for 101/100 of the time together"),
    ("result/allocations/0/message", "Z", "wrong_traffic", "for 0 of the time together"),
    (f"{AT}/before", F(1, 2), "more_than_before", "was 1/2 before, and is 1 now"),
    (f"{AT}/proof", "none", "wrong_proof", "and nothing else"),
    (f"{AT}/worth", None, "wrong_proof", "and nothing else"),
    (f"{AT}/worth", F(-1), "wrong_proof", "not above 0"),
    (f"{AT}/prices/nothing", F(0), "ghost_resource", "'nothing'"),
    (f"{AT}/prices/M.send", F(-1), "negative_price", "'M.send'"),
    (f"{AT}/worth", F(9), "traffic_not_least", "of worth 9"),
    (AT, dearer, "cheap_traffic", "less than its worth"),
]


@pytest.mark.parametrize(
    ("path", "value", "code", "sentence"),
    PLANTED,
    ids=[f"{i}-{row[2]}" for i, row in enumerate(PLANTED)],
)
def test_a_planted_fault_is_named(path: str, value: Any, code: str, sentence: str) -> None:
    answer = right()
    assert answer.faults() == []
    faults = answer.change(path, value).faults()
    assert any(fault.code == code and sentence in fault.detail for fault in faults), faults


def test_a_value_that_is_not_proved_needs_no_prices() -> None:
    unproved = Preferred.unproved("least_traffic", F(1))
    assert right().change(AT, unproved).faults() == []
    by_trees = right({}, operation="broadcast", targets=None)
    assert by_trees.change(AT, unproved).codes() == {"wrong_preferred"}
