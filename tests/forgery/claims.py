"""Forgeries of what is said of an answer, with the members that have to agree."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from steadygrid.domain.job import Outcome
from steadygrid.engine.solver import without_schedule
from steadygrid.kinds import PROBLEMS
from tests.forgery.cases import Case, forgery
from tests.forgery.papers import Papers, certificates, claimed, scaled

KEPT = frozenset({"chain", "classes", "messages", "operation", "repetitions", "statistics"})
"""Members that do not say that something is done."""


@forgery
def nothing_is_possible(case: Case) -> Iterator[Papers]:
    """The outcome is infeasible, and nothing else is said."""
    kept = {name: case.right.result[name] for name in KEPT & case.right.result.keys()}
    empty = without_schedule(
        PROBLEMS[case.right.kind].result,
        Outcome.INFEASIBLE,
        case.right.result["method"],
        notes=["there is no schedule"],
        **kept,
    )
    told = empty.model_dump(mode="json")
    proofs = {"none", "search", "unreachable", "deadlock"}
    for proof in sorted(certificates(case.right.kind) & proofs):
        certificate: dict[str, Any] = {"type": proof}
        if proof == "unreachable":
            first = case.right.result["messages"][0]
            inside = [first["origin"]] if first["origin"] else first["receivers"]
            certificate |= {"message": first["message"], "processors": inside}
        if proof == "deadlock":
            steps = case.right.result["critical_circuit"]
            names = ("actor", "firing", "channel")
            circuit = [{name: step[name] for name in names} | {"tokens": 0} for step in steps]
            certificate["circuit"] = circuit
        yield Papers(case.right.asked, told | {"certificate": certificate}, None)


@forgery
def a_little_better_than_the_best(case: Case) -> Iterator[Papers]:
    """Value, bound and prices are a tenth better, and the schedule says so, too."""
    better = Fraction(9, 10) if case.right.minimised else Fraction(11, 10)
    value = case.right.value * better
    bound = case.right.bound * better
    names = frozenset[str]() if case.right.minimised else {"prices"}
    result = scaled(case.right.result, names, better)
    result |= claimed(case.right, value, bound, case.right.result["proof"])
    told = {"throughput", "optimal_throughput", "makespan"}
    schedule = scaled(case.right.schedule, told, better)
    # What a table says of its throughput follows from its period.
    yield Papers(case.right.asked, result, case.right.schedule if case.right.is_table else schedule)


@forgery
def an_optimum_of_its_own(case: Case) -> Iterator[Papers]:
    """The header of a schedule that loses says that no schedule does more."""
    if not case.right.is_periodic or case.right.schedule["loss"] == "0":
        return
    schedule = case.right.schedule
    own = {"optimal_throughput": schedule["throughput"], "loss": "0"}
    yield case.right.with_schedule(**own)
    yield case.right.with_schedule(**own, rounding_loss="0")
    if schedule["rounding_loss"] is not None:
        optimum, reached = (
            Fraction(schedule["optimal_throughput"]),
            Fraction(schedule["throughput"]),
        )
        merely = optimum * (1 - Fraction(schedule["rounding_loss"])) / reached
        yield case.right.with_schedule(**own, rounding_loss=str(max(1 - merely, Fraction(0))))
    yield case.right.with_schedule(**own, rounding_loss=None, bounded=None)


@forgery
def results_a_period_early(case: Case) -> Iterator[Papers]:
    """Instances are said to end a period before they do."""
    if not case.right.is_periodic or case.right.schedule["latency_periods"] < 2:
        return
    schedule = case.right.schedule
    papers = case.right.with_schedule(
        prologue_periods=schedule["prologue_periods"] - 1,
        latency_periods=schedule["latency_periods"] - 1,
    )
    if "latency_periods" in papers.result:
        papers = papers.with_result(latency_periods=papers.result["latency_periods"] - 1)
    yield papers


@forgery
def half_of_it_left_out(case: Case) -> Iterator[Papers]:
    """The last entry of every part of the schedule is not there, and the counts agree."""
    schedule = case.right.schedule
    if schedule is None:
        return
    for part in ("allocations", "computations", "runs", "slots", "rows", "events"):
        if schedule.get(part):
            shorter = schedule | {part: schedule[part][:-1]}
            shorter |= dict.fromkeys(("counts", "interruptions") & schedule.keys())
            yield case.right._replace(schedule=shorter)
            if part == "events":
                yield Papers(
                    case.right.asked,
                    case.right.result | {"timeline": case.right.result["timeline"][:-1]},
                    shorter,
                )
