r"""Certificates that no single allocation has a shorter period.

Give every limited resource a price :math:`u_r \ge 0` per unit of time, :math:`B = \sum_r u_r`. An
allocation of period P keeps each resource busy for at most P per instance, so one instance costs
at most :math:`P B`. If every allocation costs at least 1, then :math:`P \ge 1 / B`: no throughput
is larger than B.

*Forbidden assignments.* It is enough that this holds for the allocations of a period
:math:`P < 1 / B`. Each of them has tasks and files that all keep every resource busy for less
than :math:`1 / B`. So a task need not be tried on a processor on which it takes as long. A file
need not be tried on a fixed path where it takes a resource for as long, nor, where paths are
chosen, on such a hop. Files that may be split are free to go everywhere.

*Messages.* What the cheapest allocation costs is found by dynamic programming where the task
graph is narrow (`cheap_allocation`). In wide graphs a certificate gives numbers of any sign,
:math:`s_{kl}(q)` for each file and processor of its producer, :math:`t_{kl}(r)` for each
processor of its user. They move costs between files and tasks and cancel in the cost of every
allocation, so that it is at least

.. math:: \sum_k \min_q \Big( c_{kq} - \sum_l s_{kl}(q) - \sum_j t_{jk}(q) \Big)
          + \sum_{kl} \min_{q, r} \Big( d_{kl}(q, r) + s_{kl}(q) + t_{kl}(r) \Big) ,

with :math:`c_{kq}` the price of task k on q and :math:`d_{kl}(q, r)` that of the cheapest open
route of the file (:math:`k = j` or :math:`l = k` as the sums ask). The sum is the dual of the
linear relaxation of the program over assignments.

*Copies.* A task with copies may send each of its files from another one. Of each task let only the
largest file count (the first of them, if several are as large). Prices prove a bound with
duplication if every allocation *without* copies costs at least 1 then. For choose a copy of each
task without users. Then, users first, choose for each task the copy from which the chosen copy of
that file's user has it. Where it comes from several, the shares are probabilities. What is chosen
costs no more than the whole. A file that routers copy may come over several fixed routes, one after the other: with
``tasks_and_files`` the cheapest of all routes counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, NamedTuple

from steadygrid.domain.errors import Pointer
from steadygrid.domain.slots import FileName
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings, named
from steadygrid.verification.priced_paths import PricedPaths
from steadygrid.verification.prices import Cost, PriceList, check_prices
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance

_BITS = 256
_ONE = 1 << _BITS


class Messages(NamedTuple):
    """What a certificate adds to the cost of one file, by processor; missing: 0."""

    sent: Mapping[str, Fraction]
    received: Mapping[str, Fraction]


def check_period_bound(
    steady: SteadyInstance,
    routing: Literal["fixed", "free", "multipath"],
    routes: FixedRoutes | None,
    prices: Mapping[str, Fraction],
    bound: Fraction,
    forbidden: bool,
    messages: Mapping[FileName, Messages],
    order: Sequence[str],
    findings: Findings,
    at: Pointer,
) -> None:
    """Check that prices prove a bound of the throughput of single allocations without copies.

    Parameters
    ----------
    routes
        The fixed routes. None unless the routing is fixed.
    bound
        Of the throughput, above 0.
    forbidden
        Whether the prices only hold for allocations of more than `bound` instances per time unit.
    order
        All tasks, in the order in which dynamic programming eliminates them.
    at
        Where the prices are.

    Notes
    -----
    Rules, in this order:

    == ========================================================================== ==================
    1  the prices are of resources, not negative, and sum to the bound            see `check_prices`
    2  messages are of files of the application                                   `ghost_file`
    3  they name processors that may run the two tasks of the file                `ghost_processor`
    4  without messages, the cheapest allocation is found by tables of a sensible `not_proved`
       size
    5  every allocation costs at least 1                                          `cheap_allocation`
    == ========================================================================== ==================

    Where assignments are forbidden, rule 5 is about the allocations that are left. It holds by the
    tasks alone, by the messages if there are any, or by dynamic programming.
    """
    computing = {name for times in steady.times.values() for name in times}
    list_ = check_prices(steady.network, computing, prices, bound, findings, at)
    if list_ is None or not _known(steady, messages, findings, at):
        return
    below = 1 / bound if forbidden and bound > 0 else None
    if below is not None:
        steady = replace(steady, times=_shorter(steady.times, below))
        if not all(steady.times.values()):
            return
    if tasks_cost_enough(steady, list_):
        return
    path_prices = PricedPaths(steady, list_, routes, None if routing == "multipath" else below)
    if messages:
        least = _cheap_relaxation(steady, list_, path_prices, messages)
        what = "the relaxation that the messages describe"
    else:
        from steadygrid.verification import (  # load numpy, which few judgements need
            label_tables,
            labelling,
        )

        try:
            least = labelling.cheap_allocation(steady, list_, path_prices, order)
        except label_tables.TooWideError as error:
            findings.add(at, "not_proved", f"These prices prove nothing here: {error}.")
            return
        what = "there is an allocation that"
    if least is not None:
        findings.add(
            at,
            "cheap_allocation",
            f"At these prices {what} costs {show(least)}, less than 1: they do not prove the bound.",
        )


def tasks_cost_enough(steady: SteadyInstance, prices: PriceList) -> bool:
    """Tell whether the tasks alone cost 1 or more, wherever they run.

    Files cost nothing or more, so no allocation then costs less than 1. And it takes no look at
    the routes between processors, of which large platforms have millions.

    Parameters
    ----------
    steady
        What is run, and on which network.
    prices
        At least 0. They come from the certificate.
    """
    alone = replace(steady, sizes={})
    return _cheap_relaxation(alone, prices, PricedPaths(alone, prices, None), {}) is None


def _known(
    steady: SteadyInstance,
    messages: Mapping[FileName, Messages],
    findings: Findings,
    at: Pointer,
) -> bool:
    known = True
    for file, (sent, received) in messages.items():
        if file not in steady.sizes:
            known = False
            findings.add(at, "ghost_file", f"There are messages of {file!r}, which is no file.")
            continue
        for task, processors in zip(file, (sent, received), strict=True):
            for name in processors.keys() - steady.times[task].keys():
                known = False
                findings.add(
                    at,
                    "ghost_processor",
                    f"A message of {named(file)} names {name!r}, which cannot run {task!r}.",
                )
    return known


def _shorter(
    times: Mapping[str, Mapping[str, Fraction]], below: Fraction
) -> dict[str, dict[str, Fraction]]:
    return {
        task: {name: time for name, time in by_name.items() if time < below}
        for task, by_name in times.items()
    }


class _Term(NamedTuple):
    """One of several values, ``size * cost + added``, of which the least counts."""

    size: Fraction
    cost: Cost
    added: Fraction

    @property
    def range(self) -> tuple[int, int]:
        """Enclose the value, in units of 2**-256."""
        numerator, denominator = self.size.as_integer_ratio()
        added, rest = divmod(self.added.numerator << _BITS, self.added.denominator)
        low = self.cost.low * numerator // denominator + added
        return low, low - (-self.cost.slack * numerator // denominator) + 1 + bool(rest)


def _cheap_relaxation(
    steady: SteadyInstance,
    prices: PriceList,
    path_prices: PricedPaths,
    messages: Mapping[FileName, Messages],
) -> Fraction | None:
    """Give what the messages prove if it is less than 1. None if it is not.

    Notes
    -----
    Enclosures decide, unless the sum is equal to 1 up to 2**-200 or so: then what may be least
    in its sum is added up exactly.
    """
    groups: list[list[_Term]] = []
    low = 0
    for terms in _sums(steady, prices, path_prices, messages):
        ranges = [term.range for term in terms]
        if not ranges:
            return None
        low += min(least for least, _ in ranges)
        most = min(most for _, most in ranges)
        groups.append(
            [term for term, (least, _) in zip(terms, ranges, strict=True) if least <= most]
        )
    if low >= _ONE:
        return None
    value = sum(
        (
            min(term.size * prices.value_of([term.cost]) + term.added for term in terms)
            for terms in groups
        ),
        Fraction(0),
    )
    return value if value < 1 else None


def _sums(
    steady: SteadyInstance,
    prices: PriceList,
    path_prices: PricedPaths,
    messages: Mapping[FileName, Messages],
) -> Iterable[list[_Term]]:
    """List, for each task and then each file, the values of which the least counts."""
    moved = {task: dict.fromkeys(times, Fraction(0)) for task, times in steady.times.items()}
    for file, both in messages.items():
        for task, by_name in zip(file, both, strict=True):
            for name, message in by_name.items():
                if name in moved[task]:
                    moved[task][name] -= message
    one, nothing = Fraction(1), Fraction(0)
    computing = steady.network.computing
    for task, times in steady.times.items():
        yield [
            _Term(one, prices.cost_of([(computing(name), time)], one), moved[task][name])
            for name, time in times.items()
        ]
    silent = Messages({}, {})
    for file, size in steady.sizes.items():
        sent, received = messages.get(file, silent)
        terms: list[_Term] = []
        for sender in steady.times[file[0]]:
            costs = path_prices.costs(path_prices.group(file), sender)
            start = sent.get(sender, nothing)
            terms += [
                _Term(size, costs[name], start + received.get(name, nothing))
                for name in steady.times[file[1]]
                if name in costs
            ]
        yield terms
