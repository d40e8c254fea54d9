"""The solving half of every kind, found by its name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any, TypeVar, get_args, get_origin

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Options, Outcome, Result
from steadygrid.domain.pools import Pools
from steadygrid.domain.problem import Sizing
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.engine.scheduling import Plan, UnitSlot, Workload
from steadygrid.engine.scheduling.completion import LeastTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS

R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Reconstructible:
    """What the shared reconstruction needs of a kind's answer."""

    workload: Workload
    plans: Sequence[Plan]
    throughput: Fraction
    slots: Sequence[UnitSlot] | None = None
    """Given where the kind has computed them itself, per time unit."""
    pools: Pools | None = None
    """Given where first members stand for whole classes. See `steadygrid.engine.scheduling.reconstruct`."""
    least: Callable[[], LeastTime] | None = None
    """Finds what no schedule of a run exceeds, where a kind knows more than its bound on the throughput."""


@dataclass(frozen=True)
class Solution:
    """A kind's answer, proved but without a schedule, and not yet refereed."""

    result: Result
    periodic: Reconstructible | None = None
    """None where there is no periodic schedule to build."""
    schedule: AnySchedule | None = None
    """Given where the kind has made it itself: one that runs once, or a periodic one of a kind
    with rules of its own."""
    as_scheduled: Callable[[Any, Schedule], Any] | None = None
    """Gives the result anew, with what it says of the periodic schedule once that is built. None where
    the result says nothing that only the schedule decides."""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Solver:
    """The solving half of one kind.

    `solve` and `best_without_solver` take the instance, the options, the sizing and the reins,
    in this order. The first raises `OutOfTime` when the time is over. The second then has to
    answer, quickly, with the best schedule and the best honest bound it can get. `with_quick_proof`
    takes the instance and a solution whose bound the referee could not judge in time. It gives the
    same rates with a bound that takes no long search to judge. None where the referee has none.
    `program` takes what `solve` takes, and gives the linear program whose optimum is the bound, with
    the rows that the solve finds. It raises `no_program` where a method has none. None where no
    method of the kind has one.
    """

    solve: Callable[[Any, Options, Sizing, Control], Solution]
    best_without_solver: Callable[[Any, Options, Sizing, Control, Any], Solution]
    with_quick_proof: Callable[[Any, Solution], Solution] | None = None
    program: Callable[[Any, Options, Sizing, Control], StatedProgram] | None = None


def no_program(detail: str) -> InstanceError:
    """Say that there is no single linear program to export.

    Parameters
    ----------
    detail
        Why, and what to do instead.
    """
    return InstanceError(detail, [Fault((), "no_program", detail)])


def solver_for(kind: str) -> Solver:
    """Import the solving half of a registered kind.

    Raises
    ------
    KeyError
        If no such kind is registered.
    """
    module = f"{PROBLEMS.package(kind)}.solver"
    solver = import_module(module).SOLVER
    if not isinstance(solver, Solver):
        raise TypeError(f"{module}.SOLVER is no Solver")
    return solver


def without_schedule(result: type[R], outcome: Outcome, method: str, **known: Any) -> R:
    """Answer with no schedule: what the kind's result has besides what is known is null or empty.

    Parameters
    ----------
    result
        The model of the kind's results.
    outcome
        What was found.
    method
        How it was looked for.
    **known
        Members of the result by name, such as `notes`.

    Examples
    --------
    >>> from steadygrid.kinds.master_worker.schemas import MasterWorkerResult
    >>> answer = without_schedule(MasterWorkerResult, Outcome.UNKNOWN, "lp", notes=["why"])
    >>> answer.objective, answer.computed, answer.certificate.type, answer.notes
    (None, {}, 'none', ['why'])
    """
    members = {"outcome": outcome, "method": method, "certificate": NoCertificate()} | known
    for name, member in result.model_fields.items():
        if member.is_required() and name not in members:
            members[name] = _empty(member.annotation)
    return result(**members)


def _empty(annotation: Any) -> Any:
    return None if type(None) in get_args(annotation) else (get_origin(annotation) or annotation)()
