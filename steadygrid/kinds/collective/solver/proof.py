"""Why there is no more throughput."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.engine.exact.safe_rounding import rounded_prices
from steadygrid.kinds.collective.certificates import (
    ChunkCut,
    CutsCertificate,
    Direction,
    WeightedCut,
    WholeChunksCertificate,
)
from steadygrid.kinds.collective.schemas import COMBINING, CollectiveInstance


@dataclass(frozen=True)
class Proof:
    """Prices of resources, and perhaps the cuts that are worth as much.

    Attributes
    ----------
    potentials
        By processor that only forwards.
    cuts
        Sets of processors with their weights. None where the cheapest trees prove it.
    potentials_in, cuts_in
        Of an allreduce: for what is combined. Those above are for what is spread.
    chunk_bound, chunk_cut
        What whole chunks cannot exceed, or None where prices and cuts prove the bound. Then a set that
        too few of them leave in less time, or None where no link carries whole chunks meanwhile.
    """

    prices: Mapping[str, Fraction]
    potentials: Mapping[int, Fraction] = field(default_factory=dict)
    cuts: Mapping[frozenset[int], Fraction] | None = None
    potentials_in: Mapping[int, Fraction] = field(default_factory=dict)
    cuts_in: Mapping[frozenset[int], Fraction] = field(default_factory=dict)
    chunk_bound: Fraction | None = None
    chunk_cut: frozenset[int] | None = None

    @property
    def bound(self) -> Fraction:
        """What is proved."""
        return self.unlimited if self.chunk_bound is None else self.chunk_bound

    @property
    def unlimited(self) -> Fraction:
        """What the prices prove."""
        return sum(self.prices.values(), Fraction(0))

    @property
    def numbers(self) -> Iterator[Fraction]:
        """All numbers that a client has to read."""
        yield self.bound
        yield self.unlimited
        yield from self.prices.values()
        yield from self.potentials.values()
        yield from (self.cuts or {}).values()
        yield from self.potentials_in.values()
        yield from self.cuts_in.values()

    def rounded(self) -> "Proof":
        """Give prices that can be read. A referee then looks for the cheapest trees itself."""
        return Proof(rounded_prices(self.prices))

    def certificate(
        self, instance: CollectiveInstance
    ) -> DualityCertificate | CutsCertificate | WholeChunksCertificate:
        """Write it for the result."""
        prices = {name: price for name, price in sorted(self.prices.items()) if price}
        if self.cuts is None:
            return DualityCertificate(prices=prices)
        names = [processor.id for processor in instance.platform.processors]
        direction: Direction = "in" if instance.operation in COMBINING else "out"
        potentials = {names[w]: price for w, price in sorted(self.potentials.items())}
        potentials_in = {names[w]: price for w, price in sorted(self.potentials_in.items())}
        cuts = [*_weighted(self.cuts, names, direction), *_weighted(self.cuts_in, names, "in")]
        if self.chunk_bound is None:
            return CutsCertificate(
                prices=prices, potentials=potentials, potentials_in=potentials_in, cuts=cuts
            )
        chunk_cut = None
        if self.chunk_cut is not None:
            inside = [names[i] for i in sorted(self.chunk_cut)]
            chunk_cut = ChunkCut(processors=inside, direction=direction)
        return WholeChunksCertificate(
            prices=prices,
            potentials=potentials,
            potentials_in=potentials_in,
            cuts=cuts,
            chunk_cut=chunk_cut,
        )


def _weighted(
    cuts: Mapping[frozenset[int], Fraction], names: Sequence[str], direction: Direction
) -> list[WeightedCut]:
    return [
        WeightedCut(processors=[names[i] for i in sorted(cut)], weight=weight, direction=direction)
        for cut, weight in cuts.items()
    ]
