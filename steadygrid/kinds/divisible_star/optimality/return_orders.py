r"""The referee's own proof that no pair of orders makes a star with results faster.

Of workers who all take part, sent to in the order :math:`\sigma`, with results in the order
:math:`\tau`, the shares are best at a vertex of rows (5), (6) of `star_bounds`. A worker without a
share there is better left out, so only vertices with positive shares count. They have T and q
shares, given by the sum of the shares and by q of the rows (5), or by (6) instead of one of them.
For a few workers all of that is solved, in fractions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from steadygrid.kinds.divisible_star.replay.star_terms import ZERO, Times

MOST_WORKERS = 4
"""Next to the master, for whom all pairs of orders are repeated."""
Order = tuple[int, ...]
Row = list[Fraction]


def pairs_of_orders(
    workers: int, return_orders: str | Sequence[int], *, order_given: bool
) -> Iterator[tuple[Order, Order]]:
    """List all pairs of orders of all participants, by position, that are asked about.

    Parameters
    ----------
    return_orders
        A word, or positions as listed.
    order_given
        Whether the master sends by increasing position.
    """
    for size in range(1, workers + 1):
        for members in combinations(range(workers), size):
            for sent in [members] if order_given else permutations(members):
                if return_orders == "any":
                    for returned in permutations(members):
                        yield sent, returned
                elif return_orders == "fifo":
                    yield sent, sent
                elif return_orders == "lifo":
                    yield sent, sent[::-1]
                else:
                    yield sent, tuple(i for i in return_orders if i in members)


def nothing_returns_sooner(
    workers: Sequence[Times],
    master: Times | None,
    makespan: Fraction,
    pairs: Iterator[tuple[Order, Order]],
    *,
    two_ports: bool,
) -> bool:
    """Tell whether no schedule in one of some pairs of orders is shorter than a makespan.

    Parameters
    ----------
    workers
        Times of all that may take part.
    master
        Its times. None where it does not compute.
    makespan
        In time units.
    pairs
        Orders of sending and of returning, by position among the workers.
    two_ports
        Whether the master may receive while it sends.
    """
    alone = [*workers, *([] if master is None else [master])]
    if any(one.latency + one.unit < makespan for one in alone):
        return False
    # A master without work does everything or nothing, and only its latency tells which.
    beside = [None] if master is None or not master.w else [None, master]
    return all(
        vertex >= makespan
        for sent, returned in pairs
        for own in beside
        for vertex in _vertices(workers, own, sent, returned, two_ports=two_ports)
    )


def _vertices(
    workers: Sequence[Times],
    own: Times | None,
    sent: Order,
    returned: Order,
    *,
    two_ports: bool,
) -> Iterator[Fraction]:
    """Give the makespans of all vertices at which every worker has a share."""
    rows = [_row(workers, sent, returned, i) for i in sent]
    port = _port(workers, sent)
    whole = [Fraction(1)] * len(sent) + [ZERO, Fraction(1)]
    if own is not None:
        # The master's share is (T - W) / w.
        whole[-2], whole[-1] = 1 / own.w, 1 + own.W / own.w
    for loose in [None] if two_ports else [None, *range(len(rows))]:
        tight = [port if k == loose else row for k, row in enumerate(rows)]
        solved = _solution([*tight, whole])
        if solved is None:
            continue
        *shares, makespan = solved
        at_home = own is None or makespan > own.W
        slack = rows if two_ports else [*rows, port]
        if at_home and min(shares) > 0 and all(_holds(row, solved) for row in slack):
            yield makespan


def _row(workers: Sequence[Times], sent: Order, returned: Order, i: int) -> Row:
    """Write (5) of a worker as coefficients of the shares and of T, and what they sum up to."""
    before = {*sent[: sent.index(i) + 1]}
    after = {*returned[returned.index(i) :]}
    row, latency = [], workers[i].W
    for j in sent:
        time = workers[j].w if j == i else ZERO
        if j in before:
            time += workers[j].c
            latency += workers[j].C
        if j in after:
            time += workers[j].d
            latency += workers[j].D
        row.append(time)
    return [*row, Fraction(-1), -latency]


def _port(workers: Sequence[Times], sent: Order) -> Row:
    """Write (6) likewise."""
    latency = sum((workers[j].C + workers[j].D for j in sent), ZERO)
    return [*(workers[j].c + workers[j].d for j in sent), Fraction(-1), -latency]


def _holds(row: Row, values: Sequence[Fraction]) -> bool:
    return sum((a * x for a, x in zip(row, values, strict=False)), ZERO) <= row[-1]


def _solution(rows: Sequence[Row]) -> list[Fraction] | None:
    """Solve as many equations as unknowns by elimination. None if they have no single solution."""
    lines = [list(row) for row in rows]
    for k in range(len(lines)):
        pivot = next((i for i in range(k, len(lines)) if lines[i][k]), None)
        if pivot is None:
            return None
        lines[k], lines[pivot] = lines[pivot], lines[k]
        top = [value / lines[k][k] for value in lines[k]]
        lines[k] = top
        for i, line in enumerate(lines):
            if i != k and line[k]:
                lines[i] = [a - line[k] * b for a, b in zip(line, top, strict=True)]
    return [line[-1] for line in lines]
