"""Stars that send results back: orders that are known, tried, searched for or given."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.domain.timeline import Timeline
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.optimality.return_orders import (
    nothing_returns_sooner,
    pairs_of_orders,
)
from steadygrid.kinds.divisible_star.replay.star_terms import Times
from steadygrid.kinds.divisible_star.return_methods import methods_with_results
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.kinds.divisible_star.solver.results import answer
from steadygrid.kinds.divisible_star.solver.results.answer import (
    INTERRUPTED,
    answer_results,
    shares_at,
)
from steadygrid.kinds.divisible_star.solver.results.bases import latency_of, time_of
from steadygrid.kinds.divisible_star.solver.results.bound import returned_bound
from steadygrid.kinds.divisible_star.solver.results.every_pair import enumerate_orders
from steadygrid.kinds.divisible_star.solver.results.model import search_orders
from steadygrid.kinds.divisible_star.solver.results.orders_search import OrdersSearch
from steadygrid.kinds.divisible_star.solver.results.pairs import AskedPairs
from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star, read_star
from steadygrid.kinds.divisible_star.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.divisible_star.bodies import makespan, result_of, with_results
from tests.kinds.divisible_star.results.returned import (
    Pair,
    every_choice,
    program,
    random_star,
)
from tests.solved import solve

F = Fraction
C, W = [6, 7, 12], [8, 6, 5]
"""Of three workers whose results are as long as the data."""


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (with_results(C, W, C), F(10382, 789)),
        (with_results(C, W, C, return_orders="fifo"), F(728, 55)),
        (with_results(C, W, C, return_orders="lifo"), F(580, 43)),
        (with_results(C, W, C, ports="one_port"), F(9710, 791)),
        (with_results([1, 1, 5], [1, 1, 5], [1, 1, 5]), F(2)),
        (with_results([1, 1, 5], [1, 1, 5], [1, 1, 5], return_orders="lifo"), F(135, 61)),
        (with_results([1, 6], [1, 2], [1, 6], ports="one_port", return_orders="fifo"), F(3)),
        # Only the master computes; then a worker takes only its latencies and the return.
        (with_results([], [], [], own=2), F(2)),
        (with_results([1], [1], [1], load={"communication_volume": 0, "computation_volume": 0,
            "return_volume": 1}, latencies=[(1, 2, 3)]), F(7)),
    ],
)  # fmt: skip
def test_known_optima(document: Mapping[str, Any], expected: Fraction) -> None:
    assert makespan(document) == expected


def test_why_nothing_is_better_is_said() -> None:
    tried = result_of(with_results(C, W, C))
    assert (tried.method, tried.order_proof) == ("search", "exhaustive")
    assert (tried.certificate.type, tried.bound_source) == ("enumeration", "search")
    assert tried.bound is not None
    assert tried.bound.exact
    known = result_of(with_results(C, W, C, return_orders="fifo"))
    assert (known.method, known.order_proof, known.order) == ("lp", "theorem", ["P1", "P2", "P3"])
    reversed_ = result_of(with_results(C, W, C, return_orders="lifo"))
    assert (reversed_.method, reversed_.return_order) == ("closed_form", ["P3", "P2", "P1"])
    five = result_of(with_results([1, 2, 3, 4, 5], [5, 9, 7, 8, 6], [5, 3, 4, 1, 2]))
    assert (five.outcome, five.order_proof) == ("optimal", "exhaustive")
    assert five.certificate.type == "search"
    assert five.bound is not None
    assert not five.bound.exact


@pytest.mark.parametrize(
    ("workers", "asks", "methods"),
    [
        (3, {}, ("search", "local_search")),
        (6, {"ports": "one_port"}, ("search", "local_search")),
        (7, {"ports": "one_port"}, ("local_search",)),
        (12, {}, ("search", "local_search")),
        (13, {}, ("local_search",)),
        (200, {}, ("local_search",)),
        (8, {"ports": "one_port", "return_orders": "fifo"}, ("search", "local_search")),
        (9, {"ports": "one_port", "return_orders": "fifo"}, ("local_search",)),
        (250, {"return_orders": "lifo"}, ("closed_form", "lp")),
        (20, {"order": True, "return_orders": "fifo"}, ("lp",)),
        (8, {"order": True}, ("search", "local_search")),
        (20, {"order": True, "return_orders": [3, 1, 2]}, ("lp",)),
        (13, {"order": True, "return_orders": [3, 1, 2], "ports": "one_port"}, ("search", "local_search")),
        (14, {"order": True, "return_orders": [3, 1, 2], "ports": "one_port"}, ("local_search",)),
    ],
)  # fmt: skip
def test_each_question_about_results_has_its_method(
    workers: int, asks: Mapping[str, Any], methods: Sequence[str]
) -> None:
    """Counted here by hand: up to a million pairs of orders, and a hundred for every set."""
    names = [f"P{i}" for i in range(1, workers + 1)]
    wires = range(1, workers + 1)
    problem = dict(asks)
    if "order" in asks:
        problem["order"] = names
    if isinstance(listed := asks.get("return_orders"), list):
        first = [f"P{i}" for i in listed]
        problem["return_orders"] = first + [name for name in names if name not in first]
    document = with_results(wires, wires[::-1], [(7 * i) % 11 + 1 for i in wires], **problem)
    instance = DivisibleStarInstance.model_validate(document["problem"])
    assert methods_with_results(instance) == methods


def test_on_a_bus_results_come_back_as_sent() -> None:
    """So said by a theorem, whose answer all pairs of orders confirm."""
    for ports in ("one_port", "strict_one_port"):
        bus = with_results([1, 1, 1], [2, 5, 3], [2, 2, 2], ports=ports)
        result = result_of(bus)
        assert (result.method, result.order_proof) == ("lp", "theorem")
        assert result.return_order == result.order
        assert result.makespan == min(time for *_, time in every_choice(_star(bus)))


def _star(document: Mapping[str, Any]) -> Star:
    problem = document["problem"]
    own, *workers = (
        F(p["unit_time"]) if "unit_time" in p else None for p in problem["platform"]["processors"]
    )
    links = problem["platform"]["links"]
    count = len(workers)
    costs = [
        Costs(F(link["unit_time"]), work or F(0), F(back["unit_time"]))
        for link, work, back in zip(links[:count], workers, links[count:], strict=True)
    ]
    return Star(
        "M", None if own is None else Costs(F(0), own), [], costs, problem["ports"] == "one_port"
    )


def document_of(star: Star, **problem: Any) -> dict[str, Any]:
    """Write a star as a body."""
    workers = star.workers
    return with_results(
        [costs.wire for costs in workers],
        [costs.work for costs in workers],
        [costs.back for costs in workers],
        None if star.own is None else star.own.work,
        [(costs.wire_latency, costs.work_latency, costs.back_latency) for costs in workers],
        0 if star.own is None else star.own.work_latency,
        ports="one_port" if star.two_ports else "strict_one_port",
        **problem,
    )


def best(star: Star, asked: AskedPairs) -> Fraction:
    """Give the least makespan of the exact programs of all pairs of orders that are asked about."""

    def is_asked(sends: Sequence[int], returns: Sequence[int]) -> bool:
        if asked.sends_given and list(sends) != sorted(sends):
            return False
        return asked.returns == "any" or tuple(returns) == asked.chosen(sends)

    return min(time for sends, returns, time in every_choice(star) if is_asked(sends, returns))


def random_asked(random: Random, workers: int) -> AskedPairs:
    listed = tuple(random.sample(range(workers), workers))
    return AskedPairs(
        sends_given=random.random() < 0.4,
        returns=random.choice(["any", "any", "fifo", "lifo", listed]),
    )


def test_all_pairs_of_orders_are_those_of_the_programs() -> None:
    """Both port models, latencies, masters that compute, and times of 0."""
    for seed in range(draws(20, 600)):
        random = Random(seed)
        star = random_star(random, 4 if seed % 50 == 49 else 3, latencies=random.random() < 0.5)
        asked = random_asked(random, len(star.workers))
        found = enumerate_orders(star, asked, F(0), Control())
        assert found.complete
        assert found.best.makespan == best(star, asked)


def test_no_magnitudes_lose_the_best_orders() -> None:
    """Times that differ by sixty orders of magnitude, where floats cannot tell orders apart."""
    for seed in range(draws(5, 200)):
        random = Random(seed)
        star = random_star(random, 3, latencies=False, zeros=False)
        workers = [
            Costs(*(time * F(10) ** random.choice([-30, 0, 0, 30]) for time in times))
            for times in ((c.wire, c.work, c.back) for c in star.workers)
        ]
        wide = Star("M", star.own, star.names, workers, star.two_ports)
        asked = AskedPairs(sends_given=False, returns="any")
        assert enumerate_orders(wide, asked, F(0), Control()).best.makespan == best(wide, asked)


def test_the_answers_of_jobs_are_the_best_of_all_orders() -> None:
    """Read from a body, dated, and judged by the referee."""
    for seed in range(draws(13, 400)):
        random = Random(seed)
        star = random_star(random, 3, latencies=random.random() < 0.4, zeros=False)
        asked = random_asked(random, len(star.workers))
        back = asked.returns
        asks: dict[str, Any] = {
            "return_orders": back if isinstance(back, str) else [star.names[i] for i in back]
        }
        if asked.sends_given:
            asks["order"] = star.names
        assert makespan(document_of(star, **asks)) == best(star, asked)


def test_results_in_reverse_order_have_a_closed_form() -> None:
    for seed in range(draws(5, 300)):
        random = Random(seed)
        document = document_of(
            random_star(random, 6, latencies=False, zeros=False), return_orders="lifo"
        )
        names = [processor["id"] for processor in document["problem"]["platform"]["processors"][1:]]
        for asks in ({}, {"order": random.sample(names, len(names))}):
            by_program = makespan(document, method="lp", **asks)
            assert makespan(document, method="closed_form", **asks) == by_program


def test_long_answers_in_reverse_order_are_rounded() -> None:
    random = Random(3)
    there, work, back = (
        [F(random.randint(1, 10**6), random.randint(1, 10**6)) for _ in range(250)]
        for _ in range(3)
    )
    result = result_of(with_results(there, work, back, return_orders="lifo"))
    assert result.outcome == "feasible"
    assert result.gap is not None
    assert 0 < result.gap < F(1, 10**60)
    assert result.proved_bound is None


def test_moving_workers_finds_orders_that_are_possible() -> None:
    """The double that a local search compares is the makespan of the program, never less."""
    near = 0
    for seed in range(draws(10, 400)):
        random = Random(seed)
        star = random_star(random, 4, latencies=random.random() < 0.4, zeros=False)
        asked = random_asked(random, len(star.workers))
        optimum = result_of(document_of(star)).makespan if asked.returns == "any" else None
        search = OrdersSearch(star, asked)
        search.run(lambda: None)
        sends, returns = search.best
        computing = [*star.workers, *([] if star.own is None else [star.own])]
        scale = min(latency_of(costs) + time_of(costs) for costs in computing)
        exact = [
            program(star, sends, returns, master)
            for master in (False, True)
            if (sends or master) and (star.own is not None or not master)
        ]
        assert float(min(exact) / scale) == pytest.approx(search.makespan, rel=1e-9)
        near += optimum is None or min(exact) < optimum * F(11, 10)
    assert near > draws(10, 400) * 0.8


def test_the_program_of_orders_finds_the_best_of_all() -> None:
    for seed in range(draws(2, 40)):
        random = Random(seed)
        drawn = random_star(random, 4, latencies=False, zeros=False)
        star = Star("M", None, drawn.names, drawn.workers, two_ports=False)
        for asked in (AskedPairs(False, "any"), AskedPairs(False, "fifo")):
            start: Pair = ((0,), (0,))
            workers = range(len(star.workers))
            fifo = asked.returns == "fifo"
            _, tree = search_orders(star, workers, start, Control(60), fifo=fifo)
            assert tree.proved
            assert tree.best is not None
            least = 1 / F(tree.best.objective) * min(map(time_of, star.workers))
            assert float(least) == pytest.approx(float(best(star, asked)), rel=1e-6)


def test_larger_stars_are_searched_with_a_bound() -> None:
    random = Random(8)
    there, work, back = ([random.randint(5, 60) for _ in range(7)] for _ in range(3))
    searched = result_of(with_results(there, work, back))
    assert (searched.outcome, searched.method, searched.order_proof) == (
        "optimal",
        "search",
        "search",
    )
    moved = result_of(with_results(there, work, back, ports="one_port"))
    assert (moved.outcome, moved.method, moved.order_proof) == ("feasible", "local_search", "none")
    assert moved.bound is not None
    assert (moved.bound.exact, moved.bound_source) == (True, "order_free")
    assert moved.makespan is not None
    assert searched.makespan is not None
    assert moved.makespan <= searched.makespan


@pytest.mark.parametrize("ports", ["one_port", "strict_one_port"])
@pytest.mark.parametrize("method", ["search", "local_search"])
def test_without_time_one_processor_computes(ports: str, method: str) -> None:
    document = with_results(C, W, C, ports=ports, method=method)
    result = solve(document, seconds=0).result
    assert (result.outcome, result.order_proof) == ("feasible", "none")
    assert any("time was over" in note for note in result.notes)


def test_no_worker_is_moved_where_latencies_alone_take_longer_than_the_fastest() -> None:
    document = with_results([1], [3], [1], own=3, own_latency=5, latencies=[(9, 9, 9)])
    for ports in ("one_port", "strict_one_port"):
        result = result_of(document, method="local_search", ports=ports)
        assert (result.makespan, result.participants) == (F(8), ["M"])


def test_a_processor_that_cannot_compute_stands_in_a_given_order() -> None:
    document = with_results([1, 2], [3, 4], [1, 1])
    platform = document["problem"]["platform"]
    del platform["processors"][2]["unit_time"]
    for back in ("any", "fifo", "lifo", ["P2", "P1"]):
        result = result_of(document, order=["P2", "P1"], return_orders=back)
        assert (result.makespan, result.participants) == (F(5), ["P1"])
        assert sorted(result.return_order or ()) == ["P1", "P2"]


def test_a_processor_that_cannot_compute_does_not_part_the_order_of_a_bus() -> None:
    document = with_results([1, 1, 1], [1, 9, 2], [2, 2, 2], ports="one_port")
    del document["problem"]["platform"]["processors"][2]["unit_time"]
    beside = with_results([1, 1], [1, 2], [2, 2], ports="one_port")
    assert makespan(document, order=["P2", "P1", "P3"]) == makespan(beside)


def test_the_order_free_bound_holds_for_all_orders() -> None:
    for seed in range(draws(15, 600)):
        random = Random(seed)
        star = random_star(random, 3, latencies=random.random() < 0.5)
        least = min(time for *_, time in every_choice(star))
        bound = returned_bound(star, least)
        assert bound is not None
        assert bound <= least


def test_the_referee_knows_the_best_of_all_pairs_of_orders() -> None:
    """Nothing is faster than the optimum of the programs, and something than any longer time."""
    for seed in range(draws(13, 400)):
        random = Random(seed)
        star = random_star(random, 3, latencies=random.random() < 0.5)
        asked = random_asked(random, len(star.workers))
        least = best(star, asked)

        def proved(makespan: Fraction, star: Star = star, asked: AskedPairs = asked) -> bool:
            times = [_times(costs) for costs in star.workers]
            pairs = pairs_of_orders(len(times), asked.returns, order_given=asked.sends_given)
            master = None if star.own is None else _times(star.own)
            return nothing_returns_sooner(times, master, makespan, pairs, two_ports=star.two_ports)

        assert proved(least)
        assert not least or not proved(least * F(10**30 + 1, 10**30))


def _times(costs: Costs) -> Times:
    return Times(
        costs.wire,
        costs.work,
        costs.back,
        costs.wire_latency,
        costs.work_latency,
        costs.back_latency,
    )


def test_a_search_that_meets_the_bound_for_all_orders_needs_no_belief() -> None:
    """Moves miss the optimum, the search finds it, and the order-free bound proves it."""
    wires = [6, 7, 12, 5, 9, 8, 11]
    result = result_of(with_results(wires, [8, 6, 5, 9, 7, 10, 4], wires[::-1]))
    assert (result.makespan, result.outcome) == (F(95, 8), "optimal")
    assert result.bound_source == "order_free"
    assert result.bound is not None
    assert result.bound.exact


def test_a_search_is_believed_only_as_far_as_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bound says that less might do: then it has proved nothing more than that."""
    wires = [6, 7, 12, 5, 9, 8, 11]
    document = with_results(wires, [8, 60, 50, 90, 70, 10, 40], wires)

    def doubting(*given: Any, **options: Any) -> Any:
        pair, tree = search_orders(*given, **options)
        return pair, replace(tree, bound=1.001 * tree.bound)

    proved = result_of(document)
    assert (proved.outcome, proved.bound_source) == ("optimal", "search")
    monkeypatch.setattr(answer, "search_orders", doubting)
    result = result_of(document)
    assert (result.outcome, result.order_proof) == ("feasible", "none")


