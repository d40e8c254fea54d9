"""Which trees of an answer an export writes, and by which plan."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.rational import approximate
from steadygrid.formats.exporter import Parameter
from steadygrid.formats.msccl.fitting import Plan
from steadygrid.formats.msccl.moves import Tree
from steadygrid.kinds.collective.execution import PredictedTime, ProgramOut
from steadygrid.kinds.collective.prediction_view import size_told
from steadygrid.kinds.collective.schemas import CollectiveResult

_SIZE = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
ANOTHER_PLAN = "the plan is not that of the predicted times: none is predicted for it"
_CHOICES = ("program", "schedule")

TREES: Mapping[str, Parameter] = {
    "trees": Parameter(
        "`program`: those of the program that runs best, by its plan; `schedule`: those of the"
        " optimum, as the schedule has them; default `program` where one is predicted"
    ),
    "bytes": Parameter(
        "size of the operation whose program is taken: that of the next larger size of the predicted"
        " times; default the largest"
    ),
}


class Chosen(NamedTuple):
    """What is exported."""

    program: ProgramOut | None
    """None for the allocations of the answer."""
    plan: Plan
    notes: tuple[str, ...] = ()


def choose_trees(result: CollectiveResult, parameters: Mapping[str, Sequence[str]]) -> Chosen:
    """Choose trees and their plan.

    Parameters
    ----------
    result
        The answer.
    parameters
        `trees` and `bytes` are read.

    Raises
    ------
    InstanceError
        A parameter is wrong, or no program is predicted.
    """
    asked, size = (next(iter(parameters.get(name, ())), None) for name in ("trees", "bytes"))
    if asked is not None and asked not in _CHOICES:
        raise _wrong("trees", "unknown_trees", f"it is one of: {', '.join(_CHOICES)}")
    if size is not None and not _SIZE.fullmatch(size):
        raise _wrong("bytes", "invalid_size", "expected a number of bytes, at most 18 digits")
    told = result.execution
    if told is None and (asked == "program" or size is not None):
        where = "trees" if asked == "program" else "bytes"
        detail = "no program is predicted in this answer: leave this out, or ask the problem for"
        raise _wrong(where, "no_program", f"{detail} execution")
    if told is None or asked == "schedule":
        plan = result.plan
        if plan is None:
            return Chosen(None, Plan())
        return Chosen(None, Plan(plan.split, plan.order, plan.instances))
    rows = told.predicted
    row = next((row for row in rows if size is not None and row.bytes >= int(size)), rows[-1])
    program = told.programs[row.program]
    note = f"predicted for {size_told(row.bytes)}: {bandwidth_told(row)}"
    return Chosen(program, plan_of(program), (note,))


def plan_of(program: ProgramOut) -> Plan:
    """Give how the ranks run a program."""
    return Plan(program.split, program.order, program.instances)


def trees_of_program(program: ProgramOut, numbers: Mapping[str, int]) -> list[Tree]:
    """Give the trees of a program, in its order.

    Parameters
    ----------
    program
        Of an answer.
    numbers
        A number for each processor.
    """

    def routes(listed: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(numbers[name] for name in route) for route in listed)

    return [
        Tree(numbers[tree.root], tree.chunks, routes(tree.spread), routes(tree.combined))
        for tree in program.trees
    ]


def bandwidth_told(row: PredictedTime) -> str:
    """Write the bandwidth of a row, and its share of the bound.

    Parameters
    ----------
    row
        Of the predicted times.
    """
    told = f"algbw {approximate(row.algbw):.4g}"
    if row.of_bound is not None and row.of_bound > 0:
        told += f" of {approximate(row.algbw / row.of_bound):.4g}"
    return told


def _wrong(place: str, code: str, detail: str) -> InstanceError:
    return InstanceError(detail, [Fault((place,), code, detail)])
