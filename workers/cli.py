"""The ``steadygrid`` command: thin, everything it does is done elsewhere.

Exit codes: 0 done; 1 failed, or `check` found faults; 2 bad input or an unreadable file;
3 infeasible; 4 a limit left nothing but a bound; 130 interrupted.
"""

import json
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.metadata import version as distribution_version
from pathlib import Path
from typing import Annotated, NoReturn, get_args

import typer

from app.settings import Settings, SettingsError, read_settings
from steadygrid.documents import folded_json, result_json, schedule_chunks
from steadygrid.domain.errors import (
    InstanceError,
    InternalError,
    InvalidScheduleError,
    LimitError,
    SchedulingError,
    TimeLimitError,
    failure_of,
)
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Outcome, Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.nearest import Known, nearest
from steadygrid.formats import Noun
from steadygrid.problems import PROBLEMS
from steadygrid.problems.exports import EXPORTERS
from steadygrid.problems.imports import INSTANCE_IMPORTERS
from steadygrid.problems.submission import Submission, schedule_limits
from steadygrid.report.glyphs import printable
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.solving import Told, solve_apart
from workers.console import solve_options
from workers.console.asking import read_question
from workers.console.catalogue import description_of, kind_document, list_of_kinds
from workers.console.documents import (
    read_result,
    read_schedule,
    read_submission,
    referee_lines,
    what_holds,
)
from workers.console.exports import exported
from workers.console.imports import imported, imported_body
from workers.console.solve_options import Asked, named_values, once_each
from workers.console.terminal import (
    Refusal,
    check_target,
    complain,
    emit,
    emit_json,
    emit_lines,
    fault_lines,
    prepare_streams,
    progress,
    shown,
    speaks_unicode,
    write_file,
)

NOUNS: tuple[Noun, ...] = get_args(Noun)
TARGETS = (*NOUNS, *INSTANCE_IMPORTERS, *EXPORTERS)
SERVICES = ("api", "serve", "worker")
FAILED, INFEASIBLE, LIMIT_REACHED, INTERRUPTED = 1, 3, 4, 130
"""Exit codes of answers, of `check` and of Ctrl-C; `FAILURES` has those of failed solves."""

