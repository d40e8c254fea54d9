"""What the contract half of a problem kind declares."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Options, Result
from steadygrid.domain.schedule import Schedule, ScheduleLimits
from steadygrid.domain.text import Frozen

I = TypeVar("I", bound=Frozen)
R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Sizing:
    """What a submission will cost, known before anything is built."""

    method: str
    """The method that ``auto`` takes, or the one that was asked for."""
    sizes: Mapping[str, int]
    """Named counts: processors, links, variables, constraints, coefficients, ..."""
    warnings: tuple[str, ...] = ()
    """What was given but is not used."""
    remedy: str = ""
    """What to ask instead, should this be larger than the limits allow."""


def _nothing_new(_instance: Any, _options: Options) -> int:
    return 0


@dataclass(frozen=True)
class Problem(Generic[I, R]):
    """One line of the registry: everything but the solving."""

    kind: str
    title: str
    description: str
    instance: type[I]
    result: type[R]
    methods: Mapping[str, str]
    """A sentence for each method that can be asked for."""
    sources: tuple[str, ...]
    example: Mapping[str, Any]
    """A small body that can be posted as it is."""
    faults: Callable[[I, Options, Pointer], Iterable[Fault]]
    """Semantic faults of a well-formed instance, with pointers below the given one."""
    sizing: Callable[[I, Options], Sizing]
    """Method and sizes; cheap, and called only for an instance without faults."""
    validate: Callable[[I, Options, R, Any, ScheduleLimits], None]
    """The exact referee: returns, or raises `InvalidScheduleError` with every fault found. It gets
    a schedule of this kind's form, or None, and the limits within which an exact one is due."""
    form: type[AnySchedule] = Schedule
    """Of this kind's schedules: whether they repeat, or run once."""
    requires: Callable[[I, Options], int] = _nothing_new
    """How new a version has to be that can solve an instance with these options; older workers
    leave the job to newer ones. See `steadygrid.problems.SOLVES`."""
