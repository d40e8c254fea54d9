"""Everything against Pyomo and HiGHS alone, on random platforms.

The whole pipeline (build, solve, certify, reconstruct, verify) is timed against the least work of
stating the program in Pyomo and solving it with HiGHS: building the model, compiling it to standard
form, and the better of simplex and interior point. Both run one after the other in one process with
one thread, so the ratio does not depend on the machine's mood as seconds do.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import highspy
import numpy as np
from pyomo.repn.plugins.standard_form import LinearStandardFormCompiler

from benchmarks.generators import random_platform
from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.model import build_model
from steadygrid.submissions.submission import Submission

SEEDS = range(10)


def measure() -> Iterator[Measurement]:
    """Solve ten platforms both ways; one line each, and the totals."""
    # A worker has imported everything before its first job.
    _pipeline_seconds(random_platform(0, num_processors=10, num_links=30))
    ours = theirs = 0.0
    for seed in SEEDS:
        instance = random_platform(seed)
        whole, value = _pipeline_seconds(instance)
        alone, approx = _solver_seconds(instance)
        if abs(float(value) - approx) > 1e-6 * approx:
            raise ArithmeticError(f"seed {seed}: certified {float(value)}, HiGHS says {approx}")
        yield Measurement(
            f"seed {seed}: everything {whole:.2f} s, Pyomo and HiGHS {alone:.2f} s",
            whole / alone,
            "times",
        )
        ours += whole
        theirs += alone
    yield Measurement("1,000 processors, 6,000 links: everything", ours, "s")
    yield Measurement("Pyomo build and compile, HiGHS's better method", theirs, "s")
    yield Measurement("everything / Pyomo and HiGHS, in total", ours / theirs, "times", claim=3)
    yield Measurement("peak memory", peak_gigabytes(), "GB", claim=2)


def _pipeline_seconds(instance: MasterWorkerInstance) -> tuple[float, Fraction]:
    # A copy, because platforms keep what they derived from their links.
    fresh = MasterWorkerInstance.model_validate(instance.model_dump())
    submission = Submission(PROBLEMS["master_worker"], fresh, Options(), {})
    with stopwatch() as watch:
        answer = pipeline.run(submission, Control(), Limits())
    if answer.result.objective is None:
        raise ArithmeticError("the pipeline found no optimum")
    return watch.seconds, answer.result.objective.value


def _solver_seconds(instance: MasterWorkerInstance) -> tuple[float, float]:
    fresh = MasterWorkerInstance.model_validate(instance.model_dump())
    with stopwatch() as building:
        model = build_model(fresh, Legs.from_instance(fresh))
        form = LinearStandardFormCompiler().write(model, mixed_form=True)
    interior, value = _highs_seconds(form, "ipm", float("inf"))
    simplex, _ = _highs_seconds(form, "simplex", interior)
    return building.seconds + min(interior, simplex), value


def _highs_seconds(form: Any, method: str, time_limit: float) -> tuple[float, float]:
    """Run one method; a run that meets the limit counts as that long."""
    highs = highspy.Highs()
    for option, setting in (
        ("output_flag", False),
        ("threads", 1),
        ("solver", method),
        ("time_limit", time_limit),
    ):
        highs.setOptionValue(option, setting)
    with stopwatch() as watch:
        highs.passModel(_highs_program(form))
        highs.run()
    return watch.seconds, -highs.getInfo().objective_function_value


def _highs_program(form: Any) -> highspy.HighsLp:
    matrix = form.A.tocsc()
    rows, columns = matrix.shape
    sides = np.array([float(side) for side in form.rhs])
    types = np.array([row.bound_type for row in form.rows])
    program = highspy.HighsLp()
    program.num_row_, program.num_col_ = rows, columns
    program.col_cost_ = np.asarray(form.c.todense(), dtype=np.float64).ravel()
    program.col_lower_ = np.zeros(columns)
    program.col_upper_ = np.full(columns, highspy.kHighsInf)
    program.row_lower_ = np.where(types <= 0, sides, -highspy.kHighsInf)
    program.row_upper_ = np.where(types >= 0, sides, highspy.kHighsInf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = matrix.indptr
    program.a_matrix_.index_ = matrix.indices
    program.a_matrix_.value_ = matrix.data.astype(float)
    return program
