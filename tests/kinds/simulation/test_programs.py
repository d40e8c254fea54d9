"""Exported programs of collectives when times are not exact."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.engine.executions.noise import factors_of
from steadygrid.formats.exporter import Answer
from steadygrid.formats.msccl.network import network_of
from steadygrid.kinds.simulation.schemas import (
    PREDICTION_IS_WRONG,
    SimulationInstance,
    SimulationResult,
)
from steadygrid.kinds.simulation.solver.methods import rounded
from steadygrid.kinds.simulation.validator import validate
from steadygrid.submissions.exports import EXPORTERS
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.formats.msccl_clock import Clock
from tests.formats.msccl_machine import check
from tests.kinds.simulation.bodies import simulated
from tests.solved import Solved, solve

F = Fraction
Link = tuple[str, str, int, str]
CHAIN: tuple[Link, ...] = (("a", "b", 4, "0"), ("b", "c", 3, "0"))
SQUARE: tuple[Link, ...] = (
    ("a", "b", 4, "1/50"),
    ("b", "c", 3, "0"),
    ("c", "d", 5, "1/40"),
    ("d", "a", 2, "0"),
)
SMALL = 64_000_000


def operation(name: str, links: tuple[Link, ...], **problem: Any) -> dict[str, Any]:
    """Ask for an operation of a few pieces, on links with bandwidths and latencies."""
    names = dict.fromkeys(end for one, other, *_ in links for end in (one, other))
    return {
        "problem": {
            "kind": "collective",
            "operation": name,
            "ports": "multiport",
            "platform": {
                "processors": [{"id": one} for one in names],
                "links": [
                    {"source": one, "target": other, "bandwidth": bandwidth, "latency": latency}
                    for one, other, bandwidth, latency in links
                ],
            },
            "execution": {"sizes": [SMALL, 10**9], "piece": 50_000_000, "step_time": "1/300"},
        }
        | problem
    }


BROADCAST = operation("broadcast", CHAIN, source="a")
CASES = {
    "broadcast": BROADCAST,
    "allgather": operation("allgather", SQUARE),
    "allreduce": operation("allreduce", SQUARE),
}


@cache
def _asked(case: str) -> dict[str, Any]:
    return simulated(CASES[case])


def asked(case: str, **members: Any) -> dict[str, Any]:
    body = deepcopy(_asked(case))
    return {"problem": body["problem"] | {"executions": ["program"]} | members}


def told(body: dict[str, Any], size: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the predicted time of a size, and its program."""
    execution = body["problem"]["result"]["execution"]
    row = next(row for row in execution["predicted"] if row["bytes"] == size)
    return row, execution["programs"][row["program"]]


def clock_of(body: dict[str, Any], size: int) -> tuple[Clock, Fraction, int, list[str]]:
    """Give the exported text on the clock, the data of a piece, loops, and names of ranks."""
    given = parse_submission(body["problem"]["instance"], Limits())
    result = given.problem.result.model_validate(body["problem"]["result"])
    answer = Answer(result, None, given.instance)
    text = EXPORTERS["msccl"].write(answer, {"bytes": [str(size)]}).text
    row, program = told(body, size)
    platform, names = given.instance.platform, list(given.instance.taking_part)
    network, index = network_of(platform), platform.index_by_id
    routes = {}
    for tree in program["trees"]:
        for route in (*tree["combined"], *tree["spread"]):
            ends = names.index(route[0]), names.index(route[-1])
            routes[ends] = tuple(index[name] for name in route)
    clock = Clock(
        check(text),
        routes,
        network.uses,
        dict(enumerate(network.bandwidths)),
        network.latencies,
    )
    data = sum(message.size for message in given.instance.messages)
    piece = Fraction(program["chunk"]) / data * size / 10**9 / row["loops"]
    return clock, piece, row["loops"], names


