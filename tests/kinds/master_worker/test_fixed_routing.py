"""Fixed routing against a program over all chains of routes, and what the referee asks of it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Bound
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import arc_uses
from steadygrid.domain.resources import compute_resource
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.terms import linear
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, SentRate
from steadygrid.kinds.master_worker.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.master_worker.solving import solve
from tests.pair_routes import Route, all_routes


def drawn(seed: int, *, missing: bool = False) -> dict[str, Any]:
    """Some processors compute, some forward; hosts hang on switches, and routes are given."""
    random = Random(seed)
    count = random.randint(3, 6)
    processors: list[dict[str, Any]] = [{"id": "M"} | random.choice([{}, {"unit_time": 3}])]
    for i in range(1, count):
        kind = random.choice(["host", "host", "router", "switch"])
        time = random.randint(1, 4) if kind == "host" else None
        given: dict[str, Any] = {"speed": f"1/{time}"} if i % 2 else {"unit_time": time}
        more = {} if time is None else given
        processors.append({"id": f"P{i}"} | more | ({"switch": True} if kind == "switch" else {}))
    ids = [processor["id"] for processor in processors]
    ports = random.choice(["one_port", "multiport"])
    pairs = [(a, b) for i, a in enumerate(ids) for b in ids[:i]]
    joined = [pair for i, pair in enumerate(pairs) if random.random() < 0.55 or i == 0]
    links: list[dict[str, Any]] = []
    for source, target in joined:
        duplex = ["full", "simplex"] if ports == "one_port" else ["full", "full", "half", "simplex"]
        link = {"source": source, "target": target, "unit_time": random.choice([1, 1, 2, 5])}
        media = ["wide"] if ports == "multiport" and random.random() < 0.3 else []
        links.append(link | {"duplex": random.choice(duplex), "media": media})
    platform = {"processors": processors, "links": links}
    if ports == "multiport":
        platform["media"] = [{"id": "wide", "bandwidth": 1}]
    hops = {(e["source"], e["target"]) for e in links}
    hops |= {(e["target"], e["source"]) for e in links if e["duplex"] != "simplex"}
    routes = {}
    for _ in range(random.choice([0, 1, 4])):
        way = random.sample(ids, random.randint(2, min(4, count)))
        if all(hop in hops for hop in pairwise(way)):
            routes[way[0], way[-1]] = {"source": way[0], "target": way[-1], "via": way[1:-1]}
    if missing:
        pairs = [(a, b) for a in ids for b in ids if a != b and (a, b) not in routes]
        for source, target in random.sample(pairs, min(len(pairs), random.randint(1, 6))):
            routes[source, target] = {"source": source, "target": target, "missing": True}
    platform["routes"] = list(routes.values())
    task = {"work": 1, "input_size": 1, "output_size": random.choice([0, 0, 1])}
    return {
        "problem": {"kind": "master_worker", "platform": platform, "master": "M", "ports": ports}
        | {"task": task, "routing": "fixed"}
    }


def chains(
    ways: dict[tuple[int, int], Route], hosts: list[int], start: int, end: int, master: int
) -> Iterator[list[Route]]:
    """Give all ways of a whole file, relayed by any hosts in any order, none past the master."""
    if start == end:
        yield []
        return
    others = [host for host in hosts if host not in (start, end)]
    for length in range(len(others) + 1):
        for relays in permutations(others, length):
            stops = (start, *relays, end)
            stages = [ways.get(pair) for pair in pairwise(stops)]
            if all(way is not None and master not in way[1:-1] for way in stages):
                yield [way for way in stages if way is not None]


def optimum_over_all_chains(instance: MasterWorkerInstance) -> Fraction:
    """Solve the program with a variable for each worker, chain there and chain back."""
    platform, task = instance.platform, instance.task
    master = platform.index_by_id[instance.master]
    times = instance.compute_times
    hosts = [i for i, time in enumerate(times) if time is not None or i == master]
    ways = all_routes(instance.platform)
    columns: set[tuple[tuple[str, Fraction], ...]] = set()
    for worker in hosts:
        time = times[worker]
        if time is None:
            continue
        backs = list(chains(ways, hosts, worker, master, master)) if task.output_size else [[]]
        for there in chains(ways, hosts, master, worker, master):
            for back in backs:
                use: Amounts[str] = Amounts()
                use[compute_resource(platform.processors[worker].id)] = time
                for size, stages in ((task.input_size, there), (task.output_size, back)):
                    for hop in (hop for way in stages for hop in pairwise(way)):
                        arc = platform.arc_by_ends[hop]
                        for resource, per in arc_uses(platform, arc, instance.ports):
                            use[resource] += size * per
                columns.add(tuple(sorted(use.items())))
    if not columns:
        return Fraction(0)
    model = pyo.ConcreteModel()
    listed = sorted(columns)
    model.rate = pyo.Var(range(len(listed)), domain=pyo.NonNegativeReals)
    model.throughput = pyo.Objective(
        expr=linear([(1, rate) for rate in model.rate.values()]), sense=pyo.maximize
    )
    rows: dict[str, list[tuple[Fraction, Any]]] = {}
    for column, uses in enumerate(listed):
        for resource, time in uses:
            rows.setdefault(resource, []).append((time, model.rate[column]))
    model.capacity = pyo.Constraint(list(rows), rule=lambda _, name: linear(rows[name]) <= 1)
    solved = solve_certified(model, Control())
    assert solved.objective is not None
    return solved.objective


@pytest.mark.parametrize("seed", range(draws(3, 3000)))
def test_the_optimum_is_that_of_all_chains_of_routes(seed: int) -> None:
    body = drawn(seed)
    instance: Any = parse_submission(body, Limits()).instance
    result = solve(body).result
    assert result.outcome == "optimal"
    assert result.objective.value == optimum_over_all_chains(instance)
    assert result.objective.value <= solve(body, routing="free").result.objective.value


@pytest.mark.parametrize("seed", range(draws(5, 3000)))
def test_no_file_goes_where_routes_are_missing(seed: int) -> None:
    body = drawn(seed, missing=True)
    instance: Any = parse_submission(body, Limits()).instance
    result = solve(body).result
    assert result.outcome == "optimal"
    assert result.objective.value == optimum_over_all_chains(instance)
    closed = instance.platform.missing_routes
    assert closed.isdisjoint((routed.source, routed.target) for routed in result.routed)


@pytest.mark.parametrize("seed", range(draws(3, 600)))
def test_half_duplex_links_are_never_promised_too_much(seed: int) -> None:
    body = drawn(seed)
    problem = body["problem"] | {"ports": "one_port"}
    links = [e | {"duplex": "half", "media": []} for e in problem["platform"]["links"]]
    problem["platform"] = {**problem["platform"], "links": links, "media": []}
    instance: Any = parse_submission({"problem": problem}, Limits()).instance
    result = solve({"problem": problem}).result
    assert result.bound.value == optimum_over_all_chains(instance) >= result.objective.value
    assert result.outcome == "optimal" or any("half-duplex" in note for note in result.notes)


RELAY: dict[str, Any] = {
    "problem": {
        "kind": "master_worker",
        "routing": "fixed",
        "platform": {
            "processors": [
                {"id": "M"}, {"id": "A", "unit_time": 1}, {"id": "B"},
                {"id": "S", "switch": True}, {"id": "T", "switch": True},
            ],
            "links": [
                {"source": "M", "target": "S", "unit_time": 1},
                {"source": "A", "target": "S", "unit_time": 1},
                {"source": "S", "target": "T", "unit_time": 4},
                {"source": "T", "target": "B", "unit_time": 1},
                {"source": "S", "target": "B", "unit_time": 6},
            ],
            "routes": [{"source": "M", "target": "B", "via": ["S"]}],
        },
        "master": "M",
        "task": {"times": {"B": 1}},
    }
}  # fmt: skip
"""M's own route to B is slow; A, on the same switch, has a faster one and may relay."""


