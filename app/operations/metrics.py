"""What Prometheus reads, made at each scrape from what the database has counted.

Counters in worker processes would die with them, and each API process would tell another sum.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from app.broker import Broker
from app.db.attempts import BOUNDS, AttemptEnd
from app.db.counters import Count, Counted
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.overview import Ended, EndedJobs, Place, Times
from app.db.unit import AllTenants
from app.db.workers import WorkerRecord
from steadygrid.domain.errors import FAILURES
from steadygrid.domain.job import JobState
from steadygrid.kinds import PROBLEMS

MOST_TENANTS = 500
"""Tenants with values of their own. Those beyond, who have least to do, are one value."""
OTHER_TENANTS = "(others)"
"""No tenant can have this name."""
OTHER = "other"
_NOTHING = Counted(0.0, 0.0)


class JobsCollector(Collector):
    """Describes jobs, workers and the sweeper, and of the messages that wake workers.

    No query scans the jobs: there is one for each tenant that has some queued, and a few more.
    """

    def __init__(self, database: Database, broker: Broker) -> None:
        self._database = database
        self._broker = broker

    def collect(self) -> Iterator[Metric]:
        """Give all there is to tell, and whether database and broker answer."""
        yield from self._of_database()
        yield from self._of_broker()

    def _of_database(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("steadygrid_database_up", "Whether the database answers.")
        try:
            with self._database.read_all() as unit:
                found = list(_of_jobs(unit))
        except DatabaseUnavailableError:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield from (up, *found)

    def _of_broker(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("steadygrid_broker_up", "Whether the broker answers.")
        messages = GaugeMetricFamily(
            "steadygrid_messages", "Messages for workers that wait in a queue.", labels=["queue"]
        )
        try:
            depths = self._broker.depths()
        except Exception:  # noqa: BLE001 the client library has many
            up.add_metric([], 0)
            yield up
            return
        if depths is None:
            return
        up.add_metric([], 1)
        for queue, depth in depths.items():
            messages.add_metric([queue], depth)
        yield from (up, messages)

    def describe(self) -> Iterator[Metric]:
        """Nothing, so that registering does not ask the database."""
        yield from ()


def _of_jobs(unit: AllTenants) -> Iterator[Metric]:
    places = unit.overview.places()
    tenants = unit.tenants.all()
    group = _grouping(places, [one.name for one in tenants])
    yield _jobs(unit)
    yield from _queue(unit, places, group)
    yield from _ended(unit.overview.ended())
    yield _attempts(unit.overview.attempt_ends())
    stored = {one.name: one.measured_bytes for one in tenants if one.measured_bytes is not None}
    yield _by_tenant(
        GaugeMetricFamily(
            "steadygrid_stored_bytes", "Bytes of a tenant, as last measured.", labels=["tenant"]
        ),
        stored,
        group,
    )
    yield _by_tenant(
        CounterMetricFamily(
            "steadygrid_solver_seconds",
            "Seconds that workers have spent on jobs of a tenant, lost attempts too.",
            labels=["tenant"],
        ),
        unit.overview.seconds(),
        group,
    )
    waiting = GaugeMetricFamily(
        "steadygrid_oldest_delivery_seconds",
        "How long the oldest delivery of a webhook has been tried; 0 if none is to be sent.",
    )
    waiting.add_metric([], _age(unit.deliveries.oldest_pending()))
    yield waiting
    yield from _workers(unit.workers.active())
    yield from _counted(unit.counters.all())


Group = Callable[[str], str]
"""Gives the label of a tenant."""


def _grouping(places: Mapping[Place, Mapping[JobState, int]], names: Iterable[str]) -> Group:
    """Say which tenants have a label of their own: those who have most jobs in progress."""
    active: Counter[str] = Counter(dict.fromkeys(names, 0))
    for place, counts in places.items():
        active[place.tenant] += sum(counts[state] for state in JobState if not state.final)
    first = sorted(active, key=lambda name: (-active[name], name))[:MOST_TENANTS]
    own = frozenset(first)
    return lambda tenant: tenant if tenant in own else OTHER_TENANTS


def _by_tenant(
    family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, float], group: Group
) -> Metric:
    sums: Counter[str] = Counter()
    for tenant, value in values.items():
        sums[group(tenant)] += value  # type: ignore[assignment]
    for tenant, value in sorted(sums.items()):
        family.add_metric([tenant], value)
    return family


def _jobs(unit: AllTenants) -> Metric:
    family = GaugeMetricFamily(
        "steadygrid_jobs", "Jobs in the table, by kind and state.", labels=["kind", "state"]
    )
    counts = unit.queue.counts()
    for kind in PROBLEMS:
        for state in JobState:
            family.add_metric([kind, state.value], counts.get((kind, state), 0))
    return family


def _queue(
    unit: AllTenants, places: Mapping[Place, Mapping[JobState, int]], group: Group
) -> Iterator[Metric]:
    active = GaugeMetricFamily(
        "steadygrid_active_jobs",
        "Jobs that have not ended, by tenant, kind and state.",
        labels=["tenant", "kind", "state"],
    )
    sums: Counter[tuple[str, str, str]] = Counter()
    for place, counts in places.items():
        for state in JobState:
            if not state.final:
                sums[group(place.tenant), place.kind, state.value] += counts[state]
    for labels, number in sorted(sums.items()):
        active.add_metric(labels, number)
    yield active
    oldest = GaugeMetricFamily(
        "steadygrid_oldest_queued_seconds",
        "How long the oldest queued job has been waiting; 0 if no job is queued.",
    )
    oldest.add_metric([], _age(unit.queue.oldest_queued()))
    yield oldest
    ages: dict[str, float] = {}
    for tenant, since in unit.overview.oldest_queued().items():
        ages[group(tenant)] = max(_age(since), ages.get(group(tenant), 0.0))
    by_tenant = GaugeMetricFamily(
        "steadygrid_tenant_oldest_queued_seconds",
        "How long the oldest queued job of a tenant has been waiting.",
        labels=["tenant"],
    )
    for tenant, age in ages.items():
        by_tenant.add_metric([tenant], age)
    yield by_tenant


def _age(since: datetime | None) -> float:
    return 0.0 if since is None else max(0.0, (datetime.now(UTC) - since).total_seconds())


class _Label(NamedTuple):
    """What a histogram is by."""

    kind: str
    lane: str
    outcome: str
    """`failed` and `cancelled` stand for themselves: codes have a counter."""


def _ended(found: Mapping[Ended, EndedJobs]) -> Iterator[Metric]:
    sums: dict[_Label, list[EndedJobs]] = {}
    failures = Counter((kind, code) for kind in PROBLEMS for code in FAILURES)
    failures.subtract(list(failures))
    for which, jobs in found.items():
        outcome = which.detail if which.state is JobState.SUCCEEDED else which.state.value
        label = _Label(which.kind, which.lane.name.lower(), outcome)
        sums.setdefault(label, []).append(jobs)
        if which.state is JobState.FAILED:
            code = which.detail if which.detail in FAILURES else OTHER
            failures[which.kind, code] += jobs.number
    yield _histogram(
        "waiting",
        "From the making of a job to its first start, of jobs that have ended.",
        {label: [one.waited for one in parts] for label, parts in sums.items()},
    )
    yield _histogram(
        "solving",
        "From the last start of a job to its end.",
        {label: [one.solved for one in parts] for label, parts in sums.items()},
    )
    family = CounterMetricFamily(
        "steadygrid_jobs_failed", "Jobs that have failed, by code.", labels=["kind", "code"]
    )
    for labels, number in sorted(failures.items()):
        family.add_metric(labels, number)
    yield family


def _histogram(name: str, said: str, times: Mapping[_Label, Sequence[Times]]) -> Metric:
    family = HistogramMetricFamily(f"steadygrid_job_{name}_seconds", said, labels=_Label._fields)
    for label, parts in sorted(times.items()):
        _add(family, label, parts)
    return family


def _add(family: HistogramMetricFamily, label: _Label, parts: Sequence[Times]) -> None:
    counts = [sum(column) for column in zip(*(one.counts for one in parts), strict=True)]
    if not any(counts):
        return
    total, buckets = 0, []
    for bound, count in zip((*BOUNDS, "+Inf"), counts, strict=True):
        total += count
        buckets.append((str(bound), total))
    family.add_metric(label, buckets, sum(one.seconds for one in parts))


def _attempts(found: Mapping[tuple[str, AttemptEnd], int]) -> Metric:
    family = CounterMetricFamily(
        "steadygrid_attempts",
        "Attempts of workers at jobs that are over, by how they ended.",
        labels=["kind", "end"],
    )
    ends = [end for end in AttemptEnd if end is not AttemptEnd.NONE]
    for kind in sorted({*PROBLEMS, *(kind for kind, _ in found)}):
        for end in ends:
            family.add_metric([kind, end.value], found.get((kind, end), 0))
    return family


def _workers(active: Sequence[WorkerRecord]) -> Iterator[Metric]:
    workers = GaugeMetricFamily("steadygrid_workers", "Workers seen in the last two minutes.")
    workers.add_metric([], len(active))
    drained = GaugeMetricFamily(
        "steadygrid_workers_drained", "Workers seen lately that take no more jobs."
    )
    drained.add_metric([], sum(one.drained_at is not None for one in active))
    versions = GaugeMetricFamily(
        "steadygrid_worker_versions", "Workers seen lately, by version.", labels=["version"]
    )
    counted = Counter(one.versions.get("steadygrid", "unknown") for one in active)
    for version, number in sorted(counted.items()):
        versions.add_metric([version], number)
    yield from (workers, drained, versions)


_COUNTERS = {
    Count.SOLVER_STARTS: ("solver_starts", "Solver processes that were ready for a first job."),
    Count.SOLVER_START_SECONDS: (
        "solver_start_seconds",
        "Seconds from the starts of solver processes until they were ready.",
    ),
    Count.SOLVER_START_CPU_SECONDS: (
        "solver_start_cpu_seconds",
        "Seconds of a core that the starts of solver processes took.",
    ),
    Count.SWEEPS: ("sweeper_rounds", "Looks of sweepers at the jobs table."),
    Count.RECLAIMED: ("sweeper_reclaimed", "Jobs taken from workers that did not come back."),
    Count.PURGED: ("sweeper_purged", "Rows that retention has deleted: jobs, documents and more."),
    Count.SENDER_LOOKS: ("sender_looks", "Looks of senders for what webhooks are to hear."),
}
_LAST = {
    Count.SWEEPS: ("sweeper_last_seconds", "How long ago a sweeper last said that it works."),
    Count.SENDER_LOOKS: ("sender_last_seconds", "How long ago a sender last said that it works."),
}
_DELIVERIES = {Count.DELIVERED: "succeeded", Count.UNDELIVERED: "failed"}


def _counted(found: Mapping[str, Counted]) -> Iterator[Metric]:
    for count, (name, said) in _COUNTERS.items():
        family = CounterMetricFamily(f"steadygrid_{name}", said)
        family.add_metric([], found.get(count, _NOTHING).value)
        yield family
    attempts = CounterMetricFamily(
        "steadygrid_delivery_attempts",
        "Attempts at messages of webhooks, by how they ended.",
        labels=["end"],
    )
    for count, end in _DELIVERIES.items():
        attempts.add_metric([end], found.get(count, _NOTHING).value)
    yield attempts
    for count, (name, said) in _LAST.items():
        ago = GaugeMetricFamily(f"steadygrid_{name}", said)
        if count in found:
            ago.add_metric([], found[count].seconds_ago)
        yield ago
