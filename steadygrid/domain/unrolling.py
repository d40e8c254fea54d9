"""Schedules unrolled: what is done one time after the other, and what each time waits for.

What kinds give whose schedules are timetables, run once, or wait for more than `views` can say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class Line(NamedTuple):
    """What is done again and again, or once.

    Attributes
    ----------
    start
        Of the first time.
    time
        That it takes.
    every
        After which it starts again; 0 where it is done once.
    draws
        Whose noise it has: a processor, or the two ends of a link.
    resources
        Names of what it keeps busy.
    computes
        Whether it is a computation.
    not_before
        Earliest date at which it starts, even if all that it waits for ends sooner.
    """

    start: Fraction
    time: Fraction
    every: Fraction
    draws: str
    resources: tuple[str, ...]
    computes: bool
    not_before: Fraction = Fraction(0)


class Repetition(NamedTuple):
    """A line is done for the so-manyth time.

    Attributes
    ----------
    line
        Its position.
    turn
        From 0.
    instance
        To which it belongs: complete with the last of its repetitions; -1 for none.
    needs
        Positions of the repetitions whose data it uses.
    """

    line: int
    turn: int
    instance: int
    needs: tuple[int, ...]


@dataclass(frozen=True)
class Unrolling:
    """A schedule that holds, and how it is unrolled.

    Attributes
    ----------
    lines
        All that is done.
    per_instance
        Repetitions of one instance; of a schedule that runs once, all there are.
    repetitions_of
        Lists the repetitions of the first so many instances.
    """

    lines: Sequence[Line]
    per_instance: int
    repetitions_of: Callable[[int], list[Repetition]]
