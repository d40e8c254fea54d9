"""What several rounds take, by code that shares nothing with what is tested."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

from steadygrid.kinds.divisible_star.solver.star.star import Costs, Message, Plan, Star

F = Fraction


def random_star(random: Random, workers: int, *, latencies: bool = True, own: bool = True) -> Star:
    """Draw a star of small whole times, ties among them, c sorted."""

    def time(most: int) -> Fraction:
        return F(random.randint(0, most)) if latencies else F(0)

    wires = sorted(F(random.randint(1, 5)) for _ in range(workers))
    most = random.choice([1, 3])
    costs = [
        Costs(
            wire,
            F(random.randint(1, 9)),
            wire_latency=time(most),
            work_latency=time(most),
        )
        for wire in wires
    ]
    master = None
    if own and random.random() < 0.3:
        master = Costs(F(0), F(random.randint(3, 12)), work_latency=time(4))
    return Star("M", master, [f"P{i + 1}" for i in range(workers)], costs, two_ports=False)


def best_program(star: Star, rounds: int) -> Fraction:
    """Give the least makespan over all sets of messages of so many rounds in the star's order."""
    places = [i for _ in range(rounds) for i in range(len(star.workers))]
    values = [
        least_makespan(star, chosen, own=own)
        for own in ([False] if star.own is None else [False, True])
        for size in range(0 if own else 1, len(places) + 1)
        for chosen in combinations(places, size)
    ]
    return min(values)


def least_makespan(star: Star, senders: Sequence[int], *, own: bool) -> Fraction:
    """Give the optimum of the program (1)-(4) with these messages, by its dual.

    Rows are ``T >= b + sum of A a``; the dual maximises ``b y + mu`` with ``sum of y <= 1`` and
    ``mu <= A^T y``, in every column.
    """
    rows = list(_rows(star, senders, own=own))
    width = len(senders) + own
    goal = [offset for offset, _ in rows] + [F(1)]
    table = [[F(1)] * len(rows) + [F(0), F(1)]]
    table += [[*(-row[column] for _, row in rows), F(1), F(0)] for column in range(width)]
    return _simplex(goal, table)


def _rows(
    star: Star, senders: Sequence[int], *, own: bool
) -> Iterator[tuple[Fraction, list[Fraction]]]:
    width = len(senders) + own
    for s, receiver in enumerate(senders):
        offset, row = F(0), [F(0)] * width
        for t, i in enumerate(senders):
            costs = star.workers[i]
            if t <= s:
                offset += costs.wire_latency
                row[t] += costs.wire
            if t >= s and i == receiver:
                offset += costs.work_latency
                row[t] += costs.work
        yield offset, row
    if own:
        assert star.own is not None
        yield star.own.work_latency, [*[F(0)] * (width - 1), star.own.work]


def _simplex(goal: Sequence[Fraction], rows: Sequence[Sequence[Fraction]]) -> Fraction:
    """Maximise from the slack basis by Bland's rule; the last of a row is its right-hand side."""
    count = len(goal)
    table = [
        [*row[:-1], *(F(int(i == k)) for k in range(len(rows))), row[-1]]
        for i, row in enumerate(rows)
    ]
    costs = [*goal, *[F(0)] * (len(rows) + 1)]
    basis = [count + i for i in range(len(rows))]
    while (
        entering := next((j for j, cost in enumerate(costs[:-1]) if cost > 0), None)
    ) is not None:
        ratios = [
            (row[-1] / row[entering], basis[i], i)
            for i, row in enumerate(table)
            if row[entering] > 0
        ]
        _, _, leaving = min(ratios)
        basis[leaving] = entering
        pivot = table[leaving][entering]
        table[leaving] = [value / pivot for value in table[leaving]]
        for row in (*(row for i, row in enumerate(table) if i != leaving), costs):
            if factor := row[entering]:
                row[:] = [a - factor * b for a, b in zip(row, table[leaving], strict=True)]
    return -costs[-1]


def simulated(star: Star, plan: Plan) -> Fraction:
    """Give the makespan of a plan, worker by worker: each from the arrivals of its own messages."""
    ends = [F(0)]
    if plan.own:
        assert star.own is not None
        ends.append(star.own.work_latency + star.own.work * plan.own)
    assert plan.own + sum(message.share for message in plan.messages) == 1
    arrivals = list(_arrivals(star, plan.messages))
    for i, costs in enumerate(star.workers):
        mine = [
            (at, m.share) for at, m in zip(arrivals, plan.messages, strict=True) if m.worker == i
        ]
        # A worker ends when the computations from some message on have followed each other.
        ends += [
            at + sum(costs.work_latency + costs.work * share for _, share in mine[k:])
            for k, (at, _) in enumerate(mine)
        ]
    return max(ends)


def _arrivals(star: Star, messages: Sequence[Message]) -> Iterator[Fraction]:
    now = F(0)
    for message in messages:
        costs = star.workers[message.worker]
        now += costs.wire_latency + costs.wire * message.share
        yield now
