"""The resources of an answer: how busy each is, what it does, and how much of the optimum hangs on it.

What is *in use* and *done* is of the schedule that runs. Prices and shares are of the optimum. Pages,
the API and its CSV read this one list, so they cannot disagree.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform
from steadygrid.domain.resources import compute_resource
from steadygrid.domain.timetable import Firing
from steadygrid.domain.view import Measure
from steadygrid.report.folding import Facts, facts_of, fold
from steadygrid.report.glyphs import printable
from steadygrid.report.report import Report
from steadygrid.report.resource_rows import PlatformRows, Port, Pricing, ResourceRow


@dataclass(frozen=True)
class ResourceList:
    """All resources of an answer.

    Attributes
    ----------
    basis
        ``schedule``: what is in use is of the schedule that runs; ``none``: there is none, or it is
        too long to be read here.
    throughput
        Of the schedule that runs. None where the value is none.
    optimum
        The best possible. None where it is not known.
    idle_processors
        Those that neither the schedule nor a price concerns, and that have no role.
    """

    basis: str
    throughput: Fraction | None
    optimum: Fraction | None
    period: Fraction | None
    rows: tuple[ResourceRow, ...]
    idle_processors: int

    @property
    def limiting(self) -> tuple[ResourceRow, ...]:
        """Rows that limit, those on which most hangs first."""
        return tuple(sorted((row for row in self.rows if row.limits), key=lambda row: -row.weight))


def resource_list(report: Report, *, folded: bool = True) -> ResourceList:
    """List the resources of an answer.

    Parameters
    ----------
    folded
        Whether twins are one row.

    Returns
    -------
    ResourceList
        Rows in the platform's order: processors, links, media, sets; without any row for a kind
        that has no resources.

    Notes
    -----
    Where prices prove the bound of a throughput, the shares of all rows add up to 1 exactly: what
    is priced and is no resource of the platform has a row of its own. O(processors + links +
    resources).
    """
    schedule, objective = report.schedule, report.result.objective
    platform = report.platform
    pricing = Pricing(report)
    if platform is None:
        rows, idle = [*_actors(report), *pricing.other_rows(())], 0
    else:
        facts = resource_facts(report, platform)
        alone = [(processor.id,) for processor in platform.processors]
        twins = [node.members for node in fold(platform, facts).nodes] if folded else alone
        rows = [*PlatformRows(report, platform, pricing, facts, twins, _done(report)).rows()]
        rows += pricing.other_rows([name for row in rows for name in row.names])
        idle = sum(len(r.members) for r in rows if r.kind == "processor" and not r.used)
    value = None if objective is None or objective.minimised else objective.value
    return ResourceList(
        "none" if report.found is None or not _is_read(report) else "schedule",
        value if schedule is None else schedule.throughput,
        value if report.is_best else None,
        None if schedule is None else schedule.period,
        tuple(rows),
        idle,
    )


def resource_facts(report: Report, platform: Platform) -> Facts:
    """Gather what an answer says of its platform, as far as its schedule is at hand.

    Parameters
    ----------
    platform
        The report's.
    """
    facts = facts_of(report, platform)
    return facts if _is_read(report) else replace(facts, shares=None)


def _is_read(report: Report) -> bool:
    """Whether the parts are at hand that say how much a resource is used."""
    return report.unread.keys().isdisjoint(("allocations", "computations", "events", "rows"))


def _done(report: Report) -> Mapping[str, Fraction]:
    """Count what each processor computes: in a period, or of all there is where it runs once."""
    done: Amounts[str] = Amounts()
    schedule = report.schedule
    if not _is_read(report):
        return done
    if schedule is not None:
        graphs = {a.index for a in schedule.allocations if len(a.tasks) > 1}
        for one in schedule.computations:
            if one.time or one.allocation not in graphs:
                done[one.processor] += one.count
    elif report.view.shared is Measure.SHARE:
        for share in report.view.shares:
            done[share.processor] += share.amount
    return done


def _actors(report: Report) -> Iterator[ResourceRow]:
    """List the actors of a dataflow graph, which run in rows."""
    busy: Amounts[str] = Amounts()
    for row in () if report.timetable is None else report.timetable.rows:
        if isinstance(row.operation, Firing):
            busy[row.operation.actor] += row.time / row.every
    for actor, share in busy.items():
        name = compute_resource(actor)
        port = Port(name, "compute", None, share, None, None)
        yield ResourceRow(
            f"actor:{actor}",
            "actor",
            printable(actor),
            (actor,),
            (name,),
            None,
            (port,),
            None,
            None,
            None,
            None,
            used=True,
        )
