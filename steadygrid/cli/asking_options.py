"""The options that say what is asked: the same for every command that takes a problem."""

import inspect
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from typing import Annotated, Any, NamedTuple

import typer

from steadygrid.cli import solve_options
from steadygrid.cli.asking import question_of
from steadygrid.cli.files_given import GivenFile, read_problem_files
from steadygrid.cli.solve_options import SolveRequest, unique_values
from steadygrid.cli.terminal import STANDARD_INPUT, Refusal, complain
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import Submission

ResultFile = Annotated[
    str | None,
    typer.Option(
        "--result",
        metavar="FILE",
        help="Its result, as --json or GET .../result gives it. Without a result, the problem is"
        " solved first.",
    ),
]
ScheduleFile = Annotated[
    str | None,
    typer.Option(
        "--schedule-in",
        metavar="FILE",
        help="Its schedule, as solve --schedule or GET .../document gives it.",
    ),
]
OPTIONS: dict[str, Any] = {
    "kind": solve_options.Kind,
    "master": solve_options.Master,
    "work": solve_options.Work,
    "input_size": solve_options.Input,
    "output_size": solve_options.Return,
    "ports": solve_options.Ports,
    "routing": solve_options.Routing,
    "method": solve_options.Method,
    "mapping": solve_options.Mapping_,
    "time_limit": solve_options.TimeLimit,
    "memory": solve_options.Memory,
    "max_period": solve_options.MaxPeriod,
    "instances": solve_options.Instances,
    "horizon": solve_options.Horizon,
    "latencies": solve_options.Latencies,
    "prefer": solve_options.Prefer,
    "settings": solve_options.Settings,
}
"""By the members of `SolveRequest`."""


def asking_options(
    *, but: Collection[str] = (), behind: str = "files"
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of asking, and call it with what they say as `asked`.

    Parameters
    ----------
    but
        Members of `SolveRequest` that the command has options of its own for.
    behind
        The parameter that they follow in the help.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command)
        options = [
            inspect.Parameter(
                name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=kind
            )
            for name, kind in OPTIONS.items()
            if name not in but
        ]
        listed = [one for name, one in own.parameters.items() if name != "asked"]
        place = [one.name for one in listed].index(behind) + 1
        listed[place:place] = options

        @wraps(command)
        def asking(**given: Any) -> None:
            said = {one.name: given.pop(one.name) for one in options}
            said["settings"] = unique_values(said["settings"] or ())
            command(asked=SolveRequest(**said), **given)

        asking.__signature__ = own.replace(parameters=listed)  # type: ignore[attr-defined]
        asking.__annotations__ = {one.name: one.annotation for one in listed}
        return asking

    return decorate


class Given(NamedTuple):
    """The files of a command: what is asked, and the answer where there is one."""

    files: list[GivenFile]
    result: str | None
    schedule: str | None

    def submission(self, asked: SolveRequest, limits: Limits) -> Submission:
        """Make what is asked of the files and the options; notes go to standard error.

        Parameters
        ----------
        asked
            What the options of the command say.
        limits
            How large a problem may be.
        """
        if len(self.files) > 2:
            raise Refusal(
                f"{len(self.files)} files are given, and at most two are taken: a platform and an"
                " application"
            )
        question = question_of(self.files, asked, limits)
        complain(question.notes)
        return question.submission


def read_given(
    names: Sequence[str],
    result: str | None,
    schedule: str | None,
    limits: Limits,
    *more: str | None,
) -> Given:
    """Read the files of a problem, and name those of its answer.

    A whole problem stands alone. Files behind it are its result and its schedule, as commands took
    them before they had options for both.

    Parameters
    ----------
    names
        Of the files, ``-`` for standard input.
    result
        What ``--result`` says.
    schedule
        What ``--schedule-in`` says.
    limits
        How large a problem may be.
    more
        Names of further files that the command reads.

    Raises
    ------
    Refusal
        One cannot be read, or several are standard input, or the result or the schedule is given
        twice.
    """
    if [*names, result, schedule, *more].count(STANDARD_INPUT) > 1:
        raise Refusal("only one of the files can be standard input")
    files, behind = read_problem_files(names, limits)
    if behind:
        if len(behind) > 2:
            raise Refusal(f"{files[0].shown} is a whole problem, and {len(behind)} files follow it")
        if result is not None or (schedule is not None and len(behind) > 1):
            raise Refusal(
                "the result or the schedule is given twice: leave out the one or the other"
            )
        complain(
            [
                "note: a result and a schedule have options now: --result FILE, --schedule-in FILE. As"
                " further files the next release does not read them"
            ]
        )
        result, schedule = behind[0], [*behind[1:], schedule][0]
    if schedule is not None and result is None:
        raise Refusal("--schedule-in: it belongs to a result: say --result FILE, too")
    return Given(files, result, schedule)
