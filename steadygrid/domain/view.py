"""What a kind tells people about an answer: plain data, with exact numbers, that any medium draws.

A kind makes a `View` (`Problem.view`). The console, a page or a notebook writes its numbers in
its own form, by their `Measure`, and adds what it finds in the envelope of every result and in the
schedule.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.platform import Platform
from steadygrid.domain.slots import FileName


class Measure(Enum):
    """What a number is, and so how it is written."""

    COUNT = auto()
    """A whole number."""
    NUMBER = auto()
    """Rounded to six significant digits where it is long."""
    COARSE = auto()
    """Rounded to four."""
    FACTOR = auto()
    SHARE = auto()
    """In per cent."""
    BEST = auto()
    """A part of the best: a bar."""
    FILL = auto()
    """A part of a room that is in use: a bar."""
    PRICE = auto()
    TIME = auto()
    """Without its unit."""
    SECONDS = auto()
    """Of a clock on the wall, to a tenth."""
    DURATION = auto()
    """With the platform's unit."""
    INTERVAL = auto()
    """After ``every``: a duration, but ``s`` and not ``1 s``."""
    RATE = auto()
    """In instances per time unit."""
    ROUNDED_RATE = auto()
    WORTH = auto()
    """A sum of prices, per time unit."""
    INSTANCES = auto()
    """A number of what the view's `noun` says."""
    TEXT = auto()
    """No number, but a text."""
    TASK = auto()
    """No number, but the name of a task or load, which may be shortened."""


class Amount(NamedTuple):
    """An exact number within a sentence."""

    value: Fraction
    measure: Measure


Phrase = tuple[str | Amount, ...]
"""A sentence in parts: texts as they are, numbers as each medium writes them."""


class Column(NamedTuple):
    """What the cells below a heading are. A rate without a heading is headed by its unit."""

    title: str
    measure: Measure
    optional: bool = False
    """May be left out where there is too little room."""


Cell = str | Fraction | None
"""None: there is nothing to say."""


@dataclass(frozen=True)
class Table:
    """Rows under their headings, the most important first.

    Attributes
    ----------
    noun
        What the rows are, in the plural; long tables may be cut, and count what is left out.
        Empty: all rows are shown.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    noun: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the page under a heading of its own: a sentence, a table, remarks on its rows."""

    title: str
    text: Phrase = ()
    table: Table | None = None
    notes: tuple[tuple[str, str], ...] = ()
    """What a remark is about, and the remark."""


class Share(NamedTuple):
    """What a processor does of something that several do."""

    processor: str
    part: str
    """What it is of: a load, or a bag of tasks; empty where all is one."""
    amount: Fraction


class Method(NamedTuple):
    """One of several methods that were compared."""

    name: str
    value: Fraction | None
    """What it reached, over all its runs. None where it has no answer."""
    ratios: tuple[Fraction, ...]
    """What it reached over the bound, in each of its runs."""
    answers: bool
    """Whether the answer is its, or as good as its."""
    bounds: bool = False
    """Whether it finds a bound, and nothing that reaches it."""
    note: str = ""
    mixes: bool = False
    """Whether the bound does not hold for it, as it mixes what the bound keeps apart."""


class TimeOfSize(NamedTuple):
    """What one operation of some bytes takes, by prediction."""

    size: int
    """In bytes."""
    label: str
    """The size as people write it."""
    time: Fraction
    least: Fraction | None
    """What the bound allows. None if there is none."""
    bandwidth: Fraction
    """The size over the time, in units of data per time unit."""


class KeptShare(NamedTuple):
    """What an execution keeps of a plan at some noise, as simulated."""

    execution: str
    """Its name for people."""
    noise: Fraction
    """Part by which times are wrong at most."""
    least: Fraction
    """Of all runs, as a part of the plan."""
    mean: Fraction
    greatest: Fraction


class Step(NamedTuple):
    """An operation of a cycle. It waits for the one before, and the first for the last."""

    what: str
    """The task, actor or file."""
    places: tuple[str, ...]
    """The processor; or the sender and the receiver; nothing where the kind has no platform."""
    number: int
    """Of the data set or firing."""
    time: Fraction | None
    """That it takes. None in a cycle that never runs."""
    waits: str = ""
    """By what it waits for the one before: the name of a channel, or words; empty where that goes
    without saying."""
    tokens: int = 0
    """How many of these lie between it and the one before: see `Cycle.token`."""