def drawn(names: list[str], noise: float, noise_of: Any, seed: int) -> Any:
    def factors(one: str, other: str) -> Iterator[float]:
        return iter(factors_of(f"{one}->{other}", noise, noise_of, seed), None)

    return {
        (i, j): factors(one, other)
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if one != other
    }


@pytest.mark.parametrize("size", [SMALL, 10**9])
@pytest.mark.parametrize("case", CASES)
def test_a_program_runs_as_its_exported_text_does_with_the_same_random_numbers(
    case: str, size: int
) -> None:
    body = asked(case, bytes=size, noise=["0", "1/5"], seeds=2, seed=7)
    clock, piece, loops, names = clock_of(body, size)
    exact, noisy = solve(body).result.table
    step = F(1, 300)
    amount = F(size, 10**9) / sum(F(one["size"]) for one in body["problem"]["result"]["messages"])
    assert amount / exact.throughput == F(told(body, size)[0]["time"])
    assert amount / exact.throughput == clock.run(piece, loops, step)
    times = [clock.run(piece, loops, step, drawn(names, 0.2, "operation", seed)) for seed in (7, 8)]
    assert noisy.runs == [rounded(amount / time) for time in times]
    assert len({exact.throughput, *noisy.runs}) == 3
    assert (exact.error, exact.late) == (0, None)
    assert noisy.error > 0


def test_one_slow_link_holds_the_chain_up_as_computed_by_hand() -> None:
    """Pieces follow each other over two links: all of them over the slower one, one over the other."""
    body = asked("broadcast", noise=["1/4"], noise_of="resource", seeds=9)
    row, program = told(body, 10**9)
    (tree,) = program["trees"]
    assert (tree["spread"], tree["chunks"]) == ([["a", "b"], ["b", "c"]], 1)
    (noisy,) = solve(body).result.table
    tick = F(1, row["loops"]) / (3 * 2**28)

    def ticks(link: str, bandwidth: int, seed: int) -> int:
        """A piece is busy for the step, then flows: all is rounded up, and bandwidths down."""
        factor = factors_of(link, 0.25, "resource", seed)()
        rate = 2**20 * bandwidth // 3
        return ceil(ceil(F(1, 300) / tick) * factor) + ceil(F(ceil(2**48 * factor), rate))

    runs = []
    for seed in range(9):
        faster, slower = sorted((ticks("a->b", 4, seed), ticks("b->c", 3, seed)))
        runs.append(rounded(1 / ((row["loops"] * slower + faster) * tick)))
    assert noisy.runs == runs
    assert len(set(runs)) == 9


def test_a_program_stands_beside_clock_and_order_where_nothing_is_said() -> None:
    body = simulated(BROADCAST, noise=["0", "1/20"], seeds=2, instances=20)
    result = solve(body).result
    assert [row.execution for row in result.table[::2]] == ["clock", "order", "program"]
    program = result.table[4]
    assert program.of_plan == program.throughput / result.plan
    assert program.of_optimum == F(told(body, 10**9)[0]["of_bound"])
    assert result.progress[4].points == [(1 / program.throughput, 1)]
    alone = solve(asked("broadcast", noise=["1/20"])).result
    assert (alone.recommended.execution, alone.objective.value) == (
        "program",
        alone.table[0].throughput,
    )


def test_what_is_reduced_flows_on_at_once_by_the_clock() -> None:
    """What a processor adds up is sent on while it comes in: so the plan says under multiport."""
    asked_for = operation("reduce", CHAIN, target="c")
    result = solve(simulated(asked_for, noise=["0"], executions=["clock", "order"])).result
    assert [(row.of_plan, row.late) for row in result.table] == [(1, 0), (1, 0)]


def test_there_is_no_program_where_none_is_predicted() -> None:
    body = operation("broadcast", CHAIN, source="a", execution={"sizes": []})
    result = solve(simulated(body, noise=["0"])).result
    assert {row.execution for row in result.table} == {"clock", "order"}


