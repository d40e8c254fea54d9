"""Whole items of a load, dealt out so that all is done as early as possible.

The least makespan at a given order of the workers, or over all of them, is found by bisection in
whole units of time. Whether the items can be done within a time is searched stage by stage, over
*partial schedules* that leave so much time to so many items done. One is dropped if those behind
could not do what is missing, even if items were divisible (`ceilings`), or if another of the same
stage leaves no less time after no fewer items. What remains after rounding is a few items per
worker, however many there are: neither time nor memory depend on their number.

Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 2009, section 1.2.2,
has a dynamic program over workers and numbers of items instead (Algorithm 1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.kinds.divisible_star.solver.items.bounds import (
    MASTER,
    ItemCosts,
    Stages,
    ceilings,
    in_any_order,
    in_order,
    item_costs_of,
    unit_of,
)
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Message, Plan, Star

MOST_STATES = 300_000
"""Partial schedules of one stage; beyond it the search is given up, before memory is."""
SAME_SIDE = 3
"""After so many times in a row that were too short, the best makespan is tried to be proved."""

Trail = tuple["Trail", ItemCosts, int] | None
"""The turns of a partial schedule with their items, the last first."""


class _State(NamedTuple):
    time: int
    """That is left."""
    done: int
    trail: Trail


class _TooManyStatesError(Exception):
    """The search would need more memory than it may have."""


@dataclass(frozen=True)
class Dealt:
    """Items dealt out, and what is proved.

    Attributes
    ----------
    makespan
        Of the plan, whose shares are whole multiples of 1/items.
    bound
        No schedule in the order, or in any where all were tried, is shorter.
    nodes
        Partial schedules that had to be kept to prove the bound.
    lacked
        What was over before the makespan was proved to be the least.
    """

    plan: Plan
    makespan: Fraction
    bound: Fraction
    nodes: int
    lacked: Literal["time", "memory"] | None = None


def deal(
    star: Star,
    items: int,
    start: Plan,
    *,
    every_order: bool = False,
    check: Callable[[], None] = lambda: None,
) -> Dealt:
    """Find the least makespan of whole items.

    Parameters
    ----------
    start
        A plan of whole items in the order. The shorter, the less has to be searched.
    every_order
        Whether to try all orders of the workers, not only that of the star.
    check
        Called now and then. If it raises `OutOfTime`, the best so far is the answer.

    Notes
    -----
    A worker that computes in no time does everything as soon as it has been sent one item, so it
    does so alone, or nothing: the others are searched for something shorter.
    """
    plan = min([start, *_alone(star, items)], key=lambda one: makespan_of(star, one))
    best = makespan_of(star, plan)
    unit = unit_of(star, items)
    turns = item_costs_of(star, items, unit)
    if not best or not turns:
        return Dealt(plan, best, best, 0)
    stages = in_any_order(turns) if every_order else in_order(turns)
    search = _Search(stages, items, int(best / unit), check)
    lacked: Literal["time", "memory"] | None = None
    try:
        search.run()
    except OutOfTime:
        lacked = "time"
    except _TooManyStatesError:
        lacked = "memory"
    if search.found is not None:
        plan = _plan(search.found, items)
    bound = (search.excluded + 1) * unit
    return Dealt(plan, makespan_of(star, plan), bound, search.nodes, lacked)


def makespan_of(star: Star, plan: Plan) -> Fraction:
    """Give the time at which everything is done that is sent back to back from 0.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    plan
        One message per worker, and no results.
    """
    last = sent = ZERO
    if star.own is not None and plan.own:
        last = star.own.work_latency + star.own.work * plan.own
    for message in plan.messages:
        costs, share = star.workers[message.worker], message.share
        sent += costs.wire_latency + costs.wire * share
        last = max(last, sent + costs.work_latency + costs.work * share)
    return last


def _alone(star: Star, items: int) -> list[Plan]:
    """List the plans in which one does everything, and any part of it in the same time."""
    plans = [
        Plan(ZERO, [Message(i, 1, Fraction(1))])
        for i, costs in enumerate(star.workers)
        if not costs.wire and not costs.work
    ]
    if star.own is not None and not star.own.work:
        plans.append(Plan(Fraction(1), []))
    return plans


def _plan(trail: Trail, items: int) -> Plan:
    own, messages = ZERO, []
    while trail is not None:
        trail, turn, count = trail
        if turn.worker == MASTER:
            own = Fraction(count, items)
        else:
            messages.append(Message(turn.worker, 1, Fraction(count, items)))
    return Plan(own, messages[::-1])


class _Search:
    """The bisection: `excluded` is too short, and within `shortest` the items were `found`."""

    def __init__(
        self, stages: Stages, items: int, shortest: int, check: Callable[[], None]
    ) -> None:
        self.stages, self.items, self.check = stages, items, check
        self.shortest = shortest
        self.excluded = 0
        self.found: Trail = None
        self.nodes = 0

    def run(self) -> None:
        """Shorten the interval to one unit."""
        self.ceilings = ceilings(self.stages, self.shortest, self.check)
        self.excluded = self.ceilings.least_time(self.items) - 1
        failures = 0
        while self.shortest - self.excluded > 1:
            time = (self.excluded + self.shortest) // 2
            if failures == SAME_SIDE:
                time, failures = self.shortest - 1, 0
            trail, nodes = self._schedule_within(time)
            if trail is None:
                self.excluded, self.nodes = time, nodes
                failures += 1
            else:
                self.found, self.shortest = trail, _length(trail)
                failures = 0

    def _schedule_within(self, time: int) -> tuple[Trail, int]:
        """Find a schedule within a time, None if there is none, and count what had to be kept."""
        nodes = 0
        waiting: list[list[_State]] = [[] for _ in self.stages]
        waiting[0] = [_State(time, 0, None)]
        for stage, states in enumerate(waiting):
            kept = _undominated(states)
            waiting[stage] = []
            nodes += len(kept)
            if not kept:
                continue
            furthest = max(kept, key=lambda state: self._max_items(stage, state))
            if trail := self._straight(stage, furthest):
                return trail, nodes
            if kept[-1].done == self.items:
                return kept[-1].trail, nodes
            for state in kept:
                self.check()
                for turn, then in self.stages[stage]:
                    if turn is None:
                        self._keep(state, then, waiting)
                    else:
                        self._deal(state, turn, then, waiting)
        return None, nodes

    def _max_items(self, stage: int, state: _State) -> int:
        return state.done + self.ceilings.max_items(stage, state.time)

    def _keep(self, state: _State, stage: int, waiting: list[list[_State]]) -> bool:
        """Put a state to those of a stage, unless too little can be done from there."""
        if self._max_items(stage, state) < self.items:
            return False
        waiting[stage].append(state)
        if len(waiting[stage]) > MOST_STATES:
            raise _TooManyStatesError
        return True

    def _deal(self, state: _State, turn: ItemCosts, then: int, waiting: list[list[_State]]) -> None:
        """Give a turn any number of items with which the others can be done.

        The bound on what is done in all is convex in the number, so it is tried from both ends.
        """
        most = self._capacity(state, turn)
        for count in range(most, 0, -1):
            if not self._keep(_state_after(state, turn, count), then, waiting):
                for least in range(1, count):
                    if not self._keep(_state_after(state, turn, least), then, waiting):
                        return
                return

    def _capacity(self, state: _State, turn: ItemCosts) -> int:
        room = state.time - turn.delay
        return min(room // turn.per_item, self.items - state.done) if room >= turn.per_item else 0

    def _straight(self, stage: int, state: _State) -> Trail:
        """Go on from a state with as many items for every worker as there is time for, or none."""
        while state.done < self.items and self.stages[stage]:
            choices = []
            for turn, then in self.stages[stage]:
                count = 0 if turn is None else self._capacity(state, turn)
                choices.append(
                    (_state_after(state, turn, count) if turn and count else state, then)
                )
            state, stage = max(choices, key=lambda choice: self._max_items(choice[1], choice[0]))
        return state.trail if state.done == self.items else None


def _state_after(state: _State, turn: ItemCosts, count: int) -> _State:
    left = state.time - turn.wire_latency - turn.wire * count
    return _State(left, state.done + count, (state.trail, turn, count))


def _undominated(states: list[_State]) -> list[_State]:
    """Keep those to which no other leaves as much time after as many items, by these."""
    kept: list[_State] = []
    for state in sorted(states, key=lambda state: (-state.time, -state.done)):
        if not kept or state.done > kept[-1].done:
            kept.append(state)
    return kept


def _length(trail: Trail) -> int:
    """Give the makespan of turns that are sent to back to back."""
    turns = []
    while trail is not None:
        trail, turn, count = trail
        turns.append((turn, count))
    sent = last = 0
    for turn, count in reversed(turns):
        sent += turn.wire_latency + turn.wire * count
        last = max(last, sent + turn.work_latency + turn.work * count)
    return last
