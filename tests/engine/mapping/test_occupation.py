"""Incremental evaluation agrees with evaluation from scratch, exactly."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from steadygrid.engine.mapping import occupation as exact_occupation
from steadygrid.engine.mapping.occupation import Costs, Occupation, costs_of
from steadygrid.engine.mapping.screen import Moves, better, least, screen_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.plainly import mappings, occupation


def tables(seed, **shape):
    return MonoTables(instance(drawn(Random(seed), **shape)))


def some_mapping(random, found):
    """Draw a mapping for which every file has a way, if there is one."""
    every = list(mappings(found))
    return list(random.choice(every)) if every else None


@pytest.mark.parametrize("seed", range(draws(15, 1500)))
def test_a_move_changes_what_evaluation_from_scratch_changes(seed):
    random, found = Random(seed), tables(seed)
    mapping = some_mapping(random, found)
    if mapping is None:
        return
    board = Occupation(costs_of(found), mapping)
    for _ in range(12):
        moves = {
            random.randrange(5): random.randrange(found.num_processors)
            for _ in range(random.randint(1, 3))
        }
        after = [moves.get(k, i) for k, i in enumerate(mapping)]
        changes, whole = board.changes(moves), occupation(found, after)
        assert (changes is None) == (whole is None)
        if changes is None or whole is None:
            continue
        before = occupation(found, mapping)
        assert board.compare(changes, {}) == (whole > before) - (whole < before)
        assert Fraction(board.longest(changes)) / board.costs.scale == whole[0]
        board.move(moves, changes)
        mapping = after
        assert board.complete() == mapping
        assert board.period == found.period(mapping)
        assert sorted((Fraction(x) / board.costs.scale for x in board.loads), reverse=True) == whole


@pytest.mark.parametrize("seed", range(30))
def test_all_moves_towards_a_processor_agree_with_each_of_them(seed):
    random, found = Random(seed), tables(seed)
    mapping = some_mapping(random, found)
    if mapping is None:
        return
    board = Occupation(costs_of(found), mapping)
    screen = screen_of(found, Control())
    moves = Moves(screen, board)
    for processor in found.usable:
        towards = moves.towards(processor)
        some = np.array([random.random() < 0.5 for _ in mapping])
        files = some[screen.producers] & some[screen.users]
        changes = board.changes(dict.fromkeys(np.flatnonzero(some).tolist(), processor))
        faults = some @ towards.single_faults + files @ towards.joint_faults
        assert (changes is None) == (faults != 0)
        if changes is None:
            continue
        loads = moves.loads.copy()
        loads[towards.columns] += some @ towards.single + files @ towards.joint
        for place, load in enumerate(loads):
            exact = float(changes.get(place, board.loads[place]) / screen.unit)
            assert abs(load - exact) <= towards.tolerance
        outside = np.delete(moves.loads, towards.columns)
        assert towards.rest == outside.max(initial=0)


def test_small_whole_numbers_stay_exact_in_floats():
    found = tables(3, everywhere=True)
    assert screen_of(found, Control()).exact
    far = drawn(Random(3), everywhere=True)
    far["application"]["tasks"][0]["work"] = "1/1000000000000000003"
    assert not screen_of(MonoTables(instance(far)), Control()).exact


def test_a_long_common_denominator_is_not_used(monkeypatch):
    monkeypatch.setattr(exact_occupation, "LONGEST_SCALE", 1)
    found = tables(3, everywhere=True)
    costs = Costs(found)
    assert costs.scale == 1
    mapping = [k % 4 for k in range(5)]
    assert Occupation(costs, mapping).period == found.period(mapping)


def test_costs_are_computed_once():
    found = tables(1)
    assert costs_of(found) is costs_of(found)
    assert screen_of(found, Control()) is screen_of(found, Control())


def test_a_mapping_without_place_is_refused():
    document = drawn(Random(0), everywhere=True)
    document["application"]["tasks"][0]["allowed"] = ["P1"]
    with pytest.raises(ValueError, match="no place"):
        Occupation(costs_of(MonoTables(instance(document))), [0] * 5)


ROWS = np.array([[1.0, 5.0, 2.0], [5.0, 2.0, 0.0], [2.0, 0.0, 5.0], [4.0, 5.0, 0.0]])


def test_the_least_row_has_the_least_sorted_values():
    assert least(ROWS, 0.0, lambda a, b: pytest.fail("asked")) == 1


def test_what_floats_cannot_tell_apart_is_decided_exactly():
    asked = []

    def compare(first, second):
        asked.append((first, second))
        return -1

    near = np.array([[1.0, 2.0], [1.0, 2.0 - 1e-15], [0.0, 3.0]])
    assert least(near, 1e-12, compare) == 1
    assert asked == [(1, 0)]


def test_the_only_row_with_the_shortest_maximum_is_least():
    assert least(np.array([[3.0], [2.0]]), 1e-12, lambda a, b: pytest.fail("asked")) == 1


def test_rows_are_compared_by_their_largest_difference():
    assert better(ROWS[1], ROWS[0], 0.0) == 1
    assert better(ROWS[0], ROWS[1], 0.0) == -1
    assert better(ROWS[1], ROWS[2], 0.0) == 0
    assert better(ROWS[1], ROWS[1], 0.0) == 0
    assert better(ROWS[1], ROWS[1] + 1e-13, 1e-12) == 0
    assert better(ROWS[3], ROWS[0], 1e-12) == -1
