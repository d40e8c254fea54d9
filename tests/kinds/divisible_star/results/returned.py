"""The best orders of a star that sends results back, by an exact program for each."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star

F = Fraction
Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Workers as they are sent to, and as their results come back."""


def least_maximum(rows: Sequence[Sequence[Fraction]], offsets: Sequence[Fraction]) -> Fraction:
    """Minimise the greatest of some affine functions over shares that sum to 1.

    The simplex method in fractions, by Bland's rule, from the vertex at which the first column has
    everything; its basis: T, that column's share, and the slacks of all rows but the greatest.
    """
    size = len(rows[0])
    top = max(range(len(rows)), key=lambda i: rows[i][0] + offsets[i])
    # Columns: shares, T, slacks; rows: T - row - slack = offset, and the sum.
    tableau = [
        [-a for a in row] + [F(1)] + [F(-(i == k)) for k in range(len(rows))] + [offset]
        for i, (row, offset) in enumerate(zip(rows, offsets, strict=True))
    ]
    tableau.append([F(1)] * size + [F(0)] * (1 + len(rows)) + [F(1)])
    basis = [size + 1 + i for i in range(len(rows))] + [0]
    basis[top] = size

    def pivot(at: int, column: int) -> None:
        value = tableau[at][column]
        tableau[at] = [x / value for x in tableau[at]]
        for k, line in enumerate(tableau):
            if k != at and line[column]:
                factor = line[column]
                tableau[k] = [x - factor * y for x, y in zip(line, tableau[at], strict=True)]

    pivot(len(rows), 0)
    pivot(top, size)
    for i in range(len(rows)):
        if i != top:
            pivot(i, basis[i])
    while True:
        # The reduced cost of a column is minus its entry in the row of T, for it is the objective.
        of_time = tableau[basis.index(size)]
        entering = next((j for j in range(len(of_time) - 1) if j != size and of_time[j] > 0), None)
        if entering is None:
            return of_time[-1]
        ratios = [
            (line[-1] / line[entering], basis[i], i)
            for i, line in enumerate(tableau)
            if line[entering] > 0 and basis[i] != size
        ]
        # T leaves only where it becomes 0: then nothing takes time.
        if not ratios:
            return F(0)
        at = min(ratios)[2]
        pivot(at, entering)
        basis[at] = entering


def program(star: Star, sends: Sequence[int], returns: Sequence[int], master: bool) -> Fraction:
    """Give the least makespan in which these, and no others, receive something or nothing."""
    members = [*sends]
    place = {i: k for k, i in enumerate(members)}
    rows, offsets = [], []
    for i in members:
        row, offset = [F(0)] * len(members), F(0)
        for j in sends[: sends.index(i) + 1]:
            row[place[j]] += star.workers[j].wire
            offset += star.workers[j].wire_latency
        row[place[i]] += star.workers[i].work
        offset += star.workers[i].work_latency
        for j in returns[returns.index(i) :]:
            row[place[j]] += star.workers[j].back
            offset += star.workers[j].back_latency
        rows.append(row)
        offsets.append(offset)
    if not star.two_ports and members:
        rows.append([star.workers[j].wire + star.workers[j].back for j in members])
        offsets.append(
            sum(
                (star.workers[j].wire_latency + star.workers[j].back_latency for j in members), F(0)
            )
        )
    if master:
        assert star.own is not None
        rows = [[*row, F(0)] for row in rows] + [[F(0)] * len(members) + [star.own.work]]
        offsets.append(star.own.work_latency)
    return least_maximum(rows, offsets)


def every_choice(star: Star) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], Fraction]]:
    """Give all pairs of orders of all participants, and what each takes."""
    for size in range(len(star.workers) + 1):
        for members in combinations(range(len(star.workers)), size):
            for sends in permutations(members):
                for returns in permutations(members):
                    if members:
                        yield sends, returns, program(star, sends, returns, master=False)
                    if star.own is not None:
                        yield sends, returns, program(star, sends, returns, master=True)


def random_star(random: Random, most: int, *, latencies: bool, zeros: bool = True) -> Star:
    """Draw a star with results; times that are equal or 0 now and then."""
    low = 0 if zeros and random.random() < 0.3 else 1
    kind = random.choice(["any", "any", "any", "equal", "proportional", "bus"])
    ratio = F(random.randint(1, 4), random.randint(1, 4))

    def time(least: int = low) -> Fraction:
        return F(random.randint(least, 9), random.randint(1, 2))

    def latency() -> Fraction:
        return F(random.randint(0, 4), 2) if latencies else F(0)

    wire, back = time(), time()
    workers = []
    for _ in range(random.randint(1, most)):
        c = wire if kind == "bus" else time()
        d = {"any": time(), "equal": c, "proportional": c * ratio, "bus": back}[kind]
        workers.append(Costs(c, time(), d, latency(), latency(), latency()))
    own = Costs(F(0), time(), F(0), F(0), latency()) if random.random() < 0.4 else None
    names = [f"P{i + 1}" for i in range(len(workers))]
    return Star("M", own, names, workers, two_ports=random.random() < 0.5)
