r"""What prices prove about divisible loads on a chain. The referee's own reading of the program.

Every constraint of program (2.2) but (2.2l) says that something starts, or that the makespan (or a
completion) is, no earlier than something else ends or than a date. So prices y >= 0 flow from the
objective back to the dates: what flows out of the end of a transfer or computation has come in at
its start. Let :math:`E_{l,t}` be the prices on the end of the transfer of installment t over link
l, and :math:`F_{i,t}` those on the end of its computation. Let :math:`z_k` be the price of load k
in (2.2l). The prices prove a bound where

.. math::

   \text{prices on the makespan} \le 1 \quad (\text{on } C_k: \le \omega_k)

   \text{prices on a start} \le \text{prices on the end of the same}

   z_k \le \sum_{l < i} c_l^k E_{l,t} + w_i^k F_{i,t} \quad \text{wherever } P_i
   \text{ may compute an installment t of k}

and the bound is :math:`\sum_k z_k` plus the prices times their dates, less the objective's constant.
These are the signs of the reduced costs. No starting date, share or makespan at all can then be
better. The same load may have dates of its own as if it were alone on the chain. Its shares then
cost what they cost in both programs.

Which constraints there are depends on who computes what, see `steadygrid.kinds.divisible_chain.cases`:
prices prove a bound in a case, and the lowest over cases that leave nothing out holds for every
choice.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.resources import compute_resource, link_resource
from steadygrid.kinds.divisible_chain.cases import Case, Reading, read_cases
from steadygrid.kinds.divisible_chain.schemas import ProofCase
from steadygrid.kinds.divisible_chain.terms import ZERO, Terms
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

_NAMES = re.compile(
    r"(?P<alone>alone\.)?(?:link(?P<link>[1-9]\d{0,8})|processor(?P<processor>[1-9]\d{0,8}))"
    r"\.installment(?P<t>[1-9]\d{0,8})"
    r"\.(?P<rule>arrives|forwarded|released|follows|received|available)"
    r"|processor(?P<last>[1-9]\d{0,8})\.makespan"
    r"|(?P<apart>alone\.)?load(?P<done>[1-9]\d{0,8})\.processor(?P<by>[1-9]\d{0,8})"
    r"\.installment(?P<passed>[1-9]\d{0,8})\.completed"
    r"|load(?P<whole>[1-9]\d{0,8})\.whole",
    re.ASCII,
)

Moment = tuple[bool, str, int, int]
"""Whether as if alone, ``link`` or ``processor``, its position, and that of the installment."""


class Weights:
    """The objective: a weight for each completion, or, for the makespan, none."""

    def __init__(self, weights: Sequence[Fraction] | None, constant: Fraction) -> None:
        self.of_completions = weights
        self.constant = constant

    def value(self, makespan: Fraction, completions: Sequence[Fraction]) -> Fraction:
        """Compute the objective.

        Parameters
        ----------
        makespan
            Date, in time units.
        completions
            Date at which each load completes, in time units.
        """
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


def check_program_proof(
    terms: Terms,
    weights: Weights,
    workers: Collection[int],
    given: Sequence[ProofCase],
    prices: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that prices prove a bound for every choice of who computes what.

    Parameters
    ----------
    workers
        Who may compute. For the makespan those that are available before the bound: a schedule that
        ends before it does without the others.
    given
        None: the prices are those of the only case.

    Notes
    -----
    Rules, in this order:

    == ========================================================================= ===================
    1  the cases leave nothing out                                               see `read_cases`
    2  the prices of a case in which every load can be computed prove something  see `CasePrices`
    3  in other cases nothing has a price                                        `idle_prices`
    4  the bound is the lowest of what is proved, and of the dates of processors `prices_miss_bound`
       that are no workers
    == ========================================================================= ===================

    A date is that from which a processor is available. No bound is below 0.
    """
    reading = Reading(terms, workers)
    cases = read_cases(reading, given, ("result", "cases"), findings)
    if cases is None:
        return
    able = (i for i, row in enumerate(terms.work) if any(time is not None for time in row))
    proved = [terms.available[i] for i in able if i not in workers]
    for place, case in enumerate(cases):
        at: Pointer = ("result", "certificate", "prices")
        own = prices
        if given:
            at, own = ("result", "cases", place, "prices"), given[place].prices
        if reading.is_possible(case):
            proved.append(CasePrices(terms, weights, reading, case, at, findings).prove(own))
        elif own:
            findings.add(at, "idle_prices", "In a case without any schedule nothing has a price.")
    lowest = max(ZERO, min(proved))
    if lowest != bound:
        findings.add(
            ("result", "certificate", "prices"),
            "prices_miss_bound",
            f"The prices prove {show(lowest)}, but the bound is {show(bound)}.",
        )


