"""A multicast by heuristics, a bound alone, and all methods side by side."""

from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.kinds.collective import methods
from steadygrid.kinds.collective.referee_comparison import check_comparison
from steadygrid.kinds.collective.schemas import ComparedMulticast
from steadygrid.kinds.collective.solver import copying
from steadygrid.kinds.collective.solver.references import REFERENCES
from steadygrid.verification.findings import Findings
from tests.draws import draws
from tests.kinds.collective.bodies import FIGURE_2, F, body, turned_round
from tests.kinds.collective.by_hand import bounded
from tests.kinds.collective.test_best_trees import BUTTERFLY
from tests.kinds.collective.test_faults import cast, faults, together
from tests.kinds.collective.test_trees import spread
from tests.kinds.collective.trees import by_all_trees, drawn_copies
from tests.solved import solve
from tests.verification.answers import Answer

WINGS = body(f"{BUTTERFLY}, 3>4 2", "multicast", source="0", targets=["5", "6"])
METHODS = (*REFERENCES, "upper_bound", "trees", "compare")


def by(method: str, given: dict[str, Any], **options: Any) -> Any:
    asked = {"problem": given["problem"] | {"method": method}}
    return solve(asked, max_period="exact", **options).result


def test_the_contract_tells_of_every_reference_there_is() -> None:
    assert [*REFERENCES] == [*methods.REFERENCES]


PAIR = "s>a 1, s>b 1, a>b 1"
SLOW = "s>a 1, s>c 10, c>a 10"
HALF = "s>m 1, m>a 1, m>b 1, s>r 4, r>a 1"
CHAIN = "s>c 1, c>d 9, d>c 9, c>a 1"

CASES = [
    (PAIR, "a b", {"mcph": 1, "reduced_broadcast": 1, "scatter": "1/2"}),
    (SLOW, "a", {"mcph": 1, "reduced_broadcast": 1, "scatter": 1}),
    (HALF, "a b", {"mcph": "1/2", "reduced_broadcast": "1/2", "scatter": "1/2"}),
    (CHAIN, "a", {"mcph": 1, "reduced_broadcast": 1, "scatter": 1}),
    (FIGURE_2.replace("P", "t"), "t0 t1", {"mcph": "1/2", "reduced_broadcast": "1/2", "scatter": "1/2"}),
]  # fmt: skip


@pytest.mark.parametrize(("links", "targets", "expected"), CASES)
def test_small_examples(links: str, targets: str, expected: dict[str, Any]) -> None:
    given = body(links, "multicast", source="s", targets=targets.split())
    found = {method: by(method, given).objective.value for method in REFERENCES}
    assert found == {method: F(value) for method, value in expected.items()}


def test_mcph_spreads_over_ports_what_fastest_paths_would_not() -> None:
    """The second target is cheaper to reach by a detour than over the busy port of the source."""
    given = body("s>a 2, s>b 3, s>r 1, r>b 3, a>r 1", "multicast", source="s", targets=["a", "b"])
    result = by("mcph", given)
    assert result.objective.value == F(1, 3)
    (tree,) = result.allocations
    assert [transfer.path for transfer in tree.transfers] == [["s", "a"], ["a", "r"], ["r", "b"]]


@pytest.mark.parametrize("ports", ["one_port", "multiport", "send_or_receive", "no_overlap"])
@pytest.mark.parametrize("seed", range(draws(3, 300)))
def test_heuristics_are_no_better_than_the_best_trees(seed: int, ports: str) -> None:
    given = drawn_copies(seed, "multicast", ports)
    best = by_all_trees(given)
    if best is None:
        assert {by(method, given).outcome for method in METHODS} == {"infeasible"}
        return
    answers = {method: by(method, given) for method in METHODS}
    values = {name: one.objective.value for name, one in answers.items() if one.objective}
    assert values.keys() == {*METHODS} - {"upper_bound"}
    assert values["compare"] == values["trees"] == best == max(values.values())
    assert all(one.bound.value >= best for one in answers.values())
    apart = {"problem": given["problem"] | {"operation": "scatter"}}
    assert values["scatter"] == by("flows", apart).objective.value


def test_all_methods_stand_side_by_side() -> None:
    result = by("compare", WINGS)
    assert (result.outcome, result.objective.value) == ("optimal", F(3, 4))
    rows = {row.method: (row.throughput, row.ratio_to_bound) for row in result.comparison}
    half = (F(1, 2), F(2, 3))
    assert rows == dict.fromkeys(REFERENCES, half) | {
        "upper_bound": (F(1), F(4, 3)),
        "trees": (F(3, 4), F(1)),
    }


def test_compare_says_that_the_time_was_over_for_the_trees(monkeypatch: Any) -> None:
    solved = copying.by_trees

    def late(*given: Any, **options: Any) -> Any:
        if given[2] == "trees":
            raise OutOfTime
        return solved(*given, **options)

    monkeypatch.setattr(copying, "by_trees", late)
    result = by("compare", WINGS)
    assert (result.outcome, result.notes) == ("feasible", [copying.LATE])
    assert result.comparison[-1].throughput is None


