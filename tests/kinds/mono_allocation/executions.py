"""A brute-force check of executed instances that shares nothing with the simulator's tables."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.platform import arc_uses, computing_resource
from steadygrid.engine.simulation.execution import Execution, Simulation
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

Held = dict[str, list[tuple[Fraction, Fraction, Fraction]]]
"""By resource: from when to when which part of it is held."""


def instance(document: dict[str, Any]) -> MonoAllocationInstance:
    """Read a document of JSON, multiport if it says nothing else."""
    return MonoAllocationInstance.model_validate({"kind": "mono_allocation", **document})


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Execution]]:
    """List the executions that are summed up meanwhile."""
    seen: list[Execution] = []
    original = Execution.simulation

    def summed_up(execution: Execution, planned: int | None = None) -> Simulation:
        seen.append(execution)
        return original(execution, planned)

    with monkeypatch.context() as patch:
        patch.setattr(Execution, "simulation", summed_up)
        yield seen


def check_execution(tables: MonoTables, execution: Execution, simulation: Simulation) -> None:
    """Check every operation of every instance, and every resource at every instant."""
    step = execution.operations.step
    held: Held = defaultdict(list)
    last = Fraction(0)
    latencies = []
    for instance in range(simulation.instances):
        places = execution.processors[instance]
        starts = [start * step for start in execution.starts[instance]]
        ends = [end * step for end in execution.ends[instance]]
        begins = []
        for task, place in enumerate(places):
            assert place in tables.labels[task]
            time = tables.time(task, place)
            assert starts[task] >= 0
            assert ends[task] == starts[task] + time
            name = tables.platform.processors[place].id
            if time:
                computing = computing_resource(name, tables.instance.ports)
                held[computing].append((starts[task], ends[task], Fraction(1)))
                begins.append(starts[task])
        for file, (producer, user, size) in enumerate(tables.files):
            if places[producer] == places[user]:
                assert starts[user] >= ends[producer]
                continue
            departures = [date * step for date in execution.departures[instance][file]]
            date = ends[producer]
            for departure, (time, uses) in zip(
                departures, hops(tables, places[producer], places[user]), strict=True
            ):
                assert departure >= date
                date = departure + size * time
                if size:
                    begins.append(departure)
                    for resource, share in uses.items():
                        held[resource].append((departure, date, share))
            assert starts[user] >= date
        last = max(last, *ends)
        latencies.append(max(ends) - min(begins, default=max(ends)))
    check_capacities(held)
    assert simulation.makespan == last
    assert simulation.latency == sum(latencies) / Fraction(len(latencies))


def hops(
    tables: MonoTables, sender: int, receiver: int
) -> list[tuple[Fraction, dict[str, Fraction]]]:
    """Give each hop's time per unit of data, and the part of each resource that it holds."""
    platform, ports = tables.platform, tables.instance.ports
    way = tables.reference_path(sender, receiver)
    assert way is not None
    arcs = [platform.arcs[arc] for arc in way]
    groups = [arcs] if ports == "multiport" else [[arc] for arc in arcs]
    listed = []
    for group in groups:
        times: dict[str, Fraction] = defaultdict(Fraction)
        for arc in group:
            for resource, time in arc_uses(platform, arc, ports):
                times[resource] += time
        slowest = max(times.values())
        listed.append((slowest, {name: time / slowest for name, time in times.items()}))
    return listed


def check_capacities(held: Held) -> None:
    """Check that no resource is ever held for more than all of it."""
    for resource, stretches in held.items():
        changes: dict[Fraction, Fraction] = defaultdict(Fraction)
        for start, end, share in stretches:
            changes[start] += share
            changes[end] -= share
        now = Fraction(0)
        for date in sorted(changes):
            now += changes[date]
            assert now <= 1, f"{resource} is overloaded from {date}"
        assert now == 0
