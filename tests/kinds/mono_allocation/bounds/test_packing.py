"""The heaviest sets of tasks and what their weights prove, with tasks of time 0 among them."""

from fractions import Fraction
from itertools import product
from random import Random

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.bounds.packing import Host, Packing, _Heaviest
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.shared.collection_referee import steady_instance
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.packing import check_weights, heaviest_sets
from steadygrid.verification.steady import SteadyInstance
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.enumeration import Enumeration
from tests.kinds.mono_allocation.test_methods import solved
from tests.kinds.mono_allocation.zero_times import drawn_with_zeros

TINY = Fraction(1, 10**400)
SETS = 4000


def drawn_set(random: Random) -> tuple[list[int], list[int], int]:
    """Draw times, most of them small, weights and room, all whole."""
    number = random.randint(1, 7)
    times = [random.choice((0, 0, 1, 1, 2, 3, 5)) for _ in range(number)]
    weights = [random.randint(0, 9) for _ in range(number)]
    return times, weights, random.randint(0, 6)


def heaviest(times: list[int], weights: list[int], room: int) -> int:
    """Try all sets."""
    return max(
        sum(w for w, chosen in zip(weights, choice, strict=True) if chosen)
        for choice in product((False, True), repeat=len(times))
        if sum(t for t, chosen in zip(times, choice, strict=True) if chosen) <= room
    )


def test_the_search_finds_the_heaviest_of_all_sets() -> None:
    for seed in range(SETS):
        times, weights, room = drawn_set(Random(seed))
        host = Host(tuple(times), room, None, 0)
        search = _Heaviest(host, [], weights, lambda: None)
        search.run()
        assert search.weight == heaviest(times, weights, room)


def test_the_referee_finds_the_heaviest_of_all_sets() -> None:
    network = read_network(instance(drawn(Random(0), 1, 1)).platform, "multiport")
    for seed in range(SETS):
        times, weights, room = drawn_set(Random(seed))
        steady = SteadyInstance(
            network, {f"T{k}": {"P0": Fraction(t)} for k, t in enumerate(times)}, {}
        )
        listed = {f"T{k}": Fraction(w, 3) for k, w in enumerate(weights)}
        found = heaviest_sets(steady, listed, Fraction(room) + Fraction(1, 2))
        assert found == Fraction(heaviest(times, weights, room), 3)


def test_weights_per_time_are_compared_exactly() -> None:
    """In doubles what is divided by a time this long is nothing."""
    long = 10**400
    search = _Heaviest(Host((long, long, 1), long, None, 0), [], [2, 3, 1], lambda: None, 2)
    search.run()
    assert search.weight == 3
    network = read_network(instance(drawn(Random(0), 1, 1)).platform, "multiport")
    steady = SteadyInstance(network, {"a": {"P0": TINY}, "b": {"P0": Fraction(0)}}, {})
    assert heaviest_sets(steady, {"a": Fraction(2), "b": Fraction(1)}, TINY) == 1


def test_weights_prove_no_period_that_an_allocation_undercuts() -> None:
    proved = 0
    for seed in range(400):
        random = Random(seed)
        asked = instance(drawn_with_zeros(random, random.randint(2, 5), 2))
        best = Enumeration(asked).best()
        if not best:
            continue
        beyond = best * random.choice((Fraction(1), Fraction(10, 9), Fraction(4, 3)))
        weights = Packing(MonoTables(asked)).weights(beyond, Control())
        if weights is None:
            continue
        assert beyond == best
        proved += 1
        findings = Findings()
        check_weights(steady_instance(asked), weights, 1 / best, findings, ())
        assert not findings
    assert proved > 80


def test_a_period_that_tasks_without_time_make_possible_is_not_refuted() -> None:
    times = [{"P": 1}, {"P": 3, "Q": 1}, {"P": 1, "Q": 1}, {"P": 0}, {"P": 0}, {"P": 2}]
    files = [(0, 2, 3), (0, 5, 3), (1, 3, 1), (1, 5, 0), (2, 3, 0)]
    document = {
        "platform": {
            "processors": [{"id": "P"}, {"id": "Q"}],
            "links": [{"source": "P", "target": "Q", "unit_time": 1}],
        },
        "application": {
            "tasks": [{"id": f"t{k}", "times": row} for k, row in enumerate(times)],
            "files": [{"source": f"t{a}", "target": f"t{b}", "size": s} for a, b, s in files],
        },
    }
    asked = instance(document)
    best = Enumeration(asked).best()
    assert best == 3
    result = solved(document, "milp").result
    assert result.period == best
    assert Packing(MonoTables(asked)).weights(Fraction(4), Control()) is None
