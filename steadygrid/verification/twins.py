"""Classes of interchangeable processors, as an answer lists them: that they are ones, and what follows.

Two processors are interchangeable if exchanging them changes nothing that limits a schedule. Then rates
and prices may be taken equal on all members of a class. At equal prices an allocation that uses two
of them costs no less than the one that puts everything of the class onto one. Computing costs the same,
files between the two are free, files from and to others cost the same. So one member of each class is
enough to prove that no allocation costs less than 1.

Where a processor takes part in one transfer at a time, odd sets of processors limit transfers, too. A
member has at most one neighbour u there that is no switch, and so is in no set that matters. What is
sent within B is at most what is sent within B without u and the member, an odd set of two less, and what u
does, at most all of the time. It is the same with the first member in the place of all.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.platform import Route
from steadygrid.domain.schedule import Allocation
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Hop, Network
from steadygrid.verification.occupation import occupation
from steadygrid.verification.steady import SteadyInstance

_End = tuple[str, bool]
"""The other end of a hop, and whether the hop leads there."""


class Surroundings(NamedTuple):
    """What limits a processor and its data, with its own name left out.

    Attributes
    ----------
    times
        Of the tasks that it may run.
    hops
        From and to others: time per unit, whether half-duplex, and times on resources that hops of
        other processors use too.
    own
        Resources that only its hops use, by what each hop takes of them.
    """

    times: Mapping[str, Fraction]
    hops: Mapping[_End, tuple[Fraction, bool, frozenset[tuple[str, Fraction]]]]
    own: Mapping[Hashable, list[str]]


@dataclass(frozen=True)
class Twins:
    """Classes that were found right.

    Attributes
    ----------
    steady
        The whole instance.
    classes
        By name, the first member first.
    own
        For each class and member the resources that are its own, those that are used alike at the same
        place.
    """

    steady: SteadyInstance
    classes: Sequence[Sequence[str]] = ()
    own: Sequence[Sequence[Sequence[str]]] = ()

    @cached_property
    def first_of(self) -> dict[str, str]:
        """The first member of the class of each member but the first ones."""
        return {name: names[0] for names in self.classes for name in names[1:]}

    @cached_property
    def shares(self) -> dict[str, int]:
        """The number of members by each resource of a first one's own."""
        return {name: len(members) for members in self.own for name in members[0]}

    def occupation(self, allocation: Allocation) -> dict[str, Fraction]:
        """Sum up what an instance takes of each resource, where first members stand for all evenly."""
        return {
            name: time / self.shares.get(name, 1)
            for name, time in occupation(self.steady, allocation).items()
        }

    @cached_property
    def members(self) -> frozenset[str]:
        """All members of classes."""
        return frozenset(name for names in self.classes for name in names)

    def priced_alike(self, network: Network, prices: Mapping[str, Fraction]) -> bool:
        """Tell whether all members of each class have the same prices, and none on odd sets.

        Parameters
        ----------
        network
            With the odd sets that have prices.
        """
        return all(
            prices.get(name, 0) == prices.get(first, 0)
            for members in self.own
            for names in members[1:]
            for name, first in zip(names, members[0], strict=True)
        ) and all(
            hop == self.steady.network.hops[ends]
            for ends, hop in network.hops.items()
            if not self.members.isdisjoint(ends)
        )

    @property
    def firsts(self) -> SteadyInstance:
        """The instance with only the first member of each class, as it is."""
        return self.firsts_of(self.steady.network)

    def firsts_of(self, network: Network) -> SteadyInstance:
        """Give the same on a network with odd sets, too."""
        gone = self.first_of
        if not gone:
            return replace(self.steady, network=network)
        hops = {
            ends: hop
            for ends, hop in network.hops.items()
            if ends[0] not in gone and ends[1] not in gone
        }
        kept = replace(network, processors=network.processors - gone.keys(), hops=hops)
        times = {
            task: {name: time for name, time in by_name.items() if name not in gone}
            for task, by_name in self.steady.times.items()
        }
        return replace(self.steady, network=kept, times=times)

    def moved_to_first_members(self, allocation: Allocation) -> Allocation:
        """Put what an allocation places on members onto the first ones."""
        first = self.first_of
        tasks = {task: tuple(first.get(p, p) for p in on) for task, on in allocation.tasks.items()}
        transfers = tuple(
            t._replace(path=tuple(first.get(p, p) for p in t.path)) for t in allocation.transfers
        )
        return allocation._replace(tasks=tasks, transfers=transfers)


def check_classes(
    steady: SteadyInstance,
    classes: Sequence[Sequence[str]],
    routes: Collection[Route] | None,
    findings: Findings,
    at: Pointer,
) -> Twins:
    """Check that processors listed as interchangeable are so. What is not is taken for no class.

    Parameters
    ----------
    classes
        By name.
    routes
        Given ones where routing is fixed. None where it is free.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ==================
    1  a class has two members or more                                       `lonely_twin`
    2  a member is a processor                                               `unknown_twin`
    3  it is no switch                                                       `twin_switch`
    4  it is in no class twice                                               `repeated_twin`
    5  no link joins members of classes                                      `joined_twins`
    6  where a processor takes part in one transfer at a time, it has one    `twin_in_odd_sets`
       neighbour at most that is no switch
    7  where routing is fixed, it has one neighbour at most                  `routed_twin`
    8  where routing is fixed, it is the end of the same given routes as the `other_routes`
       first one
    9  it runs the same tasks in the same times                              `other_times`
    10 it has the same links, which take the same of shared resources        `other_links`
    == ===================================================================== ==================

    Rule 10: from and to the same processors. And the resources of its own are used alike.

    Each member is compared with the first one of its class: O(tasks + hops) for each.
    """
    before = len(findings.faults)
    _check_names(steady, classes, findings, at)
    if len(findings.faults) > before:
        return Twins(steady)
    around = _Around(steady, {name for names in classes for name in names})
    for i, names in enumerate(classes):
        _check_alike(around, names, routes, findings, (*at, i))
    if len(findings.faults) > before:
        return Twins(steady)
    return Twins(steady, classes, [[around.own_of(name) for name in names] for names in classes])


