"""Room for labelling tables: half of the memory that is still allowed, half of the time left."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic

from steadygrid.engine.allocations.elimination import Elimination
from steadygrid.engine.allocations.labelling import Factor, Labelling, Table
from steadygrid.engine.solving.control import Control
from steadygrid.processes.lifeline import memory_left

SHARE = 0.5
"""Of the memory, and of the time, that is left: what tables may take."""
FIRST_SECONDS = 0.5
"""After them it is asked whether tables will be full in time."""
MOST_ENTRIES = 200_000_000
"""Sums of the largest table of the labels that may be part of a cheap allocation: the referee
works it out as well."""
FLOAT_BYTES = 8
"""What an entry of a table of floats takes."""
_GIGABYTE = 1e9
_UNTHINKABLE = 10**24


class Exhausted(Exception):
    """Labelling tables take more memory or time than there is. The argument says which."""


class Pace:
    """How far tables are, and whether they will be full in time.

    Parameters
    ----------
    control
        Deadline and cancellation.
    work
        Entries that are added up until all tables are full.
    """

    def __init__(self, control: Control, work: int) -> None:
        self._control = control
        self._work = work
        self._done = 0
        self._began = monotonic()

    def __call__(self, entries: int) -> None:
        """Take note of entries that were added up.

        Raises
        ------
        Cancelled, OutOfTime
            See `Control.check`.
        Exhausted
            If the rest would take too much of the time left, at the rate so far.
        """
        self._control.check()
        self._done += entries
        elapsed = monotonic() - self._began
        if elapsed < FIRST_SECONDS or not self._done:
            return
        rest = elapsed * (self._work - self._done) / self._done
        left = self._control.remaining
        if rest > SHARE * left:
            raise Exhausted(
                f"labelling tables would take {rest:,.0f} s more, more than half of the"
                f" {left:,.0f} s that are left"
            )


class Room:
    """What tables may take of the memory and of the time that is left.

    Parameters
    ----------
    control
        Deadline and cancellation.
    """

    def __init__(self, control: Control) -> None:
        self._control = control

    @property
    def check(self) -> Callable[[], None]:
        """Called between steps; may raise."""
        return self._control.check

    def entries(self, entry_bytes: int) -> int:
        """Give how many entries there is memory for.

        Parameters
        ----------
        entry_bytes
            What one takes.
        """
        return int(SHARE * memory_left()) // entry_bytes

    def labelling(
        self,
        elimination: Elimination,
        single: Sequence[Table],
        pairs: Mapping[Factor, Table],
        entry_bytes: int = FLOAT_BYTES,
        *,
        marginal: bool = False,
    ) -> Labelling:
        """Fill the tables of a labelling.

        Parameters
        ----------
        elimination, single, pairs, marginal
            See `Labelling`.
        entry_bytes
            What one entry takes.

        Raises
        ------
        Exhausted
            If they take too much.
        Cancelled, OutOfTime
            See `Control.check`.
        """
        sizes = [len(costs) for costs in single]
        needed = min(elimination.most_bytes(sizes, entry_bytes, kept=marginal), _UNTHINKABLE)
        left = memory_left()
        if needed > SHARE * left:
            raise Exhausted(
                f"labelling tables would take {needed / _GIGABYTE:,.1f} GB, more than half of the"
                f" {left / _GIGABYTE:,.1f} GB that this process may still take"
            )
        # With the marginals, which look at each clique once for each of its children, and once more.
        passes = 3 if marginal else 1
        pace = Pace(self._control, passes * elimination.work(sizes))
        try:
            return Labelling(elimination, single, pairs, pace, marginal=marginal)
        except MemoryError:
            pass  # Its frames hold the tables; they go before anything else is tried.
        raise Exhausted("labelling tables found no memory")
