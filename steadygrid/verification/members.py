"""Rules for processors that stand for several, each of which does whole instances."""

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.resources import in_resource, out_resource
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network
from steadygrid.verification.steady import SteadyInstance, Views


def check_members(views: Views, schedule: Schedule, findings: Findings) -> None:
    """Check that the instances of a period can be dealt to the members of each such processor.

    An instance keeps to one member, which has an equal part of what the processor has for itself:
    its computing capacity, its links, and media that only these use. Each member gets as many
    instances of every allocation, and of those that are left over all together as many as any
    other, or one more. Then none of them needs more than a period.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == ================================================================= =================
    1  no member needs more of a resource of its own than the period has `member_overload`
    == ================================================================= =================

    What starts in a period ends in it only if members have room for whole instances. That the
    processor has room for all together does not say so: one instance may take a member many periods.
    """
    network = views.network
    for name, members in network.members.items():
        own = _own(network, name)
        taken = [
            _taken(views.of(allocation), network, allocation, own)
            for allocation in schedule.allocations
        ]
        counts = [int(allocation.instances_per_period) for allocation in schedule.allocations]
        left = sum(count % members for count, uses in zip(counts, taken, strict=True) if uses)
        for resource in sorted(own):
            evenly = longest = Fraction(0)
            for count, uses in zip(counts, taken, strict=True):
                each = members * uses.get(resource, Fraction(0))
                evenly += count // members * each
                if count % members:
                    longest = max(longest, each)
            need = evenly + -(-left // members) * longest
            if need > schedule.period:
                findings.add(
                    ("schedule", "period"),
                    "member_overload",
                    f"{name!r} stands for {members:,} processors. However its instances are dealt to"
                    f" them evenly, some need {show(need)} of {resource!r} in a period of"
                    f" {show(schedule.period)}.",
                )
                break


def _own(network: Network, name: str) -> set[str]:
    """Name what only this processor computes and communicates with."""
    own = {network.computing(name)}
    others: set[str] = set()
    for ends, hop in network.hops.items():
        resources = {resource for resource, _ in hop.uses}
        (own if name in ends else others).update(resources)
        for end in {*ends} - {name}:
            others |= {in_resource(end), out_resource(end)}
    return own - others


def _taken(
    instance: SteadyInstance, network: Network, allocation: Allocation, own: Collection[str]
) -> Amounts[str]:
    """Sum up the time that one instance takes of some resources."""
    taken: Amounts[str] = Amounts()
    for resource, time in _uses(instance, network, allocation):
        if resource in own and time:
            taken[resource] += time
    return taken


def _uses(
    instance: SteadyInstance, network: Network, allocation: Allocation
) -> Iterator[tuple[str, Fraction]]:
    for task, processors in allocation.tasks.items():
        for processor in processors:
            time = instance.times.get(task, {}).get(processor, Fraction(0))
            yield network.computing(processor), time
    for transfer in allocation.transfers:
        size = instance.sizes.get(transfer.file, Fraction(0)) * transfer.share
        for ends in pairwise(transfer.path):
            if ends in network.hops:
                for resource, time in network.hops[ends].uses:
                    yield resource, time * size
