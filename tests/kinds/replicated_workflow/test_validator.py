"""The referee of replicated workflows: it accepts what is right, and sees one wrong number."""

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import NO_TIME_FOR_SCHEDULE, Options
from steadygrid.domain.timetable import Computing, Firing, Row, Sending, Timetable
from steadygrid.kinds.replicated_workflow import referee_rows, validator
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from tests.draws import draws
from tests.kinds.replicated_workflow.bodies import (
    Body,
    published_a,
    published_b,
    random_workflow,
    skip_edge,
    small,
    without_mapping,
    workflow,
)
from tests.kinds.replicated_workflow.judged import (
    MODULI,
    Document,
    coarse_answer,
    codes,
    searched,
)
from tests.kinds.replicated_workflow.net import (
    Net,
    answer,
    instance_of,
    read,
    result_of,
    solve,
    timetable,
)


@pytest.mark.parametrize(
    ("body", "period", "mct"),
    [
        (published_a(), Fraction(189), Fraction(189)),
        (published_a("no_overlap"), Fraction(692, 3), Fraction(1295, 6)),
        (published_b(), Fraction(875, 3), Fraction(775, 3)),
        (skip_edge(), Fraction(11, 2), Fraction(4)),
        (
            workflow({"a": {"P": 6, "Q": 3, "R": 10}}, {}, {}, {"a": "P Q R"}),
            Fraction(10, 3),
            Fraction(10, 3),
        ),
    ],
    ids=["A", "A no_overlap", "B", "skip edge", "one stage"],
)
def test_published_periods_are_accepted(body: Body, period: Fraction, mct: Fraction) -> None:
    instance, document, schedule = answer(body)
    assert (document["period"], document["mct"]) == (str(period), str(mct))
    assert codes(instance, document, schedule) == set()


@pytest.mark.parametrize("seed", range(draws(15, 600)))
def test_right_answers_are_accepted_and_one_wrong_number_is_not(seed: int) -> None:
    random = Random(seed)
    instance, document, schedule = answer(random_workflow(random))
    assert codes(instance, document, schedule) == set()
    places = [path for path in numbers(document) if matters(document, path)]
    for path in random.sample(places, min(8, len(places))):
        changed = copy.deepcopy(document)
        *way, last = path
        part: Any = changed
        for step in way:
            part = part[step]
        part[last] = another(part[last], random)
        assert codes(instance, changed, schedule), path
    for _ in range(6):
        position = random.randrange(len(schedule.rows))
        name = random.choice(("residue", "modulus", "start", "time", "every"))
        row = schedule.rows[position]
        value = getattr(row, name)
        if name == "start" and value == 0:
            continue
        # Starts are the least, so only an earlier one is always wrong.
        wrong = value * Fraction(random.randint(0, 9), 10) if name == "start" else value + 1
        rows = [*schedule.rows]
        rows[position] = row._replace(**{name: wrong})
        assert codes(instance, document, replace(schedule, rows=tuple(rows))), (position, name)
    for wrong_header in (
        replace(schedule, period=schedule.period + 1),
        replace(schedule, instances_per_period=schedule.instances_per_period * 2),
    ):
        assert codes(instance, document, wrong_header)


