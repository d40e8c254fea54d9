"""What no single allocation can undercut, proved in exact arithmetic.

Prices of the resources that sum to B prove that no throughput is larger than B if every
allocation costs at least 1. See the kind's referee. `relaxation` finds good prices quickly,
`allocations` the best ones. `forbidding` proves that there is no allocation of a period below
some T, which leaves out all assignments that take so long: by prices, or by weights of the tasks
(`packing`).

With duplication a task may send each of its files from another copy. Prices prove a bound all the
same where every allocation without copies costs at least 1 if of each task only the largest file
counts. Choose a copy of each task without users, then, users first, for each task the copy from
which that file comes. What is chosen costs no more than the whole.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steadygrid.domain.application import File
from steadygrid.domain.errors import CertificationError, OutOfTime
from steadygrid.domain.pools import changed
from steadygrid.domain.slots import FileName
from steadygrid.engine.allocations.generation import FreeAllocation, Generation, NoAllocation
from steadygrid.engine.allocations.infeasible import why_infeasible
from steadygrid.engine.allocations.initial_bound import first_guess
from steadygrid.engine.allocations.last_resort import speed_prices
from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.allocations.optimum import proved_optimum
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.allocations.room import Exhausted, Room
from steadygrid.engine.allocations.search import LocalSearch
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.allocated import BoundSource, Messages, PeriodBound
from steadygrid.kinds.mono_allocation.solver.bounds.messages import MOST_PASSES, Shared, share_costs
from steadygrid.kinds.mono_allocation.solver.bounds.packing import MOST_TASKS, Packing
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.shared.collection import CollectionInstance

MOST_ENTRIES = 50_000_000
"""Largest table with which all allocations are priced; wider graphs have messages."""
QUICK_ENTRIES = 2_000_000
"""The same for `relaxation`, which is to be quick."""
DRAWS = 8
"""Labellings that say about what the cheapest allocation costs."""
ROUGH_ROUNDS = 40
"""Master programs whose prices `relaxation` looks at."""
PRICED_EVERY = 8
"""Of so many, the last is priced."""
MOST_ROUTES = 300_000
"""Between processors that exchange files: with more, proofs are by the tasks alone."""
STEPS = 1 << 10
"""`forbidding` tells periods apart by the best one over this."""
RELAXATION_SHARE = 0.3
"""Of the time of `forbidding`, for the relaxation."""
PACKING_SHARE = 0.6
"""Of the time then left, for weights. The rest is for prices."""


class _Proof(NamedTuple):
    """Prices at which no allocation costs less than 1, and messages that show it."""

    prices: list[Fraction]
    messages: Mapping[FileName, Messages]

    @property
    def throughput(self) -> Fraction:
        """No throughput is larger."""
        return sum(self.prices, Fraction(0))


def relaxation(tables: MonoTables, control: Control) -> PeriodBound:
    """Bound the period by prices that are found quickly.

    The prices are those of mixes of tasks alone, without their files, and of mixes of allocations
    that local search finds. What the cheapest allocation costs is found exactly where the graph
    is narrow; else bounded by messages, as well as the linear relaxation can. Where there are too
    many routes between processors to look at (`MOST_ROUTES`), only the first are tried.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    NoMapping
        If there is no allocation.
    Cancelled, OutOfTime
        If cancelled, or if the time is over before anything is proved.
    """
    problem = _problem(tables, control)
    best = _speeds(problem)
    try:
        if _takes_time(problem):
            best = _better(best, _tasks_alone(problem, control))
        for prices in _candidates(problem, control) if _can_list_paths(problem) else ():
            best = _better(best, _proved(problem, prices, control))
    except FreeAllocation:
        pass
    except OutOfTime:
        if best is None:
            raise
    return _least_need(tables) if best is None else _bound(problem, best, "relaxation")


def _better(first: _Proof | None, second: _Proof | None) -> _Proof | None:
    found = [proof for proof in (first, second) if proof is not None]
    return min(found, key=lambda proof: proof.throughput, default=None)


def rough(tables: MonoTables, control: Control) -> PeriodBound:
    """Bound the period at once, by equal prices of all resources or by prices of speeds.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    NoMapping, Cancelled, OutOfTime
        As `relaxation`.
    """
    problem = _problem(tables, control)
    proof = _speeds(problem)
    if _can_list_paths(problem):
        try:
            level = _proved(problem, problem.level_prices, control, most_passes=1)
        except OutOfTime:
            if proof is None:
                raise
        else:
            proof = _better(proof, level)
    if proof is None and _takes_time(problem):
        proof = _tasks_alone(problem, control)
    return _least_need(tables) if proof is None else _bound(problem, proof, "relaxation")


def allocations(tables: MonoTables, control: Control) -> PeriodBound:
    """Bound the period by the best mix of several allocations; `relaxation` in wide graphs.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    NoMapping
        If there is no allocation.
    Cancelled, OutOfTime
        If cancelled, or if the time is over before anything is proved.
    CertificationError, SolverError
        See `solve_certified`.
    """
    problem = _problem(tables, control)
    narrow = problem.elimination.entries(problem.label_counts) <= MOST_ENTRIES
    if not (narrow and _can_list_paths(problem)):
        return relaxation(tables, control)
    generation = Generation(problem, control)
    try:
        proof = _Proof(proved_optimum(generation, control).prices, {})
    except NoAllocation as error:
        raise NoMapping(why_infeasible(problem.instance), proved=True) from error
    except FreeAllocation:
        return relaxation(tables, control)
    except Exhausted:
        if generation.bound is None:
            return relaxation(tables, control)
        proof = _Proof(generation.best_prices, {})
    except OutOfTime:
        if generation.bound is None:
            raise
        proof = _Proof(generation.best_prices, {})
    finally:
        generation.close()
    return _bound(problem, proof, "allocations")


def forbidding(tables: MonoTables, control: Control, best: Fraction | None = None) -> PeriodBound:
    """Bound the period by what allocations of a shorter one could not contain.

    Parameters
    ----------
    best
        Period of an allocation, to which the bound may rise. None if there is none yet.

    Returns
    -------
    PeriodBound
        Never less than that of `relaxation`.

    Raises
    ------
    NoMapping, Cancelled, OutOfTime
        As `relaxation`.

    Notes
    -----
    Bisection between the relaxation and `best`, which is tried first. Each step proves, or does
    not, that no allocation has a period below a guess T; everything that the step proves holds
    exactly. First by weights of tasks (`Packing`), then, where the graph is narrow, by prices of
    the best mix of allocations that contain no task and no file that takes as long as T.
    """
    try:
        found = relaxation(tables, control.limited(RELAXATION_SHARE * control.remaining))
    except OutOfTime:
        found = rough(tables, control)
    found = max(found, longest_task(tables), key=lambda bound: bound.period)
    problem = _problem(tables, control)
    if best is None and _can_list_paths(problem):
        best = _some_period(problem, control)
    if best is None:
        return found
    if len(tables.tasks) <= MOST_TASKS:
        packing = Packing(tables)
        part = control.limited(PACKING_SHARE * control.remaining)
        found = _climb(found, best, lambda below: _by_weights(packing, below, part))
    narrow = problem.elimination.entries(problem.label_counts) <= MOST_ENTRIES
    if narrow and _can_list_paths(problem):
        found = _climb(found, best, lambda below: _by_prices(problem, below, control))
    return found


def longest_task(tables: MonoTables) -> PeriodBound:
    """Bound the period of single allocations by the task that takes longest where it is fastest.

    At once, and at any size; of periods that short there is no task to place.
    """
    longest = max(min(tables.time(k, i) for i in row) for k, row in enumerate(tables.sorts))
    prices = {tables.resources[tables.labels[0][0]]: 1 / longest} if longest else {}
    return PeriodBound(longest, "forbidden_assignments", exact=True, prices=prices)


def _climb(
    found: PeriodBound, best: Fraction, prove: Callable[[Fraction], PeriodBound | None]
) -> PeriodBound:
    """Raise a bound to the best known period, or by bisection as far as proofs go."""
    low, high = int(found.period * STEPS / best), STEPS + 1
    while high - low > 1:
        guess = STEPS if high > STEPS else (low + high) // 2
        below = best * Fraction(guess, STEPS)
        try:
            bound = prove(below)
        except OutOfTime:
            break
        if bound is not None and bound.period > found.period:
            found = bound
        if found.period >= below:
            low = guess
        else:
            high = guess
    return found


def _by_weights(packing: Packing, below: Fraction, control: Control) -> PeriodBound | None:
    weights = packing.weights(below, control)
    if weights is None:
        return None
    return PeriodBound(below, "forbidden_assignments", exact=True, weights=weights)


def _by_prices(problem: Problem, below: Fraction, control: Control) -> PeriodBound | None:
    """Bound the period, at most by `below`, by mixes of allocations without what takes as long."""
    control.check()
    limit = 1 / below
    some = problem.network.resources[int(problem.labels[0][0])]
    without = Problem(problem.instance, problem.routing, below=below, network=problem.network)
    if not all(without.label_counts):
        return PeriodBound(below, "forbidden_assignments", exact=True, prices={some: limit})
    generation = Generation(without, control)
    try:
        generation.run(
            lambda so_far: (
                (so_far.bound is not None and so_far.bound <= limit) or so_far.value > limit
            )
        )
    except NoAllocation:
        return PeriodBound(below, "forbidden_assignments", exact=True, prices={some: limit})
    except FreeAllocation:
        return None
    except Exhausted:
        pass  # What was proved until then may do.
    except OutOfTime:
        if generation.bound is None:
            raise
    finally:
        generation.close()
    bound = generation.bound
    if bound is None:
        return None
    scale = max(bound, limit) / bound
    proof = _Proof([price * scale for price in generation.best_prices], {})
    return _bound(without, proof, "forbidden_assignments")


def _problem(tables: MonoTables, control: Control) -> Problem:
    instance = tables.instance
    if instance.duplication == "none":
        return Problem(instance, instance.routing, check=control.check, odd_sets=tables.odd_sets)
    largest: dict[str, File] = {}
    for file in instance.application.files:
        if file.source not in largest or file.size > largest[file.source].size:
            largest[file.source] = file
    # Fixed routes may follow each other where routers copy files.
    copying = instance.duplication == "tasks_and_files" and instance.routing == "fixed"
    routing = "free" if copying else instance.routing
    return Problem(
        _with_files(instance, largest.values()),
        routing,
        check=control.check,
        odd_sets=tables.odd_sets,
    )


def _with_files(instance: CollectionInstance, files: Iterable[File]) -> CollectionInstance:
    return changed(instance, application=changed(instance.application, files=tuple(files)))


def _tasks_alone(problem: Problem, control: Control) -> _Proof:
    """Give the best prices for mixes of tasks without their files, which cost nothing or more."""
    alone = Problem(_with_files(problem.instance, ()), problem.routing)
    names = alone.network.resources
    generation = Generation(alone, control)
    try:
        prices = proved_optimum(generation, control).prices
    finally:
        generation.close()
    return _named(problem, dict(zip(names, prices, strict=True)))


def _speeds(problem: Problem) -> _Proof | None:
    """Price processors by their speeds. None if some allocation then costs nothing."""
    prices = speed_prices(problem.instance)
    return None if prices is None else _named(problem, prices)


def _named(problem: Problem, prices: Mapping[str, Fraction]) -> _Proof:
    """Give a proof by tasks alone: prices by the names of the resources."""
    listed = [prices.get(name, Fraction(0)) for name in problem.network.resources]
    return _Proof(listed, _silence(problem))


def _can_list_paths(problem: Problem) -> bool:
    """Whether proofs may look at files: the paths can be listed, here and by the referee."""
    return not problem.too_large and problem.num_endpoint_pairs <= MOST_ROUTES


def _silence(problem: Problem) -> dict[FileName, Messages]:
    """Give the messages of a proof by tasks alone, which wide graphs need."""
    wide = problem.elimination.entries(problem.label_counts) > MOST_ENTRIES
    return {_first_file(problem): Messages({}, {})} if wide else {}


def _first_file(problem: Problem) -> FileName:
    file = problem.instance.application.files[0]
    return file.source, file.target


def _candidates(problem: Problem, control: Control) -> Iterator[Floats]:
    """Give prices at which allocations may be dear, the simplest first."""
    yield problem.level_prices
    generation = Generation(problem, control)
    try:
        last: Floats | None = None
        for number, last in enumerate(generation.roughly(), start=1):
            if number % PRICED_EVERY == 0:
                yield last
            if number >= ROUGH_ROUNDS:
                return
        if last is not None:
            yield last
    finally:
        generation.close()


def _proved(
    problem: Problem, prices: Floats, control: Control, most_passes: int = MOST_PASSES
) -> _Proof | None:
    """Scale prices until the cheapest allocation certainly costs 1. None if it costs nothing."""
    costs = problem.costs(prices)
    if problem.elimination.entries(problem.label_counts) <= QUICK_ENTRIES:
        tables = Room(control).labelling(problem.elimination, costs.single, costs.pairs)
        cost = float(tables.cost)
        if np.isinf(cost):
            raise NoMapping(why_infeasible(problem.instance), proved=True)
        least = Fraction(cost) * (1 - problem.roundings)
        return _scaled(prices, least, {}) if least > 0 else None
    search = LocalSearch(costs, control.check)
    order = list(reversed(problem.elimination.order))
    labels = search.improve(search.greedy(order, DRAWS, np.random.default_rng(1)))
    cost = float(search.costs_of(labels).min())
    if cost == 0:
        return None
    if np.isfinite(cost):
        prices = prices / cost
        costs = problem.costs(prices)
    shared = share_costs(costs, problem.roundings, control.check, most_passes)
    if shared is None:
        raise NoMapping(why_infeasible(problem.instance), proved=True)
    if shared.least <= 0:
        return None
    return _scaled(prices, shared.least, _messages(problem, shared))


def _scaled(prices: Floats, least: Fraction, messages: Mapping[FileName, Messages]) -> _Proof:
    return _Proof([Fraction(price) / least for price in prices.tolist()], messages)


def _messages(problem: Problem, shared: Shared) -> dict[FileName, Messages]:
    """Name the messages, scaled like the prices, zeros left out; one silent file at least."""
    ids = [processor.id for processor in problem.instance.platform.processors]
    tasks = [task.id for task in problem.instance.application.tasks]

    def named(task: int, values: Floats) -> dict[str, Fraction]:
        places = problem.labels[task].tolist()
        return {
            ids[i]: Fraction(value) / shared.least
            for i, value in zip(places, values.tolist(), strict=True)
            if value
        }

    found = {
        (tasks[source], tasks[target]): Messages(
            named(source, sent), named(target, shared.received[source, target])
        )
        for (source, target), sent in shared.sent.items()
    }
    spoken = {file: both for file, both in found.items() if both.sent or both.received}
    return spoken or {_first_file(problem): Messages({}, {})}


def _bound(problem: Problem, proof: _Proof, source: BoundSource) -> PeriodBound:
    names = problem.network.resources
    return PeriodBound(
        1 / proof.throughput,
        source,
        exact=True,
        prices={name: price for name, price in zip(names, proof.prices, strict=True) if price},
        messages=proof.messages,
    )


def _some_period(problem: Problem, control: Control) -> Fraction | None:
    try:
        rough = first_guess(problem, control)
    except FreeAllocation:
        return None
    return None if rough.column is None else 1 / rough.rate


def _takes_time(problem: Problem) -> bool:
    """Whether some task takes time wherever it runs."""
    return any(all(time != 0 for time in row) for row in problem.instance.times)


def _least_need(tables: MonoTables) -> PeriodBound:
    """Bound the period by the shortest operation there is, where no prices prove anything.

    With copies, a mix that sends only the largest file of each task may cost nothing although no
    allocation does. Then some task runs nowhere without an operation that takes time: of its
    own, of a task from which it has data, or of a file between two of them. Its weight alone
    proves that no period is shorter than the shortest operation. Nor is it where only memory and
    intervals forbid an allocation that costs nothing, which admission would have refused; then
    nothing here proves it.

    Raises
    ------
    CertificationError
        If there is no such task.
    """
    makers: list[list[int]] = [[] for _ in tables.tasks]
    for source, target, size in tables.files:
        if size:
            makers[target].append(source)
    least = Packing(tables).shortest_operation
    for task, name in enumerate(tables.tasks):
        needed, waiting = {task}, [task]
        while waiting:
            more = set(makers[waiting.pop()]) - needed
            needed |= more
            waiting += more
        free = [{i for i in tables.labels[k] if not tables.time(k, i)} for k in needed]
        if not set.intersection(*free):
            return PeriodBound(
                least, "forbidden_assignments", exact=True, weights={name: Fraction(1)}
            )
    if tables.limits is not None:
        return PeriodBound(least, "relaxation", exact=False)
    raise CertificationError("no prices and no weights bound the throughput")
