r"""Odd sets of processors, where each takes part in one transfer at a time.

Of three processors no more than two are busy with each other at a time, and of an odd number B no
more than ``|B| - 1``. So the times of the transfers among them sum to at most ``(|B| - 1) / 2`` of all
time. That makes each such set a resource, from any source. Shares that keep within these limits
and those of the ports are what slots can carry (Edmonds). A minimum odd cut decides whether they do
(Padberg and Rao). Let what is left of each processor's time be an edge to one more vertex. Then the
edges that leave B weigh ``|B| - 2 * (what is inside)``, less than 1 exactly if B is too full.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Schedule
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network

Capacities = dict[str, dict[str, int]]
"""What each edge of a graph weighs, from both of its ends."""

_LEFT = ""
"""The further vertex. No processor is called so."""


def with_odd_sets(network: Network, names: Iterable[str]) -> Network:
    """Let links use the odd sets among some names of resources. Other names change nothing.

    A set is named ``A--B--C.odd``: an odd number, at least 3, of different processors that are no
    switches, sorted. What is sent among its members uses it, ``2 / (|B| - 1)`` of the time.

    Parameters
    ----------
    network
        Hops and resources of the platform.
    names
        Of resources. Those of odd sets end in ``.odd``.
    """
    sets = {name: members for name in names if (members := _members(network, name))}
    if not sets:
        return network
    hops = {
        ends: hop._replace(
            uses=(
                *hop.uses,
                *(
                    (name, hop.unit_time * Fraction(2, len(members) - 1))
                    for name, members in sets.items()
                    if members.issuperset(ends)
                ),
            )
        )
        for ends, hop in network.hops.items()
    }
    return replace(network, hops=hops, resources=network.resources.union(sets))


def _members(network: Network, name: str) -> frozenset[str] | None:
    stem, _, kind = name.rpartition(".")
    listed = stem.split("--")
    members = frozenset(listed)
    sound = (
        network.one_transfer_each
        and kind == "odd"
        and len(listed) >= 3
        and len(listed) % 2
        and listed == sorted(members)
        and members <= network.processors - network.switches
    )
    return members if sound else None


def carries_exact_rates(schedule: Schedule | None) -> bool:
    """Tell whether slots are listed that carry the rates exactly as they are."""
    return schedule is not None and schedule.rounding_loss is None


def check_shares(
    network: Network, busy: Mapping[tuple[str, str], Fraction], findings: Findings, at: Pointer
) -> None:
    """Check that no odd set of processors is too full for any schedule.

    Parameters
    ----------
    busy
        Share of the time for which each hop is in use. The ports have room for that, or it is a
        fault already.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ==================
    1  transfers among an odd set of processors fit into its share of the time `odd_set_overload`
    == ======================================================================= ==================
    """
    shares: Amounts[tuple[str, str]] = Amounts()
    for ends, share in busy.items():
        if share and network.switches.isdisjoint(ends):
            shares[min(ends), max(ends)] += share
    members = fullest_set(shares)
    if members is not None:
        inside = sum((s for ends, s in shares.items() if members.issuperset(ends)), Fraction(0))
        findings.add(
            at,
            "odd_set_overload",
            f"Among the {len(members)} processors {sorted(members)}, of which no more than"
            f" {len(members) // 2} pairs are busy at a time, transfers take {show(inside)} of it.",
        )


def least_period(times: Mapping[tuple[str, str], Fraction], longest: Fraction) -> Fraction:
    """Give the least period in which transfers have room.

    Parameters
    ----------
    times
        By pair of processors, each pair once.
    longest
        For which some resource is busy. No port is for longer.
    """
    return longest_set(times, longest)[0]


def longest_set(
    times: Mapping[tuple[str, str], Fraction], longest: Fraction
) -> tuple[Fraction, frozenset[str] | None]:
    """Give the least period in which transfers have room, as `least_period`, and an odd set that
    needs all of it. None where what is busy for `longest` does.

    Parameters
    ----------
    times
        By sender and receiver, how long they are busy in one period.
    longest
        No processor is busy for longer.
    """
    period, needs_all = longest, None
    while period and (
        members := fullest_set({ends: time / period for ends, time in times.items()})
    ):
        inside = (time for ends, time in times.items() if members.issuperset(ends))
        period, needs_all = sum(inside, Fraction(0)) / (len(members) // 2), members
    return period, needs_all


def fullest_set(shares: Mapping[tuple[str, str], Fraction]) -> frozenset[str] | None:
    """Find the odd set that exceeds its limit most. None if all keep to it, or a port does not.

    Parameters
    ----------
    shares
        By pair of processors, each pair once.

    Notes
    -----
    In integers. A cut tree by Gusfield's method, as many maximum flows as there are processors; one
    of its cuts is a minimum odd cut.
    """
    unit = lcm(*(share.denominator for share in shares.values()))
    graph: Capacities = {_LEFT: {}}
    for (one, other), share in shares.items():
        graph.setdefault(one, {})[other] = int(share * unit)
        graph.setdefault(other, {})[one] = int(share * unit)
    for name in list(graph)[1:]:
        left = unit - sum(graph[name].values())
        if left < 0:
            return None
        graph[name][_LEFT] = graph[_LEFT][name] = left
    least, fullest = unit, None
    for weight, side in _cuts(graph):
        members = side if _LEFT not in side else frozenset(graph) - side
        if len(members) % 2 and weight < least:
            least, fullest = weight, members
    return fullest


def _cuts(graph: Capacities) -> list[tuple[int, frozenset[str]]]:
    """Give the cuts of a cut tree, each with its weight and one of its sides."""
    root, *others = graph
    above = dict.fromkeys(others, root)
    weights: dict[str, int] = {}
    for name in others:
        target = above[name]
        weights[name], side = _least_cut(graph, name, target)
        for other in side - {name, root}:
            if above[other] == target:
                above[other] = name
        if target != root and above[target] in side:
            above[name], above[target] = above[target], name
            weights[name], weights[target] = weights[target], weights[name]
    below: dict[str, set[str]] = {name: {name} for name in others}
    for name in others:
        higher = above[name]
        while higher != root:
            below[higher].add(name)
            higher = above[higher]
    return [(weights[name], frozenset(below[name])) for name in others]


def _least_cut(graph: Capacities, source: str, target: str) -> tuple[int, set[str]]:
    """Give a minimum cut between two vertices: its weight, and the side of the first."""
    room = {name: dict(edges) for name, edges in graph.items()}
    flow = 0
    while True:
        before = {source: source}
        queue = deque([source])
        while queue and target not in before:
            here = queue.popleft()
            for there, left in room[here].items():
                if left and there not in before:
                    before[there] = here
                    queue.append(there)
        if target not in before:
            return flow, set(before)
        route = [target]
        while route[-1] != source:
            route.append(before[route[-1]])
        steps = [*zip(route[1:], route[:-1], strict=True)]
        most = min(room[a][b] for a, b in steps)
        flow += most
        for a, b in steps:
            room[a][b] -= most
            room[b][a] += most