class CasePrices:
    """What prices prove in a case.

    Notes
    -----
    Rules, in this order:

    == ================================================================ ==================
    1  every price is of a constraint that the program has in this case `ghost_constraint`
    2  none is negative                                                 `negative_price`
    3  what flows into the objective is no more than its weights        `dear_objective`
    4  what flows into a start leaves at the end                        `dear_start`
    5  no load is priced above what it costs anywhere                   `cheap_share`
    == ================================================================ ==================

    Rule 2 is for whole loads, too: 0 would prove more.
    """

    def __init__(
        self,
        terms: Terms,
        weights: Weights,
        reading: Reading,
        case: Case,
        at: Pointer,
        findings: Findings,
    ) -> None:
        self._terms = terms
        self._weights = weights
        self._reading = reading
        self._case = case
        self._at = at
        self._findings = findings
        self._flow = _Flow()

    def prove(self, prices: Mapping[str, Fraction]) -> Fraction:
        """Check the prices, and give what they prove if nothing was found."""
        at, findings, flow = self._at, self._findings, self._flow
        for name, price in prices.items():
            match = _NAMES.fullmatch(name)
            if match is None or not self._add_price(match, price):
                findings.add(
                    (*at, name), "ghost_constraint", f"The program has no constraint {name!r}."
                )
            elif price < 0:
                findings.add((*at, name), "negative_price", f"The price of {name!r} is negative.")
        if flow.makespan > 1:
            findings.add(at, "dear_objective", "The prices on the makespan sum to more than 1.")
        for load, total in flow.completions.items():
            assert self._weights.of_completions is not None
            if total > self._weights.of_completions[load]:
                findings.add(
                    at,
                    "dear_objective",
                    f"The prices on the completion of {self._terms.loads[load]!r} sum to more than"
                    " its weight.",
                )
        for moment, total in flow.starts.items():
            if total > flow.ends[moment]:
                _, kind, place, t = moment
                findings.add(
                    at,
                    "dear_start",
                    f"At {kind} {place + 1}, the prices on the start of installment {t + 1} sum to"
                    f" {show(total)}, those on its end to {show(flow.ends[moment])}.",
                )
        self._check_loads()
        return flow.bound - self._weights.constant

    def _add_price(self, match: re.Match[str], price: Fraction) -> bool:
        """Put a price where its constraint stands; False if there is no such constraint."""
        flow, terms = self._flow, self._terms
        names = ("link", "processor", "t", "last", "done", "by", "passed", "whole")
        part = {name: int(match[name]) - 1 for name in names if match[name]}
        if "whole" in part:
            known = part["whole"] < len(terms.loads)
            if known:
                flow.loads[part["whole"]] += price
                flow.bound += price
            return known
        if "last" in part:
            return self._put_on_makespan(part["last"], price)
        if "done" in part:
            apart = match["apart"] is not None
            return self._put_on_completion(apart, part["done"], part["by"], part["passed"], price)
        alone = match["alone"] is not None
        if part["t"] >= len(terms.sequence) or (alone and self._weights.of_completions is None):
            return False
        if "link" in part:
            return self._put_on_link(alone, part["link"], part["t"], match["rule"], price)
        return self._put_on_processor(alone, part["processor"], part["t"], match["rule"], price)

    def _put_on_makespan(self, i: int, price: Fraction) -> bool:
        """(2.2m)."""
        row = self._case.able.get(i)
        if not row or self._weights.of_completions is not None:
            return False
        self._flow.ends[False, "processor", i, row[-1]] += price
        self._flow.makespan += price
        return True

    def _put_on_completion(self, apart: bool, load: int, i: int, t: int, price: Fraction) -> bool:
        """(2.5)."""
        if self._weights.of_completions is None or load >= len(self._terms.loads):
            return False
        if apart:
            holds = self._case.may_compute(i, t) and self._reading.load_of[t] == load
        else:
            holds = self._reading.completes(self._case, load, i, t)
        if holds:
            self._flow.ends[apart, "processor", i, t] += price
            self._flow.completions[load] += price
        return holds

    def _put_on_link(self, alone: bool, link: int, t: int, rule: str, price: Fraction) -> bool:
        """(2.2a), (2.2b), (2.2c), (2.2d) and (2.2n)."""
        terms, flow, load_of = self._terms, self._flow, self._reading.load_of
        links = len(terms.wire)
        if link >= links:
            return False
        earlier = (s for s in reversed(range(t)) if not alone or load_of[s] == load_of[t])
        before = next(earlier, None)
        if rule == "released":
            flow.bound += price * terms.released[load_of[t]]
        elif rule == "arrives" and link:
            flow.ends[alone, "link", link - 1, t] += price
        elif rule == "forwarded" and terms.strict and before is not None and link + 1 < links:
            flow.ends[alone, "link", link + 1, before] += price
        elif rule == "follows" and before is not None:
            flow.ends[alone, "link", link, before] += price
        else:
            return False
        flow.starts[alone, "link", link, t] += price
        return True

    def _put_on_processor(self, alone: bool, i: int, t: int, rule: str, price: Fraction) -> bool:
        """(2.2f), (2.2h), (2.2i) and (2.2j)."""
        flow, case, load_of = self._flow, self._case, self._reading.load_of
        if not case.may_compute(i, t):
            return False
        if rule == "received" and i:
            flow.ends[alone, "link", i - 1, t] += price
        elif rule == "follows":
            row = case.able[i]
            earlier = (row[place] for place in reversed(range(bisect_left(row, t))))
            before = next((s for s in earlier if not alone or load_of[s] == load_of[t]), None)
            if before is None:
                return False
            flow.ends[alone, "processor", i, before] += price
        elif rule == "available" and not alone:
            flow.bound += price * self._reading.date(case, i, t)
        elif rule == "available" and not i:
            flow.bound += price * self._terms.released[load_of[t]]
        else:
            return False
        flow.starts[alone, "processor", i, t] += price
        return True

    def _check_loads(self) -> None:
        terms, ends = self._terms, self._flow.ends
        able = {i: set(row) for i, row in self._case.able.items()}
        for t, (load, number) in enumerate(terms.sequence):
            travel = ZERO
            for i in range(len(terms.ids)):
                if i:
                    both = ends[False, "link", i - 1, t] + ends[True, "link", i - 1, t]
                    travel += terms.wire[i - 1][load] * both
                time = terms.work[i][load]
                if time is None or t not in able.get(i, ()):
                    continue
                both = ends[False, "processor", i, t] + ends[True, "processor", i, t]
                cost = travel + time * both
                if cost < self._flow.loads[load]:
                    self._findings.add(
                        self._at,
                        "cheap_share",
                        f"Installment {number} of load {terms.loads[load]!r} costs {show(cost)} on"
                        f" {terms.ids[i]!r}, less than the load's price"
                        f" {show(self._flow.loads[load])}.",
                    )