app = typer.Typer(
    name="steadygrid",
    help="Exact, verified steady-state schedules for heterogeneous platforms.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit code; no input gives a traceback."""
    prepare_streams()
    try:
        app(args=arguments, prog_name="steadygrid")
    except Refusal as refusal:
        first, *rest = refusal.lines
        _tell([f"steadygrid: {first}", *rest], arguments)
        sys.exit(refusal.exit_code)
    except MemoryError as error:
        _tell(["steadygrid: out of memory"], arguments)
        sys.exit(failure_of(error).exit_code)
    except Exception as error:  # noqa: BLE001 - the last resort, told in a sentence
        _tell(_internal_error(error), arguments)
        sys.exit(failure_of(error).exit_code)
    raise AssertionError("typer always leaves")


def _tell(lines: list[str], arguments: Sequence[str] | None) -> None:
    """Say why it ends; a service whose log is JSON says so in one line of it."""
    command = [*(sys.argv[1:] if arguments is None else arguments), ""][0]
    as_json = os.environ.get("STEADYGRID_LOG_JSON", "").lower() in ("1", "true", "yes", "on")
    if command in SERVICES and as_json:
        lines = [json.dumps({"event": "ended", "level": "error", "said": lines})]
    complain(lines)


def _internal_error(error: Exception) -> list[str]:
    if os.environ.get("STEADYGRID_LOG_LEVEL", "").upper() == "DEBUG":
        return "".join(traceback.format_exception(error)).splitlines()
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    hint = "a fault of steadygrid, not of the input; STEADYGRID_LOG_LEVEL=DEBUG shows where"
    return [f"steadygrid: internal error: {printable(what)}", f"  {hint}"]


def settings() -> Settings:
    """Read the settings.

    Raises
    ------
    Refusal
        An environment variable has a value that it cannot have.
    """
    try:
        return read_settings()
    except SettingsError as error:
        raise Refusal(["the settings are wrong", *(f"  {line}" for line in error.args)]) from None


def _print_version(wanted: bool) -> None:
    if wanted:
        emit(f"steadygrid {distribution_version('steadygrid')}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Exact, verified steady-state schedules for heterogeneous platforms."""


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 is any free one.", min=0, max=65535)] = 8000,
    data_dir: Annotated[
        Path | None,
        typer.Option(help="Where the jobs live; default: STEADYGRID_DATA_DIR or .steadygrid."),
    ] = None,
) -> None:
    """Run the API and a worker on an embedded database, with nothing else to install."""
    # The server and the database take a second to load; the other commands need not wait.
    from workers.console.serving import serve_until_signal, settings_for

    serve_until_signal(settings_for(settings(), data_dir), host, port)


@app.command()
def api(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 is any free one.", min=0, max=65535)] = 8000,
) -> None:
    """Run the API alone, on the database and the broker that the settings name."""
    from workers.console.serving import serve_api_until_signal

    serve_api_until_signal(settings(), host, port)


@app.command()
def worker(
    concurrency: Annotated[int, typer.Option(help="Jobs at a time.", min=1, max=1024)] = 1,
) -> None:
    """Run a production worker: Celery on the broker that STEADYGRID_REDIS_URL names."""
    chosen = settings()
    if chosen.redis_url is None:
        raise Refusal(
            "STEADYGRID_REDIS_URL is not set, and a production worker needs a broker;"
            " `steadygrid serve` needs none"
        )
    from workers.console.serving import check_for_work

    check_for_work(chosen)
    from workers.running.tasks import run_worker

    run_worker(concurrency)


@app.command()
def solve(
    files: solve_options.Files,
    kind: solve_options.Kind = None,
    master: solve_options.Master = None,
    work: solve_options.Work = None,
    input_size: solve_options.Input = None,
    output_size: solve_options.Output = None,
    ports: solve_options.Ports = None,
    routing: solve_options.Routing = None,
    method: solve_options.Method = None,
    time_limit: solve_options.TimeLimit = None,
    max_period: solve_options.MaxPeriod = None,
    latencies: solve_options.Latencies = None,
    parameters: solve_options.Settings = None,
    print_body: solve_options.PrintBody = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the result as exactly one JSON document.")
    ] = False,
    schedule_file: Annotated[
        Path | None,
        typer.Option("--schedule", metavar="FILE", help="Write the schedule, as JSON, here."),
    ] = None,
) -> None:
    """Solve a problem and explain the answer.

    Exit code 3 means infeasible, 4 that the time limit left nothing but a bound.
    """
    if schedule_file is not None:
        if print_body:
            raise Refusal("--print-body solves nothing, and there is no schedule to write")
        check_target(schedule_file)
    limits = settings().limits
    asked = Asked(
        kind=kind,
        master=master,
        work=work,
        input_size=input_size,
        output_size=output_size,
        ports=ports,
        routing=routing,
        method=method,
        time_limit=time_limit,
        max_period=max_period,
        latencies=latencies,
        settings=once_each(parameters or ()),
    )
    question = read_question(files, asked, limits)
    complain(question.notes)
    if print_body:
        emit_json(question.body)
        return
    submission = question.submission
    result, schedule = _answer(submission, limits)
    if schedule_file is not None and schedule is not None:
        write_file(schedule_file, schedule_chunks(schedule))
    if as_json:
        emit(result_json(result, ascii_only=not speaks_unicode()))
    else:
        report = Report(submission, result, schedule)
        emit_lines(lambda width, glyphs: page(report, width, glyphs))
    code = exit_code(submission, result)
    if schedule_file is not None and schedule is None:
        complain([f"steadygrid: there is no schedule, {shown(str(schedule_file))} is not written"])
        code = code or LIMIT_REACHED
    raise typer.Exit(code)