@dataclass(frozen=True)
class Cycle:
    """Operations that wait for each other in a circle, and so decide how fast anything is.

    Attributes
    ----------
    steps
        In the order in which they wait, at least one.
    counts, token
        What the number of a step counts, and what lies between two steps, in the singular.
    advance, noun
        By how many of what is counted the cycle gets on in one turn, and what that is. None where it
        never runs.
    """

    steps: tuple[Step, ...]
    counts: str
    token: str
    advance: Fraction | None
    noun: str

    @property
    def time(self) -> Fraction | None:
        """What a turn takes. None where it never runs."""
        if self.advance is None:
            return None
        return sum((step.time or Fraction(0) for step in self.steps), Fraction(0))


@dataclass(frozen=True)
class View:
    """What a kind tells people about one answer.

    Attributes
    ----------
    platform, ports, file_sizes
        Where it runs, by which port model, and the data of each file of an instance. A kind
        without a platform has none of them.
    noun
        What is counted, in the singular: ``task``, ``instance``, ...
    tasks
        Ids of the tasks, or of the loads that are shared out.
    classes
        Interchangeable processors, by name; tables show those of a class as one.
    headline
        The answer in one sentence; empty where there is no schedule.
    facts
        What else is reported in the first lines, each with its label.
    comparison
        Methods side by side, below the first lines.
    methods
        The same as plain data, the best first.
    shares
        Who does how much, part by part. A processor may have several shares of a part.
    shared
        What the amounts of the shares are: rates, shares of all there is, or numbers of units of
        work.
    times
        What one operation takes, from the smallest size to the largest, where that is predicted.
    kept
        What each execution keeps of the plan that was simulated, by execution and by noise.
    sections
        What only this kind has to tell, in order.
    occupation
        Time for which an instance keeps each resource busy, where the result knows more of it
        than the schedule shows.
    bottleneck
        The resource that the kind itself names. None: who reads the prices finds it.
    alike
        What limits where several do so alike, so that none of them is the one to name; else empty.
    doubled
        What doubles a resource and relieves no other, by what it is (the end of its name).
    proof
        Why the bound holds, where the kind has a proof of its own.
    cycle
        The operations that decide it by waiting for each other, where the kind lists them.
    cost
        What is worth at least 1 at the prices of the certificate, where it is not every execution
        of what is counted. A sentence without its end.
    unpriced
        Why nothing gets below the bound, where the certificate has no prices.
    rivals
        What the bound holds for, in the singular, where that is not every schedule; without prices,
        not every allocation.
    scope
        What was taken as it was given and may be better otherwise, after ``optimal``: ``for this order
        of files``; empty where nothing was.
    bound_asked
        Whether a bound was all that was asked for.
    given
        Whether it is not the best that was asked for, but what a given solution does: its busiest
        resource limits it, and prices are those of the best.
    returned
        Links of a schedule that runs once over which results come back, each as source and target.
    part
        What the number behind a load counts there, in the singular.
    roles
        What processors are to the problem besides computing, by id: ``master``, ``source``,
        ``target``, ``participant``.
    cut
        Processors whose links to the rest, together, are the whole bound; the smaller side.
    subject, extent
        Of a kind without a platform: the name of what was asked about, and how much of it there is.
    """

    platform: Platform | None = None
    ports: str = ""
    file_sizes: Mapping[FileName, Fraction] = field(default_factory=dict)
    noun: str = "task"
    tasks: tuple[str, ...] = ()
    classes: tuple[tuple[str, ...], ...] = ()
    headline: Phrase = ()
    facts: tuple[tuple[str, Phrase], ...] = ()
    comparison: Section | None = None
    methods: tuple[Method, ...] = ()
    shares: tuple[Share, ...] = ()
    shared: Measure = Measure.SHARE
    times: tuple[TimeOfSize, ...] = ()
    kept: tuple[KeptShare, ...] = ()
    sections: tuple[Section, ...] = ()
    occupation: Mapping[str, Fraction] = field(default_factory=dict)
    bottleneck: str | None = None
    alike: str = ""
    doubled: Mapping[str, str] = field(default_factory=dict)
    proof: Section | None = None
    cycle: Cycle | None = None
    cost: str = ""
    unpriced: Phrase = ()
    rivals: str = ""
    scope: str = ""
    bound_asked: bool = False
    given: bool = False
    returned: frozenset[tuple[str, str]] = frozenset()
    part: str = "installment"
    roles: Mapping[str, str] = field(default_factory=dict)
    cut: frozenset[str] = frozenset()
    subject: str = ""
    extent: str = ""


def with_article(noun: str) -> str:
    """Give a noun with its article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def plural(noun: str) -> str:
    """Give the plural of a regular noun."""
    return noun + "s"
