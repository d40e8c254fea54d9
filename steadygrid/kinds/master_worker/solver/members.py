"""What the members of pools do, from what the pools do."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform, computing_resource
from steadygrid.domain.pools import Pools
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.rates import Rates


def of_members(instance: MasterWorkerInstance, legs: Legs, pools: Pools, rates: Rates) -> Rates:
    """Give the rates of pools to as few of their members as can do so much.

    Parameters
    ----------
    instance, legs
        On the platform of the pools.
    rates
        That keep to the limits there.

    Returns
    -------
    Rates
        Of the whole platform. A member takes part in all that its pool does, in equal measure: of
        each class as many as possible have a resource in use all of the time, and one has the rest.
    """
    used = _used(instance, legs, rates)
    shares = [
        _shares(len(own_names), max((used[name] for name in own), default=Fraction(0)))
        for own_names, own in zip(pools.names, pools.own_resources, strict=True)
    ]
    dealt = {
        names[0]: list(zip(names, parts, strict=False))
        for names, parts in zip(pools.names, shares, strict=True)
    }
    whole, small = pools.platform, instance.platform

    def by_arc(flow: Mapping[int, Fraction]) -> dict[int, Fraction]:
        return {
            arc: rate * share
            for index, rate in flow.items()
            for arc, share in _arcs(whole, small, index, dealt)
        }

    ids = [processor.id for processor in small.processors]
    computed = {
        whole.index_by_id[name]: rate * share
        for i, rate in rates.computed.items()
        for name, share in dealt.get(ids[i], [(ids[i], Fraction(1))])
    }
    return Rates(computed, by_arc(rates.input_sent), by_arc(rates.output_sent))


def _used(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> Amounts[str]:
    """Give the share of each resource of the pools that is in use."""
    used: Amounts[str] = Amounts()
    sizes = instance.task.input_size, instance.task.output_size
    for sent, size in zip((rates.input_sent, rates.output_sent), sizes, strict=True):
        for leg, rate in sent.items():
            for resource, time in legs.uses(leg):
                used[resource] += rate * size * time
    for i, rate in rates.computed.items():
        needed = instance.compute_times[i]
        if needed is not None:
            name = computing_resource(instance.platform.processors[i].id, instance.ports)
            used[name] += rate * needed
    return used


def _shares(members: int, used: Fraction) -> list[Fraction]:
    """Divide what a pool does, of which the scarcest resource is in use for a share, by members."""
    if used * members <= 1:
        return [Fraction(1)]
    full = 1 / (used * members)
    count = int(used * members)
    rest = 1 - count * full
    return [full] * count + [rest] * bool(rest)


def _arcs(
    whole: Platform,
    small: Platform,
    index: int,
    dealt: Mapping[str, list[tuple[str, Fraction]]],
) -> Iterator[tuple[int, Fraction]]:
    """List the arcs that one of the pools' platform stands for, and the share of each."""
    arc = small.arcs[index]
    source, target = (small.processors[end].id for end in (arc.source, arc.target))
    where = whole.index_by_id
    if source in dealt:
        for name, share in dealt[source]:
            yield whole.arc_by_ends[where[name], where[target]].index, share
    else:
        for name, share in dealt.get(target, [(target, Fraction(1))]):
            yield whole.arc_by_ends[where[source], where[name]].index, share
