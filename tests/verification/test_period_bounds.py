"""Bounds of single allocations as the referee checks them, against plain enumeration."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.platform import Platform, Route
from steadygrid.verification import labelling, packing, relaxation
from steadygrid.verification.findings import Findings
from steadygrid.verification.label_tables import TooWideError
from steadygrid.verification.network import Network, read_network
from steadygrid.verification.packing import check_weights, heaviest_sets
from steadygrid.verification.priced_paths import PricedPaths
from steadygrid.verification.prices import PriceList
from steadygrid.verification.relaxation import Messages, check_period_bound
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance

HALF = Fraction(1, 2)


def whole(*numbers: int) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, numbers))


def network_of(*links: tuple[str, str, int], ports: Any = "multiport", **more: Any) -> Network:
    names = sorted({name for source, target, _ in links for name in (source, target)})
    return read_network(platform_of(*links, names=names, **more), ports)


def platform_of(
    *links: tuple[str, str, int], names: list[str], duplex: str = "full", **more: Any
) -> Platform:
    return Platform.model_validate(
        {
            "processors": [{"id": name, **more.get(name, {})} for name in names],
            "links": [
                {"source": a, "target": b, "bandwidth": speed, "duplex": duplex}
                for a, b, speed in links
            ],
        }
    )


def chain(times: Mapping[str, Mapping[str, int]], size: int, network: Network) -> SteadyInstance:
    """Tasks in a row, with files of one size."""
    tasks = list(times)
    return SteadyInstance(
        network,
        {task: {n: Fraction(t) for n, t in by_name.items()} for task, by_name in times.items()},
        {pair: Fraction(size) for pair in pairwise(tasks)},
    )


PAIR = network_of(("A", "B", 1))
TWO = chain({"a": {"A": 2, "B": 2}, "b": {"A": 2, "B": 2}}, 1, PAIR)


def priced(
    steady: SteadyInstance,
    prices: Mapping[str, Fraction],
    bound: Fraction,
    *,
    routing: Any = "fixed",
    forbidden: bool = False,
    messages: Mapping[Any, Messages] | None = None,
    given: list[Route] | None = None,
) -> set[str]:
    findings = Findings()
    check_period_bound(
        steady,
        routing,
        FixedRoutes(steady.network, given or []) if routing == "fixed" else None,
        prices,
        bound,
        forbidden,
        messages or {},
        list(steady.times),
        findings,
        (),
    )
    return {fault.code for fault in findings.faults}


def weighed(steady: SteadyInstance, weights: Mapping[str, Fraction], bound: Fraction) -> set[str]:
    findings = Findings()
    check_weights(steady, weights, bound, findings, ())
    return {fault.code for fault in findings.faults}


BOTH = {"A.compute": Fraction(1, 4), "B.compute": Fraction(1, 4)}
SILENT = {("a", "b"): Messages({}, {})}


def test_prices_of_a_narrow_graph_need_no_messages() -> None:
    assert priced(TWO, BOTH, HALF) == set()
    assert priced(TWO, {"A.compute": HALF}, HALF) == {"cheap_allocation"}
    assert priced(TWO, BOTH, Fraction(1, 3)) == {"prices_miss_bound"}
    assert priced(TWO, {"A.compute": -HALF}, -HALF) == {"negative_price"}


def test_messages_prove_the_same_to_the_last_bit() -> None:
    assert priced(TWO, BOTH, HALF, messages=SILENT) == set()
    less = {name: price * (1 - Fraction(1, 10**90)) for name, price in BOTH.items()}
    assert priced(TWO, less, sum(less.values(), Fraction(0)), messages=SILENT) == {
        "cheap_allocation"
    }


def test_messages_cancel_where_they_are_right_and_prove_less_where_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relaxation, "tasks_cost_enough", lambda *_: False)
    third = Fraction(1, 3)
    even = {("a", "b"): Messages({"A": third, "B": third}, {"A": -third, "B": -third})}
    assert priced(TWO, BOTH, HALF, messages=even) == set()
    lopsided = {("a", "b"): Messages({"A": third}, {})}
    assert priced(TWO, BOTH, HALF, messages=lopsided) == {"cheap_allocation"}


def test_messages_are_about_files_and_their_tasks() -> None:
    unknown = {("b", "a"): Messages({}, {})}
    assert priced(TWO, BOTH, HALF, messages=unknown) == {"ghost_file"}
    elsewhere = {("a", "b"): Messages({"C": HALF}, {})}
    assert priced(TWO, BOTH, HALF, messages=elsewhere) == {"ghost_processor"}


SLOW = chain({"a": {"A": 2, "B": 6}, "b": {"A": 2, "B": 6}}, 3, PAIR)


def test_assignments_that_take_too_long_are_not_tried() -> None:
    prices = {"A.compute": Fraction(1, 4)}
    assert priced(SLOW, prices, Fraction(1, 4)) == {"cheap_allocation"}
    assert priced(SLOW, prices, Fraction(1, 4), forbidden=True) == set()
    messages = {("a", "b"): Messages({"B": Fraction(1)}, {})}
    assert priced(SLOW, prices, Fraction(1, 4), forbidden=True, messages=messages) == set()
    tight = {"A.compute": Fraction(1, 7)}
    assert priced(SLOW, tight, Fraction(1, 7), forbidden=True) == {"cheap_allocation"}


def test_messages_of_assignments_that_are_not_tried_add_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relaxation, "tasks_cost_enough", lambda *_: False)
    prices = {"A.compute": Fraction(1, 4)}
    messages = {("a", "b"): Messages({"B": Fraction(1)}, {})}
    assert priced(SLOW, prices, Fraction(1, 4), forbidden=True, messages=messages) == set()


def test_a_task_that_takes_too_long_everywhere_needs_no_prices() -> None:
    anything = {"A.compute": HALF}
    assert priced(TWO, anything, HALF, forbidden=True) == set()


APART = chain({"a": {"A": 1}, "b": {"B": 1}}, 3, PAIR)


def test_a_file_that_takes_too_long_needs_another_route() -> None:
    third = {"A.compute": Fraction(1, 3)}
    assert priced(APART, third, Fraction(1, 3)) == {"cheap_allocation"}
    assert priced(APART, third, Fraction(1, 3), forbidden=True) == set()
    assert priced(APART, third, Fraction(1, 3), forbidden=True, messages=SILENT) == set()
    for routing, code in (("free", set()), ("multipath", {"cheap_allocation"})):
        assert priced(APART, third, Fraction(1, 3), routing=routing, forbidden=True) == code
    around = network_of(("A", "B", 1), ("A", "C", 2), ("C", "B", 2))
    open_ways = replace(APART, network=around)
    assert priced(open_ways, third, Fraction(1, 3), routing="free", forbidden=True) == {
        "cheap_allocation"
    }
    assert priced(open_ways, third, Fraction(1, 3), forbidden=True) == set()
    given = [Route.model_validate({"source": "A", "target": "B", "via": ["C"]})]
    assert priced(open_ways, third, Fraction(1, 3), forbidden=True, given=given) == {
        "cheap_allocation"
    }


def test_a_file_without_data_may_go_anywhere() -> None:
    empty = replace(APART, sizes={("a", "b"): Fraction(0)})
    prices = {"A.compute": Fraction(1, 9), "B.compute": Fraction(2, 9)}
    assert priced(empty, prices, Fraction(1, 3), forbidden=True) == {"cheap_allocation"}


def test_what_takes_too_much_room_is_not_taken_on_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_wide(*_: object) -> None:
        raise TooWideError("a table of many entries")

    monkeypatch.setattr(labelling, "cheap_allocation", too_wide)
    assert priced(TWO, BOTH, HALF) == set()
    monkeypatch.setattr(relaxation, "tasks_cost_enough", lambda *_: False)
    assert priced(TWO, BOTH, HALF) == {"not_proved"}


def test_paths_of_one_file_are_not_those_of_another() -> None:
    network = network_of(("A", "B", 1), ("B", "C", 3))
    steady = SteadyInstance(
        network,
        {"a": dict.fromkeys("ABC", Fraction(1))},
        {("a", "b"): Fraction(1), ("a", "c"): Fraction(3), ("a", "d"): Fraction(9)},
    )
    prices = PriceList(network, {"A->B.link": Fraction(1)})
    for routes in (None, FixedRoutes(network, [])):
        ways = PricedPaths(steady, prices, routes, Fraction(3))
        reached = [set(ways.costs(ways.group(file), "A")) for file in steady.sizes]
        assert reached == [{"A", "B", "C"}, {"A"}, {"A"}]
        reached = [set(ways.costs(ways.group(file), "B")) for file in steady.sizes]
        assert reached == [{"A", "B", "C"}, {"B", "C"}, {"B"}]
        assert ways.costs(0, "A") is ways.costs(0, "A")


WEIGHTS = {"a": Fraction(1), "b": Fraction(1), "c": Fraction(1)}
ROW = chain({task: {"A": 2, "B": 2} for task in "abc"}, 1, PAIR)


def test_weights_prove_that_whole_tasks_do_not_fit() -> None:
    assert weighed(ROW, WEIGHTS, Fraction(1, 4)) == set()
    assert weighed(ROW, WEIGHTS, Fraction(1, 5)) == {"weights_fit"}
    assert weighed(ROW, {}, Fraction(1, 4)) == {"weights_fit"}


def test_weights_belong_to_tasks_and_are_not_negative() -> None:
    assert weighed(ROW, {**WEIGHTS, "d": Fraction(1)}, Fraction(1, 4)) == {"ghost_task"}
    assert weighed(ROW, {**WEIGHTS, "a": Fraction(-1)}, Fraction(1, 4)) == {"negative_weight"}


def test_weights_that_take_too_long_to_check_are_not_taken_on_trust(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_long(*_: object) -> None:
        raise packing.TooManyStepsError("too many steps")

    with pytest.raises(packing.TooManyStepsError):
        heaviest_sets(ROW, WEIGHTS, Fraction(4), max_steps=2)
    monkeypatch.setattr(packing, "heaviest_sets", too_long)
    assert weighed(ROW, WEIGHTS, Fraction(1, 4)) == {"not_proved"}


def test_a_lonely_processor_runs_all_tasks_or_none() -> None:
    alone = read_network(platform_of(names=["A", "B"]), "multiport")
    assert heaviest_sets(replace(ROW, network=alone), WEIGHTS, Fraction(7)) == 6
    assert heaviest_sets(replace(ROW, network=alone), WEIGHTS, Fraction(6)) == 0


def test_with_copies_only_what_enters_counts() -> None:
    network = network_of(("A", "B", 1), duplex="simplex")
    times = {"a": {"A": 1}, "b": {"A": 9, "B": 1}}
    steady = chain(times, 5, network)
    weights = dict(zip("ab", whole(1, 1), strict=True))
    assert heaviest_sets(steady, weights, Fraction(5)) == 0
    assert heaviest_sets(replace(steady, duplication="tasks"), weights, Fraction(5)) == 1


def carried(network: Network, name: str) -> Fraction:
    return packing._carried([hop for (sender, _), hop in network.hops.items() if sender == name])


def test_ports_and_shared_media_limit_what_hops_carry_together() -> None:
    links = (("A", "B", 1), ("A", "C", 3))
    assert carried(network_of(*links), "A") == 4
    assert carried(network_of(*links, A={"bandwidth_out": 2}), "A") == 2
    assert carried(network_of(*links, A={"bandwidth_out": 9}), "A") == 4
    assert carried(network_of(*links, ports="one_port"), "A") == 3


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_the_heaviest_sets_are_those_of_enumeration(start: int) -> None:
    for seed in range(start, start + 20):
        random = Random(seed)
        names = [f"P{i}" for i in range(random.randint(1, 3))]
        links = [
            (a, b, random.randint(1, 3))
            for a in names
            for b in names
            if a < b and random.random() < 0.8
        ]
        network = read_network(
            platform_of(*links, names=names), random.choice(["multiport", "one_port"])
        )
        tasks = [f"T{k}" for k in range(random.randint(1, 6))]
        times = {
            task: {
                name: Fraction(random.randint(0, 6), random.randint(1, 3))
                for name in names
                if random.random() < 0.9
            }
            for task in tasks
        }
        sizes = {
            (a, b): Fraction(random.randint(0, 4), random.randint(1, 2))
            for a in tasks
            for b in tasks
            if a < b and random.random() < 0.5
        }
        steady = SteadyInstance(network, times, sizes, duplication=random.choice(["none", "tasks"]))
        weights = {task: Fraction(random.randint(0, 5), 7) for task in tasks}
        below = Fraction(random.randint(1, 12), random.randint(1, 2))
        assert heaviest_sets(steady, weights, below) == plainly(steady, weights, below)


def plainly(steady: SteadyInstance, weights: Mapping[str, Fraction], below: Fraction) -> Fraction:
    total = Fraction(0)
    for name in {name for times in steady.times.values() for name in times}:
        most = Fraction(0)
        hops = steady.network.hops.items()
        out = packing._carried([hop for (sender, _), hop in hops if sender == name])
        into = packing._carried([hop for (_, user), hop in hops if user == name])
        for chosen in product((False, True), repeat=len(steady.times)):
            tasks = {task for task, is_in in zip(steady.times, chosen, strict=True) if is_in}
            if any(name not in steady.times[task] for task in tasks):
                continue
            leaving = sum(s for (a, b), s in steady.sizes.items() if a in tasks and b not in tasks)
            entering = sum(s for (a, b), s in steady.sizes.items() if b in tasks and a not in tasks)
            if steady.duplication != "none":
                leaving = 0
            fits = (
                sum((steady.times[task][name] for task in tasks), Fraction(0)) < below
                and (leaving == 0 or leaving < below * out)
                and (entering == 0 or entering < below * into)
            )
            if fits:
                most = max(most, sum((weights[task] for task in tasks), Fraction(0)))
        total += most
    return total


@pytest.mark.parametrize("size", [Fraction(1, 7), Fraction(10**6), Fraction(10**6, 7)])
@pytest.mark.parametrize("added", [Fraction(0), Fraction(-1, 13), Fraction(2, 3)])
def test_the_enclosure_of_a_long_message_grows_with_it(size: Fraction, added: Fraction) -> None:
    platform = {"processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}]}
    platform["links"] = [{"source": "A", "target": "B", "unit_time": 1}]
    network = read_network(Platform.model_validate(platform), "one_port")
    prices = PriceList(network, {"A.send": Fraction(1, 3)})
    term = relaxation._Term(size, prices.cost_of([("A.send", Fraction(3))], Fraction(1)), added)
    low, most = term.range
    assert low <= (size + added) * 2**256 <= most
    assert most - low <= 5 * size + 3
