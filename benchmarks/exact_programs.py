"""Exact linear programs beside QSopt_ex, where its ``esolver`` is installed; else nothing is measured.

Both get the same integer coefficients, both optima are exact, and have to be equal. Processor seconds:
ours for the program as it is in memory, QSopt_ex's with the reading of its file. The programs are the
largest that a solve of the instance proves.
"""

import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.collectives import broadcast
from benchmarks.generators import random_platform, random_task_graph
from benchmarks.measurement import Measurement
from steadygrid.domain.limits import Limits
from steadygrid.engine.exact.proving import Optimum, Proof, Prover
from steadygrid.engine.exact.vectors import to_fraction
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.program import Bound, LinearProgram
from steadygrid.submissions.submission import parse_submission, size_submission

SECONDS = 300
"""For QSopt_ex."""
CLAIM = 1.5
"""Times as long as QSopt_ex that our proof may take."""


def measure() -> Iterator[Measurement]:
    """Solve the largest program of each instance, and have QSopt_ex solve it."""
    if shutil.which("esolver") is None:
        return
    for what, make in INSTANCES.items():
        program, optimum, seconds = largest_program(make())
        value, theirs = solved_by_esolver(program)
        size = f"{what}, {program.num_rows:,} rows, {program.num_columns:,} columns"
        yield Measurement(f"{size}: seconds", seconds, "s")
        if value is None:
            yield Measurement(f"{size}: QSopt_ex, not solved after", theirs, "s")
            continue
        assert value == optimum, (value, optimum)
        yield Measurement(f"{size}: QSopt_ex", theirs, "s")
        yield Measurement(f"{size}: times QSopt_ex's", seconds / theirs, "x", CLAIM)


def largest_program(body: Mapping[str, Any]) -> tuple[LinearProgram, Fraction, float]:
    """Solve an instance; give its largest program, its optimum, and how long its proof took."""
    submission = parse_submission(dict(body), Limits())
    sizing = size_submission(submission, Limits())
    found: list[tuple[LinearProgram, Fraction, float]] = []
    prove = Prover.prove

    def timed(prover: Prover, program: LinearProgram) -> Proof:
        begun = process_time()
        proof = prove(prover, program)
        seconds = process_time() - begun
        if isinstance(proof, Optimum):
            value = sum(
                (
                    cost * to_fraction(number)
                    for cost, number in zip(program.costs, proof.solution, strict=True)
                    if cost
                ),
                Fraction(0),
            )
            found.append((program, value, seconds))
        return proof

    Prover.prove = timed  # type: ignore[method-assign,assignment]
    try:
        solver_for(submission.kind).solve(
            submission.instance, submission.options, sizing, Control(600)
        )
    finally:
        Prover.prove = prove  # type: ignore[method-assign]
    return max(found, key=lambda one: len(one[0].values))


def solved_by_esolver(program: LinearProgram) -> tuple[Fraction | None, float]:
    """Give the optimum, None where there is none in time, and the processor seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.lp")
        path.write_text("".join(lines(program)), encoding="ascii")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            ["esolver", "-L", "-R", str(SECONDS), "-O", "solution", path.name],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        solution = next(Path(folder).glob("solution*"), None)
        told = "" if solution is None else solution.read_text(encoding="ascii")
    value = re.search(r"Value = (\S+)", told)
    return (Fraction(value.group(1)) if value and "OPTIMAL" in told else None), seconds


def lines(program: LinearProgram) -> Iterator[str]:
    """Write a program as QSopt_ex reads it: a row with two bounds twice."""
    yield "Maximize\n obj: "
    yield from _terms(enumerate(program.costs))
    yield "\nSubject To\n"
    for row in range(program.num_rows):
        places = slice(program.starts[row], program.starts[row + 1])
        terms = "".join(_terms(zip(program.indices[places], program.values[places], strict=True)))
        lower, upper = program.row_lower[row], program.row_upper[row]
        if lower is not None and lower == upper:
            yield f" r{row}: {terms} = {upper}\n"
            continue
        if upper is not None:
            yield f" r{row}: {terms} <= {upper}\n"
        if lower is not None:
            yield f" s{row}: {terms} >= {lower}\n"
    yield "Bounds\n"
    for column, bounds in enumerate(zip(program.column_lower, program.column_upper, strict=True)):
        yield _bounds(column, *bounds)
    yield "End\n"


def _terms(row: Any) -> Iterator[str]:
    for column, value in row:
        if value:
            yield f" {'+' if value > 0 else '-'} {abs(value)} x{column}"


def _bounds(column: int, lower: Bound, upper: Bound) -> str:
    if lower is None and upper is None:
        return f" x{column} free\n"
    least = "-inf" if lower is None else str(lower)
    most = "" if upper is None else f" <= {upper}"
    return f" {least} <= x{column}{most}\n"


def _scatter(processors: int) -> dict[str, Any]:
    """Ask for a scatter on the platform of a broadcast."""
    problem = broadcast(processors, uneven=True)["problem"]
    targets = [f"P{i}" for i in range(1, processors)]
    return {"problem": problem | {"operation": "scatter", "targets": targets}}


def _body(instance: Any) -> dict[str, Any]:
    return {"problem": instance.model_dump(mode="json", exclude_none=True, exclude_defaults=True)}


INSTANCES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "master_worker, 1,000 processors": lambda: _body(random_platform(0)),
    "task_graph, 12 tasks on 20 processors": lambda: _body(random_task_graph(0, 12, 20, 3)),
    "task_graph, 40 tasks on 60 processors": lambda: _body(random_task_graph(0, 40, 60, 3)),
    "collective, scatter to 300": lambda: _scatter(300),
}
