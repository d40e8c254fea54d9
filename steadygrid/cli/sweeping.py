"""``steadygrid sweep``: a problem solved for all combinations of some values, as a table."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from steadygrid.cli.answering import FAILED, interruptible, memory_of
from steadygrid.cli.console import emit_lines, status_line
from steadygrid.cli.documents import refusing
from steadygrid.cli.json_files import read_json
from steadygrid.cli.solve_options import Memory, TimeLimit
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import (
    INTERRUPTED,
    Refusal,
    check_target,
    complain,
    emit,
    on_terminal,
    write_file,
)
from steadygrid.domain.document import canonical_json
from steadygrid.domain.quantity import TIME, parse_quantity
from steadygrid.domain.rational import as_number
from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.layout import Cell, Column, break_lines, table, titled
from steadygrid.report.quantities import cell_text
from steadygrid.studies.sweep_plan import Plan
from steadygrid.studies.sweep_run import Counted, read_plan, run_sweep
from steadygrid.studies.sweep_table import SweepRow, csv_lines

_MOST_ROWS = 40
_MOST_FAILURES = 10
_MOST_PROCESSES = 64
_LONGEST_VALUE = 24

Write = Callable[[Plan, Iterator[SweepRow]], None]


@dataclass
class _Course:
    """What has happened while the rows came."""

    ended: int = 0
    failures: list[SweepRow] = field(default_factory=list)
    interrupted: bool = False

    def watched(self, rows: Iterator[SweepRow]) -> Iterator[SweepRow]:
        """Give the rows; after Ctrl-C those that there are, as if they were all."""
        try:
            for row in rows:
                self.ended += 1
                if row.error is not None:
                    self.failures.append(row)
                yield row
        except KeyboardInterrupt:
            self.interrupted = True


def sweep_command(
    file: Annotated[
        str,
        typer.Argument(
            help="The body of POST /v1/sweeps: template and parameters. - is standard input."
        ),
    ],
    as_csv: Annotated[
        bool,
        typer.Option("--csv", help="Write one line of CSV for each job, exact and approximate."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write. With the ending .csv or .json it needs neither option.",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(help="Jobs at a time.", min=1, max=_MOST_PROCESSES)] = 1,
    time_limit: TimeLimit = None,
    memory: Memory = None,
) -> None:
    """Solve a problem for all combinations of some values in it, and list what came of each.

    Exit code 1 means that a job failed. A failed job has a row, too.
    """
    write = _writer(as_csv, as_json, output)
    chosen = settings()
    limits = chosen.limits
    with refusing(file), interruptible():
        checked = read_plan(read_json(file, limits.max_body_bytes), limits, _options(time_limit))
    bytes_of_each = memory_of(memory)
    plan = checked.plan
    complain([f"note: {printable(warning)}" for warning in checked.sizing.warnings])
    course = _Course()
    with _show_progress(
        plan.jobs, quiet=output is None and (as_csv or as_json) and on_terminal()
    ) as tell:
        rows = run_sweep(
            plan,
            limits,
            workers=workers,
            memory=bytes_of_each,
            grace=chosen.hard_stop_grace_seconds,
            on_ended=tell,
        )
        with interruptible():
            write(plan, course.watched(rows))
    complain(_failures(course.failures))
    if course.interrupted:
        raise Refusal(
            f"interrupted: {course.ended:,} of {plan.jobs:,} jobs have ended", INTERRUPTED
        )
    raise typer.Exit(FAILED if course.failures else 0)


def _options(time_limit: str | None) -> dict[str, int | float | str]:
    if time_limit is None:
        return {}
    try:
        return {"time_limit": as_number(parse_quantity(time_limit, TIME, "s", "the options"))}
    except ValueError as error:
        raise Refusal(f"--time-limit: {error}") from None


@contextmanager
def _show_progress(jobs: int, *, quiet: bool) -> Iterator[Counted | None]:
    """Show how many jobs have ended, if standard error is a terminal on which no rows appear."""
    if quiet:
        yield None
        return
    begun = time.monotonic()
    with status_line(f"0 of {jobs:,} jobs") as tell:

        def counted(ended: int, failed: int) -> None:
            left = (time.monotonic() - begun) / ended * (jobs - ended)
            parts = [f"{ended:,} of {jobs:,} jobs", f"about {left:.0f} s left"]
            if tell is not None:
                tell(", ".join([*parts, *([f"{failed:,} failed"] if failed else [])]))

        yield counted


def _writer(as_csv: bool, as_json: bool, output: Path | None) -> Write:
    """Choose what is written and where; `Refusal` where that cannot be."""
    if as_csv and as_json:
        raise Refusal("--csv and --json: choose one")
    suffix = "" if output is None else output.suffix.lower()
    if output is not None and not (as_csv or as_json) and suffix not in (".csv", ".json"):
        raise Refusal("--output: say --csv or --json, or let the name end in .csv or .json")
    if output is not None:
        check_target(output)
    if as_csv or (suffix == ".csv" and not as_json):
        chunks = _csv
    elif as_json or suffix == ".json":
        chunks = _json
    else:
        return _print_table

    def write(plan: Plan, rows: Iterator[SweepRow]) -> None:
        if output is not None:
            write_file(output, chunks(plan, rows), by_line=True)
            return
        for chunk in chunks(plan, rows):
            emit(chunk)

    return write


def _csv(plan: Plan, rows: Iterator[SweepRow]) -> Iterator[str]:
    return csv_lines(plan.parameters, rows)


def _json(plan: Plan, rows: Iterator[SweepRow]) -> Iterator[str]:
    """Write one document, a line for each row."""
    head = plan.document() | {"jobs": plan.jobs}
    del head["template"]
    yield json.dumps(head)[:-1] + ', "rows": ['
    between = "\n"
    for row in rows:
        yield between + json.dumps(row.document())
        between = ",\n"
    yield "\n]}\n"


def _print_table(plan: Plan, rows: Iterator[SweepRow]) -> None:
    listed = list(rows)
    emit_lines(lambda width, glyphs: _lines(plan, listed, width, glyphs))


def _lines(plan: Plan, rows: Sequence[SweepRow], width: int, glyphs: Glyphs) -> list[Text]:
    """Draw the first rows, under a sentence that counts what came of all."""
    counts = Counter(row.outcome or row.state for row in rows)
    told = ", ".join(f"{count:,} {what.replace('_', ' ')}" for what, count in counts.items())
    sentence = f"{len(rows):,} of {plan.jobs:,} jobs: {told or 'none has ended'}."
    shown = rows[:_MOST_ROWS]
    columns = [
        Column("job", right=True, optional=True),
        *(Column(printable(parameter.name), right=True) for parameter in plan.parameters),
        Column("value", right=True),
        Column("outcome"),
        Column("bound", right=True, optional=True),
        Column("period", right=True, optional=True),
        Column("seconds", right=True, optional=True),
    ]
    listing = table(columns, [_cells(row) for row in shown], width, glyphs)
    return [
        *(Text(line) for line in break_lines(sentence, width)),
        Text(),
        *titled("What came of each", listing, len(rows), "jobs", width, _MOST_ROWS),
    ]


def _cells(row: SweepRow) -> Sequence[Cell]:
    numbers = (row.bound, row.period)
    bound, period = ("" if number is None else cell_text(number) for number in numbers)
    return [
        str(row.index),
        *(printable(_text(value)) for value in row.parameters.values()),
        "" if row.value is None else cell_text(row.value),
        row.outcome or row.error or row.state,
        bound,
        period,
        f"{row.seconds:.2f}",
    ]


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."


def _failures(rows: Sequence[SweepRow]) -> list[str]:
    lines = [
        printable(f"job {row.index} failed ({row.error}): {row.detail}")
        for row in rows[:_MOST_FAILURES]
    ]
    more = len(rows) - len(lines)
    return [*lines, *([f"and {more:,} more failed"] if more else [])]
