"""Messages that are combined from all and known to all: oracles, schedules, and what the referee finds."""

import itertools
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Sizing
from steadygrid.engine.pipeline import run
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.certificates import WeightedCut
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.sizing import sizing
from steadygrid.kinds.collective.solver.allreduce_halves import Halves, joined
from steadygrid.kinds.collective.solver.copies import Tree
from steadygrid.kinds.collective.solver.grouped_messages import Network
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.engine.scheduling.trees import assert_trees_run
from tests.kinds.collective.bodies import F, body
from tests.kinds.collective.by_hand import cuts
from tests.kinds.collective.trees import by_all_trees, drawn_copies
from tests.kinds.told import facts_of
from tests.solved import Solved, solve
from tests.verification.answers import Answer

pytestmark = pytest.mark.usefixtures("few_programs")

FULL = {"duplex": "full"}
MULTIPORT = {"ports": "multiport"}
PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")
RING = "a>b 1, b>c 1, c>a 1"
ONE_ROOT = "no schedule that combines each piece at one processor does better"
"""What people are told of its reach."""


def answer(problem: dict[str, Any], **options: Any) -> Answer:
    submission = parse_submission({**problem, "options": options}, Limits())
    found = Solved(*run(submission, Control(60), Limits()))
    return Answer(submission.instance, submission.options, found.result, found.schedule)


def ring(**problem: Any) -> Answer:
    """Each participant is the root of a third of the pieces."""
    return answer(body(RING, "allreduce", **(MULTIPORT | problem)))


def test_every_processor_is_a_root_on_a_ring() -> None:
    """A piece takes two links to its root and two from there, and three carry 3/4 of 4."""
    for ports, periods in (("multiport", 1), ("one_port", 4)):
        result, schedule = ring(ports=ports)[2:]
        assert (result.outcome, result.objective.value) == ("optimal", F(3, 4))
        assert {a.root: a.rate for a in result.allocations} == dict.fromkeys("abc", F(1, 4))
        assert schedule.latency_periods == periods
        assert result.notes == []
        asked = body(RING, "allreduce", ports=ports)
        assert facts_of(asked, result, schedule)["bound"] == f"3/4: reached, {ONE_ROOT}"
        assert result.algorithmic_bandwidth == F(3, 4)


def meshed(number: int) -> str:
    return ", ".join(f"P{a}>P{b} 1" for a, b in itertools.permutations(range(number), 2))


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("number", [2, 3, 4])
def test_among_equals_it_is_half_an_allgather_of_parts(ports: str, number: int) -> None:
    both = [
        solve(body(meshed(number), operation, ports=ports, size=size)).result.objective.value
        for operation, size in (("allreduce", 1), ("allgather", f"1/{number}"))
    ]
    assert both[0] == both[1] / 2


def test_uneven_roots_are_worth_more_on_uneven_platforms() -> None:
    """Through a hub each piece takes every link once; a third of it for each leaf more than once."""
    star = body("a>h 1, b>h 1, c>h 1", "allreduce", members=FULL, **MULTIPORT)
    result = solve(star).result
    assert result.objective.value == 1
    assert {a.root for a in result.allocations} == {"h"}
    parts = body("a>h 1, b>h 1, c>h 1", "allgather", members=FULL, size="1/4", **MULTIPORT)
    assert solve(parts).result.objective.value / 2 == F(2, 3)


def test_a_relay_that_combines_lets_each_link_carry_each_piece_once() -> None:
    """Where h only forwards, what two of them send passes the link of the third on its own."""
    star = body("a>h 1, b>h 1, c>h 1", "allreduce", members=FULL, **MULTIPORT)
    star["problem"]["participants"] = ["a", "b", "c"]
    result = solve(star).result
    assert (result.outcome, result.method, result.objective.value) == ("optimal", "trees", 1)
    star["problem"]["copying"] = "participants"
    assert solve(star).result.objective.value == F(3, 4)


def test_a_root_without_data_that_one_path_leads_to_moves_to_where_that_begins() -> None:
    """a combines all, sends it to r, and r back to a, b and the relay q: instead, a is the root."""
    instance = CollectiveInstance.model_validate(
        body("a>r 1, a>b 1, r>q 1", "allreduce", members=FULL, participants=["a", "b"])["problem"]
    )
    halves = Halves.from_instance(instance, Network.from_instance(instance))
    at = instance.platform.index_by_id
    a, b, r, q = (at[name] for name in "abrq")
    first = Tree(halves.message, r, ((r, a), (a, b)))
    second = Tree(halves.message, r, ((r, a), (a, b), (r, q)))
    way = joined(halves, (first, second), F(1))
    assert way.root == a
    assert way.moves == (("b", (b, a)), ("--sum", (a, b)))
    assert [one.processor for one in way.combinations] == ["a"]