def _check_names(
    steady: SteadyInstance, classes: Sequence[Sequence[str]], findings: Findings, at: Pointer
) -> None:
    seen: set[str] = set()
    for i, names in enumerate(classes):
        if len(names) < 2:
            findings.add((*at, i), "lonely_twin", f"Class {i} has {len(names)} members, not two.")
        for j, name in enumerate(names):
            here = (*at, i, j)
            if name not in steady.network.processors:
                findings.add(here, "unknown_twin", f"Class {i} names {name!r}, no processor.")
            elif name in steady.network.switches:
                findings.add(here, "twin_switch", f"Class {i} names {name!r}, a switch.")
            if name in seen:
                findings.add(here, "repeated_twin", f"{name!r} is in classes twice.")
            seen.add(name)
    for sender, receiver in steady.network.hops:
        if sender in seen and receiver in seen:
            findings.add(
                at,
                "joined_twins",
                f"A link joins {sender!r} and {receiver!r}, both members of classes.",
            )


class _Around:
    """Surroundings of the members of classes."""

    def __init__(self, steady: SteadyInstance, members: Collection[str]) -> None:
        self._used = Counter(name for hop in steady.network.hops.values() for name, _ in hop.uses)
        self._hops: dict[str, dict[_End, Hop]] = {name: {} for name in members}
        for (sender, receiver), hop in steady.network.hops.items():
            if sender in members:
                self._hops[sender][receiver, True] = hop
            if receiver in members:
                self._hops[receiver][sender, False] = hop
        self._network = steady.network
        self._times: dict[str, dict[str, Fraction]] = {name: {} for name in members}
        for task, times in steady.times.items():
            for name in members & times.keys():
                self._times[name][task] = times[name]

    def surroundings_of(self, name: str) -> Surroundings:
        """Describe what is around a member."""
        hops = self._hops[name]
        takes: dict[str, Amounts[_End]] = {}
        for end, hop in hops.items():
            for resource, time in hop.uses:
                takes.setdefault(resource, Amounts())[end] += time
        own: dict[Hashable, list[str]] = {}
        for resource, by_end in takes.items():
            if len(by_end) == self._used[resource]:
                own.setdefault(frozenset(by_end.items()), []).append(resource)
        mine = {resource for alike in own.values() for resource in alike}
        return Surroundings(
            self._times[name],
            {
                end: (
                    hop.unit_time,
                    hop.half is not None,
                    frozenset(use for use in hop.uses if use[0] not in mine),
                )
                for end, hop in hops.items()
            },
            own,
        )

    def may_be_in_odd_sets(self, around: Surroundings) -> bool:
        """Tell whether odd sets limit transfers, and some that matter may have a member."""
        others = {end for end, _ in around.hops} - self._network.switches
        return self._network.one_transfer_each and len(others) > 1

    def own_of(self, name: str) -> list[str]:
        """List a member's own resources, those that are used alike at the same place in a class."""
        own = self.surroundings_of(name).own
        by_use = sorted(own.items(), key=lambda one: sorted(one[0]))  # type: ignore[call-overload]
        return [
            self._network.computing(name),
            *(resource for _, alike in by_use for resource in alike),
        ]


def _check_alike(
    around: _Around,
    names: Sequence[str],
    routes: Iterable[Route] | None,
    findings: Findings,
    at: Pointer,
) -> None:
    first = around.surroundings_of(names[0])
    if around.may_be_in_odd_sets(first):
        findings.add(
            at,
            "twin_in_odd_sets",
            f"{names[0]!r} has several neighbours that are no switches: odd sets of processors may"
            " tell it from others.",
        )
    ends = None if routes is None else _ends_of(routes, names)
    for j, name in enumerate(names):
        other = around.surroundings_of(name)
        if ends is not None and len({end for end, _ in other.hops}) > 1:
            findings.add(
                (*at, j),
                "routed_twin",
                f"{name!r} has several neighbours: fixed routes may pass through it, and ties among"
                " them depend on names.",
            )
        if ends is not None and ends[name] != ends[names[0]]:
            findings.add(
                (*at, j),
                "other_routes",
                f"{name!r} is the end of other given routes than {names[0]!r}.",
            )
        if other.times != first.times:
            findings.add(
                (*at, j), "other_times", f"{name!r} runs tasks otherwise than {names[0]!r}."
            )
        if other.hops != first.hops or _counted(other) != _counted(first):
            findings.add((*at, j), "other_links", f"{name!r} has other links than {names[0]!r}.")


def _counted(around: Surroundings) -> dict[Hashable, int]:
    return {use: len(resources) for use, resources in around.own.items()}


def _ends_of(routes: Iterable[Route], names: Sequence[str]) -> dict[str, set[Hashable]]:
    """List the given routes between members and others; with one neighbour, two members have no choice."""
    ends: dict[str, set[Hashable]] = {name: set() for name in names}
    for route in routes:
        if route.source in ends and route.target not in ends:
            ends[route.source].add((route.target, True, route.missing, route.via))
        if route.target in ends and route.source not in ends:
            ends[route.target].add((route.source, False, route.missing, route.via))
    return ends
