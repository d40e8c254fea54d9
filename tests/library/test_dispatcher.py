"""Instances handed out as a schedule plans them."""

import json
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import pytest

import steadygrid as sg
from steadygrid.domain.dispatch import dispatch_order
from steadygrid.domain.periods import last_period
from steadygrid.domain.schedule import Schedule
from tests.kinds.collective.bodies import body
from tests.solved import solve
from tests.tree import ROOT


@cache
def figure_3() -> Schedule:
    """Give a schedule of several allocations."""
    text = (ROOT / "examples" / "rr4870-figure-3.json").read_text()
    schedule = solve(json.loads(text)).schedule
    assert isinstance(schedule, Schedule)
    assert len(schedule.allocations) > 1
    return schedule


def handed_out(dispatcher: sg.Dispatcher, count: int) -> list[tuple[int, int]]:
    """Hand out instances, and finish each at once."""
    given = []
    for _ in range(count):
        instance, allocation = dispatcher.next() or pytest.fail("nothing is handed out")
        dispatcher.finish(instance)
        given.append((instance, allocation.index))
    return given


def test_allocations_get_the_instances_of_the_dispatch_order() -> None:
    schedule = figure_3()
    order = dispatch_order([one.rate for one in schedule.allocations], 100)
    expected = [(i, schedule.allocations[index].index) for i, index in enumerate(order)]
    assert handed_out(sg.Dispatcher(schedule), 100) == expected


@pytest.mark.parametrize("before", [0, 1, 2, 7, 21, 22])
def test_another_dispatcher_goes_on_where_one_ended(before: int) -> None:
    whole = handed_out(sg.Dispatcher(figure_3()), before + 50)
    first = sg.Dispatcher(figure_3())
    handed_out(first, before)
    second = sg.Dispatcher(figure_3(), counts=first.counts)
    assert handed_out(second, 50) == whole[before:]
    assert second.counts != first.counts
    third = sg.Dispatcher(figure_3(), start=before)
    assert third.counts == first.counts
    assert handed_out(third, 50) == whole[before:]


def test_what_was_not_finished_counts_in_the_window() -> None:
    dispatcher = sg.Dispatcher(figure_3(), start=5, unfinished=[1, 4], window=3)
    assert dispatcher.next() is not None
    assert dispatcher.next() is None
    assert dispatcher.unfinished == {1, 4, 5}
    dispatcher.finish(1)
    assert dispatcher.next() is not None


def test_a_period_is_handed_out_as_it_is_planned() -> None:
    schedule = figure_3()
    dispatcher = sg.Dispatcher(schedule)
    handed_out(dispatcher, int(schedule.instances_per_period))
    planned = tuple(one.instances_per_period for one in schedule.allocations)
    assert dispatcher.counts == planned


def test_a_full_window_hands_out_nothing_until_an_instance_is_done() -> None:
    dispatcher = sg.Dispatcher(figure_3(), window=2)
    first, second = dispatcher.next(), dispatcher.next()
    assert first is not None
    assert second is not None
    assert dispatcher.next() is None
    assert dispatcher.unfinished == {0, 1}
    dispatcher.finish(1)
    dispatcher.finish(1)
    third = dispatcher.next()
    assert third is not None
    assert (third.instance, dispatcher.unfinished) == (2, {0, 2})
    assert dispatcher.next() is None


def test_the_usual_window_has_the_instances_in_progress_in_periods() -> None:
    schedule = figure_3()
    under_way = sum(
        one.instances_per_period * last_period(schedule.files, one, schedule.ports)
        for one in schedule.allocations
    )
    assert sg.Dispatcher(schedule).window == under_way
    dispatcher = sg.Dispatcher(schedule)
    assert len(list(islice(iter(dispatcher.next, None), 10_000))) == under_way


def test_messages_are_handed_out_one_by_one() -> None:
    schedule = solve(
        body("a>b 1, b>c 1, c>a 1", "scatter", source="a", targets=["b", "c"])
    ).schedule
    names = {one.message for one in schedule.allocations}
    assert len(names) == 2
    for name in names:
        given = sg.Dispatcher(schedule, message=name).next()
        assert given is not None
        assert given.allocation.message == name


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"message": "a"}, "unknown_message"),
        ({"window": 0}, "invalid_parameter"),
        ({"counts": (5, 0)}, "invalid_parameter"),
        ({"counts": ()}, "invalid_parameter"),
        ({"start": -1}, "invalid_parameter"),
        ({"start": 1, "counts": (1, 0)}, "invalid_parameter"),
        ({"unfinished": [0]}, "invalid_parameter"),
    ],
)
def test_what_is_wrong_is_named(asked: dict[str, Any], code: str) -> None:
    with pytest.raises(sg.InstanceError) as raised:
        sg.Dispatcher(figure_3(), **asked)
    assert [fault.code for fault in raised.value.faults] == [code]
    assert raised.value.faults[0].pointer == tuple(asked)[:1]


def test_what_does_not_repeat_has_no_order() -> None:
    with pytest.raises(sg.InstanceError, match="only a schedule that repeats"):
        sg.Dispatcher(None)


def test_rates_decide_and_not_the_period() -> None:
    schedule = figure_3()
    dispatcher = sg.Dispatcher(schedule)
    handed_out(dispatcher, 1000)
    total = sum(one.rate for one in schedule.allocations)
    for count, one in zip(dispatcher.counts, schedule.allocations, strict=True):
        assert abs(count - 1000 * one.rate / total) < Fraction(1)
