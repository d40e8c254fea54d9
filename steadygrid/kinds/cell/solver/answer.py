"""From a mapping to the result and a schedule: what it needs of the machine, and what binds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate, SearchCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.engine.solver import without_schedule
from steadygrid.kinds.cell.schemas import (
    CallsInUse,
    CellBuffer,
    CellOccupation,
    CellResult,
    CellStatistics,
    LocalStoreUse,
    SpeedUp,
)
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables


@dataclass
class Findings:
    """What a method has found so far.

    Attributes
    ----------
    mapping
        Core of each task. None while there is none.
    references
        Periods of the references that have a mapping, by method.
    bound, exact
        Throughput that no mapping exceeds, and whether that is proved exactly. None: not known.
    prices
        The proof of an exact bound.
    closed
        Whether a search has closed the gap as far as asked.
    nodes
        Of the search tree. None without a search.
    infeasible
        Why there is no mapping at all. None if there may be one.
    missed
        Why the method that was asked for finds none. None if it did, or may yet.
    """

    mapping: Sequence[int] | None = None
    references: dict[str, Fraction] = field(default_factory=dict)
    bound: Fraction | None = None
    exact: bool = False
    prices: Mapping[str, Fraction] = field(default_factory=dict)
    closed: bool = False
    nodes: int | None = None
    variables: int | None = None
    constraints: int | None = None
    infeasible: str | None = None
    missed: str | None = None
    notes: list[str] = field(default_factory=list)

    def improve_bound(
        self, throughput: Fraction, prices: Mapping[str, Fraction] | None = None
    ) -> None:
        """Keep the lower of two bounds. The exact one where they are equal.

        Parameters
        ----------
        throughput
            In instances per time unit. No mapping has more.
        prices
            By resource, which prove it exactly. None for the word of a search.
        """
        if self.bound is None or throughput < self.bound:
            self.bound, self.exact = throughput, prices is not None
            self.prices = prices or {}


def result_of(tables: Tables, method: str, found: Findings) -> CellResult:
    """Write the result of a method.

    Parameters
    ----------
    tables
        The instance in whole numbers.
    method
        Name of the one that ran.
    found
        Mapping and bound, if any, and what the search was.
    """
    statistics = CellStatistics(
        variables=found.variables, constraints=found.constraints, nodes=found.nodes
    )
    if found.mapping is None:
        outcome = _outcome_of_nothing(found)
        if why := found.infeasible or found.missed:
            return without_schedule(
                CellResult, outcome, method, notes=[*found.notes, why], statistics=statistics
            )
        return without_schedule(
            CellResult,
            outcome,
            method,
            bound=_bound(found),
            certificate=_certificate(found),
            notes=found.notes,
            statistics=statistics,
        )
    period = tables.period(found.mapping)
    throughput = 1 / period
    if found.bound is None or (found.bound < throughput and not found.exact):
        # The solver's bound is a double; what was reached is no higher than any true bound.
        found.bound, found.exact, found.prices = throughput, False, {}
    occupation = sorted(
        tables.occupation(found.mapping).items(), key=lambda entry: (-entry[1], entry[0])
    )
    reached = found.bound == throughput and found.exact
    return CellResult(
        outcome=Outcome.OPTIMAL if reached or found.closed else Outcome.FEASIBLE,
        method=method,
        objective=Objective.throughput(throughput),
        bound=_bound(found),
        gap=relative_gap(throughput, found.bound),
        certificate=_certificate(found),
        notes=found.notes,
        period=period,
        mapping={
            task: tables.cores[core] for task, core in zip(tables.tasks, found.mapping, strict=True)
        },
        first_periods=dict(zip(tables.tasks, tables.first, strict=True)),
        buffers=_buffers(tables),
        local_store=_local_store(tables, found.mapping),
        dma=_calls(tables, found.mapping),
        occupation=[CellOccupation(resource=name, time=time) for name, time in occupation],
        bottleneck=occupation[0][0],
        speed_up=SpeedUp(
            **{name: reference / period for name, reference in found.references.items()}
        ),
        statistics=statistics,
    )


def _outcome_of_nothing(found: Findings) -> Outcome:
    if found.infeasible is not None:
        return Outcome.INFEASIBLE
    return Outcome.BOUND_ONLY if found.missed is None else Outcome.UNKNOWN


def _bound(found: Findings) -> Bound | None:
    return None if found.bound is None else Bound.from_value(found.bound, exact=found.exact)


def _certificate(found: Findings) -> DualityCertificate | SearchCertificate:
    if found.exact:
        return DualityCertificate(prices=dict(found.prices))
    return SearchCertificate(nodes=found.nodes, solver="HiGHS")


def _buffers(tables: Tables) -> list[CellBuffer]:
    return [
        CellBuffer(
            file=(tables.tasks[source], tables.tasks[target]),
            instances=tables.first[target] - tables.first[source],
            data=room,
        )
        for (source, target), room in zip(tables.files, tables.room, strict=True)
    ]


def _local_store(tables: Tables, mapping: Sequence[int]) -> list[LocalStoreUse]:
    of_data = tables.store_unit
    used = Occupancy(tables, mapping).used
    return [
        LocalStoreUse(
            core=tables.cores[core],
            used=used[core] * of_data,
            of=tables.instance.machine.local_store,
        )
        for core in range(tables.num_ppes, len(tables.cores))
    ]


def _calls(tables: Tables, mapping: Sequence[int]) -> list[CallsInUse]:
    """Every SPE, then the PPEs that fetch from SPEs."""
    machine, ppes, use = tables.instance.machine, tables.num_ppes, Occupancy(tables, mapping)
    into = [
        CallsInUse(
            core=tables.cores[core], source=None, calls=use.fetched[core], of=machine.dma_into_spe
        )
        for core in range(ppes, len(tables.cores))
    ]
    return into + [
        CallsInUse(
            core=tables.cores[core],
            source=tables.cores[source],
            calls=calls,
            of=machine.dma_spe_to_ppe,
        )
        for (core, source), calls in sorted(use.fetched_from.items())
        if calls
    ]


def schedule_of(
    tables: Tables, mapping: Sequence[int], max_period: Fraction | None
) -> tuple[Schedule, list[str]]:
    """Let every core run its tasks one after the other, and all files flow all the time.

    A period runs one instance. Where `max_period` is shorter than that takes, the schedule does
    nothing, and a note says what would do.

    Parameters
    ----------
    tables
        The instance in whole numbers.
    mapping
        Core of each task, by position.
    max_period
        In time units. None for as long as it takes.

    Returns
    -------
    tuple
        The schedule, and notes for the answer.

    Notes
    -----
    *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, Theorem 7.1: nothing
    depends on what happens in the same period, so any order is right. Linear.
    """
    period = tables.period(mapping)
    fits = max_period is None or period <= max_period
    count = Fraction(int(fits))
    length = period if fits or max_period is None else max_period
    throughput = count / length
    cores = [tables.cores[core] for core in mapping]
    names = [(tables.tasks[source], tables.tasks[target]) for source, target in tables.files]
    moved = [file for file, (k, l) in enumerate(tables.files) if mapping[k] != mapping[l]]
    ends = {file: (cores[k], cores[l]) for file, (k, l) in enumerate(tables.files)}
    transfers = tuple(Transfer(names[file], ends[file], Fraction(1)) for file in moved)
    placed = {task: (core,) for task, core in zip(tables.tasks, cores, strict=True)}
    first = {
        (task, core): when
        for task, core, when in zip(tables.tasks, cores, tables.first, strict=True)
    }
    carried = [file for file in moved if tables.move[file]] if fits else []
    last = max(tables.first) if fits else 1
    notes = []
    if not fits:
        notes.append(
            f"no instance fits a period of {max_period}: the smallest useful period of this"
            f" mapping is {period}"
        )
    schedule = Schedule(
        period=length,
        instances_per_period=count,
        throughput=throughput,
        optimal_throughput=1 / period,
        loss=1 - throughput * period,
        rounding_loss=None if fits else Fraction(1),
        bounded=None if fits else "asked",
        ports="multiport",
        prologue_periods=last - 1,
        latency_periods=last,
        preempted=False,
        files=tuple(names),
        allocations=(Allocation(0, 1 / period, count, placed, transfers, first),),
        computations=tuple(_computations(tables, mapping)) if fits else (),
        slots=(
            Slot(
                Fraction(0),
                length,
                tuple(SlotTransfer(*ends[file], names[file], 0, Fraction(1)) for file in carried),
            ),
        )
        if carried
        else (),
    )
    return schedule, notes


def _computations(tables: Tables, mapping: Sequence[int]) -> list[Computation]:
    """Tasks in the order given, on each core one after the other from 0."""
    on_core: list[list[Computation]] = [[] for _ in tables.cores]
    free = [0] * len(tables.cores)
    for task, core in enumerate(mapping):
        time = tables.time(task, core) or 0
        on_core[core].append(
            Computation(
                tables.cores[core],
                tables.tasks[task],
                0,
                Fraction(1),
                free[core] * tables.unit,
                time * tables.unit,
            )
        )
        free[core] += time
    return [computation for listed in on_core for computation in listed]
