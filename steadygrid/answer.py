"""What a solve has found out."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple

from steadygrid.documents import AnyPath, folded_json, result_json, schedule_chunks
from steadygrid.domain.certificate import Certificate
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.domain.trace import Trace
from steadygrid.submissions.question import R_co
from steadygrid.submissions.simulating import simulation_body
from steadygrid.submissions.submission import Submission

if TYPE_CHECKING:
    from steadygrid.formats.schedule_exports.tables import Table
    from steadygrid.pictures.drawn import DrawnPicture
    from steadygrid.report.report import Report

Part = Literal["result", "schedule", "instance"]


@dataclass(frozen=True, repr=False)
class Answer(Generic[R_co]):
    """What was asked, what came of it, and the proof. All numbers are exact.

    Its `repr` is the summary with which ``steadygrid solve`` begins, notes and warnings included,
    in ASCII where the standard output takes no more.
    """

    submission: Submission
    """What was asked, read and without faults."""
    result: R_co
    """All that the kind of problem answers."""
    schedule: AnySchedule | None
    """Who does what when. None where there is no schedule, or was no time for one."""
    trace: Trace = ()
    """What was known when: points with ``seconds``, ``value``, ``bound``, whether they are
    ``exact``, and ``iteration``. The last is the answer. Empty where the solver reported
    nothing before its end."""

    def __repr__(self) -> str:
        # What draws is loaded when something is drawn.
        from steadygrid.report.page import summary_text

        encoding = sys.stdout.encoding if sys.stdout is not None else None
        return summary_text(self.submission, self.result, self.schedule, encoding=encoding)

    def _repr_html_(self) -> str:
        from steadygrid.report.html import summary_html

        return summary_html(self._report)

    @cached_property
    def _report(self) -> "Report":
        from steadygrid.report.report import Report

        return Report(self.submission, self.result, self.schedule, self.trace)

    @property
    def instance(self) -> dict[str, Any]:
        """What was asked, as a body with its defaults filled in."""
        return self.submission.document()

    def simulation(self, **how: Any) -> dict[str, Any]:
        """Write the body of a simulation of its schedule, for ``steadygrid.solve``.

        Parameters
        ----------
        **how
            Members of the problem of kind ``simulation``: ``noise=["0", "1/20"]``, ``seeds=5``.

        Raises
        ------
        ValueError
            If the answer has no schedule.
        """
        if self.schedule is None:
            raise ValueError(f"this answer, {self.outcome.value}, has no schedule")
        return simulation_body(self.submission, self.result, self.schedule, **how)

    @property
    def outcome(self) -> Outcome:
        """``optimal``, ``feasible``, ``infeasible``, ``bound_only`` or ``unknown``."""
        return self.result.outcome

    @property
    def objective(self) -> Fraction | None:
        """The value of the schedule: a throughput, a makespan, .... None without one."""
        return None if self.result.objective is None else self.result.objective.value

    @property
    def bound(self) -> Fraction | None:
        """What no schedule can beat. None where nothing is known."""
        return None if self.result.bound is None else self.result.bound.value

    @property
    def gap(self) -> Fraction | None:
        """``|bound - objective| / bound``."""
        return self.result.gap

    @property
    def certificate(self) -> Certificate:
        """Why the bound holds."""
        return self.result.certificate

    @property
    def prices(self) -> Mapping[str, Fraction]:
        """The price of each resource that the certificate names. Those of 0 are left out."""
        return self.result.certificate.prices

    @property
    def verified(self) -> bool:
        """Whether the referee has accepted result and schedule."""
        return self.result.verified

    @property
    def pictures(self) -> Mapping[str, str]:
        """The names of the pictures that it has, with their titles."""
        from steadygrid.pictures.drawn import titles

        return titles(self._report)

    def picture(self, name: str, **wanted: Any) -> "DrawnPicture":
        """Draw a picture of it.

        Parameters
        ----------
        name
            One of `pictures`.
        **wanted
            How it is to be: ``theme`` (``"light"`` or ``"dark"``), ``width`` (pixels, 320 to 4,000)
            and ``scale`` (of a PNG, 1 to 4). Of a Gantt chart: ``begin`` and ``end`` (what is shown,
            in the platform's time units) and ``lanes`` (ids of resources, at most 500). Also of it:
            ``cells`` (100 to 4,000: bars shorter than the window over this are joined). Of ``"platform"``:
            ``around`` (id of a processor: only what is near it is drawn) and ``hops`` (links from
            there, 1 to 3).

        Returns
        -------
        DrawnPicture
            Shows itself in a notebook; ``save`` writes it to a file, ``table`` has its numbers.

        Raises
        ------
        PictureError
            If it has no such picture, if the picture cannot be as it is wanted, or without
            ``pip install 'steadygrid[pictures]'``. Its ``code`` says which.
        """
        from steadygrid.pictures.asking import read_wanted
        from steadygrid.pictures.drawn import picture_of_answer

        return picture_of_answer(self._report, name, read_wanted(wanted, name))

    def table(self, part: str) -> list[NamedTuple]:
        """Give a part of it as rows of exact numbers.

        Parameters
        ----------
        part
            ``"rates"``, ``"allocations"``, ``"computations"`` or ``"transfers"`` of a schedule that
            repeats slot by slot, or ``"prices"``.

        Raises
        ------
        InstanceError
            There is no such part (``invalid_parameter``), or no such schedule (``not_periodic``).
        """
        return self._part(part).tuples(part)

    def frame(self, part: str, *, exact: bool = False) -> Any:
        """Give a part of it as a ``pandas.DataFrame``.

        Parameters
        ----------
        part
            As of `table`.
        exact
            Whether numbers stay fractions, in columns of objects; else they are rounded to floats.

        Raises
        ------
        ModuleNotFoundError
            Without ``pip install 'steadygrid[pandas]'``.
        InstanceError
            As of `table`.
        """
        return self._part(part).frame(exact=exact)

    def _part(self, part: str) -> "Table":
        from steadygrid.formats.exporter import Answer as Exported
        from steadygrid.formats.schedule_exports.tables import table_of

        exported = Exported(self.result, None, self.submission.instance, self.schedule)
        return table_of(exported, part)

    def export(
        self, format: str, path: AnyPath | None = None, **parameters: str | int | Sequence[str]
    ) -> str:
        """Write it in a foreign format; ``steadygrid formats`` lists those, with their parameters.

        Parameters
        ----------
        format
            Such as ``"trace"``, ``"paje"`` or ``"csv"``; ``"lp"`` and ``"mps"`` are the linear
            program, which a solver process builds and solves again.
        path
            Where to write it, too. None: nowhere.
        **parameters
            Of the format. Those whose names are words of Python (``from``) end in ``_``.

        Returns
        -------
        str
            What is written.

        Raises
        ------
        InstanceError, LimitError
            There is no such format, or the answer has no such form.
        """
        from steadygrid.solving import program_apart
        from steadygrid.submissions.exports import write_answer

        def program(submission: Submission) -> StatedProgram:
            return program_apart(submission, Limits())

        given = {
            name.removesuffix("_"): [value]
            if isinstance(value, str)
            else list(value)
            if isinstance(value, Sequence)
            else [str(value)]
            for name, value in parameters.items()
        }
        text = write_answer(format, self.submission, self.result, self.schedule, given, program)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def to_json(self, part: Part = "result") -> str:
        """Write a part of the answer as one JSON document.

        Parameters
        ----------
        part
            ``"result"``, as ``steadygrid solve --json`` prints it; ``"schedule"``, as
            ``--schedule`` writes it; or ``"instance"``, the body. ``steadygrid check`` reads all
            three.

        Raises
        ------
        ValueError
            If the answer has no schedule, and one was asked for.
        """
        match part:
            case "result":
                return result_json(self.result)
            case "instance":
                return folded_json(self.instance) + "\n"
            case "schedule" if self.schedule is not None:
                return "".join(schedule_chunks(self.schedule))
            case "schedule":
                raise ValueError(f"this answer, {self.outcome.value}, has no schedule")
            case _:
                raise ValueError(f"an answer has a result, a schedule, an instance. No {part!r}")
