"""Messages of whole chunks, each on one tree: the least time, what proves it, and shallow trees."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.arborescences.chunk_times import (
    ChunkTime,
    fewest_within,
    first_time,
    least_chunk_time,
    next_time,
    whole_chunks,
)
from steadygrid.engine.arborescences.level_growth import Variant, grow_by_levels
from steadygrid.engine.arborescences.packing import Arborescence, balanced
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.chunking import (
    MOST_CHUNKS,
    USUAL_LOSS,
    chunk_unit,
    units_in_all,
)
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.solver import allreduce
from steadygrid.kinds.collective.solver.allreduce_halves import Halves, joined, layers
from steadygrid.kinds.collective.solver.answer import Chunks, Delivery, Optimum
from steadygrid.kinds.collective.solver.best_trees import (
    bounded_by_cuts,
    one_tree_each,
    proof_by_least_cut,
)
from steadygrid.kinds.collective.solver.chunk_halves import halved, least_time_across
from steadygrid.kinds.collective.solver.copies import Copies, Tree, message_of, size_of
from steadygrid.kinds.collective.solver.copying import proof_by_ends
from steadygrid.kinds.collective.solver.grouped_messages import Network
from steadygrid.kinds.collective.solver.model_of_chunks import ChunkProgram
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.tree_transfers import travelling

BY_PROGRAM = (
    "how many chunks go over which link is the solution of an integer program; what is proved is the"
    " bound of any number of chunks"
)
PROGRAM_SECONDS = 60.0
"""For which an integer program is searched."""
Arcs = Mapping[tuple[int, int], int]
VARIANTS = (Variant(), Variant(nearest_first=True))
"""Of which the shallower trees are taken."""
STEPS = 64
"""Times that are tried one by one where trees do not grow in the least; later ones are further apart."""
MOST_STEPS = 3 * STEPS
"""Times that are tried in all."""
LATE = (
    "the time limit was reached before trees of whole chunks were found: each message has one tree"
)
LONGER = (
    "no trees of whole chunks were found that need no more than the least time: what only forwards sends"
    " more or less than it takes, or, in an allreduce, both halves share links unevenly"
)


@dataclass(frozen=True)
class Cutting:
    """How an operation is cut into chunks, and what these may use.

    Attributes
    ----------
    copies
        What trees that spread may use, and what they have to reach.
    unit
        Size of a chunk where each of the smallest parts is one.
    shares
        By root, how many of these its message is.
    """

    copies: Copies
    unit: Fraction
    shares: Mapping[int, int]
    control: Control

    @cached_property
    def bandwidths(self) -> dict[tuple[int, int], Fraction]:
        """By the ends of arcs, as they are read: units of data per time unit."""
        return {self.copies.ends(arc): 1 / arc.unit_time for arc in self.copies.arcs}

    @cached_property
    def links_alone(self) -> bool:
        """Whether nothing limits but the bandwidth of each link in each direction."""
        uses = [self.copies.uses(arc) for arc in self.copies.arcs]
        shared = {use.resource for listed in uses for use in listed}
        return len(shared) == len(uses) == sum(map(len, uses))

    @property
    def forwarders(self) -> frozenset[int]:
        """Who only forwards."""
        return frozenset(range(self.copies.number)) - self.copies.members

    def chunks(self, k: int) -> dict[int, int]:
        """Count the chunks of each root."""
        return {root: k * share for root, share in self.shares.items()}

    def least_time(self, k: int) -> ChunkTime:
        """Bound the time of an operation, per unit of the size of a chunk."""
        copies = self.copies
        given = copies.number, self.bandwidths, self.chunks(k), copies.receivers
        return least_chunk_time(*given, self.control.check)

    def certain_time(self, k: int) -> Fraction:
        """Give a time, per unit of the size of a chunk, that is enough where links are symmetric."""
        return self.least_time(k).time

    def capacities(self, time: Fraction) -> Iterator[Arcs]:
        """Give what trees may be grown in."""
        yield balanced(whole_chunks(self.bandwidths, time), self.forwarders)

    def rate(self, time: Fraction, k: int) -> Fraction:
        """Give operations per time unit, for a time per unit of the size of a chunk."""
        return k / (time * self.unit)


class HalvedCutting(Cutting):
    """An allreduce: each chunk is combined and spread on the same tree."""

    def least_time(self, k: int) -> ChunkTime:
        """Bound the time of an operation, per unit of the size of a chunk."""
        number = k * len(self.shares)
        given = self.copies.number, self.bandwidths, number, self.copies.receivers
        return least_time_across(*given, self.control.check)

    def certain_time(self, k: int) -> Fraction:
        """Give a time in which chunks can be spread over halves of links, and combined over the others."""
        halves = {
            (tail, head): min(b, self.bandwidths.get((head, tail), Fraction(0))) / 2
            for (tail, head), b in self.bandwidths.items()
        }
        given = self.copies.number, halves, self.chunks(k), self.copies.receivers
        try:
            return least_chunk_time(*given, self.control.check).time
        except ValueError:  # Links lead in one direction only.
            return self.least_time(k).time

    def capacities(self, time: Fraction) -> Iterator[Arcs]:
        """Give what trees may be grown in, so that both halves fit."""
        for part in halved(whole_chunks(self.bandwidths, time)):
            yield balanced(part, self.forwarders)


def by_chunks(
    instance: CollectiveInstance, network: Network, method: str, control: Control
) -> Optimum:
    """Grow trees of whole chunks in the least time, or in one that is near.

    Parameters
    ----------
    instance
        Without faults; asks for chunks.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    method
        Name of the one that bounds any number of chunks.
    control
        Deadline, cancellation and progress of the solve.
    """
    cutting = _cutting(instance, network, control)
    proof = _unlimited(instance, network, cutting, method, control)
    k = _count(instance, cutting, proof.bound)
    if cutting.links_alone:
        time, proof = _proved(cutting, k, proof)
        control.progress(value=None, bound=proof.bound)
        trees, note = _grown(cutting, k, time)
    else:
        control.progress(value=None, bound=proof.bound)
        trees, note = _grown_by_program(cutting, k)
    if trees is None:
        return replace(one_tree_optimum(instance, network, k, proof), notes=(note,))
    value = cutting.rate(_time_of(trees, cutting), k)
    control.progress(value=value, bound=proof.bound)
    return Optimum(
        _deliveries(instance, network, cutting, trees, value, k),
        value,
        proof,
        () if value == proof.bound else (LONGER if cutting.links_alone else BY_PROGRAM,),
        chunks=Chunks(k, cutting.unit / k, proof.unlimited),
    )


def one_tree_optimum(
    instance: CollectiveInstance, network: Network, k: int, proof: Proof
) -> Optimum:
    """Send all chunks of a message on its fastest tree.

    Parameters
    ----------
    instance
        Without faults; asks for chunks.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    k
        How many chunks of the smallest part.
    proof
        Prices, and perhaps cuts, that prove a bound.
    """
    chunks = Chunks(k, chunk_unit(instance) / k, proof.unlimited)
    if instance.operation == "allreduce":
        halves = Halves.from_instance(instance, network)
        pairing = allreduce.pair_of_one_root(halves)
        routes = pairing.deliveries(halves)
        return Optimum(routes, pairing.throughput, proof, chunks=chunks)
    copies = Copies.from_instance(instance, network)
    packing = one_tree_each(copies)
    routes = [travelling(copies, tree, rate) for tree, rate in packing.rates]
    routes += _without_size(copies, packing.throughput)
    return Optimum(routes, packing.throughput, proof, chunks=chunks)


def _cutting(instance: CollectiveInstance, network: Network, control: Control) -> Cutting:
    unit = chunk_unit(instance)
    if instance.operation == "allreduce":
        halves = Halves.from_instance(instance, network)
        return HalvedCutting(halves.spreading, unit, dict.fromkeys(halves.ends, 1), control)
    copies = Copies.from_instance(instance, network)
    shares = {series.root: int(size_of(series) / unit) for series in copies.series}
    return Cutting(copies, unit, shares, control)


def _unlimited(
    instance: CollectiveInstance,
    network: Network,
    cutting: Cutting,
    method: str,
    control: Control,
) -> Proof:
    """Bound what any number of chunks can do; in half of the time, so that some is left for trees."""
    summed = instance.operation == "allreduce"
    if method == "least_cut":
        return proof_by_least_cut(cutting.copies)
    part = control.limited(control.remaining / 2)
    try:
        if summed:
            return allreduce.bound_alone(instance, network, part)
        return bounded_by_cuts(cutting.copies, part)[1]
    except OutOfTime:
        control.check()
    if summed:
        resources = {use.resource for arc in network.arcs for use in network.uses(arc)}
        halves = Halves.from_instance(instance, network)
        prices = dict.fromkeys(resources, Fraction(1))
        proofs = (layers(halves, end, prices) for end in sorted(halves.ends))
        return min((one for one in proofs if one.bound), key=lambda one: one.bound)
    return proof_by_ends(instance, network)


def _count(instance: CollectiveInstance, cutting: Cutting, unlimited: Fraction) -> int:
    """Give the number of chunks of the smallest part."""
    if instance.chunks is not None and instance.chunks != "auto":
        return instance.chunks
    loss = USUAL_LOSS if instance.chunk_loss is None else instance.chunk_loss

    def rate(k: int) -> Fraction:
        return cutting.rate(cutting.certain_time(k), k)

    return fewest_within(loss, rate, unlimited, MOST_CHUNKS // units_in_all(instance))


def _proved(cutting: Cutting, k: int, proof: Proof) -> tuple[Fraction, Proof]:
    """Bound the time of an operation, per unit of the size of a chunk, by all that is known."""
    time, cut = cutting.least_time(k)
    short = k / (proof.unlimited * cutting.unit)
    later = first_time(cutting.bandwidths, short)
    if time >= later:
        (inside,) = cutting.copies.with_dead_ends([(cut, Fraction(1))])
        return time, replace(proof, chunk_bound=cutting.rate(time, k), chunk_cut=inside)
    if later > short:
        return later, replace(proof, chunk_bound=cutting.rate(later, k))
    return short, proof


def _grown(cutting: Cutting, k: int, time: Fraction) -> tuple[list[Arborescence] | None, str]:
    """Grow trees in the first time in which that works. None when the time limit is reached."""
    control, copies, bandwidths = cutting.control, cutting.copies, cutting.bandwidths
    given = cutting.chunks(k), copies.members
    try:
        for step in range(MOST_STEPS):
            for capacities in cutting.capacities(time):
                found = [
                    trees
                    for variant in VARIANTS
                    if (
                        trees := grow_by_levels(
                            copies.number, capacities, *given, variant, control.check
                        )
                    )
                ]
                if found:
                    return min(found, key=_depths), ""
            if step >= STEPS:
                time *= Fraction(17, 16)
            time = next_time(bandwidths, time)
    except OutOfTime:
        return None, LATE
    return None, LONGER


def _grown_by_program(cutting: Cutting, k: int) -> tuple[list[Arborescence] | None, str]:
    """Grow trees where an integer program says how many chunks go over which link."""
    copies, chunks, control = cutting.copies, cutting.chunks(k), cutting.control
    program = ChunkProgram(copies, chunks, both=isinstance(cutting, HalvedCutting))
    carried = program.solve(control.limited(PROGRAM_SECONDS, silent=True))
    if carried is None:
        return None, LATE
    return grow_by_levels(copies.number, carried, chunks, copies.members, VARIANTS[0]), LATE


def _depths(trees: Sequence[Arborescence]) -> tuple[int, Fraction]:
    """Give the largest depth and the mean."""
    depths = []
    for tree in trees:
        reached = {tree.root: 0}
        for route in tree.routes:
            reached[route[-1]] = reached[route[0]] + 1
        depths.append((max(reached.values()), tree.weight))
    total = sum(weight for _, weight in depths)
    return max(depths)[0], Fraction(sum(depth * weight for depth, weight in depths), total)


def _time_of(trees: Sequence[Arborescence], cutting: Cutting) -> Fraction:
    """Give the time that trees of whole chunks take, per unit of the size of a chunk."""
    copies, halves = cutting.copies, isinstance(cutting, HalvedCutting)
    load: Counter[tuple[int, int]] = Counter()
    for tree in trees:
        for route in tree.routes:
            for tail, head in pairwise(route):
                load[tail, head] += tree.weight
                load[head, tail] += tree.weight if halves else 0
    busy: Amounts[str] = Amounts()
    for ends, amount in load.items():
        if amount:
            for resource, time in copies.uses(copies.arc_between[ends]):
                busy[resource] += amount * time
    return max(busy.values())


def _deliveries(
    instance: CollectiveInstance,
    network: Network,
    cutting: Cutting,
    trees: Sequence[Arborescence],
    value: Fraction,
    k: int,
) -> list[Delivery]:
    copies, chunks = cutting.copies, cutting.chunks(k)
    if instance.operation == "allreduce":
        halves = Halves.from_instance(instance, network)
        total = sum(chunks.values())
        pairs = [
            (Tree(halves.message, one.root, one.routes), Fraction(one.weight, total) * value)
            for one in trees
        ]
        return [joined(halves, (tree, tree), rate) for tree, rate in pairs]
    of_root = {series.root: message_of(series) for series in copies.series}
    routes = [
        travelling(
            copies,
            Tree(of_root[one.root], one.root, one.routes),
            Fraction(one.weight, chunks[one.root]) * value,
        )
        for one in trees
    ]
    return routes + _without_size(copies, value)


def _without_size(copies: Copies, rate: Fraction) -> list[Delivery]:
    """Give messages of no size, which take no time, their fastest trees."""
    return [
        travelling(copies, copies.fastest(series), rate)
        for series in copies.network.series
        if series not in copies.series
    ]
