"""The referee of mono_allocation accepts bounds only with what proves them."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.certificate import (
    DualityCertificate,
    FarkasCertificate,
    NoCertificate,
    SearchCertificate,
)
from steadygrid.domain.job import Bound, Objective, Options, Outcome, Proof
from steadygrid.kinds.mono_allocation.schemas import FileMessages
from steadygrid.verification import relaxation
from tests.kinds.mono_allocation.answers import (
    APART,
    RELAY,
    Answer,
    bound_only,
    camera,
    relay,
    simulated,
)

INSTANCES = Path(__file__).parent / "instances"
HALF = Fraction(1, 2)


def test_with_copies_only_the_largest_file_of_a_task_counts_in_a_proof() -> None:
    prices = {"A->C.link": 1, "C->A.link": 1}
    assert bound_only(APART, prices).faults() == []
    assert bound_only(APART | {"duplication": "tasks"}, prices).codes() == {"cheap_allocation"}
    computing = {"A.compute": HALF, "C.compute": HALF}
    assert bound_only(APART | {"duplication": "tasks"}, computing).faults() == []
    larger = [APART["application"]["files"][0], {"source": "s", "target": "c", "size": 2}]
    application = APART["application"] | {
        "tasks": [{"id": "s", "times": {"A": 0}}, *APART["application"]["tasks"][1:]],
        "files": larger,
    }
    pinned = APART | {"duplication": "tasks", "application": application}
    assert bound_only(pinned, {"A->C.link": HALF}).faults() == []
    assert bound_only(pinned, {"A->C.link": Fraction(1, 3)}).codes() == {"cheap_allocation"}


def test_a_bound_of_zero_is_never_proved() -> None:
    zero = {"bound": Bound.from_value(Fraction(0), exact=False), "certificate": NoCertificate()}
    assert bound_only(APART, {}, **zero, bound_source="search").codes() == {"unproved_bound"}
    proved = {"bound": Bound.from_value(Fraction(0), exact=True)}
    assert bound_only(APART, {}, **proved).codes() == {"cheap_allocation"}


def test_forbidden_assignments_only_prove_with_their_own_certificate() -> None:
    certificate = DualityCertificate(prices=relay().result.certificate.prices)
    both = relay().change("result/certificate", certificate)
    assert both.codes() == {"wrong_bound_source", "cheap_allocation"}
    assert both.change("result/bound_source", "allocations").codes() == {"cheap_allocation"}


def test_messages_prove_what_they_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    # The tasks of this example cost enough without their files.
    monkeypatch.setattr(relaxation, "tasks_cost_enough", lambda *_: False)
    silent = FileMessages(file=("capture", "align"), sent={}, received={})
    assert camera().change("result/messages", [silent]).faults() == []
    costly = FileMessages(file=("capture", "align"), sent={"camera": Fraction(1)}, received={})
    assert camera().change("result/messages", [costly]).faults() == []
    cheap = FileMessages(file=("capture", "align"), sent={}, received={"small": Fraction(-1)})
    assert camera().change("result/messages", [cheap]).codes() == {"cheap_allocation"}
    ghost = FileMessages(file=("capture", "detect"), sent={}, received={})
    assert camera().change("result/messages", [ghost]).codes() == {"ghost_file"}
    alone = bound_only(APART, {}, messages=[silent], certificate=NoCertificate())
    alone = alone.change("result/bound", Bound.from_value(Fraction(1), exact=False))
    assert alone.codes() == {"wrong_fields"}


def packed(**fields: Any) -> Answer:
    """Five tasks of 3, 3, 2, 2, 2 on two processors do not fit into less than 6."""
    problem = json.loads((INSTANCES / "two_machines.json").read_text())["body"]["problem"]
    weights = {"T1": 3, "T2": 3, "T3": 2, "T4": 2, "T5": 2}
    proof: dict[str, Any] = {
        "bound": Bound.from_value(Fraction(1, 6), exact=True),
        "bound_source": "forbidden_assignments",
        "certificate": FarkasCertificate(),
        "weights": {task: Fraction(weight) for task, weight in weights.items()},
    }
    return bound_only(problem, {}, **(proof | fields))


def test_weights_prove_what_does_not_fit() -> None:
    right = packed()
    assert right.faults() == []
    for duplication in ("tasks", "tasks_and_files"):
        assert right.change("instance/duplication", duplication).faults() == []
    better = right.change("result/bound", Bound.from_value(Fraction(1, 7), exact=True))
    assert better.codes() == {"weights_fit"}
    assert right.change("result/weights/T9", Fraction(1)).codes() == {"ghost_task"}
    prices = {"P1.compute": Fraction(1, 12), "P2.compute": Fraction(1, 12)}
    assert right.change("result/weights", {}).codes() == {"prices_miss_bound", "cheap_allocation"}
    assert right.change("result/certificate/prices", prices).codes() == {"wrong_fields"}
    duality = DualityCertificate(prices=prices)
    assert "wrong_fields" in right.change("result/certificate", duality).codes()
    zero = right.change("result/bound", Bound.from_value(Fraction(0), exact=True))
    assert zero.codes() == {"cheap_allocation"}


def test_references_are_not_bound_by_what_fits_once() -> None:
    heft = simulated().change("result/bound_source", "forbidden_assignments")
    assert any("not for heft" in fault.detail for fault in heft.faults())


def test_fixed_routes_that_follow_each_other_make_other_paths() -> None:
    """The file may be copied on B, so that the link from A to C need not be used."""
    problem = RELAY | {"duplication": "tasks"}
    prices = {"A->C.link": Fraction(1, 100)}
    assert bound_only(problem, prices).faults() == []
    copying = problem | {"duplication": "tasks_and_files"}
    assert bound_only(copying, prices).codes() == {"cheap_allocation"}


def test_a_bound_that_nothing_proves_is_not_exact() -> None:
    unproved = camera().change("result/certificate", NoCertificate())
    assert unproved.codes() == {"unproved_bound"}
    unproved = unproved.change("result/bound/exact", False)
    assert unproved.codes() == {"unproved_bound"}
    (fault,) = unproved.change("result/outcome", Outcome.FEASIBLE).faults()
    assert (fault.code, fault.detail[-12:]) == ("unproved_bound", "1/2 or more.")


def test_without_a_certificate_only_the_shortest_operation_bounds_the_throughput() -> None:
    """That is the file of size 1 on all links of a processor together, 2 per time unit."""

    def bounded(bound: Fraction) -> Answer:
        return (
            camera()
            .change("result/certificate", NoCertificate())
            .change("result/outcome", Outcome.FEASIBLE)
            .change("result/bound", Bound.from_value(bound, exact=False))
            .change("result/gap", 1 - Fraction(1, 6) / bound)
        )

    assert bounded(Fraction(2)).faults() == []
    assert bounded(Fraction(199, 100)).codes() == {"unproved_bound"}


def test_without_links_the_shortest_operation_is_a_task() -> None:
    alone = {
        "platform": {"processors": [{"id": "P", "speed": 1}], "links": []},
        "application": {
            "tasks": [{"id": "a", "work": 2}, {"id": "b", "work": 3}],
            "files": [{"source": "a", "target": "b", "size": 1}],
        },
    }

    def bounded(bound: Fraction) -> Answer:
        fields = {"bound": Bound.from_value(bound, exact=False), "certificate": NoCertificate()}
        return bound_only(alone, {}, **fields, bound_source="relaxation")

    assert bounded(Fraction(1, 2)).faults() == []
    assert bounded(Fraction(499, 1000)).codes() == {"unproved_bound"}


def test_a_finished_search_is_optimal_with_a_bound_that_is_not_exact() -> None:
    searched = camera().change("result/certificate", SearchCertificate(solver="HiGHS"))
    assert searched.codes() == {"wrong_bound_source", "unproved_bound"}
    searched = searched.change("result/bound_source", "search").change("result/bound/exact", False)
    assert searched.faults() == []
    (fault,) = searched.change("result/proof", Proof.EXACT).faults()
    assert (fault.code, "the bound is the word of a search" in fault.detail) == (
        "wrong_proof",
        True,
    )
    almost = searched.change("result/bound", Bound.from_value(Fraction(1, 5), exact=False))
    almost = almost.change("result/gap", Fraction(1, 6))
    assert almost.codes() == {"not_optimal"}
    assert almost.change("options", Options(mip_gap=Fraction(1, 6))).faults() == []
    assert almost.change("result/outcome", Outcome.FEASIBLE).faults() == []


def test_an_upper_bound_has_no_schedule() -> None:
    prices = {"small.compute": "1/18", "large.compute": "1/9"}
    document = camera().instance.model_dump(mode="json", exclude_none=True)
    bound = bound_only(document | {"method": "upper_bound"}, prices)
    assert bound.faults() == []
    scheduled = bound._replace(schedule=camera().schedule)
    assert scheduled.codes() == {"wrong_outcome"}
    assert bound.change("result/objective", Objective.throughput(Fraction(1, 6))).codes() >= {
        "wrong_outcome",
        "wrong_fields",
    }