def check_resource_prices(
    terms: Terms,
    weights: Weights,
    prices: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that prices of processors and links prove a bound for any installments.

    Parameters
    ----------
    terms
        Times of processors and links for each load, as the referee reads them.
    weights
        Those of the objective.
    prices
        By resource, as the answer has them.
    bound
        Of the objective, in time units.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =================================================================== ===================
    1  every price is of a processor's computing or of a link of the chain `ghost_resource`
    2  none is negative                                                    `negative_price`
    3  they sum to at most 1                                               `dear_resources`
    4  the bound is at most what they prove                                `prices_miss_bound`
    == =================================================================== ===================

    Each load is worth what the cheapest method to compute it costs, and a load is done no earlier
    than that after its release. So the prices prove the objective of these dates, or of what all
    loads are worth. As makespan it is of those that are released no earlier than some date, after
    it. As completions it is in the cheapest order, each no earlier than all that is done by then is
    worth.
    """
    at: Pointer = ("result", "certificate", "prices")
    on_processors: dict[int, Fraction] = {}
    on_links: dict[int, Fraction] = {}
    names = {compute_resource(id_): (on_processors, i) for i, id_ in enumerate(terms.ids)}
    for link in range(len(terms.wire)):
        names[link_resource(terms.ids[link], terms.ids[link + 1])] = (on_links, link)
    for name, price in prices.items():
        if name not in names:
            findings.add((*at, name), "ghost_resource", f"The chain has no resource {name!r}.")
            continue
        if price < 0:
            findings.add((*at, name), "negative_price", f"The price of {name!r} is negative.")
        table, place = names[name]
        table[place] = price
    if sum(prices.values(), ZERO) > 1:
        findings.add(at, "dear_resources", "The prices sum to more than 1.")
    costs = [
        min(
            sum((on_links.get(link, ZERO) * terms.wire[link][load] for link in range(i)), ZERO)
            + on_processors.get(i, ZERO) * (terms.work[i][load] or ZERO)
            for i in terms.able(load)
        )
        for load in range(len(terms.loads))
    ]
    proved = _least_objective(terms, weights, costs)
    if bound > max(ZERO, proved):
        findings.add(
            at,
            "prices_miss_bound",
            f"The prices prove {show(proved)}, less than the bound {show(bound)}.",
        )


def _least_objective(terms: Terms, weights: Weights, costs: Sequence[Fraction]) -> Fraction:
    """Give the least objective of loads that keep resources of price 1 busy for so long."""
    dates = [release + cost for release, cost in zip(terms.released, costs, strict=True)]
    if weights.of_completions is None:
        return max(
            release + sum(costs[k] for k, r in enumerate(terms.released) if r >= release)
            for release in terms.released
        )
    # By cost over weight: no order of loads on one machine is better.
    paid = [(cost / w, w, cost) for w, cost in zip(weights.of_completions, costs, strict=True) if w]
    finish = total = ZERO
    for _, weight, cost in sorted(paid):
        finish += cost
        total += weight * finish
    alone = sum((w * date for w, date in zip(weights.of_completions, dates, strict=True)), ZERO)
    return max(alone, total) - weights.constant