def test_a_bound_alone_is_that_of_the_cuts() -> None:
    told = ring(method="upper_bound").result
    assert (told.outcome, told.objective, told.bound.value) == ("bound_only", None, F(3, 4))


def test_a_switch_that_does_not_combine_is_passed_by_every_operand() -> None:
    rays = body("a>w 1, b>w 1, c>w 1", "allreduce", switches="w", members=FULL, **MULTIPORT)
    assert solve(rays).result.objective.value == F(3, 4)
    rays["problem"]["copying"] = "all"
    result = solve(rays).result
    assert (result.method, result.bound.value) == ("trees", 1)


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(draws(3, 60)))
def test_schedules_combine_all_before_it_is_spread(seed: int, ports: str) -> None:
    drawn = drawn_copies(seed, "allreduce", ports)
    if by_all_trees(drawn) is None:
        return
    found = answer(drawn, whole_files=False, max_period="exact")
    instance = found.instance
    (message,) = instance.messages
    ends = {"data": message.sources}
    sizes = {"data": message.size}
    assert_trees_run(instance.platform, ends, ends, sizes, found.schedule)


@pytest.mark.parametrize("ports", PORTS)
def test_latencies_are_paid_until_so_many_operations_are_complete(ports: str) -> None:
    slow = body(RING, "allreduce", ports=ports, members={"latency": "1/10"})
    grouping = solve(slow, latencies="paid", total_instances=40).schedule.grouping
    assert grouping.no_schedule_before == 40 / solve(slow).result.objective.value
    assert grouping.no_schedule_before < grouping.completion_time_at_most
    assert grouping.latency_time >= F(2, 5)


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("copying", ["processors", "participants"])
@pytest.mark.parametrize("relay", ["", "d"])
def test_when_the_time_is_over_there_are_trees_and_a_bound(
    ports: str, copying: str, relay: str
) -> None:
    problem = body(f"{RING}, c>d 1, d>a 2", "allreduce", ports=ports, copying=copying)
    if relay:
        problem["problem"]["participants"] = ["a", "b", "c"]
    best = by_all_trees(problem)
    assert best is not None
    instance = CollectiveInstance.model_validate(problem["problem"])
    late = OutOfTime()
    late.duals = {("capacity", "a->b.link" if ports == "multiport" else "a.send"): 0.5}
    told = solver_for("collective").best_without_solver(
        instance, Options(), Sizing("trees", {}), Control(30), late
    ).result  # fmt: skip
    assert told.objective is not None
    assert told.bound is not None
    assert 0 < told.objective.value <= best <= told.bound.value
    assert solve(problem, seconds=0).result.bound.exact


def test_processors_that_cannot_reach_all_others_are_shown() -> None:
    lost = answer(body("a>b 1, b>a 1, b>c 1", "allreduce", **MULTIPORT))
    assert (lost.result.outcome, lost.result.certificate.processors) == ("infeasible", ["c"])
    held = "result/certificate/processors"
    assert lost.change(held, ["a", "b", "c"]).codes() == {"proves_nothing"}
    assert lost.change(held, []).codes() == {"proves_nothing"}
    assert lost.change(held, ["b", "c"]).codes() == {"not_closed"}


def test_the_program_is_counted() -> None:
    instance = CollectiveInstance.model_validate(
        body("a>w 1, b>w 1", "allreduce", switches="w", members=FULL)["problem"]
    )
    told = sizing(instance, Options())
    assert told.method == "cutting_planes"
    assert told.sizes == {
        "participants": 2, "messages": 1, "hops": 4, "forwarders": 1, "receivers": 2,
        "variables": 10, "coefficients": 16,
    }  # fmt: skip


FIRST = "result/allocations/0"
CERTIFICATE = "result/certificate"


def way(data: str, path: str) -> Any:
    def changed(transfers: list[Any]) -> list[Any]:
        return [
            one.model_copy(update={"path": path.split(">")}) if one.file[1] == data else one
            for one in transfers
        ]

    return changed


def without(data: str) -> Any:
    return lambda transfers: [one for one in transfers if one.file[1] != data]


