"""What the referee says of an answer, and answers of several sorts for it to judge."""

from fractions import Fraction
from typing import Any

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.replicated_workflow import validator
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from tests.kinds.replicated_workflow.bodies import Body, without_mapping, workflow
from tests.kinds.replicated_workflow.net import (
    Net,
    answer,
    instance_of,
    read,
    result_of,
    solve,
    timetable,
)

Document = dict[str, Any]


def codes(
    instance: ReplicatedWorkflowInstance, document: Document, schedule: Timetable | None
) -> set[str]:
    """Name the rules that an answer breaks."""
    try:
        validator.validate(instance, Options(), read(document), schedule)
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


MODULI = workflow(
    {"a": {"A": 1, "B": 1}, "b": {"C": 1, "D": 1, "E": 1}},
    {"a b": 1},
    {f"{one} {other}": 2 for one in "AB" for other in "CDE"},
    {"a": "A B", "b": "C D E"},
)


def coarse_answer(body: Body) -> tuple[ReplicatedWorkflowInstance, Document, Timetable, Net]:
    """Answer with rows that repeat as soon as places do, where that costs time: feasible only."""
    net = Net(body)
    coarse = solve(net, lambda name: len(net.places[name]))
    document = result_of(net, coarse, cycle=False)
    bound = 1 / Fraction(document["mct"])
    gap = (bound - 1 / coarse.period) / bound
    document |= {
        "outcome": "feasible",
        "bound": {"value": str(bound), "approx": float(bound), "exact": True},
        "gap": str(gap),
    }
    return instance_of(body), document, timetable(net, coarse), net


def searched(body: Body, **members: Any) -> tuple[ReplicatedWorkflowInstance, Document, Timetable]:
    """Answer a search with the mapping of a body, and a search's word for a bound of twice as much."""
    _, document, schedule = answer(body)
    document["certificate"] = {"type": "search"}
    bound = 2 * Fraction(document["objective"]["value"])
    document["bound"] = {"value": str(bound), "approx": float(bound), "exact": False}
    document |= {"outcome": "feasible", "gap": "1/2", "method": "portfolio", "proof": "search"}
    document |= members
    stages = [stage["tasks"] for stage in body["problem"]["mapping"]]
    return instance_of(without_mapping(body, stages=stages)), document, schedule
