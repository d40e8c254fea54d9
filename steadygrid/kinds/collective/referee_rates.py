"""Max-min fair shares of resources, in whole numbers."""

from collections.abc import Mapping, Sequence


def share_fairly(
    flows: Sequence[Mapping[str, int]], capacities: Mapping[str, int]
) -> tuple[int, ...]:
    """Give the rate of each flow.

    The resource that offers least to each use of it decides the rates of all flows that use it; then
    what is left is shared among the others.

    Parameters
    ----------
    flows
        How often each uses a resource. Each uses one at least.
    capacities
        Of the resources, for each tick.
    """
    users: dict[str, set[int]] = {}
    uses: dict[str, int] = {}
    for flow, used in enumerate(flows):
        for resource, times in used.items():
            users.setdefault(resource, set()).add(flow)
            uses[resource] = uses.get(resource, 0) + times
    left = {resource: capacities[resource] for resource in uses}
    rates = [0] * len(flows)
    while uses:
        shares = {resource: left[resource] // times for resource, times in uses.items()}
        rate = min(shares.values())
        tight = [resource for resource, share in shares.items() if share == rate]
        for flow in set[int]().union(*(users[resource] for resource in tight)):
            rates[flow] = rate
            for resource, times in flows[flow].items():
                left[resource] -= rate * times
                uses[resource] -= times
                users[resource].remove(flow)
                if not uses[resource]:
                    del uses[resource]
    return tuple(rates)
