"""What a mapping keeps to besides the resources: memory of processors, and intervals of a chain."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

Placed = Sequence[int | None]
"""The position of the processor of each task. None for tasks that are not placed."""


class Limits:
    """Memory that tasks need and processors have, and a chain whose intervals processors run.

    Parameters
    ----------
    needs
        Memory of each task.
    room
        Of each processor. None for no limit.
    labels
        For each task, the processors that can run it.
    order
        Of the tasks in the chain, if each processor is to run an interval of it.
    """

    def __init__(
        self,
        needs: Sequence[Fraction],
        room: Sequence[Fraction | None],
        labels: Sequence[Sequence[int]],
        order: Sequence[int] | None = None,
    ) -> None:
        self.needs = tuple(needs)
        self.room = tuple(room)
        self.order = None if order is None else tuple(order)
        self._able = [frozenset(row) for row in labels] if order is not None else []

    def held(self, mapping: Placed) -> list[Fraction]:
        """Give the memory that the placed tasks need on each processor."""
        held = [Fraction(0)] * len(self.room)
        for need, place in zip(self.needs, mapping, strict=True):
            if place is not None:
                held[place] += need
        return held

    def fit(self, places: Sequence[Sequence[int]]) -> bool:
        """Tell whether tasks with copies, all of them placed, keep to the limits."""
        held = [Fraction(0)] * len(self.room)
        for need, row in zip(self.needs, places, strict=True):
            for place in row:
                held[place] += need
        if any(
            room is not None and sum_ > room for sum_, room in zip(held, self.room, strict=True)
        ):
            return False
        return self.order is None or self._in_intervals([row[0] for row in places], held)

    def allow(self, mapping: Placed, held: Sequence[Fraction], moves: Mapping[int, int]) -> bool:
        """Tell whether the limits are kept after a move, as far as the tasks are placed.

        Tasks of the chain that are not placed, between two of one processor, have to follow them
        there: it must be able to run them all, and have the memory.

        Parameters
        ----------
        mapping, held
            Before the move: the processors, and what is held there.
        moves
            The new processor of each task that is moved or placed.
        """
        changes: dict[int, Fraction] = {}
        for task, target in moves.items():
            source = mapping[task]
            if source == target:
                continue
            changes[target] = changes.get(target, Fraction(0)) + self.needs[task]
            if source is not None:
                changes[source] = changes.get(source, Fraction(0)) - self.needs[task]
        for place, change in changes.items():
            room = self.room[place]
            if room is not None and change > 0 and held[place] + change > room:
                return False
        if self.order is None:
            return True
        after = [*mapping]
        holding = [*held]
        for task, target in moves.items():
            after[task] = target
        for place, change in changes.items():
            holding[place] += change
        return self._in_intervals(after, holding)

    def _in_intervals(self, mapping: Placed, held: Sequence[Fraction]) -> bool:
        assert self.order is not None
        last = {place: k for k in self.order if (place := mapping[k]) is not None}
        more: dict[int, Fraction] = {}
        inside: int | None = None
        ended: set[int] = set()
        for k in self.order:
            place = mapping[k]
            if inside is not None and place is None:
                if inside not in self._able[k]:
                    return False
                more[inside] = more.get(inside, Fraction(0)) + self.needs[k]
            elif place is not None:
                if place in ended or inside not in (None, place):
                    return False
                inside = place
                if last[place] == k:
                    ended.add(place)
                    inside = None
        return all(
            (room := self.room[place]) is None or held[place] + need <= room
            for place, need in more.items()
        )
