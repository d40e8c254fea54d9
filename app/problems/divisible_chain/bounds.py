r"""What prices prove about divisible loads on a chain; the referee's own reading of the program.

Every constraint of program (2.2) but (2.2l) says that something starts, or that the makespan (or a
completion) is, no earlier than something else ends or than a date. So prices y >= 0 flow from the
objective back to the dates: what flows out of the end of a transfer or computation has come in at
its start. With :math:`E_{l,t}` the prices on the end of the transfer of installment t over link l,
:math:`F_{i,t}` those on the end of its computation, and :math:`z_k` the price of load k in (2.2l),
the prices prove a bound where

.. math::

   \text{prices on the makespan} \le 1 \quad (\text{on } C_k: \le \omega_k)

   \text{prices on a start} \le \text{prices on the end of the same}

   z_k \le \sum_{l < i} c_l^k E_{l,t} + w_i^k F_{i,t} \quad \text{wherever } P_i
   \text{ may compute an installment t of k}

and the bound is :math:`\sum_k z_k` plus the prices times their dates, less the objective's constant.
These are the signs of the reduced costs; no starting date, share or makespan at all can then be
better.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from app.domain.errors import Pointer
from app.problems.divisible_chain.terms import ZERO, Terms
from app.verification.exact import show
from app.verification.findings import Findings

_AT: Pointer = ("result", "certificate", "prices")

_NAMES = re.compile(
    r"(?:link(?P<link>[1-9]\d{0,8})|processor(?P<processor>[1-9]\d{0,8}))"
    r"\.installment(?P<t>[1-9]\d{0,8})"
    r"\.(?P<rule>arrives|forwarded|released|follows|received|available)"
    r"|processor(?P<last>[1-9]\d{0,8})\.(?:makespan|load(?P<done>[1-9]\d{0,8})\.completion)"
    r"|load(?P<whole>[1-9]\d{0,8})\.whole",
    re.ASCII,
)

Moment = tuple[str, int, int]
"""``link`` or ``processor``, its position, and the position of the installment."""


class Weights:
    """The objective: a weight for each completion, or, for the makespan, none."""

    def __init__(self, weights: Sequence[Fraction] | None, constant: Fraction) -> None:
        self.of_completions = weights
        self.constant = constant

    def value(self, makespan: Fraction, completions: Sequence[Fraction]) -> Fraction:
        """Compute the objective."""
        if self.of_completions is None:
            return makespan
        pairs = zip(self.of_completions, completions, strict=True)
        return sum((w * c for w, c in pairs), -self.constant)


class _Flow:
    """Prices by what they stand on."""

    def __init__(self) -> None:
        self.starts: dict[Moment, Fraction] = defaultdict(Fraction)
        self.ends: dict[Moment, Fraction] = defaultdict(Fraction)
        self.makespan = ZERO
        self.completions: dict[int, Fraction] = defaultdict(Fraction)
        self.loads: dict[int, Fraction] = defaultdict(Fraction)
        self.bound = ZERO


def check_program_prices(
    terms: Terms,
    weights: Weights,
    participants: Sequence[int],
    prices: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that prices of the program's constraints prove a bound.

    Rules, in order: every price is of a constraint of the program over the participants; none is
    negative, but those of whole loads may be; what flows into the objective is no more than its
    weights; what flows into a start leaves at the end; no load is priced above what it costs
    anywhere; the bound is what the prices prove.
    """
    flow = _Flow()
    for name, price in prices.items():
        match = _NAMES.fullmatch(name)
        if match is None or not _put(terms, weights, participants, match, price, flow):
            findings.add(
                (*_AT, name), "ghost_constraint", f"The program has no constraint {name!r}."
            )
        elif price < 0:
            findings.add((*_AT, name), "negative_price", f"The price of {name!r} is negative.")
    if flow.makespan > 1:
        findings.add(_AT, "dear_objective", "The prices on the makespan sum to more than 1.")
    for load, total in flow.completions.items():
        assert weights.of_completions is not None
        if total > weights.of_completions[load]:
            findings.add(
                _AT,
                "dear_objective",
                f"The prices on the completion of {terms.loads[load]!r} sum to more than its weight.",
            )
    for moment, total in flow.starts.items():
        if total > flow.ends[moment]:
            kind, place, t = moment
            findings.add(
                _AT,
                "dear_start",
                f"At {kind} {place + 1}, the prices on the start of installment {t + 1} sum to"
                f" {show(total)}, those on its end to {show(flow.ends[moment])}.",
            )
    _check_loads(terms, participants, flow, findings)
    proved = flow.bound - weights.constant
    if proved != bound:
        findings.add(
            _AT,
            "prices_miss_bound",
            f"The prices prove {show(proved)}, but the bound is {show(bound)}.",
        )


def _put(
    terms: Terms,
    weights: Weights,
    participants: Sequence[int],
    match: re.Match[str],
    price: Fraction,
    flow: _Flow,
) -> bool:
    """Put a price where its constraint stands; False if there is no such constraint."""
    part = {
        name: int(text) - 1 for name, text in match.groupdict().items() if name != "rule" and text
    }
    if "whole" in part:
        known = part["whole"] < len(terms.loads)
        if known:
            flow.loads[part["whole"]] += price
            flow.bound += price
        return known
    if "last" in part:
        return _put_on_objective(terms, weights, participants, part, price, flow)
    if part["t"] >= len(terms.sequence):
        return False
    if "link" in part:
        return _put_on_link(terms, part["link"], part["t"], match["rule"], price, flow)
    return _put_on_processor(
        terms, participants, part["processor"], part["t"], match["rule"], price, flow
    )