def numbers(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the ways to all numbers of a document."""
    if isinstance(document, dict | list):
        pairs = document.items() if isinstance(document, dict) else enumerate(document)
        for key, part in pairs:
            yield from numbers(part, (*path, key))
    elif str(document)[0].isdigit():
        yield path


def matters(document: Document, path: tuple[Any, ...]) -> bool:
    """Tell whether a number has one right value.

    A cycle of one operation with one copy is the same from every data set on.
    """
    return not (path[-1] == "data_set" and len(document["critical_cycle"]) == 1)


def another(value: Any, random: Random) -> Any:
    """Give another number of the same sort."""
    if isinstance(value, int | float):
        return value + random.choice((1, 2))
    return str(Fraction(value) * random.choice((2, 3)) + random.choice((1, Fraction(1, 7))))


@pytest.mark.parametrize("seed", range(draws(6, 200)))
def test_coarser_rows_of_the_same_period_are_accepted(seed: int) -> None:
    """Each operation has a row for each of its own places; dependencies go by common residues."""
    net = Net(random_workflow(Random(seed)))
    right, coarse = solve(net), solve(net, lambda name: len(net.places[name]))
    assert coarse.period >= right.period
    if coarse.period == right.period:
        document = result_of(net, replace(coarse, cycle=right.cycle, length=right.length))
        assert codes(instance_of(net.body), document, timetable(net, coarse)) == set()


def test_an_answer_that_ran_out_of_time_has_the_bound_of_a_resource() -> None:
    instance, document, schedule, _ = coarse_answer(published_a("no_overlap"))
    assert document["gap"] != "0"
    assert codes(instance, document, schedule) == set()
    document["bound"] |= {"value": "1", "approx": 1.0}
    document["gap"] = str(1 - Fraction(document["objective"]["value"]))
    assert codes(instance, document, schedule) == {"unproved_bound"}


def test_an_answer_that_ran_out_of_time_may_rest_on_a_cycle_that_is_not_critical() -> None:
    instance, document, schedule, net = coarse_answer(published_a("no_overlap"))
    right = solve(net)
    full = result_of(net, right)
    for name in ("critical_cycle", "length", "time", "bound"):
        document[name] = full[name]
    document["gap"] = str(1 - right.period / Fraction(document["period"]))
    assert codes(instance, document, schedule) == set()
    document["bound"] = {"value": "6/1295", "approx": 6 / 1295, "exact": True}
    document["gap"] = str(1 - Fraction(1295, 6) / Fraction(document["period"]))
    assert codes(instance, document, schedule) == {"not_critical"}


def test_only_a_bound_may_be_known() -> None:
    instance, document, schedule, _ = coarse_answer(published_a())
    document |= {"outcome": "bound_only", "objective": None, "gap": None, "period": None}
    document |= {"latency": None, "critical_resource": None}
    assert codes(instance, document, None) == set()
    assert codes(instance, document | {"period": "190"}, None) == {"wrong_period"}
    assert "wrong_latency" in codes(
        instance, document | {"latency": {"largest": "1", "mean": "1"}}, None
    )
    certificate = {"type": "cycle_ratio", "state": {"P1.send": "0"}}
    assert "wrong_outcome" in codes(instance, document | {"certificate": certificate}, None)
    assert "wrong_outcome" in codes(instance, document, schedule)
    hedged = document | {"bound": document["bound"] | {"exact": False}, "proof": None}
    assert codes(instance, hedged, None) == {"unproved_bound"}


def test_a_critical_resource_stands_only_where_the_period_is_no_longer() -> None:
    instance, document, schedule = answer(published_a("no_overlap"))
    assert document["critical_resource"] is None
    assert codes(instance, document | {"critical_resource": "P3.port"}, schedule) == {
        "wrong_critical_resource"
    }
    instance, document, schedule = answer(published_a())
    for wrong in (None, "P2.compute", "P9.send"):
        assert codes(instance, document | {"critical_resource": wrong}, schedule) == {
            "wrong_critical_resource"
        }


def test_a_start_one_too_early_for_some_data_sets_only_is_seen() -> None:
    """A computation repeats after 2 data sets, the file after 6: only n = 4 mod 6 is wrong."""
    instance, document, schedule = answer(MODULI)
    net = Net(MODULI)
    right = solve(net)
    coarse = solve(net, lambda name: len(net.places[name]))
    assert coarse.period == right.period
    document = result_of(net, replace(coarse, cycle=right.cycle, length=right.length))
    schedule = timetable(net, coarse)
    assert codes(instance, document, schedule) == set()
    rows = [*schedule.rows]
    position = next(
        i for i, row in enumerate(rows) if isinstance(row.operation, Sending) and row.residue == 4
    )
    rows[position] = rows[position]._replace(start=rows[position].start - 1)
    with pytest.raises(InvalidScheduleError) as caught:
        validator.validate(instance, Options(), read(document), replace(schedule, rows=tuple(rows)))
    early = [fault for fault in caught.value.faults if fault.code == "too_early"]
    assert any("'a' of data set 4." in fault.detail for fault in early)
    assert all("starts 1 before" in fault.detail for fault in early)


def test_a_cycle_that_closes_at_one_stage_but_not_at_both_is_no_cycle() -> None:
    """Two receivers and three: what comes back to the sender after 3 has another receiver."""
    body = published_b()
    instance, document, schedule = answer(body)
    step = {"operation": ["S1", "S2"], "place": ["A0", "B0"], "data_set": 0, "time": "100"}
    document |= {"critical_cycle": [step], "length": 3, "time": "100"}
    assert codes(instance, document, schedule) == {"wrong_length", "unproved_bound"}


def test_a_time_of_another_copy_is_seen() -> None:
    instance, document, schedule = answer(published_a())
    rows = [*schedule.rows]
    position = next(i for i, r in enumerate(rows) if r.operation == Computing("S2", "P2"))
    for wrong in (
        rows[position]._replace(time=Fraction(128)),
        rows[position]._replace(operation=Computing("S2", "P3")),
    ):
        changed = replace(schedule, rows=(*rows[:position], wrong, *rows[position + 1 :]))
        assert codes(instance, document, changed) & {"wrong_time", "wrong_place"}


def edited(change: Callable[[Document], Any]) -> tuple[ReplicatedWorkflowInstance, Any, Any]:
    instance, document, schedule = answer(published_a("no_overlap"))
    change(document)
    return instance, document, schedule


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda d: d["mapping"].reverse(), "wrong_mapping"),
        (lambda d: d["mapping"][1]["processors"].reverse(), "wrong_mapping"),
        (lambda d: d.update(mapping=None), "wrong_outcome"),
        (lambda d: d.update(copies={"S1": 1}), "wrong_copies"),
        (lambda d: d.update(rows="12"), "wrong_rows"),
        (lambda d: d.update(latency=None), "no_latency"),
        (lambda d: d.update(length=None), "wrong_cycle"),
        (lambda d: d.update(critical_cycle=[]), "wrong_cycle"),
        (lambda d: d.update(critical_cycle=None, length=None, time=None), "unproved_bound"),
        (lambda d: d["critical_cycle"][0].update(operation="S9"), "ghost_operation"),
        (lambda d: d["critical_cycle"][0].update(place="P9"), "wrong_step"),
        (lambda d: d["critical_cycle"].pop(), "no_dependency"),
        (lambda d: d.update(time="1"), "wrong_time"),
        (lambda d: d["occupation"].pop(), "wrong_resources"),
        (lambda d: d["occupation"].reverse(), "wrong_order"),
        (lambda d: d["occupation"][0].update(send="0"), "wrong_time"),
        (lambda d: d["occupation"][0].update(resource="P9.port"), "wrong_resources"),
        (lambda d: d["certificate"].update(type="none"), "wrong_certificate"),
        (lambda d: d["objective"].update(name="makespan"), "wrong_objective"),
        (lambda d: d.update(outcome="infeasible"), "not_infeasible"),
        (lambda d: d.update(comparison=[]), "wrong_comparison"),
    ],
)
def test_each_fault_of_a_result_is_named(change: Callable[[Document], Any], code: str) -> None:
    assert code in codes(*edited(change))


def without(rows: tuple[Row, ...], place: int) -> tuple[Row, ...]:
    return (*rows[:place], *rows[place + 1 :])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda s: replace(s, ports="one_port"), "wrong_ports"),
        (lambda s: replace(s, rows=s.rows[:-6]), "wrong_operations"),
        (lambda s: replace(s, rows=(*s.rows, s.rows[0])), "wrong_operations"),
        (lambda s: replace(s, rows=s.rows[::-1]), "wrong_operations"),
        (
            lambda s: replace(s, rows=tuple(r._replace(operation=Firing("S1", 1)) for r in s.rows)),
            "wrong_operations",
        ),
        (lambda s: replace(s, rows=s.rows[:-1]), "wrong_modulus"),
        (lambda s: replace(s, rows=without(s.rows, 0)), "wrong_modulus"),
        (lambda s: replace(s, rows=(s.rows[1], s.rows[0], *s.rows[2:])), "wrong_residue"),
        (
            lambda s: replace(s, rows=(s.rows[0]._replace(start=-s.rows[0].time), *s.rows[1:])),
            "negative_start",
        ),
        (lambda s: replace(s, stated_counts={"rows": 1}), "wrong_counts"),
    ],
)
def test_each_fault_of_a_schedule_is_named(
    change: Callable[[Timetable], Timetable], code: str
) -> None:
    instance, document, schedule = answer(published_a("no_overlap"))
    assert code in codes(instance, document, change(schedule))


def test_a_mean_is_known_for_few_rows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    instance, document, schedule = answer(published_a())
    monkeypatch.setattr(referee_rows, "MOST_MEAN_ROWS", 5)
    assert codes(instance, document, schedule) == {"wrong_latency"}
    document["latency"]["mean"] = None
    assert codes(instance, document, schedule) == set()


def test_a_value_needs_a_schedule_or_a_state() -> None:
    instance, document, _ = answer(published_a())
    document["latency"] = None
    assert codes(instance, document, None) == {"no_schedule"}


def test_no_time_is_no_excuse_for_a_missing_schedule() -> None:
    """A period that nothing keeps is not known; where there was no time, there is a bound only."""
    instance, document, _ = answer(published_a())
    late = {"outcome": "feasible", "notes": [NO_TIME_FOR_SCHEDULE], "latency": None}
    assert codes(instance, document | late, None) == {"no_schedule"}


def test_cards_are_no_ports_here() -> None:
    body = small()
    body["problem"]["platform"]["processors"][0]["cards"] = 2
    instance, document, schedule = answer(body)
    assert codes(instance, document, schedule) == set()


def test_times_are_those_of_work_and_speed() -> None:
    """Work 6 at speed 2, and at 3 per unit; another task of the stage has times of its own."""
    times = {"a": {"P": "3", "Q": "18"}, "b": {"P": "1", "Q": "2"}}
    _, document, schedule = answer(workflow(times, {"a b": 4}, {}, {"a b": "P Q"}))
    body = workflow(times, {"a b": 4}, {}, {"a b": "P Q"})
    body["problem"]["application"]["tasks"][0] = {"id": "a", "work": 6, "allowed": ["P", "Q"]}
    body["problem"]["platform"]["processors"] = [
        {"id": "P", "speed": 2},
        {"id": "Q", "unit_time": 3},
        {"id": "R"},
    ]
    assert codes(instance_of(body), document, schedule) == set()
    _, document, schedule = searched(workflow(times, {"a b": 4}, {}, {"a b": "P Q"}))
    document["mapping"][0]["processors"] = ["P", "R"]
    body["problem"]["application"]["tasks"][1]["times"]["R"] = "1"
    body["problem"]["application"]["tasks"][0].pop("allowed")
    open_ = instance_of(without_mapping(body, stages=[["a", "b"]]))
    assert "task_not_allowed" in codes(open_, document, schedule)