PLANTED: list[tuple[str, str, Any]] = [
    ("wrong_root", f"{FIRST}/root", "b"),
    ("wrong_root", f"{FIRST}/combinations", lambda _: []),
    ("not_combined", f"{FIRST}/combinations", lambda some: some[:1]),
    ("from_nowhere", f"{FIRST}/combinations/1/processor", "c"),
    ("file_does_not_move", f"{FIRST}/combinations/1/processor", "b"),
    ("may_not_combine", f"{FIRST}/combinations/1/processor", "x"),
    ("used_twice", f"{FIRST}/combinations/1/operands", lambda some: [*some, "b"]),
    ("unknown_operand", f"{FIRST}/combinations/1/operands", lambda some: [*some, "--sum"]),
    ("file_does_not_move", f"{FIRST}/transfers", without("--0")),
    ("file_does_not_move", f"{FIRST}/transfers", without("--sum")),
    ("file_does_not_move", f"{FIRST}/transfers", lambda some: some[:-1]),
    ("file_stays", f"{FIRST}/transfers", way("--sum", "c>a")),
    ("from_nowhere", f"{FIRST}/transfers", way("--sum", "b>c")),
    ("unknown_file", f"{FIRST}/transfers/3/file", ("data", "--1")),
    ("from_nowhere", f"{FIRST}/transfers/3/file", ("data", "a")),
    ("entered_twice", f"{FIRST}/transfers", lambda some: [*some, some[-1]]),
    ("wrong_sum", f"{FIRST}/rate", F(1, 2)),
    ("overloaded", "instance/platform/links/0/unit_time", F(2)),
    ("wrong_messages", "result/messages/0/origin", "a"),
    ("wrong_messages", "result/messages/0/sources", ["a", "b"]),
    ("wrong_bandwidth", "result/algorithmic_bandwidth", F(1)),
    ("from_nowhere", "schedule/allocations/0/transfers", lambda some: some[:2] + some[3:]),
    ("wrong_latency", "schedule/latency_periods", 2),
    ("heavy_cuts", f"{CERTIFICATE}/cuts/0/weight", F(1)),
    ("negative_weight", f"{CERTIFICATE}/cuts/0/weight", F(-1)),
    ("cheap_operation", f"{CERTIFICATE}/cuts", lambda some: some[1:]),
    ("heavy_cuts", f"{CERTIFICATE}/cuts/0/processors", ["a"]),
    ("potential_of_copier", f"{CERTIFICATE}/potentials_in", {"a": F(1)}),
    ("unknown_processor", f"{CERTIFICATE}/potentials_in", {"x": F(1)}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(code: str, place: str, value: Any) -> None:
    right = ring()
    assert right.faults() == []
    assert code in right.change(place, value).codes()


def test_a_switch_cannot_be_the_root() -> None:
    right = answer(body("a>w 1, b>w 1", "allreduce", switches="w", members=FULL, **MULTIPORT))
    moved = right.change(f"{FIRST}/combinations/0/processor", "w").change(f"{FIRST}/root", "w")
    assert "may_not_combine" in moved.codes()


@pytest.mark.parametrize("relay", [False, True])
@pytest.mark.parametrize("seed", range(draws(4, 200)))
def test_prices_alone_are_as_good_as_cuts(seed: int, relay: bool) -> None:
    drawn = drawn_copies(seed, "allreduce", "multiport")
    if relay:
        drawn["problem"]["copying"] = "processors"
    right = answer(drawn)
    if right.result.outcome != "optimal":
        return
    prices = right.result.certificate.prices
    alone = right.change(CERTIFICATE, DualityCertificate(prices=prices))
    assert alone.faults() == []
    less = {name: price * Fraction(99, 100) for name, price in prices.items()}
    assert "cheap_operation" in right.change(CERTIFICATE, DualityCertificate(prices=less)).codes()


def test_each_direction_has_cuts_and_potentials_of_its_own() -> None:
    """Between a and b, each behind a switch, whichever of them is the root: out of one, into it."""
    path = body("a>v 1, v>b 1, b>w 1, w>a 1", "allreduce", switches="vw", **MULTIPORT)
    right = answer(path)
    assert right.result.objective.value == 1
    raised = {"v": F(1), "w": F(0)}
    proof = cuts({"a->v.link": 1}, {"a": 1}, raised)
    proof.cuts.append(WeightedCut(processors=["b"], weight=F(1), direction="in"))
    proof.cuts[0] = WeightedCut(processors=["a", "w"], weight=F(1), direction="out")
    lower = proof.model_copy(update={"potentials": {}, "potentials_in": {"v": F(-1)}})
    assert "heavy_cuts" in right.change(CERTIFICATE, proof).codes()
    assert right.change(CERTIFICATE, lower).faults() == []
    only = lower.model_copy(update={"cuts": lower.cuts[1:]})
    assert right.change(CERTIFICATE, only).codes() == {"cheap_operation"}


def test_other_operations_have_no_potentials_of_two_directions() -> None:
    right = answer(body("s>w 1, w>a 1", "broadcast", switches="w", source="s", method="cutting_planes", **MULTIPORT))  # fmt: skip
    proof = right.result.certificate
    told = right.change(CERTIFICATE, proof.model_copy(update={"potentials_in": {"w": F(1)}}))
    assert told.codes() == {"potentials_of_nothing"}