def _put_on_objective(
    terms: Terms,
    weights: Weights,
    participants: Sequence[int],
    part: Mapping[str, int],
    price: Fraction,
    flow: _Flow,
) -> bool:
    i, load = part["last"], part.get("done")
    if i not in participants or (load is None) != (weights.of_completions is None):
        return False
    steps = [
        t
        for t, (k, _) in enumerate(terms.sequence)
        if load in (None, k) and terms.work[i][k] is not None
    ]
    if not steps:
        return False
    flow.ends["processor", i, steps[-1]] += price
    if load is None:
        flow.makespan += price
    else:
        flow.completions[load] += price
    return True


def _put_on_link(terms: Terms, link: int, t: int, rule: str, price: Fraction, flow: _Flow) -> bool:
    """(2.2a), (2.2b), (2.2c), (2.2d) and (2.2n)."""
    links = len(terms.wire)
    if link >= links:
        return False
    before: dict[str, tuple[bool, Moment]] = {
        "arrives": (link > 0, ("link", link - 1, t)),
        "forwarded": (terms.strict and t > 0 and link + 1 < links, ("link", link + 1, t - 1)),
        "follows": (t > 0, ("link", link, t - 1)),
    }
    if rule == "released":
        flow.bound += price * terms.released[terms.sequence[t][0]]
    elif rule in before and before[rule][0]:
        flow.ends[before[rule][1]] += price
    else:
        return False
    flow.starts["link", link, t] += price
    return True


def _put_on_processor(
    terms: Terms,
    participants: Sequence[int],
    i: int,
    t: int,
    rule: str,
    price: Fraction,
    flow: _Flow,
) -> bool:
    """(2.2f), (2.2h), (2.2i) and (2.2j)."""
    load = terms.sequence[t][0]
    if i not in participants or terms.work[i][load] is None:
        return False
    if rule == "received" and i > 0:
        flow.ends["link", i - 1, t] += price
    elif rule == "follows":
        able = (s for s in reversed(range(t)) if terms.work[i][terms.sequence[s][0]] is not None)
        earlier = next(able, None)
        if earlier is None:
            return False
        flow.ends["processor", i, earlier] += price
    elif rule == "available":
        dates = [terms.available[i], terms.released[load] if i == 0 else ZERO]
        flow.bound += price * max(dates)
    else:
        return False
    flow.starts["processor", i, t] += price
    return True


def _check_loads(
    terms: Terms, participants: Sequence[int], flow: _Flow, findings: Findings
) -> None:
    for t, (load, number) in enumerate(terms.sequence):
        way = ZERO
        for i in range(len(terms.ids)):
            if i:
                way += terms.wire[i - 1][load] * flow.ends["link", i - 1, t]
            time = terms.work[i][load]
            if time is None or i not in participants:
                continue
            cost = way + time * flow.ends["processor", i, t]
            if cost < flow.loads[load]:
                findings.add(
                    _AT,
                    "cheap_share",
                    f"Installment {number} of load {terms.loads[load]!r} costs {show(cost)} on"
                    f" {terms.ids[i]!r}, less than the load's price {show(flow.loads[load])}.",
                )


def check_resource_prices(
    terms: Terms,
    weights: Weights,
    prices: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that prices of processors and links prove a bound for any installments.

    Rules, in order: every price is of a processor's computing or of a link of the chain; none is
    negative, and they sum to at most 1; each load is worth what the cheapest way to compute it
    costs, a load is done no earlier than that after its release, and all loads together no
    earlier than all that; where the loads pass all processors in order, also no load earlier
    than that after the load before it; the bound is at most the objective of these dates.
    """
    on_processors: dict[int, Fraction] = {}
    on_links: dict[int, Fraction] = {}
    names = {f"{id_}.compute": (on_processors, i) for i, id_ in enumerate(terms.ids)}
    for link in range(len(terms.wire)):
        names[f"{terms.ids[link]}->{terms.ids[link + 1]}.link"] = (on_links, link)
    for name, price in prices.items():
        if name not in names:
            findings.add((*_AT, name), "ghost_resource", f"The chain has no resource {name!r}.")
            continue
        if price < 0:
            findings.add((*_AT, name), "negative_price", f"The price of {name!r} is negative.")
        table, place = names[name]
        table[place] = price
    if sum(prices.values(), ZERO) > 1:
        findings.add(_AT, "dear_resources", "The prices sum to more than 1.")
    in_order = terms.rounds == 1 and all(
        len({time is None for time in row}) == 1 for row in terms.work
    )
    done: list[Fraction] = []
    worth = ZERO
    for load in range(len(terms.loads)):
        cost = min(
            sum((on_links.get(link, ZERO) * terms.wire[link][load] for link in range(i)), ZERO)
            + on_processors.get(i, ZERO) * (terms.work[i][load] or ZERO)
            for i in terms.able(load)
        )
        worth += cost
        earlier = done[-1:] if in_order else []
        done.append(max([terms.released[load], *earlier]) + cost)
    proved = weights.value(max(worth, *done), done)
    if bound > max(ZERO, proved):
        findings.add(
            _AT,
            "prices_miss_bound",
            f"The prices prove {show(proved)}, less than the bound {show(bound)}.",
        )