def test_a_host_relays_whole_files_where_its_route_is_faster() -> None:
    result, schedule = solve(RELAY)
    # A's way takes S->T for 4 per file, M's own takes what is left of B's port: 6 per file.
    assert result.objective.value == Fraction(1, 4) + Fraction(1, 8)
    assert [(r.source, r.target, r.rate) for r in result.routed] == [
        ("A", "B", Fraction(1, 4)), ("M", "A", Fraction(1, 4)), ("M", "B", Fraction(1, 8)),
    ]  # fmt: skip
    paths = [[t.path for t in allocation.transfers] for allocation in schedule.allocations]
    assert paths == [[("M", "S", "B")], [("M", "S", "A"), ("A", "S", "T", "B")]]
    # Two hops to A, three on to B, and the computation.
    assert schedule.latency_periods == 6
    assert solve(RELAY, routing="free").result.routed is None


def test_a_switch_never_joins_the_routes_of_others() -> None:
    alone = [p for p in RELAY["problem"]["platform"]["processors"] if p["id"] != "A"]
    links = [e for e in RELAY["problem"]["platform"]["links"] if e["source"] != "A"]
    platform = RELAY["problem"]["platform"] | {"processors": alone, "links": links}
    assert solve(RELAY, platform=platform).result.objective.value == Fraction(1, 6)
    assert solve(RELAY, platform=platform, routing="free").result.objective.value == Fraction(3, 8)


