r"""The bandwidth-centric optimum of a tree, in linear time after sorting.

A processor :math:`P_0` with children sorted by the time :math:`c_k` of one input file on their
link, the subtree of child :math:`k` absorbing at most :math:`n_k` files per time unit, absorbs

.. math::

   \alpha = \frac{1}{w_0} + \sum_{k \le p} n_k + \frac{\varepsilon}{c_{p+1}}, \qquad
   \varepsilon = 1 - \sum_{k \le p} c_k n_k,

with :math:`p` the largest index for which :math:`\varepsilon \ge 0`, and its own link lets
:math:`n_0 = \min(1 / c_0, \alpha)` through. Source: Banino et al., *Scheduling strategies for
master-slave tasking on heterogeneous processor platforms*, IEEE TPDS 15(4), Proposition 1 and the
bottom-up reduction of trees.

The certificate goes top down. Let :math:`\nu_i` be the price of having one file at processor
:math:`i`, with :math:`\nu = 0` at the master. A processor that gets less than it could absorb has
spare capacity behind no saturated port, so :math:`\nu = 1` there and everything below it is free.
A processor that gets all it can absorb pays :math:`u^{comp} = (1 - \nu) / w`. Where child
:math:`q = p + 1` has to share the rest of the sending port, it also pays
:math:`u^{send} = (1 - \nu) / c_q`. Child :math:`k` then has :math:`\nu_k = \nu + c_k u^{send}`, or
:math:`\nu_k = 1` and :math:`u^{recv}_k = (1 - \nu) / c_k - u^{send}` where its own link is what
limits it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq

_ZERO = fmpq(0)
_ONE = fmpq(1)


@dataclass(frozen=True)
class TreeSolution:
    """Optimal rates and prices of a tree; one entry per node, rationals of python-flint."""

    throughput: fmpq
    """Tasks per time unit."""
    computed: list[fmpq]
    """Tasks per time unit on each node."""
    received: list[fmpq]
    """Input files per time unit over the link from the parent; at the root the throughput."""
    compute_prices: list[fmpq]
    send_prices: list[fmpq]
    receive_prices: list[fmpq]
    """Prices of one more unit of time on each node's resources. All together they sum to the
    throughput."""


def solve_tree(
    parents: Sequence[int],
    link_times: Sequence[Fraction],
    compute_times: Sequence[Fraction | None],
    check: Callable[[], None] | None = None,
) -> TreeSolution:
    """Find the optimal steady state of a tree under the full-overlap one-port model.

    Parameters
    ----------
    parents
        For each node the index of its parent, -1 for the root (exactly one).
    link_times
        Time of one input file over the link from the parent; ignored for the root.
    compute_times
        Time of one task on the node. None where it cannot compute.
    check
        Called now and then. What it raises ends the work.

    Returns
    -------
    TreeSolution

    Raises
    ------
    ValueError
        If `parents` is no tree, or the throughput is unbounded (a node that computes in no
        time, with files that arrive in no time).

    Notes
    -----
    O(n log n) exact operations. Sums of n different fractions have denominators of O(n)
    digits, so arbitrary weights cost more than a few distinct ones.

    Examples
    --------
    >>> star = solve_tree([-1, 0, 0], [0, 1, 3], [None, Fraction(2), Fraction(1)])
    >>> star.throughput
    2/3
    """
    check = check or _go_on
    size = len(parents)
    times = _Converter()
    links = [times.rational(time) for time in link_times]
    own_rates = [times.rate(time) for time in compute_times]
    children = _Children(np.asarray(parents, dtype=np.int64), links)
    order = children.order
    root = order[0]
    links[root] = _ZERO
    absorbed: list[fmpq | None] = [_ZERO] * size  # None: without limit
    accepted: list[fmpq | None] = [_ZERO] * size
    for node in reversed(order):
        below = children.of_node(node)
        if below:
            total = _absorption(own_rates[node], below, links, accepted, check)
            accepted[node] = _limited(total, links[node])
        else:
            total = own_rates[node]
            accepted[node] = times.leaf(total, links[node])
        absorbed[node] = total
    throughput = absorbed[root]
    if throughput is None:
        raise ValueError("the throughput is unbounded")
    solution = TreeSolution(
        throughput,
        *([_ZERO] * size for _ in range(5)),
    )
    solution.received[root] = throughput
    prices: list[fmpq] = [_ONE] * size
    prices[root] = _ZERO
    for node in order:
        if not solution.received[node] and node != root:
            continue
        check()
        below = children.of_node(node)
        _distribute(node, own_rates[node], below, links, accepted, solution, check)
        if prices[node] is not _ONE:
            _price(node, own_rates[node], below, links, absorbed, prices, solution, check)
    return solution


def _go_on() -> None:
    """Never end the work."""


class _Converter:
    """Fractions to flint's rationals, and what is asked of them often; each object once."""

    def __init__(self) -> None:
        self._rationals: dict[int, tuple[Fraction | int, fmpq]] = {}
        self._rates: dict[int, tuple[Fraction, fmpq | None]] = {}
        self._leaves: dict[tuple[int, int], fmpq | None] = {}

    def rational(self, value: Fraction | int) -> fmpq:
        known = self._rationals.get(id(value))
        if known is None:
            known = (value, fmpq(value.numerator, value.denominator))
            self._rationals[id(value)] = known
        return known[1]

    def rate(self, time: Fraction | None) -> fmpq | None:
        """Give the tasks per time unit of a node: 0 if it cannot compute, None without limit."""
        if time is None:
            return _ZERO
        known = self._rates.get(id(time))
        if known is None:
            known = (time, None if time == 0 else fmpq(time.denominator, time.numerator))
            self._rates[id(time)] = known
        return known[1]

    def leaf(self, rate: fmpq | None, link: fmpq) -> fmpq | None:
        """Give what a node without children takes."""
        key = (id(rate), id(link))
        if key not in self._leaves:
            self._leaves[key] = _limited(rate, link)
        return self._leaves[key]


