"""What is free of each resource over time, and the earliest date at which an operation fits."""

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Stage(NamedTuple):
    """A stretch of time in which an operation holds shares of some resources.

    Attributes
    ----------
    duration
        Steps of the lattice of dates.
    uses
        The position of each resource, and the parts of its capacity that are held.
    """

    duration: int
    uses: tuple[tuple[int, int], ...]


class Profile:
    """The free capacity of one resource, a step function of the date.

    Dates and capacities are integers of any size. The dates of the steps are a sorted list, so
    that a date is found in logarithmic time; equal neighbours are merged, so that a resource
    without holes has two steps however much it has done.
    """

    __slots__ = ("dates", "free")

    def __init__(self, capacity: int) -> None:
        self.dates = [0]
        self.free = [capacity]

    def earliest(self, date: int, duration: int, share: int) -> int:
        """Give the first date, from `date` on, from which a share is free for so long.

        Parameters
        ----------
        date
            Step of the lattice, at least 0.
        duration
            Steps of the lattice of dates.
        share
            Parts of the capacity.
        """
        dates, free = self.dates, self.free
        step = bisect_right(dates, date) - 1
        last = len(dates) - 1
        while True:
            if free[step] < share:
                step += 1
                date = dates[step]
            elif step == last or dates[step + 1] >= date + duration:
                return date
            else:
                step += 1

    def reserve(self, start: int, end: int, share: int) -> None:
        """Take a share for a while, or give it back where it is negative.

        Parameters
        ----------
        start, end
            Steps of the lattice of dates.
        share
            Parts of the capacity; negative to give them back.
        """
        first, last = self._step_at(start), self._step_at(end)
        free = self.free
        for step in range(first, last):
            free[step] -= share
        # From the right, so that the positions to the left stay what they are.
        for step in (last, first):
            if step and free[step] == free[step - 1]:
                del free[step], self.dates[step]

    def _step_at(self, date: int) -> int:
        step = bisect_right(self.dates, date) - 1
        if self.dates[step] == date:
            return step
        self.dates.insert(step + 1, date)
        self.free.insert(step + 1, self.free[step])
        return step + 1


class Timetable:
    """The reservations on all resources.

    An operation is a sequence of stages, each of which begins at the earliest date, after the
    one before, at which all its shares are free for its whole duration. What was reserved
    earlier never moves.

    Parameters
    ----------
    capacities
        Parts that each resource divides into.

    Notes
    -----
    Operations that could begin at date 0 come until the very end, and a search for holes from
    there on would walk over the whole past each time. But what is free only ever shrinks:
    where no start was found for a stage between two dates, there will never be one. `place`
    remembers this by the name of the stage, unless reservations on trial are pending, and goes
    straight to the later date. A search passes each hole once for each name.
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        self.profiles = [Profile(capacity) for capacity in capacities]
        self._capacities = tuple(capacities)
        self._looked: dict[int, tuple[int, int]] | None = None
        self._futile: dict[Hashable, tuple[int, int]] = {}
        self._trail: list[tuple[Profile, int, int, int]] | None = None

    def place(self, name: Hashable, stage: Stage, ready: int) -> int:
        """Reserve a stage as early as it fits.

        Parameters
        ----------
        name
            The same for stages that are equal, and for no others.
        ready
            The earliest date to consider.

        Returns
        -------
        The date of its start.
        """
        start = self.earliest(name, stage, ready)
        duration, uses = stage
        if not duration:
            return start
        end = start + duration
        if self._looked is not None:
            for resource, share in uses:
                first, amount = self._looked.get(resource, (start, 0))
                self._looked[resource] = (min(first, start), amount + share * duration)
        else:
            for resource, share in uses:
                profile = self.profiles[resource]
                profile.reserve(start, end, share)
                if self._trail is not None:
                    self._trail.append((profile, start, end, share))
        return start

    def earliest(self, name: Hashable, stage: Stage, ready: int) -> int:
        """Give the date at which `place` would start a stage; one without duration never waits.

        Parameters
        ----------
        name
            Tells the stage from all others, for `place` and here.
        stage
            How long it takes, and of which resources.
        ready
            The first date at which it may start, in steps of the lattice.
        """
        duration, uses = stage
        if not duration:
            return ready
        since, until = self._futile.get(name, (0, 0))
        date = until if since <= ready < until else ready
        profiles = self.profiles
        agreed = 0
        while agreed < len(uses):
            for resource, share in uses:
                later = profiles[resource].earliest(date, duration, share)
                if later > date:
                    date, agreed = later, 1
                else:
                    agreed += 1
                if agreed >= len(uses):
                    break
        if not self._trail and date > ready:
            # Two stretches without a start join where they meet.
            self._futile[name] = (min(since, ready) if until >= ready else ready, date)
        return date

    def begin_look(self) -> None:
        """Let `place` reserve nothing until `end_look`, and say where each stage alone starts."""
        self._looked = {}

    def end_look(self) -> int:
        """Give a date before which all that was placed since `begin_look` cannot have ended.

        On each resource all of it is after the first of its starts, and takes at least what it
        would take side by side without any loss. Like those starts, the date only
        grows with what is reserved.
        """
        looked, self._looked = self._looked or {}, None
        return max(
            (
                first - -amount // self._capacities[resource]
                for resource, (first, amount) in looked.items()
            ),
            default=0,
        )

    def begin_trial(self) -> None:
        """Let what follows be undone by `end_trial`."""
        self._trail = []

    def end_trial(self) -> None:
        """Give back all that was reserved since `begin_trial`."""
        for profile, start, end, share in reversed(self._trail or ()):
            profile.reserve(start, end, -share)
        self._trail = None
