"""An instance as the solver uses it: times by position along the chain and in the sequence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from steadygrid.kinds.divisible_chain.schemas import DivisibleChainInstance
from steadygrid.kinds.divisible_chain.sizing import chain_of, startup_volume_per_link

ZERO = Fraction(0)


class Piece(NamedTuple):
    """One installment in the order in which all of them are sent."""

    load: int
    number: int
    """Counted through all rounds of the load, from 1."""


@dataclass(frozen=True)
class Chain:
    """A chain of processors and the sequence of installments that runs down it.

    Attributes
    ----------
    ids
        Processors in order. The loads start on the first.
    strict
        Whether a processor's sends and receives are serialised.
    sequence
        The installments in order.
    work
        By processor and load, the time to compute the whole load. None where it cannot.
    wire
        By link (from the processor of the same position) and load, the time to send all of it.
    available
        By processor, the date from which it computes.
    released
        By load, the date from which it is sent and computed.
    free
        By link, the date from which it can carry these loads.
    """

    ids: tuple[str, ...]
    strict: bool
    sequence: tuple[Piece, ...]
    work: tuple[tuple[Fraction | None, ...], ...]
    wire: tuple[tuple[Fraction, ...], ...]
    available: tuple[Fraction, ...]
    released: tuple[Fraction, ...]
    free: tuple[Fraction, ...]

    @property
    def length(self) -> int:
        """Number of processors."""
        return len(self.ids)

    @property
    def num_loads(self) -> int:
        """Number of loads."""
        return len(self.released)

    @cached_property
    def workers(self) -> tuple[int, ...]:
        """Processors that can compute some load."""
        return tuple(i for i, row in enumerate(self.work) if any(time is not None for time in row))

    @cached_property
    def in_one_round(self) -> bool:
        """Whether no other load comes between two installments of one."""
        loads = [piece.load for piece in self.sequence]
        return loads == sorted(loads)

    def can_compute_all(self, participants: Sequence[int]) -> bool:
        """Tell whether there is a processor for every load."""
        return all(self.able(load, participants) for load in range(self.num_loads))

    def able(self, load: int, participants: Sequence[int] | None = None) -> list[int]:
        """List the processors (of `participants`) that can compute a load, in order.

        Parameters
        ----------
        load
            Position of the load.
        participants
            By position. None for the whole chain.
        """
        places = range(self.length) if participants is None else participants
        return [i for i in places if self.work[i][load] is not None]

    def time(self, processor: int, load: int) -> Fraction:
        """Give the time of a whole load on a processor that can compute it.

        Parameters
        ----------
        processor
            By position along the chain.
        load
            Position of the load.
        """
        time = self.work[processor][load]
        if time is None:
            raise ValueError(f"{self.ids[processor]} cannot compute load {load}")
        return time

    def with_installments(self, counts: Sequence[int]) -> "Chain":
        """Give the same chain with so many installments of each load, in one round."""
        return Chain(
            self.ids,
            self.strict,
            sequence_of(counts, 1),
            self.work,
            self.wire,
            self.available,
            self.released,
            self.free,
        )


Shares = Mapping[tuple[int, int], Fraction]
"""Fraction of the whole load by (processor, position in the sequence); zeros may be missing."""


def sequence_of(counts: Sequence[int], rounds: int) -> tuple[Piece, ...]:
    """Go through the list of loads `rounds` times, each with its installments.

    Parameters
    ----------
    counts
        Installments of each load in a round.
    rounds
        How often the list of loads is gone through.
    """
    return tuple(
        Piece(load, turn * count + number)
        for turn in range(rounds)
        for load, count in enumerate(counts)
        for number in range(1, count + 1)
    )


def read_chain(instance: DivisibleChainInstance, counts: Sequence[int]) -> Chain:
    """Compute all times of an instance without faults.

    Parameters
    ----------
    counts
        Installments of each load, per round.
    """
    platform = instance.platform
    ids = chain_of(instance)
    places = [platform.index_by_id[id_] for id_ in ids]
    unit_times = [
        platform.arc_by_ends[source, target].unit_time for source, target in pairwise(places)
    ]
    work: list[tuple[Fraction | None, ...]] = []
    for id_, place in zip(ids, places, strict=True):
        own = platform.processors[place].time_per_work
        row: list[Fraction | None] = []
        for load in instance.loads:
            unit = 1 / load.speeds[id_] if id_ in load.speeds else own
            row.append(None if unit is None else unit * load.computation_volume)
        work.append(tuple(row))
    return Chain(
        ids,
        instance.ports == "strict_one_port",
        sequence_of(counts, instance.rounds),
        tuple(work),
        tuple(
            tuple(unit * load.communication_volume for load in instance.loads)
            for unit in unit_times
        ),
        tuple(instance.availability.get(id_, ZERO) for id_ in ids),
        tuple(load.release_date for load in instance.loads),
        (ZERO,) * len(unit_times),
    )


def startup_times(instance: DivisibleChainInstance) -> tuple[Fraction, ...] | None:
    """Give the time that a message costs on each link besides its data. None without start-up."""
    volumes = startup_volume_per_link(instance)
    if volumes is None:
        return None
    platform = instance.platform
    places = [platform.index_by_id[id_] for id_ in chain_of(instance)]
    return tuple(
        volume * platform.arc_by_ends[source, target].unit_time
        for volume, source, target in zip(volumes, places, places[1:], strict=False)
    )