def _answer(submission: Submission, limits: Limits) -> tuple[Result, AnySchedule | None]:
    """Run the pipeline; turn what it raises into messages and exit codes."""
    try:
        with progress() as report:
            return run_pipeline(submission, limits, report)
    except KeyboardInterrupt:
        raise Refusal("interrupted", INTERRUPTED) from None
    except TimeLimitError as error:
        raise Refusal(
            f"the time limit of {submission.options.time_limit:g} s left no answer;"
            " set options.time_limit, or --time-limit, higher",
            failure_of(error).exit_code,
        ) from None
    except InternalError:
        raise
    except (InstanceError, LimitError) as error:
        raise Refusal(
            [error.detail, *(fault_lines("the problem", error.faults)[1:])],
            failure_of(error).exit_code,
        ) from None
    except SchedulingError as error:
        failure = failure_of(error)
        raise Refusal(
            f"failed ({failure.code}): {printable(error.detail)}", failure.exit_code
        ) from None


def run_pipeline(
    submission: Submission, limits: Limits, report: Told | None
) -> tuple[Result, AnySchedule | None]:
    """Build, solve, prove, reconstruct and verify, in a process that a hard stop can end."""
    chosen = settings()
    return solve_apart(
        submission,
        limits,
        memory=chosen.solver_memory_bytes,
        grace=chosen.hard_stop_grace_seconds,
        on_progress=report,
    )


def exit_code(submission: Submission, result: Result) -> int:
    """Give the exit code of an answer; a bound is success where a bound was asked for."""
    if result.outcome is Outcome.INFEASIBLE:
        return INFEASIBLE
    if result.outcome is Outcome.BOUND_ONLY:
        view = submission.problem.view(submission.instance, submission.options, result, None)
        return 0 if view.bound_asked else LIMIT_REACHED
    return LIMIT_REACHED if result.outcome is Outcome.UNKNOWN else 0


@app.command()
def check(
    instance: Annotated[
        str, typer.Argument(help="The body as posted, or as GET .../instance gives it.")
    ],
    result: Annotated[str, typer.Argument(help="As --json or GET .../result gives it.")],
    schedule: Annotated[
        str | None,
        typer.Argument(
            help="As --schedule or GET .../document gives it; leave it out where there is none."
        ),
    ] = None,
) -> None:
    """Let the referee alone judge an answer, in exact arithmetic.

    Exit code 1 means that it found faults; all of them are listed.
    """
    if [instance, result, schedule].count("-") > 1:
        raise Refusal("only one of the files can be standard input")
    limits = settings().limits
    submission = read_submission(instance, limits)
    answer = read_result(result, submission, limits)
    problem = submission.problem
    found = None if schedule is None else read_schedule(schedule, limits, problem.form)
    try:
        problem.validate(
            submission.instance, submission.options, answer, found, schedule_limits(limits)
        )
    except InvalidScheduleError as error:
        lines = referee_lines(error)
        count = "1 fault" if len(lines) == 1 else f"{len(lines)} faults"
        forgotten = found is None and answer.objective is not None
        raise Refusal(
            [f"refused: {count}", *lines, *([_NO_SCHEDULE] if forgotten else [])], FAILED
        ) from None
    emit(f"accepted: {what_holds(answer)}\n")


_NO_SCHEDULE = (
    "steadygrid: no schedule was given: name what `steadygrid solve --schedule` wrote last"
)