@pytest.mark.parametrize("method", METHODS)
def test_when_the_time_is_over_there_is_a_bound_and_mostly_a_schedule(method: str) -> None:
    result = by(method, WINGS, seconds=0)
    assert result.outcome == ("bound_only" if method == "upper_bound" else "feasible")
    assert "time limit" in " ".join(result.notes)
    assert result.bound.value >= F(3, 4)


@pytest.mark.parametrize("operation", ["broadcast", "allgather", "reduce", "reduce_scatter"])
def test_every_operation_with_copies_has_a_bound_alone(operation: str) -> None:
    ends = {"broadcast": {"source": "0"}, "reduce": {"target": "0"}}.get(operation, {})
    links = "0>1 1, 1>2 2, 2>0 3, 1>0 2"
    given = body(turned_round(links) if operation == "reduce" else links, operation, **ends)
    alone = by("upper_bound", given)
    assert (alone.outcome, alone.allocations) == ("bound_only", [])
    assert alone.bound.value == by("trees", given).objective.value


REFUSED = [
    (cast("broadcast", method="mcph"), "mcph is for a multicast, not for a broadcast: use method cutting_planes"),
    (together("allgather", method="compare"), "compare is for a multicast, not for an allgather: use method cutting_planes"),
    (cast("scatter", targets=["B"], method="scatter"), "scatter is for a multicast, not for a scatter: use method flows"),
    (cast("scatter", targets=["B"], method="upper_bound"), "the messages of a scatter differ, and no processor copies or combines them: use method flows"),
    (together("reduce", target="A", order="fixed", method="upper_bound"), "upper_bound knows only combinations that take no time and keep no order: use method intervals"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "remedy"), REFUSED)
def test_references_are_for_a_multicast(given: dict[str, Any], remedy: str) -> None:
    (fault,) = faults(given)
    assert (fault.code, fault.detail) == ("method_not_applicable", remedy)


def table() -> Answer:
    """A right answer of `compare`, by hand."""
    rows = [("mcph", F(1)), ("upper_bound", F(4)), ("trees", F(2)), ("scatter", None)]
    listed = [
        ComparedMulticast(
            method=method,
            throughput=throughput,
            ratio_to_bound=None if throughput is None else throughput / 2,
            seconds=0.5,
        )
        for method, throughput in rows
    ]
    return spread().change("result/method", "compare").change("result/comparison", listed)


def alone() -> Answer:
    rays = "s>h 1, h>a 1, h>b 1, s>g 1, g>a 1, g>b 1"
    given = body(rays, "multicast", source="s", targets=["a", "b"], ports="multiport")
    return bounded(given, spread().result.certificate, "upper_bound")


@pytest.mark.parametrize("right", [table, alone])
def test_what_is_right_by_hand_is_accepted(right: Any) -> None:
    assert right().faults() == []


PLANTED: list[tuple[str, Any, str, Any]] = [
    ("wrong_comparison", table, "result/comparison/0/method", "best"),
    ("wrong_comparison", table, "result/comparison/0/method", "compare"),
    ("wrong_comparison", table, "result/comparison/0/method", "trees"),
    ("wrong_comparison", table, "result/comparison/0/ratio_to_bound", F(1)),
    ("wrong_comparison", table, "result/comparison/3/ratio_to_bound", F(1)),
    ("wrong_comparison", table, "result/comparison/1/seconds", -1.0),
    ("wrong_comparison", table, "result/comparison", lambda rows: [row for row in rows if row.method != "trees"]),
    ("wrong_comparison", table, "result/comparison/0", lambda row: row.model_copy(update={"throughput": F(3), "ratio_to_bound": F(3, 2)})),
    ("wrong_comparison", table, "result/comparison/1", lambda row: row.model_copy(update={"throughput": F(1), "ratio_to_bound": F(1, 2)})),
    ("wrong_comparison", table, "result/method", "trees"),
    ("wrong_outcome", table, "result/method", "upper_bound"),
    ("wrong_outcome", alone, "result/allocations", lambda _: spread().result.allocations),
    ("cheap_operation", alone, "result/certificate", DualityCertificate(prices={"s->h.link": F(1)})),
]  # fmt: skip


@pytest.mark.parametrize(("code", "right", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(code: str, right: Any, place: str, value: Any) -> None:
    assert code in right().change(place, value).codes()


@pytest.mark.parametrize(
    ("right", "place", "value", "member"),
    [
        (table, "result/method", "trees", "comparison"),
        (alone, "result/allocations", lambda _: spread().result.allocations, "allocations"),
    ],
)
def test_a_table_and_allocations_without_cause_are_one_fault_each(
    right: Any, place: str, value: Any, member: str
) -> None:
    findings = Findings()
    check_comparison(right().change(place, value).result, findings)
    assert [fault.pointer for fault in findings.faults] == [("result", member)]
