"""What admission and solvers read off an instance, against an enumeration; and the referee's word."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.divisible_chain.schemas import DivisibleChainInstance
from steadygrid.kinds.divisible_chain.sizing import (
    NoChainError,
    installments,
    platform_order,
    startup_ratio,
)
from steadygrid.kinds.divisible_chain.terms import _installments_per_round, _is_the_chain, _startup
from steadygrid.kinds.divisible_star.order import NoTreeError, arcs_down, order_of
from steadygrid.kinds.divisible_star.replay.tree_terms import _terms
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.sizing import Reach
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.shared.collection import (
    CollectionInstance,
    computing_processors,
    num_labels,
    working,
)
from steadygrid.kinds.shared.collection_referee import steady_instance

Hops = set[tuple[str, str]]


def links(random: Random, names: str, likely: float) -> list[dict[str, Any]]:
    found = []
    for pair in combinations(names, 2):
        if random.random() < likely:
            source, target = random.sample(pair, 2)
            duplex = random.choice(["full", "half", "simplex", "simplex"])
            found.append({"source": source, "target": target, "unit_time": 1, "duplex": duplex})
    return found


def hops_of(listed: list[dict[str, Any]]) -> Hops:
    there = {(link["source"], link["target"]) for link in listed}
    back = {(link["target"], link["source"]) for link in listed if link["duplex"] != "simplex"}
    return there | back


def leads(hops: Hops, start: str, end: str, past: tuple[str, ...] = ()) -> bool:
    """Tell whether some simple path leads from one processor to another."""
    return start == end or any(
        leads(hops, middle, end, (*past, start))
        for sender, middle in hops
        if sender == start and middle not in past
    )


def collection(seed: int, **problem: Any) -> tuple[dict[str, Any], CollectionInstance]:
    """Draw a small instance with many zeros among times and sizes."""
    random = Random(seed)
    names = "ABCD"
    processors: list[dict[str, Any]] = []
    for name in names:
        speed: Any = random.choice([{"speed": "3/2"}, {"unit_time": "5/3"}, {}, {"switch": True}])
        processors.append({"id": name, **speed})
    hosts = [p["id"] for p in processors if "switch" not in p] or ["A"]
    processors[0].pop("switch", None)
    tasks: list[dict[str, Any]] = []
    for k in range(random.randint(1, 3)):
        allowed = random.sample(hosts, random.randint(1, len(hosts)))
        times = {name: random.choice([0, 0, 2]) for name in random.sample(hosts, len(allowed))}
        how: Any = random.choice([{"work": random.choice([0, 0, 7])}, {"times": times}])
        tasks.append({"id": f"T{k}", **how} | random.choice([{}, {"allowed": allowed}]))
    files = [
        {"source": f"T{a}", "target": f"T{b}", "size": random.choice([0, 0, 1])}
        for a, b in combinations(range(len(tasks)), 2)
        if random.random() < 0.6
    ]
    document = {
        "kind": "mono_allocation",
        "platform": {"processors": processors, "links": links(random, names, 0.4)},
        "application": {"tasks": tasks, "files": files},
        "ports": random.choice(["one_port", "multiport"]),
    } | problem
    return document, MonoAllocationInstance.model_validate(document)


def times_by_contract(document: dict[str, Any]) -> dict[str, dict[str, Fraction]]:
    """``times[P]``, or work times unit time, or work over speed; `allowed` restricts further."""
    found: dict[str, dict[str, Fraction]] = {}
    for task in document["application"]["tasks"]:
        here = found[task["id"]] = {}
        for processor in document["platform"]["processors"]:
            name = processor["id"]
            if "switch" in processor or name not in task.get("allowed", name):
                continue
            if "times" in task and name in task["times"]:
                here[name] = Fraction(task["times"][name])
            elif "work" in task and "speed" in processor:
                here[name] = task["work"] / Fraction(processor["speed"])
            elif "work" in task and "unit_time" in processor:
                here[name] = task["work"] * Fraction(processor["unit_time"])
    return found


def test_times_are_those_that_the_contract_says() -> None:
    for seed in range(600):
        document, instance = collection(seed)
        expected = times_by_contract(document)
        names = [processor.id for processor in instance.platform.processors]
        rows = zip(expected.values(), instance.times, instance.application.tasks, strict=True)
        for by_name, row, task in rows:
            assert {n: t for n, t in zip(names, row, strict=True) if t is not None} == by_name
            assert num_labels(task, working(instance.platform)) == len(by_name)
        assert computing_processors(instance) == {
            n for by_name in expected.values() for n in by_name
        }
        assert steady_instance(instance).times == expected


def copies_of(names: list[str], several: bool) -> list[tuple[str, ...]]:
    most = len(names) if several else min(1, len(names))
    return [chosen for n in range(1, most + 1) for chosen in combinations(names, n)]


def free_allocations(
    document: dict[str, Any], several: bool
) -> Iterator[tuple[tuple[str, ...], ...]]:
    """All ways to place tasks, each on one or on several processors, that use no resource.

    Tasks take no time, data stays where it is made, and a file without data has a way.
    """
    hops = hops_of(document["platform"]["links"])
    times = times_by_contract(document)
    idle = [[n for n, time in by_name.items() if time == 0] for by_name in times.values()]
    for chosen in product(*(copies_of(names, several) for names in idle)):
        if all(
            any(s == r or (not file["size"] and leads(hops, s, r)) for s in chosen[int(a)])
            for file in document["application"]["files"]
            for a, b in [(file["source"][1:], file["target"][1:])]
            for r in chosen[int(b)]
        ):
            yield chosen


@pytest.mark.parametrize("duplication", ["none", "tasks", "tasks_and_files"])
def test_what_enumeration_finds_to_need_nothing_is_refused(duplication: str) -> None:
    refused = admitted = 0
    problem = PROBLEMS["mono_allocation"]
    for seed in range(500):
        document, instance = collection(seed, duplication=duplication)
        codes = {fault.code for fault in problem.faults(instance, Options(), ())}
        if codes - {"unbounded_throughput"}:
            continue
        free = next(free_allocations(document, duplication != "none"), None)
        assert codes == (set() if free is None else {"unbounded_throughput"})
        refused += bool(codes)
        admitted += not codes
    assert min(refused, admitted) > 40


def test_workers_are_those_to_whom_a_path_leads() -> None:
    lost = 0
    for seed in range(500):
        random = Random(seed)
        names = "MABCD"
        platform = {
            "processors": [
                {"id": name, **random.choice([{"speed": 2}, {"unit_time": 3}, {}])}
                for name in names
            ],
            "links": links(random, names, 0.4),
        }
        returns = random.choice([0, 1])
        instance = MasterWorkerInstance.model_validate(
            {
                "kind": "master_worker",
                "platform": platform,
                "master": "M",
                "task": {"work": 6, "output_size": returns},
            }
        )
        hops = hops_of(platform["links"])
        able = [p["id"] for p in platform["processors"] if len(p) > 1]
        there = {name for name in names if leads(hops, "M", name)}
        back = {name for name in names if leads(hops, name, "M")}
        reach = Reach.from_instance(instance)
        expected = [n for n in able if n in there and (not returns or n in back)]
        assert [names[i] for i in reach.workers] == expected
        assert {(names[a.source], names[a.target]) for a in reach.input_arcs} == {
            (a, b) for a, b in hops if a in there and b != "M"
        }
        assert {(names[a.source], names[a.target]) for a in reach.output_arcs} == {
            (a, b) for a, b in hops if returns and b in back and a != "M"
        }
        times = {"speed": Fraction(3), "unit_time": Fraction(18)}
        assert list(instance.compute_times) == [
            next((time for key, time in times.items() if key in p), None)
            for p in platform["processors"]
        ]
        lost += len(able) - len(expected)
    assert lost > 100


def test_a_chain_is_the_only_order_in_which_it_can_be_walked() -> None:
    """Of two, the one that all links lead along as they are written, or the one that is listed."""
    found = 0
    for seed in range(1500):
        random = Random(seed)
        names = "".join(random.sample("ABCD", random.randint(2, 4)))
        listed = links(random, names, 0.55 if len(names) > 2 else 0.9)
        processors = [{"id": name, "speed": 1} for name in names]
        platform = Platform.model_validate({"processors": processors, "links": listed})
        hops = hops_of(listed)
        joined = {frozenset(hop) for hop in hops}
        orders = [
            order
            for order in permutations(names)
            if joined == set(map(frozenset, pairwise(order))) and set(pairwise(order)) <= hops
        ]
        written = {(link["source"], link["target"]) for link in listed}
        if len(orders) == 2:
            along = [order for order in orders if set(pairwise(order)) <= written]
            orders = along if len(along) == 1 else [o for o in orders if o == tuple(names)]
        instance = DivisibleChainInstance.model_validate(
            {
                "kind": "divisible_chain",
                "platform": {"processors": processors, "links": listed},
                "loads": [{"id": "L", "communication_volume": 1, "computation_volume": 1}],
            }
        )
        if len(orders) == 1:
            found += 1
            assert platform_order(platform) == orders[0]
            walkable = [o for o in permutations(names) if set(pairwise(o)) <= hops]
            assert [o for o in walkable if _is_the_chain(instance, o)] == orders
        else:
            with pytest.raises(NoChainError):
                platform_order(platform)
    assert found > 200


def test_a_tree_is_read_as_its_links_say() -> None:
    """Each processor over the only path of links from the master, by nondecreasing link time."""
    found = 0
    for seed in range(600):
        random = Random(seed)
        names = "".join(random.sample("ABCD", random.randint(2, 4)))
        listed = links(random, names, 0.5)
        for link in listed:
            link["unit_time"] = random.choice(["1/3", "1/2", "1"])
            link.pop("bandwidth", None)
        instance = DivisibleStarInstance.model_validate(
            {
                "kind": "divisible_star",
                "platform": {"processors": [{"id": n, "speed": 1} for n in names], "links": listed},
                "master": names[0],
                "load": {"communication_volume": 1, "computation_volume": 1},
            }
        )
        hops = hops_of(listed)
        paths = [
            path
            for size in range(2, len(names) + 1)
            for path in permutations(names, size)
            if path[0] == names[0] and set(pairwise(path)) <= hops
        ]
        ends = [path[-1] for path in paths]
        seen = {names[0], *ends}
        joined = {frozenset(hop) for hop in hops if set(hop) <= seen}
        platform = instance.platform
        if len(joined) >= len(seen):
            with pytest.raises(NoTreeError):
                arcs_down(platform, names[0])
            continue
        found += 1
        order = [names[place] for place in order_of(instance)]
        assert sorted(order) == sorted(ends)
        terms = _terms(instance, order)
        assert terms is not None
        assert {
            (names[arc.source], names[place], arc.unit_time)
            for place, arc in arcs_down(platform, names[0]).items()
        } == {
            (terms.ids[sender], id_, time)
            for id_, sender, time in zip(terms.ids, terms.senders, terms.wire, strict=True)
            if sender is not None
        }
        assert {(path[-2], path[-1]) for path in paths} == {
            (terms.ids[s], id_)
            for id_, s in zip(terms.ids, terms.senders, strict=True)
            if s is not None
        }
        for receivers in terms.receivers:
            times = [terms.wire[i] for i in receivers]
            assert times == sorted(times)
    assert found > 100


def test_installments_are_the_most_within_the_ratio() -> None:
    several = 0
    for seed in range(400):
        random = Random(seed)
        costs = [Fraction(random.randint(1, 4), random.randint(1, 3)) for _ in range(2)]
        unit, amount = random.choice(["data", "time"]), Fraction(random.randint(1, 3), 2)
        rounds, ratio = random.randint(1, 3), Fraction(random.randint(4, 40), 4)
        volume = random.randint(0, 9)
        instance = DivisibleChainInstance.model_validate(
            {
                "kind": "divisible_chain",
                "platform": {
                    "processors": [{"id": name, "speed": 1} for name in "ABC"],
                    "links": [
                        {"source": a, "target": b, "unit_time": str(cost)}
                        for (a, b), cost in zip(pairwise("ABC"), costs, strict=True)
                    ],
                },
                "loads": [{"id": "L", "communication_volume": volume, "computation_volume": 1}],
                "startup": {unit: str(amount)},
                "max_startup_ratio": str(ratio),
                "rounds": rounds,
            }
        )
        (load,) = instance.loads
        extra = sum(amount if unit == "data" else amount / cost for cost in costs)
        most = 1
        while volume and volume + (most + 1) * rounds * extra <= ratio * volume:
            most += 1
        several += most > 1
        assert installments(instance) == (most,)
        assert _installments_per_round(instance, load, costs, _startup(instance, costs)) == most
        expected = 1 + most * rounds * extra / volume if volume else None
        assert startup_ratio(instance, load, most * rounds) == expected
    assert several > 100
