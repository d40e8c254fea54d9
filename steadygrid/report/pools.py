"""An answer as it is reported where interchangeable processors are one: each class a pool, by one name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.schedule import Allocation, Computation, Schedule, Transfer
from steadygrid.report.names import Names
from steadygrid.report.report import Report


@dataclass(frozen=True)
class PooledReport(Report):
    """A report in which the first member of a class stands for all, named ``32 x griffon-1``."""

    @cached_property
    def _first(self) -> Mapping[str, str]:
        return {name: names[0] for names in self.view.classes for name in names}

    @cached_property
    def _sizes(self) -> Mapping[str, int]:
        return {names[0]: len(names) for names in self.view.classes}

    @cached_property
    def names(self) -> Names:
        """Names of the platform's members, and of pools."""
        plain = super().names
        return plain.counted(self._sizes)

    @cached_property
    def occupation(self) -> dict[str, Fraction]:
        """Share of the time that the schedule occupies each resource, the mean over a pool."""
        found: Amounts[str] = Amounts()
        for resource, share in super().occupation.items():
            pool, size = self._pool(resource)
            found[pool] += share / size
        return dict(found)

    @cached_property
    def prices(self) -> Mapping[str, Fraction]:
        """Prices of the certificate; of all members of a pool together."""
        found: Amounts[str] = Amounts()
        for resource, price in super().prices.items():
            found[self._pool(resource)[0]] += price
        return found

    def _pool(self, resource: str) -> tuple[str, int]:
        """Give the resource of the first member that a resource is part of, and the members."""
        stem, dot, kind = resource.rpartition(".")
        join = next((join for join in ("->", "--") if join in stem), "")
        ends = stem.split(join) if join else [stem]
        if kind == "medium":
            return resource, 1
        firsts = [self._first.get(end, end) for end in ends]
        size = max((self._sizes.get(first, 1) for first in firsts), default=1)
        return f"{join.join(firsts)}{dot}{kind}", size

    @cached_property
    def shown_schedule(self) -> Schedule | None:
        """The schedule with what members do put together."""
        schedule = self.schedule
        if schedule is None or not self._sizes:
            return schedule
        return replace(
            schedule,
            allocations=tuple(self._allocations(schedule)),
            computations=tuple(self._computations(schedule)),
        )

    def _allocations(self, schedule: Schedule) -> list[Allocation]:
        found: dict[object, Allocation] = {}
        for listed in schedule.allocations:
            tasks = {t: tuple(self._first.get(p, p) for p in on) for t, on in listed.tasks.items()}
            transfers = tuple(map(self._moved, listed.transfers))
            key = frozenset(tasks.items()), transfers
            before = found.get(key)
            found[key] = listed._replace(
                index=listed.index if before is None else before.index,
                rate=listed.rate + (0 if before is None else before.rate),
                instances_per_period=listed.instances_per_period
                + (0 if before is None else before.instances_per_period),
                tasks=tasks,
                transfers=transfers,
            )
        return list(found.values())

    def _moved(self, transfer: Transfer) -> Transfer:
        return transfer._replace(path=tuple(self._first.get(p, p) for p in transfer.path))

    def _computations(self, schedule: Schedule) -> list[Computation]:
        return [
            computation._replace(
                processor=self._first.get(computation.processor, computation.processor)
            )
            for computation in schedule.computations
        ]
