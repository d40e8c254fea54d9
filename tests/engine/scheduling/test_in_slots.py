"""Rates that slots of half-duplex links carry, against all slots there are."""

import random
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import Cancelled, CertificationError, OutOfTime, SolverError
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.exact.safe_rounding import ROUNDED
from steadygrid.engine.scheduling import Plan, Workload, in_slots
from steadygrid.engine.scheduling.half_duplex_general import with_slots
from steadygrid.engine.scheduling.in_slots import InSlots, in_best_slots
from steadygrid.engine.slots import search
from steadygrid.engine.slots.search import CUT_SHORT, FAILED, NO_SLOT_PAYS
from steadygrid.engine.solving.control import Control
from tests.engine.slots.cycles import FIVE
from tests.engine.slots.every_slot import every_slot

F = Fraction
NAMES = "ABCDE"
ENDS = [(a, b) for a in NAMES for b in NAMES if a != b]
PAIRS = [a + b for a, b in ENDS]


def workload(sizes: Sequence[int]) -> Workload:
    """Give files of some sizes, and half-duplex links between all of five processors."""
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in NAMES],
            "links": [
                {"source": a, "target": b, "unit_time": 1, "duplex": "half"}
                for a, b in ENDS
                if a < b
            ],
        }
    )
    files = {(f"f{k}", f"g{k}"): F(size) for k, size in enumerate(sizes)}
    return Workload(platform, "one_port", lambda *_: F(2), files)


def plan(rate: Fraction, arcs: Sequence[str], computer: str = "B") -> Plan:
    """Give a plan that sends one file over each of some arcs, and computes 2 somewhere."""
    moved = (Transfer((f"f{k}", f"g{k}"), tuple(arc), F(1)) for k, arc in enumerate(arcs))
    return Plan(rate, {"work": (computer,)}, tuple(moved))


def optimum(work: Workload, plans: Sequence[Plan]) -> Fraction:
    """Find the best rates over all slots."""
    index, arcs = work.platform.index_by_id, work.platform.arc_by_ends
    model = pyo.ConcreteModel()
    slots = every_slot(work.platform)
    model.slot = pyo.Var(range(len(slots)), domain=pyo.NonNegativeReals)
    model.rate = pyo.Var(range(len(plans)), domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    model.rows.add(sum(model.slot.values()) <= 1)
    for name in NAMES:
        busy = [2 * model.rate[a] for a, one in enumerate(plans) if one.tasks["work"] == (name,)]
        if busy:
            model.rows.add(sum(busy) <= 1)
    sent: dict[int, Any] = defaultdict(int)
    for a, one in enumerate(plans):
        for transfer in one.transfers:
            source, target = (index[name] for name in transfer.path)
            arc = arcs[source, target].index
            sent[arc] += work.file_sizes[transfer.file] * model.rate[a]
    for arc, time in sent.items():
        model.rows.add(time <= sum(model.slot[k] for k, slot in enumerate(slots) if arc in slot))
    model.best = pyo.Objective(expr=sum(model.rate.values()), sense=pyo.maximize)
    found = solve_certified(model, Control()).objective
    assert found is not None
    return found


def assert_carried(work: Workload, found: InSlots) -> None:
    """Check that the slots are slots, and long enough for what the plans send."""
    index, arcs = work.platform.index_by_id, work.platform.arc_by_ends
    assert found.slots is not None
    assert sum(slot.duration for slot in found.slots) <= 1
    every = set(every_slot(work.platform))
    room: dict[Any, Fraction] = defaultdict(Fraction)
    for slot in found.slots:
        assert {arcs[index[a], index[b]].index for a, b in slot.arcs} in every
        for arc in slot.arcs:
            room[arc] += slot.duration
    for one in found.plans:
        assert one.rate > 0
        for transfer in one.transfers:
            room[transfer.path] -= work.file_sizes[transfer.file] * one.rate
    assert min(room.values()) >= 0


def drawn(seed: int) -> tuple[Workload, list[Plan]]:
    draw = random.Random(seed)
    work = workload([draw.randint(2, 5) for _ in range(7)])
    cycles = [plan(F(1), [*FIVE, *draw.sample(PAIRS, 2)], draw.choice(NAMES)) for _ in range(2)]
    others = [plan(F(1), draw.sample(PAIRS, 7), draw.choice(NAMES)) for _ in range(2)]
    return work, [*cycles, *others][: draw.randint(1, 4)]


def test_rates_are_the_best_that_any_slots_carry() -> None:
    mixed = 0
    for seed in range(12):
        work, plans = drawn(seed)
        best = optimum(work, plans)
        found = in_best_slots(work, plans, F(10**6), Control())
        assert found.throughput == best
        assert found.notes == (NO_SLOT_PAYS,)
        assert_carried(work, found)
        at_once, _ = with_slots(work, plans)
        assert found.throughput >= sum(one.rate for one in at_once)
        mixed += len(found.plans) > 1
    assert mixed >= 3


def five_cycle() -> tuple[Workload, list[Plan]]:
    return workload([2] * 5), [plan(F(1, 4), FIVE)]


def test_five_transfers_in_a_ring_take_five_halves() -> None:
    work, plans = five_cycle()
    at_once, _ = with_slots(work, plans)
    assert at_once[0].rate == F(1, 6)
    found = in_best_slots(work, plans, F(1, 4), Control())
    assert found.throughput == F(1, 5)
    assert_carried(work, found)


def test_a_search_ends_where_the_bound_is_reached() -> None:
    work, plans = five_cycle()
    for bound in (F(1, 5), F(1, 6)):
        found = in_best_slots(work, plans, bound, Control())
        assert (found.throughput, found.notes) == (bound, ())


def test_no_slots_are_made_where_none_are_needed() -> None:
    work, _ = five_cycle()
    plans = [plan(F(1, 4), FIVE[:4])]
    assert in_best_slots(work, plans, F(1, 4), Control()) == InSlots(plans, None)


def failing(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


ERRORS = [
    (OutOfTime(), CUT_SHORT),
    (SolverError("it stopped"), FAILED),
    (CertificationError("no basis"), FAILED),
]


@pytest.mark.parametrize("part", [(in_slots, "solve_certified"), (search, "heaviest_slot")])
@pytest.mark.parametrize(("error", "note"), ERRORS)
def test_a_search_that_ends_early_keeps_what_it_has(
    part: tuple[Any, str], error: Exception, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, plans = five_cycle()
    monkeypatch.setattr(*part, failing(error))
    found = in_best_slots(work, plans, F(1, 4), Control())
    assert found.throughput >= F(1, 6)
    assert found.notes == (note,)
    assert_carried(work, found)


def test_a_cancelled_search_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "heaviest_slot", failing(Cancelled()))
    with pytest.raises(Cancelled):
        in_best_slots(*five_cycle(), F(1, 4), Control())


def test_rates_that_no_one_can_read_are_rounded_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_slots, "too_long", lambda _: True)
    monkeypatch.setattr(in_slots, "ROUNDED_BITS", 8)
    work, plans = five_cycle()
    found = in_best_slots(work, plans, F(1, 4), Control())
    assert found.throughput == F(51, 256)
    assert found.notes == (NO_SLOT_PAYS, ROUNDED)
    assert_carried(work, found)