def faults(body: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(InstanceError) as error:
        parse_submission(body, Limits())
    return {"/".join(map(str, fault.pointer[1:])): fault.code for fault in error.value.faults}


def test_a_size_has_to_be_a_predicted_one() -> None:
    assert faults(asked("broadcast", bytes=7)) == {"bytes": "invalid_size"}


def test_a_program_that_cannot_be_run_is_refused() -> None:
    body = asked("broadcast")
    program = body["problem"]["result"]["execution"]["programs"][0]
    program["trees"][0]["spread"][0] = ["a", "c"]
    at = "result/execution/programs/0/trees/0"
    assert faults(body) == {at: "no_link"}
    assert parse_submission(
        body | {"problem": body["problem"] | {"executions": ["order"]}}, Limits()
    )
    body = asked("broadcast")
    rows = body["problem"]["result"]["execution"]["predicted"]
    rows[-1]["loops"] += 1
    assert faults(body) == {f"result/execution/predicted/{len(rows) - 1}/loops": "wrong_loops"}


def test_a_wrong_prediction_is_said_to_be_wrong() -> None:
    body = asked("broadcast", noise=["0"])
    row, _ = told(body, 10**9)
    row["time"], row["algbw"] = str(2 * F(row["time"])), str(F(row["algbw"]) / 2)
    assert PREDICTION_IS_WRONG in solve(body).result.notes
    assert PREDICTION_IS_WRONG not in solve(asked("broadcast", noise=["0"])).result.notes


def test_pieces_are_counted_and_what_is_not_used_is_said() -> None:
    body = asked("broadcast", noise=["0", "1/20"], instances=9)
    submission = parse_submission(body, Limits())
    sizing = size_submission(submission, Limits())
    row, _ = told(body, 10**9)
    assert sizing.sizes["simulated_operations"] == 4 * 5 * 2 * row["loops"]
    assert list(sizing.warnings) == ["instances is not used: a program runs one operation"]
    other = asked("broadcast", executions=["order"], bytes=SMALL)
    warned = size_submission(parse_submission(other, Limits()), Limits()).warnings
    assert list(warned) == ["bytes is not used: no program is run"]


@cache
def _answered() -> tuple[dict[str, Any], Solved]:
    body = asked("broadcast", noise=["0", "1/20"], seeds=2)
    return body, solve(body)


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda row: row | {"runs": ["1"], "throughput": "1"}, "not_as_predicted"),
        (lambda row: row | {"error": "1"}, "wrong_error"),
        (lambda row: row | {"execution": "clock"}, "wrong_rows"),
    ],
)
def test_the_referee_refuses_what_is_untrue(
    edit: Callable[[dict[str, Any]], dict[str, Any]], code: str
) -> None:
    body, answered = _answered()
    document = answered.result.model_dump(mode="json")
    document["table"][0] = edit(document["table"][0])
    result = SimulationResult.model_validate(document)
    with pytest.raises(InvalidScheduleError) as error:
        validate(parse_submission(body, Limits()).instance, Options(), result, None)
    assert code in {fault.code for fault in error.value.faults}


def test_without_a_prediction_a_program_is_compared_with_none() -> None:
    body, answered = _answered()
    instance = parse_submission(body, Limits()).instance
    assert isinstance(instance, SimulationInstance)
    first, *rest = answered.result.table
    untrue = first.model_copy(update={"runs": [F(1)], "throughput": F(1)})
    result = answered.result.model_copy(update={"table": [untrue, *rest]})
    codes = []
    known: list[Any] = instance.result["execution"]["predicted"]
    for predicted in (known, known[:0]):
        execution = instance.result["execution"] | {"predicted": predicted}
        given = instance.model_copy(update={"result": instance.result | {"execution": execution}})
        with pytest.raises(InvalidScheduleError) as error:
            validate(given, Options(), result, None)
        codes.append("not_as_predicted" in {fault.code for fault in error.value.faults})
    assert codes == [True, False]
