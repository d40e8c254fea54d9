"""Faults that only answers with several tasks, a search or a word for its lack of a schedule can have."""

from fractions import Fraction

import pytest

from steadygrid.domain.job import NO_TIME_FOR_SCHEDULE, Bound, Options, Outcome
from steadygrid.kinds.task_graph.schemas import PricedSearchCertificate
from tests.kinds.task_graph.answers import fork_join
from tests.verification.answers import figure_3


@pytest.mark.parametrize("lost", range(8))
def test_each_task_of_each_allocation_is_computed(lost: int) -> None:
    answer = fork_join()
    listed = answer.schedule.computations
    assert len(listed) == 8
    lacking = answer.change("schedule/computations", listed[:lost] + listed[lost + 1 :])
    (fault,) = (fault for fault in lacking.faults() if fault.code == "instance_lost")
    assert (
        f"task {listed[lost].task!r} is never computed on {listed[lost].processor!r}"
        in fault.detail
    )


def test_only_an_answer_without_a_proof_may_lack_its_schedule() -> None:
    late = figure_3()._replace(schedule=None).change("result/notes", [NO_TIME_FOR_SCHEDULE])
    assert late.change("result/outcome", Outcome.FEASIBLE).codes() == set()
    assert late.codes() == {"no_schedule"}


def test_a_search_leaves_no_larger_gap_than_was_asked() -> None:
    searched = (
        fork_join()
        .change("result/certificate", PricedSearchCertificate(prices={"P1.compute": Fraction(1)}))
        .change("result/bound", Bound.from_value(Fraction(11, 10), exact=False))
        .change("result/certificate/prices", {"P1.compute": Fraction(11, 10)})
        .change("result/gap", Fraction(1, 11))
    )
    assert "not_optimal" not in searched.change("options", Options(mip_gap=Fraction(1, 11))).codes()
    assert "not_optimal" in searched.change("options", Options(mip_gap=Fraction(1, 12))).codes()