def test_no_file_goes_past_the_master_again() -> None:
    """B's route from M takes 5 per file; that from A, over M, would take 1."""
    names = [("M", "A", 1), ("M", "B", 1), ("M", "X", 1), ("X", "B", 5)]
    platform = {
        "processors": [{"id": "M"}, {"id": "A", "unit_time": 1}, {"id": "B"}, {"id": "X"}],
        "links": [{"source": a, "target": b, "unit_time": time} for a, b, time in names],
        "routes": [
            {"source": "M", "target": "B", "via": ["X"]},
            {"source": "B", "target": "M", "via": ["X"]},
        ],
    }
    for size in (0, 1):
        body = {"times": {"B": 1}, "output_size": size}
        result = solve(RELAY, platform=platform, task=body).result
        assert result.outcome == "optimal"
        # X sends on each input file for 5, and each output file for 1.
        assert result.objective.value == Fraction(1, 5 + size)
        assert {routed.source for routed in result.routed} <= {"M", "B"}


def refusals(change: Callable[[Any, Any], tuple[Any, Any]]) -> set[str]:
    """Let the referee judge a right answer that was changed."""
    submission = parse_submission(RELAY, Limits())
    result, schedule = change(*solve(RELAY))
    instance: Any = submission.instance
    with pytest.raises(InvalidScheduleError) as refused:
        validate(instance, submission.options, result, schedule)
    return {fault.code for fault in refused.value.faults}


def transfers(*paths: tuple[str, ...]) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Let the relayed files take other paths."""

    def change(result: Any, schedule: Any) -> tuple[Any, Any]:
        own, relayed = schedule.allocations
        moved = tuple(Transfer(("begin", "task"), path, Fraction(1)) for path in paths)
        return result, replace(schedule, allocations=(own, relayed._replace(transfers=moved)))

    return change


@pytest.mark.parametrize(
    ("paths", "code"),
    [
        ([("M", "S", "T", "B")], "not_the_route"),
        ([("M", "S", "A"), ("A",), ("A", "S", "T", "B")], "not_the_route"),
        ([("A", "S", "T", "B")], "from_nowhere"),
        ([("M", "S"), ("S", "T", "B")], "dead_end"),
        ([("M", "S", "A")], "file_does_not_move"),
        ([("M", "S", "A"), ("M", "S", "B")], "dead_end"),
    ],
)
def test_the_referee_refuses_paths_that_are_no_chain_of_routes(
    paths: list[tuple[str, ...]], code: str
) -> None:
    assert code in refusals(transfers(*paths))


def test_the_referee_refuses_parts_of_files_on_relays() -> None:
    def change(result: Any, schedule: Any) -> tuple[Any, Any]:
        own, relayed = schedule.allocations
        first, second = relayed.transfers
        halves = (first._replace(share=Fraction(1, 2)),) * 2
        allocations = (own, relayed._replace(transfers=(*halves, second)))
        return result, replace(schedule, allocations=allocations)

    assert "file_split" in refusals(change)


def test_the_referee_adds_up_what_takes_each_route() -> None:
    def change(member: str, value: Any) -> Callable[[Any, Any], tuple[Any, Any]]:
        return lambda result, schedule: (result.model_copy(update={member: value}), schedule)

    routed = solve(RELAY).result.routed
    direct = SentRate(source="M", target="B", file="input", rate=Fraction(3, 8))
    halved = [routed[0].model_copy(update={"rate": Fraction(1, 8)}), *routed[1:]]
    none = routed[0].model_copy(update={"rate": Fraction(0)})
    through = SentRate(source="M", target="S", file="input", rate=Fraction(3, 8))
    assert "wrong_routed" in refusals(change("routed", None))
    assert "rates_disagree" in refusals(change("routed", [direct]))
    assert "rate_not_positive" in refusals(change("routed", [none, *routed[1:]]))
    assert "not_conserved" in refusals(change("routed", halved))
    assert "no_route" in refusals(change("routed", [through, *routed]))
    assert "routed_twice" in refusals(change("routed", [*routed, routed[0]]))


def test_the_referee_prices_every_chain_of_routes() -> None:
    """At these prices the routes of M and A alone cost enough, but not the one over A."""

    def change(result: Any, schedule: Any) -> tuple[Any, Any]:
        prices = {"B.receive": Fraction(1, 6), "S->T.link": Fraction(1, 8)}
        bound = Bound.from_value(sum(prices.values(), Fraction(0)), exact=True)
        update = {"certificate": DualityCertificate(prices=prices), "bound": bound}
        return result.model_copy(update=update), schedule

    assert "cheap_allocation" in refusals(change)