@app.command()
def problems(
    kind: Annotated[str | None, typer.Argument(help="A kind, to be told all about it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with the schemas.")] = False,
    example: Annotated[
        bool, typer.Option("--example", help="Print only the kind's example, ready to solve.")
    ] = False,
) -> None:
    """List the kinds of problem, or say what one of them asks for."""
    if kind is None:
        if example:
            raise Refusal("--example needs a KIND; the kinds are: " + ", ".join(PROBLEMS))
        if as_json:
            emit_json([{"kind": p.kind, "title": p.title} for p in PROBLEMS.values()])
        else:
            emit_lines(lambda width, _: list_of_kinds(PROBLEMS.values(), width))
        return
    if kind not in PROBLEMS:
        known = ", ".join(PROBLEMS)
        found = nearest(kind, PROBLEMS)
        meant = f"; did you mean {found!r}?" if found else ""
        raise Refusal(f"there is no kind {printable(kind)!r}; the kinds are: {known}{meant}")
    problem = PROBLEMS[kind]
    if example:
        emit_json(problem.example)
    elif as_json:
        emit_json(kind_document(problem))
    else:
        emit_lines(lambda width, glyphs: description_of(problem, width, glyphs))


@app.command()
def convert(
    file: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="A file in a foreign format, or a result of ours; - is standard input.",
        ),
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="|".join(TARGETS),
            help="What is in a foreign file, or the format to write a result in. A kind of problem: a"
            " body of POST /v1/jobs is written.",
        ),
    ],
    format_name: Annotated[
        str | None,
        typer.Option("--format", help="simgrid, wfformat or sdf3; default: by file name."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here, not to standard output."),
    ] = None,
    body: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="BODY",
            help="Put it into this body of POST /v1/jobs, and write that; files then keep to the"
            " routes of a platform, unless the body says how they are routed.",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Say what the format cannot say: for a SimGrid platform its name; for a WfCommons"
            " workflow its name, reference_speed (of the machine that recorded the runtimes, such"
            " as 2Gf; 1Gf where nothing is said), inputs_at and outputs_at (processors); for an SDF3"
            " graph its name, concurrency (auto, unless sequential), processor (whose times are"
            " taken) and buffers (true: sizes of channels limit them); for msccl name, proto, inplace,"
            " min_bytes, max_bytes and, once for each in turn, rank (participants).",
        ),
    ] = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule",
            metavar="FILE",
            help="The schedule of a result: what it does in a period is written, which only comes"
            " near the rates of the result where the period is bounded.",
        ),
    ] = None,
    instance: Annotated[
        str | None,
        typer.Option(
            "--instance",
            metavar="FILE",
            help="What the result answers, for pnml: the body as posted, or as GET .../instance"
            " gives it.",
        ),
    ] = None,
) -> None:
    """Turn a foreign format into a platform, an application or a body, or a result into a foreign format.

    What cannot be represented is listed on standard error, never dropped silently.
    """
    if output is not None:
        check_target(output)
    limits, given = settings().limits, named_values(parameters or ())
    if to not in TARGETS:
        raise Refusal(f"--to is one of: {', '.join(TARGETS)}{Known(TARGETS).hint(to)}")
    if to in EXPORTERS:
        if format_name is not None or body is not None:
            raise Refusal(f"--format and --into are for foreign files, and --to {to} writes one")
        text = exported(file, schedule, instance, EXPORTERS[to], given, limits)
    elif schedule is not None:
        raise Refusal("--schedule is for results, and a foreign file is none")
    elif instance is not None:
        raise Refusal("--instance is for results, and a foreign file is none")
    else:
        last = {name: values[-1] for name, values in given.items()}
        if to in INSTANCE_IMPORTERS:
            if body is not None:
                raise Refusal(
                    f"--into is for platforms and applications, and --to {to} is a whole body"
                )
            document = imported_body(file, INSTANCE_IMPORTERS[to], format_name, last, limits)
        else:
            noun = NOUNS[NOUNS.index(to)]
            document = imported(file, noun, format_name, body, last, limits)
        text = folded_json(document, ascii_only=output is None and not speaks_unicode()) + "\n"
    if output is None:
        emit(text)
    else:
        write_file(output, iter((text,)))


if __name__ == "__main__":
    main()
