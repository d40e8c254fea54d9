"""What a schedule could do: whether the exact one surely fits, and what rounding down would lose.

The solver may round a schedule only where it must: because the exact period is longer than
asked, has too many digits, or its slots list too many transfers. How many transfers a decomposition
into matchings lists depends on the decomposition, so the referee compares bounds that hold for the
one that the solver uses. Where not even they are within the limits, a rounded schedule is accepted.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import gcd, lcm

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.schedule import Schedule, ScheduleLimits
from steadygrid.domain.slots import FileName
from steadygrid.verification.start_ups import Steady
from steadygrid.verification.steady import Views

PRINTABLE_DIGITS = 4_000
"""Times of an exact schedule that are longer need not be printed."""

Hop = tuple[int, FileName, str, str]
"""Position of the allocation, file, sender and receiver."""


@dataclass(frozen=True)
class Demand:
    """What the allocations of a schedule ask for, for every period.

    Attributes
    ----------
    whole
        Whether every slot must move whole files.
    steady
        The period of the schedule that others are compared with.
    """

    views: Views
    schedule: Schedule
    whole: bool
    steady: Steady

    @cached_property
    def rates(self) -> list[Fraction]:
        """Instances per time unit, by allocation."""
        return [allocation.rate for allocation in self.schedule.allocations]

    @cached_property
    def _sizes(self) -> list[Mapping[FileName, Fraction]]:
        return [self.views.of(allocation).sizes for allocation in self.schedule.allocations]

    @cached_property
    def _streams(self) -> list[list[int]]:
        """Positions of the allocations of each."""
        return [*self.views.by_stream(self.schedule.allocations).values()]

    @cached_property
    def _parts(self) -> list[Fraction]:
        """How many of each stream an instance is."""
        return [*self.views.streams.values()]

    @cached_property
    def shares(self) -> Mapping[Hop, Fraction]:
        """Files per instance on each hop that takes time."""
        found: Amounts[Hop] = Amounts()
        for position, allocation in enumerate(self.schedule.allocations):
            sizes = self._sizes[position]
            for transfer in allocation.transfers:
                if not sizes.get(transfer.file, 0) or not transfer.share:
                    continue
                for sender, receiver in pairwise(transfer.path):
                    if (sender, receiver) in self.views.network.hops:
                        hop = position, transfer.file, sender, receiver
                        found[hop] += transfer.share
        return found

    @cached_property
    def period(self) -> Fraction:
        """The shortest time in which every allocation runs a whole number of instances."""
        positive = [rate for rate in self.rates if rate > 0]
        numerators = (rate.numerator for rate in positive)
        return Fraction(lcm(*(rate.denominator for rate in positive)), gcd(*numerators) or 1)

    def throughput_rounded_down(self, period: Fraction) -> Fraction:
        """Give the throughput when the rates are rounded down to what a period of this length holds.

        Where files must stay whole, to as many instances as split no file; of several streams, the
        one that gets the least of its part counts.
        """
        steps = [1] * len(self.rates)
        for hop, share in self.shares.items() if self.whole else ():
            steps[hop[0]] = lcm(steps[hop[0]], share.denominator)
        counts = [
            int(rate * period / step) * step for rate, step in zip(self.rates, steps, strict=True)
        ]
        each = zip(self._streams, self._parts, strict=True)
        return min(sum(counts[i] for i in stream) / part for stream, part in each) / period

    def can_run(self, limits: ScheduleLimits) -> bool:
        """Tell whether the transfers of some allocation with a rate can be listed at all.

        Where there are several streams, of one of each together.
        """
        lengths = [0] * len(self.rates)
        for hop in self.shares:
            lengths[hop[0]] += 1
        able = [[lengths[i] for i in stream if self.rates[i] > 0] for stream in self._streams]
        return all(able) and sum(map(min, able)) <= limits.max_slot_transfers

    def surely_fits(
        self, limits: ScheduleLimits, longest: Fraction | None, most: int | None = None
    ) -> bool:
        """Tell whether the exact schedule is within the limits however its slots are found.

        Parameters
        ----------
        longest
            The period that was asked for at most, if any.
        most
            How many instances, and files that are moved, it may hold. Any number if None.

        Notes
        -----
        ``multiport``: one slot lists every hop once, and whole files take the least multiple of
        the period that makes their counts whole. ``one_port``: the matchings number no more than
        hops plus busy ports plus one, each lists no more hops than there are busy senders or
        receivers. Every duration is a multiple of one unit, so whole files take no more
        than the least common multiple of the hops' times in this unit. Half-duplex links that
        carry both directions are not decided, nor is how short slots may become where a processor
        takes part in one transfer at a time.
        """
        if self.views.network.one_transfer_each:
            return False
        most_digits = limits.max_period_digits
        if len(self.shares) > limits.max_slot_transfers or num_digits(self.period) >= most_digits:
            return False
        if self.views.network.ports == "multiport":
            parts = [self.rates[hop[0]] * self.period * s for hop, s in self.shares.items()]
            return self._is_short([part.denominator for part in parts], most_digits, longest, most)
        return (
            not self._uses_both_directions
            and self._most_transfers <= limits.max_slot_transfers
            and num_digits(self._unit_per_period) + self._digits_paid <= PRINTABLE_DIGITS
            and self._is_short(self._parts_per_file, most_digits, longest, most)
        )

    def _is_short(
        self,
        factors: list[int],
        most_digits: int,
        longest: Fraction | None,
        most: int | None,
    ) -> bool:
        """Tell whether the period times a common multiple of the factors is short enough."""
        factor = 1
        for one in factors if self.whole else ():
            factor = lcm(factor, one)
            if num_digits(factor * self.period) >= most_digits:
                return False
        length = factor * self.period
        if most is not None and length * self._per_time_unit > most:
            return False
        return longest is None or length <= longest

    @property
    def _per_time_unit(self) -> Fraction:
        """Instances, or files on all hops together, whichever are more."""
        files = sum((self.rates[hop[0]] * share for hop, share in self.shares.items()), Fraction(0))
        return max(sum(self.rates, Fraction(0)), files)

    @property
    def _uses_both_directions(self) -> bool:
        hops = self.views.network.hops
        used = {hop[2:] for hop in self.shares}
        return any(hops[a, b].half is not None and (b, a) in used for a, b in used)

    @property
    def _most_transfers(self) -> int:
        """Most that the slots list: what is at a switch holds the link in place of a port.

        Where a port has several cards, fewer of its links than it has cards are cut among them. And a
        link that is cut at both ends is a sender and a receiver of its own, whose hops cut slots.
        """
        cards = self.views.network.cards
        sending, receiving = self._links_of_ports(".send"), self._links_of_ports(".receive")
        listed = [
            sum(min(cards.get(str(port), 1), links) for port, links in ports.items())
            for ports in (sending, receiving)
        ]
        matchings = len(self.shares) + len(sending) + len(receiving) + 1
        if pooled := sum(min(n, (sending | receiving).get(port, 0)) for port, n in cards.items()):
            matchings += len(self.shares) + 5 * pooled
        return matchings * min(listed)

    def _links_of_ports(self, what: str) -> Counter[Hashable]:
        """Count the links in use of each port. Those of a switch count as one each."""
        hops = self.views.network.hops
        return Counter(
            next((name for name, _ in hops[ends].uses if name.endswith(what)), ends)
            for ends in {hop[2:] for hop in self.shares}
        )

    @cached_property
    def _file_times(self) -> dict[Hop, Fraction]:
        sizes, hops = self._sizes, self.views.network.hops
        return {hop: sizes[hop[0]][hop[1]] * hops[hop[2:]].unit_time for hop in self.shares}

    @cached_property
    def _unit(self) -> int:
        """Of which all durations are multiples, as the inverse of a time."""
        return lcm(
            self.period.denominator,
            *(
                self._file_times[hop].denominator * share.denominator
                for hop, share in self.shares.items()
            ),
        )

    @property
    def _unit_per_period(self) -> Fraction:
        return self._unit * self.period

    @property
    def _digits_paid(self) -> int:
        """By how many digits paid latencies make times longer."""
        if not self.steady.pays:
            return 0
        network = self.views.network
        paid = [*(hop.latency for hop in network.hops.values()), *self.steady.latencies.values()]
        unit = lcm(*(latency.denominator for latency in paid))
        return num_digits(Fraction(unit)) + num_digits(Fraction(self.steady.periods))

    @property
    def _parts_per_file(self) -> list[int]:
        return [
            lcm(int(self._file_times[hop] * self._unit), share.denominator)
            for hop, share in self.shares.items()
        ]
