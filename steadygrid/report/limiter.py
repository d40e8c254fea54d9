"""The one resource on which most of an answer hangs, as lists of jobs name it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.job import Outcome
from steadygrid.domain.platform import Platform
from steadygrid.report.folding import Facts, twins_among
from steadygrid.report.occupation import resources_of
from steadygrid.report.report import Report
from steadygrid.report.resource_rows import PlatformRows, Pricing, ResourceRow
from steadygrid.report.resources import resource_facts, resource_list


class Limiter(NamedTuple):
    """What limits an answer most.

    Attributes
    ----------
    key
        Names its row in addresses. None where several limit alike, so that none is the one to name.
    label
        For people.
    alike
        How many other rows limit as much.
    """

    key: str | None
    label: str
    alike: int


def chief_limiter(report: Report) -> Limiter | None:
    """Name the resource on which most of the optimum hangs, as the table of resources ranks them.

    Parameters
    ----------
    report
        The answer, and what was asked.

    Returns
    -------
    Limiter or None
        None: the answer has no throughput, nothing is known to limit it, or others than those that
        are priced do so: what was given or merely simulated is not the best.

    Notes
    -----
    Where there are prices, the schedule is read only to tell twins: O(processors + links) without.
    """
    result, objective = report.result, report.result.objective
    if objective is None or objective.minimised or not objective.value:
        return None
    if result.outcome is Outcome.FEASIBLE and (report.schedule is None or report.view.given):
        return None
    if report.view.alike:
        return Limiter(None, report.view.alike, 0)
    pricing = Pricing(report)
    if pricing.prices is None:
        found: Sequence[ResourceRow] = resource_list(report).limiting
    elif report.platform is None:
        found = [*pricing.other_rows(())]
    else:
        found = _priced_rows(report, report.platform, pricing, pricing.prices)
    first = _greatest(found)
    return Limiter(first[0].key, first[0].label, len(first) - 1) if first else None


def _priced_rows(
    report: Report, platform: Platform, pricing: Pricing, prices: Mapping[str, Fraction]
) -> Sequence[ResourceRow]:
    """List what has a price; only the first ones are sure to be those of `resource_list`.

    Twins agree in what they do, too, and that takes long to read: those on which less hangs may
    be fewer than they seem.
    """
    resources = resources_of(platform, report.ports, prices)
    priced = tuple(one for one in resources if one.name in prices)
    ends = frozenset(end for one in priced for end in one.ends)
    facts = Facts(priced, None, prices, report.view.roles, report.view.cut)

    def rows(compared: Facts) -> Sequence[ResourceRow]:
        groups = [node.members for node in twins_among(platform, compared, ends)]
        told = replace(
            facts, resources=tuple(one for one in compared.resources if one.name in prices)
        )
        listed = [*PlatformRows(report, platform, pricing, told, groups, {}).rows()]
        return [*listed, *pricing.other_rows([name for row in listed for name in row.names])]

    found = rows(facts)
    if any(len(row.members) > 1 for row in _greatest(found)):
        found = rows(resource_facts(report, platform))
    return found


def _greatest(rows: Sequence[ResourceRow]) -> Sequence[ResourceRow]:
    """Give those that limit, and on which most hangs."""
    most = max((row.weight for row in rows if row.limits), default=None)
    return [row for row in rows if row.limits and row.weight == most]
