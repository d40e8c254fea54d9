"""A vocoder of 141 tasks on a Cell processor: the search, against Algorithm 7 and the PPE alone."""

from collections.abc import Iterator

from benchmarks.measurement import Measurement, stopwatch
from benchmarks.vocoder import vocoder
from steadygrid.domain.job import Options
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.schemas import CellResult
from steadygrid.kinds.cell.sizing import sizing
from steadygrid.kinds.cell.solver.methods import solve
from steadygrid.kinds.cell.solver.references import NoMappingError, greedy
from steadygrid.kinds.cell.solver.tables import Tables

SECONDS = 120.0
"""For six SPEs; the other numbers of SPEs get `SHORT` each."""
SHORT = 15.0
SPES = (0, 1, 2, 3, 4, 5, 6, 8)


def measure() -> Iterator[Measurement]:
    """Solve for six SPEs with a gap, then tabulate the throughput by their number."""
    yield from _six()
    for spes in SPES:
        yield from _throughputs(spes)


def _six() -> Iterator[Measurement]:
    instance = vocoder(spes=6)
    with stopwatch() as watch:
        result = _answer(6, SECONDS)
    tasks = len(instance.application.tasks)
    yield Measurement(f"{tasks} tasks, 6 SPEs: time", watch.seconds, "s", claim=SECONDS + 10)
    yield Measurement("gap", 100 * float(result.gap or 0), "%", claim=2)
    yield Measurement("nodes of the search", result.statistics.nodes or 0, "")
    up = result.speed_up
    yield Measurement("throughput over Algorithm 7's", float(up.greedy or 0), "x", 2, at_least=True)
    yield Measurement("throughput over the PPE's alone", float(up.ppe_only or 0), "x")


def _throughputs(spes: int) -> Iterator[Measurement]:
    result = _answer(spes, SHORT)
    yield Measurement(
        f"{spes} SPEs: instances", float(1 / result.period) if result.period else 0.0, "/s"
    )
    yield Measurement(
        f"{spes} SPEs: bound", float(result.bound.value) if result.bound else 0.0, "/s"
    )
    tables = Tables(vocoder(spes=spes))
    try:
        filled = float(1 / tables.period(greedy(tables)))
    except NoMappingError:
        return
    yield Measurement(f"{spes} SPEs: Algorithm 7", filled, "/s")


def _answer(spes: int, seconds: float) -> CellResult:
    instance, options = vocoder(spes=spes), Options(time_limit=seconds)
    solution = solve(instance, options, sizing(instance, options), Control(seconds))
    result = solution.result
    assert isinstance(result, CellResult)
    return result
