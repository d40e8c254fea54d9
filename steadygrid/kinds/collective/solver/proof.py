"""Why there is no more throughput."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.engine.exact.safe_rounding import rounded_prices
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    CollectiveInstance,
    CutsCertificate,
    Direction,
    WeightedCut,
)


@dataclass(frozen=True)
class Proof:
    """Prices of resources, and perhaps the cuts that are worth as much.

    Attributes
    ----------
    potentials
        By processor that only forwards.
    cuts
        Sets of processors with their weights; None where the cheapest trees prove it.
    potentials_in, cuts_in
        Of an allreduce: for what is combined; those above are for what is spread.
    """

    prices: Mapping[str, Fraction]
    potentials: Mapping[int, Fraction] = field(default_factory=dict)
    cuts: Mapping[frozenset[int], Fraction] | None = None
    potentials_in: Mapping[int, Fraction] = field(default_factory=dict)
    cuts_in: Mapping[frozenset[int], Fraction] = field(default_factory=dict)

    @property
    def bound(self) -> Fraction:
        """What the prices prove."""
        return sum(self.prices.values(), Fraction(0))

    @property
    def numbers(self) -> Iterator[Fraction]:
        """All numbers that a client has to read."""
        yield self.bound
        yield from self.prices.values()
        yield from self.potentials.values()
        yield from (self.cuts or {}).values()
        yield from self.potentials_in.values()
        yield from self.cuts_in.values()

    def rounded(self) -> "Proof":
        """Give prices that can be read; a referee then looks for the cheapest trees itself."""
        return Proof(rounded_prices(self.prices))

    def certificate(self, instance: CollectiveInstance) -> DualityCertificate | CutsCertificate:
        """Write it for the result."""
        prices = {name: price for name, price in sorted(self.prices.items()) if price}
        if self.cuts is None:
            return DualityCertificate(prices=prices)
        names = [processor.id for processor in instance.platform.processors]
        direction: Direction = "in" if instance.operation in COMBINING else "out"
        return CutsCertificate(
            prices=prices,
            potentials={names[w]: price for w, price in sorted(self.potentials.items())},
            potentials_in={names[w]: price for w, price in sorted(self.potentials_in.items())},
            cuts=[*_weighted(self.cuts, names, direction), *_weighted(self.cuts_in, names, "in")],
        )


def _weighted(
    cuts: Mapping[frozenset[int], Fraction], names: Sequence[str], direction: Direction
) -> list[WeightedCut]:
    return [
        WeightedCut(processors=[names[i] for i in sorted(cut)], weight=weight, direction=direction)
        for cut, weight in cuts.items()
    ]