def _limited(rate: fmpq | None, link: fmpq) -> fmpq | None:
    """Give the smaller of a rate and what a link lets through. None is without limit."""
    if not link:
        return rate
    return 1 / link if rate is None or rate * link > _ONE else rate


class _Children:
    """Each node's children by increasing link time, and the nodes from the root down.

    Kept in two flat lists: a million small ones would keep the garbage collector busy.
    """

    def __init__(
        self, parents: "np.ndarray[tuple[int], np.dtype[np.int64]]", links: list[fmpq]
    ) -> None:
        by_parent = np.lexsort((_ranks(links), parents))
        self._flat: list[int] = by_parent.tolist()
        self._starts: list[int] = np.searchsorted(
            parents[by_parent], np.arange(len(links) + 1)
        ).tolist()
        num_roots = self._starts[0]
        self.order: list[int] = self._flat[:num_roots]
        for node in self.order:
            self.order.extend(self.of_node(node))
        if num_roots != 1 or len(self.order) != len(links):
            raise ValueError("the parents do not form one tree")

    def of_node(self, node: int) -> list[int]:
        """Give the children of a node."""
        return self._flat[self._starts[node] : self._starts[node + 1]]


def _ranks(links: list[fmpq]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Give each link the number of its time among the distinct ones, in increasing order."""
    objects = {id(link): link for link in links}
    distinct = sorted({(int(c.p), int(c.q)): c for c in objects.values()}.values())
    rank_by_value = {(int(c.p), int(c.q)): rank for rank, c in enumerate(distinct)}
    rank_by_id = {key: rank_by_value[int(c.p), int(c.q)] for key, c in objects.items()}
    return np.fromiter((rank_by_id[id(c)] for c in links), dtype=np.int64, count=len(links))


def _absorption(
    own: fmpq | None,
    children: list[int],
    links: list[fmpq],
    accepted: list[fmpq | None],
    check: Callable[[], None],
) -> fmpq | None:
    """Give alpha: what a node and its subtrees take, without the limit of its own link."""
    if own is None:
        return None
    total = own
    left = _ONE
    for k, child in enumerate(children):
        if k % 64 == 0:
            check()
        rate, link = accepted[child], links[child]
        if rate is None:
            return None
        if not rate:
            continue
        rest = left - link * rate
        if rest < 0:
            return total + left / link
        total += rate
        left = rest
    return total


def _distribute(
    node: int,
    own: fmpq | None,
    children: list[int],
    links: list[fmpq],
    accepted: list[fmpq | None],
    solution: TreeSolution,
    check: Callable[[], None],
) -> None:
    """Compute first, then feed the children in order, as far as files and the port go."""
    rest = solution.received[node]
    computed = rest if own is None or rest < own else own
    solution.computed[node] = computed
    rest -= computed
    left = _ONE
    for k, child in enumerate(children):
        if k % 64 == 0:
            check()
        if not rest:
            return
        rate, link = accepted[child], links[child]
        if not rate:
            continue
        given = min(rate, rest)
        if link * given > left:
            given = left / link
        solution.received[child] = given
        left -= link * given
        rest -= given


def _price(
    node: int,
    own: fmpq | None,
    children: list[int],
    links: list[fmpq],
    absorbed: list[fmpq | None],
    prices: list[fmpq],
    solution: TreeSolution,
    check: Callable[[], None],
) -> None:
    """Set the prices at a node that gets all it absorbs, and of a file at its children."""
    worth = _ONE - prices[node]
    if own:
        solution.compute_prices[node] = worth * own
    fed: list[int] = []
    left = _ONE
    for k, child in enumerate(children):
        if k % 64 == 0:
            check()
        link, total = links[child], absorbed[child]
        if total is not None and not total:
            continue
        limited = bool(link) and (total is None or total * link > _ONE)
        share = _ONE if limited or total is None else link * total
        if share > left:
            solution.send_prices[node] = worth / link
            break
        left -= share
        fed.append(child)
    send_price = solution.send_prices[node]
    for child in fed:
        link, total = links[child], absorbed[child]
        if total is None or total * link > _ONE:
            solution.receive_prices[child] = worth / link - send_price
        else:
            prices[child] = prices[node] + link * send_price
