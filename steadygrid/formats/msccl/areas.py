"""Parts of a network whose flows share nothing with those of other parts."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from steadygrid.formats.msccl.fair_rates import Sharing


class Area(ABC):
    """Resources that no other moves take, and what flows over them.

    Parameters
    ----------
    number
        Its place in the list of all areas.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.changed = False
        self.version = 0
        """Of what flows: it makes an end that was foreseen void."""
        self.ends = 0
        """Tick of the next end."""
        self._since = 0
        """Tick for which the units left hold."""
        self._new: list[tuple[int, int, int]] = []
        """Channel, column and units of what flows from the next `refresh` on."""

    def add(self, channel: int, column: int, units: int) -> None:
        """Let data flow from the next `refresh` on."""
        self._new.append((channel, column, units))
        self.changed = True

    @abstractmethod
    def finish(self, tick: int) -> list[int]:
        """Take out what has flowed by this tick; give its channels."""

    @abstractmethod
    def refresh(self, tick: int) -> bool:
        """Find rates and the next end; tell whether there is one."""

    @abstractmethod
    def flows(self, tick: int) -> list[tuple[int, int, int]]:
        """List channel, column and units left of all that flows at this tick."""

    def delay(self, ticks: int) -> None:
        """Let everything be so much later."""
        self._since += ticks
        self.ends += ticks


class Link(Area):
    """One resource, such as a link between two ranks: all that flows over it has one rate.

    Plain numbers are faster here than arrays.

    Parameters
    ----------
    number
        As for an area.
    capacity
        Units per tick.
    uses
        By column, how often a flow takes the resource.
    """

    def __init__(self, number: int, capacity: int, uses: Sequence[int]) -> None:
        super().__init__(number)
        self._capacity = capacity
        self._uses = uses
        self._rate = 0
        self._flowing: list[tuple[int, int, int]] = []
        """Channel, column and units left."""

    def finish(self, tick: int) -> list[int]:
        """Take out what has flowed by this tick; give its channels."""
        self._catch_up(tick)
        ended = [channel for channel, _, left in self._flowing if left <= 0]
        self._flowing = [flow for flow in self._flowing if flow[2] > 0]
        self.changed = True
        return ended

    def refresh(self, tick: int) -> bool:
        """Find the rate and the next end; tell whether there is one."""
        self._catch_up(tick)
        self._flowing += self._new
        self._new.clear()
        self.changed = False
        self.version += 1
        if not self._flowing:
            return False
        self._rate = self._capacity // sum(self._uses[column] for _, column, _ in self._flowing)
        self.ends = tick - min(left for _, _, left in self._flowing) // -self._rate
        return True

    def flows(self, tick: int) -> list[tuple[int, int, int]]:
        """List channel, column and units left of all that flows at this tick."""
        self._catch_up(tick)
        return list(self._flowing)

    def _catch_up(self, tick: int) -> None:
        if tick > self._since:
            flowed = self._rate * (tick - self._since)
            self._flowing = [
                (channel, column, left - flowed) for channel, column, left in self._flowing
            ]
        self._since = tick


class SharedArea(Area):
    """Several resources, among which rates are shared fairly.

    Parameters
    ----------
    number
        As for an area.
    sharing
        What rates are, for so many flows of each column.
    columns
        Their number.
    """

    def __init__(self, number: int, sharing: Sharing, columns: int) -> None:
        super().__init__(number)
        self._sharing = sharing
        self._columns = columns
        self._channel = np.zeros(0, np.int64)
        self._column = np.zeros(0, np.int64)
        self._left = np.zeros(0, np.int64)
        self._rate = np.zeros(0, np.int64)

    def finish(self, tick: int) -> list[int]:
        """Take out what has flowed by this tick; give its channels."""
        self._catch_up(tick)
        flowing = self._left > 0
        ended: list[int] = self._channel[~flowing].tolist()
        self._keep(flowing)
        self.changed = True
        return ended

    def refresh(self, tick: int) -> bool:
        """Find rates and the next end; tell whether there is one."""
        self._catch_up(tick)
        if self._new:
            new = np.array(self._new, np.int64)
            self._new.clear()
            self._channel = np.concatenate((self._channel, new[:, 0]))
            self._column = np.concatenate((self._column, new[:, 1]))
            self._left = np.concatenate((self._left, new[:, 2]))
        self.changed = False
        self.version += 1
        if not len(self._left):
            self._rate = self._left
            return False
        flows = np.bincount(self._column, minlength=self._columns)
        self._rate = self._sharing.rates(flows)[self._column]
        self.ends = tick + int((-(-self._left // self._rate)).min())
        return True

    def flows(self, tick: int) -> list[tuple[int, int, int]]:
        """List channel, column and units left of all that flows at this tick."""
        self._catch_up(tick)
        left = self._left
        return list(zip(self._channel.tolist(), self._column.tolist(), left.tolist(), strict=True))

    def _catch_up(self, tick: int) -> None:
        if len(self._left):
            self._left = self._left - self._rate * (tick - self._since)
        self._since = tick

    def _keep(self, flowing: np.ndarray) -> None:
        self._channel = self._channel[flowing]
        self._column = self._column[flowing]
        self._left = self._left[flowing]
        self._rate = self._rate[flowing]