def test_shares_of_many_are_those_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """At given orders, workers without a share are left out; here few are treated as many."""
    monkeypatch.setattr(answer, "MOST_ELIMINATED", 0)
    for seed in range(draws(8, 300)):
        random = Random(seed)
        star = random_star(random, 4, latencies=random.random() < 0.6, zeros=False)
        members = range(len(star.workers))
        sends, returns = (tuple(random.sample(members, len(members))) for _ in range(2))
        found = shares_at(star, (sends, returns), Control())
        assert found is not None
        beside = [True, False] if star.own is not None else [False]
        assert found.makespan <= min(program(star, sends, returns, own) for own in beside)
        if found.sends:
            assert found.makespan == program(star, found.sends, found.returns, found.own > 0)
    assert shares_at(star, ((), ()), Control()) is None


class Impatient(Control):
    """Has time for a number of steps, and then as much as it is allowed."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._left: float = steps

    def extend(self, seconds: float) -> None:
        self._left = inf

    def check(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise OutOfTime


@pytest.mark.parametrize("ports", ["one_port", "strict_one_port"])
@pytest.mark.parametrize("method", ["search", "local_search"])
def test_whenever_the_time_is_over_the_best_so_far_is_the_answer(method: str, ports: str) -> None:
    document = with_results([6, 7, 12, 5], [8, 6, 5, 9], [3, 9, 4, 8], ports=ports, method=method)
    submission = parse_submission(document, Limits())
    instance = submission.instance
    assert isinstance(instance, DivisibleStarInstance)
    found = []
    for steps in (1, 2, 4, 16, 10**9):
        found_so_far = answer_results(instance, read_star(instance), method, Impatient(steps))
        result, schedule = found_so_far.result, found_so_far.schedule
        assert isinstance(result, DivisibleStarResult)
        assert isinstance(schedule, Timeline)
        validate(instance, submission.options, result, schedule)
        found.append((schedule.makespan, INTERRUPTED in result.notes))
    makespans = [makespan for makespan, _ in found]
    assert makespans[-1] < makespans[0]
    assert makespans == sorted(makespans, reverse=True)
    assert all(interrupted or makespan == makespans[-1] for makespan, interrupted in found)
    assert not found[-1][1]


def test_nothing_is_searched_for_where_nothing_takes_time() -> None:
    load = {"communication_volume": 1, "computation_volume": 0, "return_volume": 1}
    result = result_of(with_results([1, 2], [3, 4], [5, 1], own=1, load=load))
    assert (result.method, result.makespan, result.outcome) == ("search", 0, "optimal")
    load = {"communication_volume": 0, "computation_volume": 0, "return_volume": 0}
    nothing = with_results([1, 2], [3, 4], [5, 1])
    nothing["problem"]["load"] = load | {"return_volume": 1}
    nothing["problem"]["return_orders"] = "lifo"
    nothing["problem"]["platform"]["processors"][0]["unit_time"] = "1"
    assert result_of(nothing).makespan == 0


@pytest.mark.parametrize(
    ("own", "told", "note", "exact"),
    [
        # The search ended early, with a bound above that for all orders, or with none.
        (None, {"proved": False, "late": True, "bound": 1.001}, INTERRUPTED, False),
        (90, {"proved": False, "late": True, "bound": 1.001}, INTERRUPTED, False),
        (None, {"proved": False, "late": True, "bound": inf}, INTERRUPTED, True),
        (None, {"proved": False, "late": False, "bound": 9.0}, None, True),
    ],
)
def test_a_search_that_ends_early_proves_its_bound_at_most(
    own: int | None,
    told: dict[str, Any],
    note: str | None,
    exact: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wires = [6, 7, 12, 5, 9, 8, 11]

    def interrupted(*given: Any, **options: Any) -> Any:
        _, tree = search_orders(*given, **options)
        return None, replace(tree, **(told | {"bound": told["bound"] * tree.bound}))

    monkeypatch.setattr(answer, "search_orders", interrupted)
    result = result_of(with_results(wires, [8, 60, 50, 90, 70, 10, 40], wires, own))
    assert (result.outcome, result.order_proof) == ("feasible", "none")
    assert (note in result.notes) is (note is not None)
    assert result.bound is not None
    assert result.bound.exact is exact
