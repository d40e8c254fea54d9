"""What there is to tell about one answer, and the words for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.human_time import human_time
from steadygrid.domain.job import Outcome, Result
from steadygrid.domain.judging import not_judged
from steadygrid.domain.occupation import occupation
from steadygrid.domain.platform import (
    SINGLE_PORT,
    Platform,
)
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import FileName
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.timetable import Firing, Timetable
from steadygrid.domain.trace import Trace
from steadygrid.domain.view import View
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.names import Names
from steadygrid.report.quantities import elapsed_text
from steadygrid.submissions.submission import Submission

_LONGEST_UNIT = 16


@dataclass(frozen=True)
class Report:
    """A submission with its answer."""

    submission: Submission
    result: Result
    found: AnySchedule | None
    """The schedule, of any form."""
    trace: Trace = ()
    """How the solve came to it; empty where that is not known, or there was nothing to see."""

    @cached_property
    def view(self) -> View:
        """What the kind tells about it."""
        asked = self.submission
        return asked.problem.view(asked.instance, asked.options, self.result, self.found)

    @property
    def schedule(self) -> Schedule | None:
        """The schedule, where it repeats period by period."""
        return self.found if isinstance(self.found, Schedule) else None

    @property
    def remarks(self) -> Iterable[tuple[str, str]]:
        """What the solver remarks, each with its label. The referee judges none of it."""
        result, proof = self.result, self.result.certificate
        yield from (("note", printable(note)) for note in result.notes)
        yield from (("warning", printable(warning)) for warning in result.warnings)
        told = [
            *([printable(proof.solver)] if proof.solver else []),
            *([f"{proof.nodes:,} nodes of a tree"] if proof.nodes is not None else []),
        ]
        if told:
            yield "search", ", ".join(told)

    @property
    def not_judged(self) -> tuple[str, ...]:
        """What the result says and the referee does not judge: JSON pointers into it."""
        return not_judged(self.submission.instance, self.result)

    @property
    def unread(self) -> Mapping[str, int]:
        """Entries of the schedule that were left where they are stored, by part.

        A schedule may be read without its longest parts. Its header says how long they are.
        """
        found = self.found
        if found is None or found.stated_counts is None:
            return {}
        counts = found.counts
        missing = {part: n - counts.get(part, 0) for part, n in found.stated_counts.items()}
        derived = ("slots", "transfers") if "runs" in missing else ()
        return {part: n for part, n in missing.items() if n > 0 and part not in derived}

    @property
    def timeline(self) -> Timeline | None:
        """The schedule, where it runs once."""
        return self.found if isinstance(self.found, Timeline) else None

    @property
    def timetable(self) -> Timetable | None:
        """The schedule, where it repeats row by row."""
        return self.found if isinstance(self.found, Timetable) else None

    @property
    def platform(self) -> Platform | None:
        """The platform that was asked about. None where the kind has none."""
        return self.view.platform

    @cached_property
    def fires(self) -> bool:
        """Whether those at work are actors, which fire."""
        rows = () if self.timetable is None else self.timetable.rows
        return bool(rows) and isinstance(rows[0].operation, Firing)

    @property
    def ports(self) -> str:
        """The port model."""
        return self.view.ports

    @cached_property
    def time_unit(self) -> str | None:
        """The user's own label of time. None if there is none."""
        units = None if self.platform is None else self.platform.units
        return printable(units.time)[:_LONGEST_UNIT] if units is not None and units.time else None

    @property
    def noun(self) -> str:
        """What is counted: tasks, instances, ..."""
        return self.view.noun

    @cached_property
    def proved(self) -> bool:
        """Whether the value is shown, in exact arithmetic, to be the best possible."""
        bound = self.result.bound
        return (
            self.result.outcome is Outcome.OPTIMAL
            and bound is not None
            and bound.exact
            and self.result.gap == 0
        )

    @property
    def is_best(self) -> bool:
        """Whether the value is the optimum: proved, or by the word of a search."""
        return self.result.outcome is Outcome.OPTIMAL and self.result.gap == 0

    @property
    def loses(self) -> bool:
        """Whether the schedule does less than the rates that were found: these are two numbers, then."""
        return self.schedule is not None and bool(self.schedule.loss)

    @cached_property
    def names(self) -> Names:
        """Names of the platform's members, short where they are too long."""
        if self.platform is None:
            return Names([])
        processors = self.platform.processors
        cards = [card for processor in processors for card in processor.card_names]
        media = [medium.id for medium in self.platform.media]
        return Names([*(processor.id for processor in processors), *media, *cards])

    @property
    def shown_schedule(self) -> Schedule | None:
        """The schedule as tables tell it."""
        return self.schedule

    @property
    def prices(self) -> Mapping[str, Fraction]:
        """Prices of the certificate."""
        return self.result.certificate.prices

    @cached_property
    def task_names(self) -> Names:
        """Names of the tasks, or of the loads that are shared out."""
        return Names(self.view.tasks)

    def duration(self, value: Fraction | int, glyphs: Glyphs) -> str:
        """Write ``40 s``, ``9000 s = 2 h 30 min``, or ``40 time units`` without a label.

        Parameters
        ----------
        value
            In time units.
        glyphs
            Characters to draw with.
        """
        unit = self.time_unit or ("time unit" if value == 1 else "time units")
        text = f"{elapsed_text(Fraction(value), glyphs)} {unit}"
        said = human_time(Fraction(value), self.time_unit)
        return (
            text if said is None else f"{text} {'=' if said.exact else glyphs.approx} {said.text}"
        )

    @property
    def per_time(self) -> str:
        """``per s``, or ``per time unit``."""
        return f"per {self.time_unit or 'time unit'}"

    @cached_property
    def files(self) -> Mapping[FileName, str]:
        """A word for each file that moves: its message, input, output, or the two tasks it joins."""
        schedule = self.schedule
        if schedule is None:
            return {}
        if any(allocation.message is not None for allocation in schedule.allocations):
            moved = (t.file for allocation in schedule.allocations for t in allocation.transfers)
            return {file: printable(file[0]) for file in dict.fromkeys((*schedule.files, *moved))}
        real = {task for allocation in schedule.allocations for task in allocation.tasks}
        return {
            file: "input"
            if file[0] not in real
            else "output"
            if file[1] not in real
            else printable(f"{file[0]}>{file[1]}")
            for file in schedule.files
        }

    @cached_property
    def occupation(self) -> dict[str, Fraction]:
        """Share of the time that the schedule occupies each resource, idle ones left out."""
        schedule, platform = self.schedule, self.platform
        if schedule is None or not schedule.period:
            return {}
        if not self.unread.keys().isdisjoint(("allocations", "computations")):
            return {}
        sizes, ports = self.view.file_sizes, schedule.ports
        priced = [name for name in self.result.certificate.prices if name.endswith(".odd")]
        found = {} if platform is None else occupation(platform, sizes, schedule, ports, priced)
        throughput = schedule.throughput
        known = self.view.occupation.items() if throughput else ()
        return found | {resource: time * throughput for resource, time in known}

    @cached_property
    def busy(self) -> dict[str, Fraction]:
        """The same, with what a port that does several things spends on each of them."""
        schedule, platform = self.schedule, self.platform
        if schedule is None or platform is None or schedule.ports not in SINGLE_PORT:
            return self.occupation
        return occupation(platform, self.view.file_sizes, schedule, "one_port")
