"""One transfer at a time, for one allocation: against all placements, all ways and all slots."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate, SearchCertificate
from steadygrid.domain.job import Bound, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import REFERENCES
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.mono_allocation.solver.programs.interchange import interchangeable
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.mono_allocation.answers import bound_only
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.enumeration import Enumeration
from tests.kinds.mono_allocation.single_ports import PORTS, around, triangle
from tests.kinds.mono_allocation.test_methods import METHODS
from tests.solved import Solved, solve
from tests.verification.answers import Answer

F = Fraction
BEST = {"send_or_receive": F(5), "no_overlap": F(6)}
"""Of the triangle; the ports alone would allow 4 and 5."""


def asked(document: dict[str, Any], method: str = "milp", **options: Any) -> dict[str, Any]:
    problem = {"kind": "mono_allocation", **document, "method": method, "instances": 9}
    return {"problem": problem, "options": {"time_limit": 30} | options}


def answered(body: dict[str, Any]) -> tuple[Solved, Answer]:
    """Solve, and give the answer for the referee to judge once more."""
    solved = solve(body)
    submission = parse_submission(body, Limits())
    return solved, Answer(submission.instance, submission.options, *solved)


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("method", METHODS)
def test_no_method_and_no_bound_claims_what_no_slots_carry(method: str, ports: str) -> None:
    result = solve(asked(triangle(ports), method)).result
    assert result.bound.value >= 1 / BEST[ports]
    if result.mapping:
        assert result.objective.value <= 1 / BEST[ports]
    if method in ("milp", "portfolio", "compare"):
        assert (result.outcome, result.period) == ("optimal", BEST[ports])


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", [0, 1, 25, 27])
def test_so_it_is_where_all_methods_are_compared(seed: int, ports: str) -> None:
    document = around(seed, ports=ports, routing="fixed")
    best = Enumeration(instance(document)).best()
    assert best is not None
    result = solve(asked(document, "compare")).result
    assert (result.outcome, result.period) == ("optimal", best)
    assert result.bound.value >= 1 / best
    found = {row.method: row.throughput for row in result.comparison if row.throughput is not None}
    assert found["upper_bound"] >= 1 / best
    assert found["milp"] == found["portfolio"] == 1 / best
    assert len(found) == len(METHODS) - 1
    assert all(
        value <= 1 / best
        for method, value in found.items()
        if method not in ("upper_bound", *REFERENCES)
    )


@pytest.mark.parametrize(
    ("ports", "bottleneck", "place"),
    [("send_or_receive", "B.compute", "B"), ("no_overlap", "A--B--C.odd", "C")],
)
def test_the_ports_alone_would_choose_another_place(
    ports: str, bottleneck: str, place: str
) -> None:
    solved = solve(asked(triangle(ports)))
    assert solved.result.period == BEST[ports]
    assert solved.result.bottleneck == bottleneck
    assert solved.result.mapping["c"] == [place]
    assert solved.schedule.throughput == 1 / BEST[ports]


def test_computations_are_cut_where_they_do_not_fit_between_transfers() -> None:
    solved = solve(asked(triangle("no_overlap"), whole_files=False))
    assert solved.schedule.loss == 0
    busy = [(s.start, s.start + s.duration, t) for s in solved.schedule.slots for t in s.transfers]
    for computation in solved.schedule.computations:
        for start, end, transfer in busy:
            if computation.processor in (transfer.sender, transfer.receiver):
                assert (
                    computation.start >= end or computation.start + computation.time <= start
                ) or not computation.time


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("routing", ["fixed", "free", "multipath"])
def test_bounds_hold_with_and_without_sets(routing: str, ports: str) -> None:
    for seed in (1, 25, 0, 3)[: draws(2, 4)]:
        tables = MonoTables(instance(around(seed, ports=ports, routing=routing)))
        best = Enumeration(tables.instance).best()
        assert best is not None
        for known in (tables, tables.knowing(sets_of_three(tables))):
            for bound_by in (prices.rough, prices.relaxation, prices.allocations):
                assert bound_by(known, Control()).period <= best
            assert prices.forbidding(known, Control(), best).period <= best


def sets_of_three(tables: MonoTables) -> list[OddSet]:
    return [OddSet(three) for three in combinations(range(tables.num_processors), 3)]


@pytest.mark.parametrize(("ports", "alike"), [("send_or_receive", True), ("no_overlap", False)])
def test_a_processor_that_computes_is_not_taken_for_one_that_passes_on(
    ports: str, alike: bool
) -> None:
    """The ports of each end are used like one on the way to the other end, but by transfers only."""
    line = [
        ("i", "n", 2),
        ("n", "l", 2),
        ("l", "q", 1),
        ("q", "k", 1),
        ("k", "m", 1),
        ("m", "j", 3),
    ]
    document = {
        "platform": {
            "processors": [{"id": name} for name in "inlqkmj"],
            "links": [{"source": s, "target": t, "unit_time": c} for s, t, c in line],
        },
        "application": {
            "tasks": [
                {"id": "from", "times": {"q": 1}},
                {"id": "to", "times": {"i": 1, "j": 1}},
            ],
            "files": [{"source": "from", "target": "to", "size": 1}],
        },
        "ports": ports,
    }
    tables = MonoTables(instance(document))
    assert interchangeable(tables, tables.labels) == (((0, 6),) if alike else ())


# --- what the referee refuses ------------------------------------------------------------


def without_sets(occupation: list[Any]) -> list[Any]:
    return [use for use in occupation if not use.resource.endswith(".odd")]


def tied(ports: str) -> dict[str, Any]:
    """The triangle, whose third task runs on C only."""
    document = triangle(ports)
    del document["application"]["tasks"][2]["times"]["B"]
    return document


def renamed(name: str) -> Any:
    def change(occupation: list[Any]) -> list[Any]:
        return [occupation[0].model_copy(update={"resource": name}), *occupation[1:]]

    return change


def timed(time: int) -> Any:
    def change(occupation: list[Any]) -> list[Any]:
        first = occupation[0].model_copy(update={"time": F(time)})
        return sorted([first, *occupation[1:]], key=lambda use: (-use.time, use.resource))

    return change


@pytest.mark.parametrize(
    ("path", "value", "codes"),
    [
        ("result/occupation", lambda listed: listed, set()),
        ("result/occupation", without_sets, {"wrong_period", "wrong_bottleneck"}),
        ("result/occupation", timed(7), {"wrong_occupation"}),
        ("result/occupation", timed(4), {"wrong_occupation"}),
        (
            "result/occupation",
            renamed("B--A--C.odd"),
            {"wrong_occupation", "wrong_period", "wrong_bottleneck"},
        ),
        ("result/occupation", lambda listed: [listed[0], *listed], {"wrong_occupation"}),
        (
            "result/certificate",
            DualityCertificate(prices={"A--C--B.odd": F(1, 6)}),
            {"ghost_resource", "cheap_allocation"},
        ),
    ],
)
def test_planted_faults_are_found(path: str, value: Any, codes: set[str]) -> None:
    solved, answer = answered(asked(tied("no_overlap")))
    assert solved.result.certificate.prices == {"A--B--C.odd": F(1, 6)}
    noted = answer.change("result/notes", ["a note excuses nothing"])
    assert noted.change(path, value).codes() == codes


def test_a_period_that_ignores_a_full_set_is_not_optimal() -> None:
    """All ports have room for it, the bound is proved, and no slots are shown."""
    _, answer = answered(asked(tied("no_overlap"), max_period=2))
    assert answer.codes() == set()
    fifth = F(1, 5)
    for path, value in {
        "result/outcome": Outcome.OPTIMAL,
        "result/objective/value": fifth,
        "result/objective/approx": float(fifth),
        "result/period": F(5),
        "result/gap": F(0),
        "result/bound": Bound.from_value(fifth, exact=True),
        "result/bound_source": "allocations",
        "result/certificate": DualityCertificate(prices={"A.port": fifth}),
        "result/occupation": without_sets,
        "result/bottleneck": "A.port",
        "schedule/optimal_throughput": fifth,
    }.items():
        answer = answer.change(path, value)
    found = answer.faults()
    assert "odd_set_overload" in {fault.code for fault in found}
    (fault,) = (fault for fault in found if fault.code == "odd_set_overload")
    assert fault.pointer == ("result", "period")
    assert "3 processors ['A', 'B', 'C']" in fault.detail


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize(("more", "codes"), [(0, set()), (F(1, 10**9), {"bound_beaten"})])
def test_a_search_s_word_is_not_taken_against_a_schedule(
    more: Fraction, codes: set[str], ports: str
) -> None:
    claimed = bound_only(
        triangle(ports),
        {},
        bound=Bound.from_value(1 / (BEST[ports] + more), exact=False),
        bound_source="search",
        certificate=SearchCertificate(),
    )
    assert claimed.codes() == codes
