"""Processors that stand for several: periods in which each of these has whole instances.

What a schedule places on such a processor its members do in turn. A period is long enough if the
instances of it can be dealt to them so that each has time for its own. Then all that starts in a
period ends in it, as the prologue and the latency of a schedule say.
"""

from fractions import Fraction
from math import gcd, lcm

from steadygrid.domain.platform import Platform, PortModel, arc_uses, computing_resource
from steadygrid.domain.resources import in_resource, medium_resource, out_resource
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.workload import Rows, resource_rows


def takes_turns(case: Case) -> bool:
    """Tell whether a processor stands for several."""
    return any(one.members is not None for one in case.workload.platform.processors)


def lengthen_for_turns(case: Case, arrangement: Arrangement) -> Arrangement:
    """Give an arrangement whose period is long enough: several of them in one, where it is not.

    Instances are dealt evenly, and what is left of all allocations one by one. Where that takes
    longer than the period, the counts are made multiples of the members.

    Parameters
    ----------
    case
        The workload, its rates, and how its schedule shall be.
    arrangement
        Its counts are instances on all the members of a processor together.
    """
    platform, ports = case.workload.platform, case.workload.ports
    if not takes_turns(case):
        return arrangement
    rows = resource_rows(case.workload, case.plans, case.hops)
    factor = 1
    for i, one in enumerate(platform.processors):
        if one.members is not None:
            own = _own(platform, ports, i)
            factor = lcm(factor, _factor(arrangement, one.members, rows, own))
    if factor == 1:
        return arrangement
    return Arrangement(
        tuple(count * factor for count in arrangement.counts),
        arrangement.period * factor,
        arrangement.layout.scaled(factor),
    )


def _factor(arrangement: Arrangement, members: int, rows: Rows, own: set[str]) -> int:
    used = {plan for name in own for plan in rows.get(name, ())}
    left = sum(arrangement.counts[plan] % members for plan in used)
    for name in own & rows.keys():
        each = {plan: time * members for plan, time in rows[name].items()}
        evenly = sum(
            (arrangement.counts[plan] // members * time for plan, time in each.items()), Fraction(0)
        )
        longest = max(
            (time for plan, time in each.items() if arrangement.counts[plan] % members),
            default=Fraction(0),
        )
        if evenly + -(-left // members) * longest > arrangement.period:
            return lcm(*(members // gcd(arrangement.counts[plan], members) for plan in used))
    return 1


def _own(platform: Platform, ports: PortModel, i: int) -> set[str]:
    """Name what only this processor computes and communicates with."""
    arcs = (*platform.arcs_out[i], *platform.arcs_in[i])
    shared = {
        medium_resource(platform.media[medium].id)
        for arc in platform.arcs
        if i not in (arc.source, arc.target)
        for medium in arc.media
    }
    used = {use.resource for arc in arcs for use in arc_uses(platform, arc, ports)}
    others = {platform.processors[end].id for arc in arcs for end in (arc.source, arc.target)}
    others.discard(platform.processors[i].id)
    of_others = {name(other) for other in others for name in (in_resource, out_resource)}
    return {computing_resource(platform.processors[i].id, ports)} | (used - shared - of_others)
