"""Column generation in floats: allocations until the bound is reached, prices that prove it.

Each round solves the master program over the allocations found so far and looks for allocations
that cost less than 1 at its prices. It does so first by local search from the best known
labellings, then, and every few rounds anyway, exactly. Prices are smoothed: they are taken between
the master's and the best prices so far, which all allocations respect, so every allocation that
costs less than 1 there costs less than 1 at the master's too. An exact pricing either finds such an
allocation or improves the best prices. If neither, the smoothing is halved.

Exact pricing is by labelling tables as long as there is room for them, and by integer programs
afterwards, if they are asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from steadygrid.domain.errors import SolverError
from steadygrid.domain.rational import approximate
from steadygrid.engine.allocations.columns import (
    Column,
    ColumnMaker,
    cheapest_paths,
)
from steadygrid.engine.allocations.dual_ascent import Messages
from steadygrid.engine.allocations.elimination import Elimination
from steadygrid.engine.allocations.labelling import Labels
from steadygrid.engine.allocations.model import Master, cheapest_by_program
from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.allocations.problem import FloatCosts, Problem
from steadygrid.engine.allocations.room import MOST_ENTRIES, Exhausted, Room
from steadygrid.engine.allocations.search import LocalSearch
from steadygrid.engine.allocations.sparse_labelling import (
    COMBINATION_BYTES,
    MOST_COMBINATIONS,
    FewLabellings,
    TooManyCombinations,
)
from steadygrid.engine.solving.collection import uncollected
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import NoSolution
from steadygrid.kinds.shared.elimination import MOST_HELD

CLOSE = 1e-10
"""Relative gap at which floats can tell no more."""
NEAR = 1e-5
"""Relative gap below which the master is solved to more digits."""
PAYING = 1e-8
"""How far below 1 an allocation must cost to be worth a column."""
TIGHT = 1e-6
"""How near to 1 an allocation costs that a solution of the master may use."""
MOST_COLUMNS = 10
"""Columns that one pricing adds."""
STARTS = 48
"""Labellings that local search improves side by side."""
IDLE = 15
"""Rounds in a row that a column costs more than 1 before it leaves the master."""
EXACT_EVERY = 5
"""Rounds after which allocations are priced exactly even if local search would find some."""
BETTER = 0.99
"""Bounds that fall below this share of the last make full tables unnecessary for now."""
FEWER = 8
"""Full tables have so many times as many entries as few combinations."""
SMOOTHING = 0.7
"""Weight of the best prices so far in the prices at which allocations are sought."""
LEAST_SMOOTHING = 0.02
"""Below it the master's prices are taken as they are."""


class NoAllocation(Exception):
    """No labelling lets every file travel."""


class FreeAllocation(SolverError):
    """An allocation needs no resource at all: no prices bound the throughput."""


class Generation:
    """The state of column generation.

    Parameters
    ----------
    problem
        What to price.
    control
        Deadline, cancellation and progress.
    most_entries
        Where labelling tables hold more entries, integer programs price from the beginning. None:
        tables price as long as there is room for them.
    mip_gap
        Relative gap at which integer programs may stop.
    known
        Allocations to begin with, which may be of another network over the same platform.
    tells_bounds
        Whether bounds hold for the whole that is solved, and so are progress.
    tells_values
        Whether the master's rates are an answer to it, and so their value is progress.

    Attributes
    ----------
    columns
        All allocations found, in the order of the master's columns.
    bound
        No throughput is larger. None before the first exact pricing.
    exact
        Whether the bound is rigorous: not if an integer program has found it.
    full
        Why tables do not price, if they do not.
    ended
        Whether nothing else prices then.
    iterations
        Solves of the master.
    """

    def __init__(
        self,
        problem: Problem,
        control: Control,
        most_entries: int | None = None,
        mip_gap: float = 0.0,
        known: Iterable[Column] = (),
        *,
        tells_bounds: bool = False,
        tells_values: bool = False,
    ) -> None:
        self._tells_bounds, self._tells_values = tells_bounds, tells_values
        self.problem = problem
        self.columns: list[Column] = []
        self.bound: Fraction | None = None
        self.exact = True
        self.full = _refusal(problem, most_entries)
        self.ended = False
        self.room = Room(control)
        self.iterations = 0
        self._control = control
        self._mip_gap = mip_gap
        self._prices = problem.level_prices.copy()
        self._least = Fraction(1)
        self._known: dict[Column, int] = {}
        self._labellings: list[Labels] = []
        self._maker = ColumnMaker(problem.instance, problem.network)
        self._master = Master(problem.network.resources, control)
        self._idle = np.zeros(0, dtype=np.intp)
        self._dropped: set[int] = set()
        self._random = np.random.default_rng(1)
        self._root = 0
        for column in known:
            self._keep(self._maker.make(column.places, column.paths), self._labels_of(column))

    @property
    def value(self) -> float:
        """Throughput of the last solution of the master."""
        return self._master.program.value

    @property
    def rates(self) -> dict[int, float]:
        """Rates of the last solution of the master, by column."""
        rates = self._master.program.rates
        return {int(k): float(rates[k]) for k in np.flatnonzero(rates)}

    @property
    def gap(self) -> float:
        """Relative distance of bound and value."""
        return 1.0 if self.bound is None else 1.0 - self.value / float(self.bound)

    @property
    def best_prices(self) -> list[Fraction]:
        """The prices that prove the bound: they sum to it, and no allocation costs less than 1."""
        return [Fraction(price) / self._least for price in self._prices.tolist()]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know of how allocations were priced."""
        if not self.full:
            return ()
        if self.ended:
            return (
                f"{self.full}, and integer programs would be too large as well: allocations were"
                " not priced further",
            )
        return (f"{self.full}: integer programs price allocations instead",)

    def price_by_programs(self, why: str) -> None:
        """Price by integer programs from now on.

        Parameters
        ----------
        why
            What tables have exhausted.
        """
        self.full = why

    def price_by_nothing(self, why: str) -> None:
        """Price no further.

        Parameters
        ----------
        why
            What tables have exhausted.
        """
        self.full, self.ended = why, True

    def close(self) -> None:
        """Let go of the solver."""
        self._master.program.close()

    def run(self, enough: Callable[["Generation"], bool] = lambda _: False) -> None:
        """Add columns until the gap is closed, as far as floats can tell.

        Parameters
        ----------
        enough
            Asked after each solution of the master whether to stop before.

        Raises
        ------
        NoAllocation
            If no labelling lets every file travel.
        Exhausted
            If there is no room for labelling tables. What was found is kept.
        Cancelled, OutOfTime
            When cancelled or out of time. What was found is kept.
        """
        with uncollected():
            if not self.columns:
                self._price(self._prices, None)
            smoothing = SMOOTHING
            while self._solved() > CLOSE and not enough(self):
                master = self._master.program.prices
                centre = self._prices / float(self._least)
                prices = smoothing * centre + (1 - smoothing) * master
                if self.iterations % EXACT_EVERY and self._search(prices, master):
                    continue
                if self._price(prices, master):
                    smoothing = min(SMOOTHING, smoothing * 1.5)
                elif smoothing >= LEAST_SMOOTHING:
                    smoothing /= 2
                elif not self._price(master, master):
                    return

    def roughly(self) -> Iterator[Floats]:
        """Add columns by local search only, and give the master's prices in each round.

        Ends when local search finds no allocation that pays. Where it finds none at all, at once.
        """
        costs = self.problem.costs(self._prices)
        found = self._add(self._improved(costs), costs, None)
        while found:
            self.iterations += 1
            program = self._master.program
            program.solve()
            yield program.prices
            found = self._search(program.prices, program.prices)

    def _solved(self) -> float:
        """Solve the master and give the gap."""
        self.iterations += 1
        program = self._master.program
        program.solve()
        idle = np.zeros(len(program.costs), dtype=np.intp)
        idle[: len(self._idle)] = self._idle
        self._idle = np.where(program.costs > 1 + TIGHT, idle + 1, 0)
        dropped = set(np.flatnonzero(self._idle > IDLE).tolist()) - self._dropped
        program.drop(dropped)
        self._dropped |= dropped
        self._report_progress()
        gap = self.gap
        if gap < NEAR:
            program.tighten()
        return gap

    def _report_progress(self) -> None:
        bound: Fraction | float | None = self.bound if self._tells_bounds else None
        if isinstance(bound, Fraction) and not self.exact:
            bound = approximate(bound)
        value = self.value if self._tells_values else None
        self._control.progress(iterations=self.iterations, value=value, bound=bound)

    def tight(self) -> set[int]:
        """Give the columns that cost about 1 at the master's prices: all that it may use."""
        program = self._master.program
        return set(np.flatnonzero((program.costs <= 1 + TIGHT) | (program.rates > 0)).tolist())

    def undercutting(self, prices: Floats) -> set[int]:
        """Give the known columns that cost less than 1 at some prices."""
        return {k for k, column in enumerate(self.columns) if column.price(prices) < 1 - PAYING}

    def offer(self, column: Column, prices: Floats) -> int:
        """Add an allocation, and others that are cheap at these prices; give its position.

        Parameters
        ----------
        column
            The allocation; one that is known stays where it is.
        prices
            Of resources, by position. Others are looked for that are cheap at them.
        """
        if column not in self._known:
            self._keep(column, self._labels_of(column))
            self._price(prices, prices)
        return self._known[column]

    def _price(self, prices: Floats, master: Floats | None) -> int:
        """Find the cheapest allocation, and what it proves; give the number of new columns."""
        costs = self.problem.costs(prices)
        if self.full:
            least, labels = self._cheapest_by_program(costs)
        else:
            least, labels = self._cheapest(costs, prices)
        self._note(prices, least)
        return self._add(labels, costs, master)

    def _note(self, prices: Floats, least: Fraction) -> None:
        """Take over a bound, if it is better: no allocation costs less at these prices."""
        if least > 0:
            bound = sum(map(Fraction, prices.tolist()), Fraction(0)) / least
            if self.bound is None or bound < self.bound:
                self.bound, self._prices, self._least = bound, prices, least
                self.exact = not self.full

    def _cheapest(self, costs: FloatCosts, prices: Floats) -> tuple[Fraction, Labels]:
        """Give a rigorous lower bound of all costs, and cheap labellings."""
        problem = self.problem
        elimination = problem.elimination.rooted_at(self._root)
        self._root = (self._root + 1) % problem.num_tasks
        if problem.wide:
            found = self._by_messages(costs, prices, elimination)
            if found is not None:
                return found
        labelling = self.room.labelling(elimination, costs.single, costs.pairs)
        if not np.isfinite(labelling.cost):
            raise NoAllocation
        least = Fraction(labelling.cost) * (1 - problem.roundings)
        return least, labelling.cheapest_by_root()

    def _by_messages(
        self, costs: FloatCosts, prices: Floats, elimination: Elimination
    ) -> tuple[Fraction, Labels] | None:
        """Price without full tables. None if nothing says what has to be undercut.

        Local search says that: the cheapest that it finds, or 1, beyond which no allocation is of
        interest. Often messages prove that nothing does, else they leave few combinations of
        labels that may. Where they leave many, their own bound will do if it is a better one than
        before, or if local search finds what pays. Else tables of the labels tell that may be part
        of what does.
        """
        problem, check = self.problem, self._control.check
        labels = self._improved(costs)
        cheapest = float(LocalSearch(costs, check).costs_of(labels).min())
        if cheapest == 0:
            return Fraction(0), labels
        if cheapest == np.inf:
            return None
        goal = (min(cheapest, 1.0) if self.columns else cheapest) * (1 - CLOSE / 10)
        messages = Messages(costs, 2 * goal)
        least = messages.rise(goal, check)
        if least < goal:
            most = min(
                MOST_COMBINATIONS,
                elimination.work(problem.label_counts) // FEWER,
                self.room.entries(COMBINATION_BYTES),
            )
            level = goal + messages.doubt
            spare = messages.spare()
            try:
                few = FewLabellings(elimination, spare, level, check, most)
            except TooManyCombinations:
                budget = float(prices.sum())
                gains = self.bound is None or budget < BETTER * float(self.bound) * least
                if gains or cheapest < 1 - PAYING:
                    return Fraction(least) * (1 - problem.roundings), labels
                self._note(prices, Fraction(least) * (1 - problem.roundings))
                found = self._among(costs, elimination, spare.labels(), level)
            else:
                found = few.cheapest(costs.single, costs.pairs)
            least = goal
            if found is not None:
                least = min(goal, found[0])
                labels = np.concatenate((found[1], labels), axis=1)
        return Fraction(least) * (1 - problem.roundings), labels

    def _among(
        self, costs: FloatCosts, elimination: Elimination, bounds: Sequence[Floats], level: float
    ) -> tuple[float, Labels] | None:
        """Price by tables of the labels whose bounds are below a level. None if nothing is.

        All costs are at least 0, so no other label is part of a labelling below it.
        """
        kept = [np.flatnonzero(least < level) for least in bounds]
        if not all(len(places) for places in kept):
            return None
        single = [table[places] for table, places in zip(costs.single, kept, strict=True)]
        pairs = {
            (one, other): table[np.ix_(kept[one], kept[other])]
            for (one, other), table in costs.pairs.items()
        }
        sums = elimination.entries([len(places) for places in kept])
        if sums > MOST_ENTRIES:
            raise Exhausted(f"a labelling table would be worked out of {sums:,} sums")
        labelling = self.room.labelling(elimination, single, pairs)
        if not np.isfinite(labelling.cost):
            return None
        found = labelling.cheapest_by_root()
        return labelling.cost, np.stack([kept[task][row] for task, row in enumerate(found)])

    def _cheapest_by_program(self, costs: FloatCosts) -> tuple[Fraction, Labels]:
        try:
            bound, labels = cheapest_by_program(
                costs.single, costs.pairs, self._control, self._mip_gap
            )
        except NoSolution as error:
            raise NoAllocation from error
        least = Fraction(bound) * (1 - self.problem.roundings)
        return least, np.array(labels, dtype=np.intp).reshape(-1, 1)

    def _search(self, prices: Floats, master: Floats) -> int:
        """Look for cheap allocations by local search; give the number of new columns."""
        costs = self.problem.costs(prices)
        return self._add(self._improved(costs), costs, master)

    def _improved(self, costs: FloatCosts) -> Labels:
        """Give labellings of local search: from the cheapest known ones, and from new ones."""
        search = LocalSearch(costs, self._control.check)
        if not self._labellings:
            order = list(reversed(self.problem.elimination.order))
            return search.improve(search.greedy(order, STARTS, self._random))
        pool = np.stack(self._labellings, axis=1)
        best = pool[:, np.argsort(search.costs_of(pool), kind="stable")[:STARTS]]
        order = self._random.permutation(self.problem.num_tasks).tolist()
        drawn = search.greedy(order, STARTS // 4, self._random)
        improved = search.improve(np.concatenate((best, drawn), axis=1))
        return np.concatenate((best, improved), axis=1)

    def _add(self, labels: Labels, costs: FloatCosts, master: Floats | None) -> int:
        """Add the cheapest of some labellings that pay; give the number of new columns."""
        problem = self.problem
        labels = np.unique(labels, axis=1)
        worth = LocalSearch(costs, self._control.check).costs_of(labels)
        added = 0
        for k in np.argsort(worth, kind="stable").tolist():
            dear = np.inf if master is None else 1 - PAYING
            if worth[k] >= dear or added >= MOST_COLUMNS:
                break
            places = [int(problem.labels[task][x]) for task, x in enumerate(labels[:, k].tolist())]
            paths = cheapest_paths(problem.files, costs.distances, places)
            column = self._maker.make(places, paths)
            if master is not None and column.price(master) >= 1 - PAYING:
                continue
            if column not in self._known:
                self._keep(column, labels[:, k])
                added += 1
            elif (known := self._known[column]) in self._dropped:
                self._master.program.restore(known)
                self._dropped.discard(known)
                self._idle[known] = 0
                added += 1
        return added

    def _labels_of(self, column: Column) -> Labels:
        position = [
            {int(place): x for x, place in enumerate(places)} for places in self.problem.labels
        ]
        labels = [where[place] for where, place in zip(position, column.places, strict=True)]
        return np.array(labels, dtype=np.intp)

    def _keep(self, column: Column, labels: Labels) -> None:
        if not column.uses:
            raise FreeAllocation("an allocation needs no resource at all")
        self._known[column] = len(self.columns)
        self.columns.append(column)
        self._labellings.append(labels)
        self._master.add(column.uses)


def _refusal(problem: Problem, most_entries: int | None) -> str:
    """Say why tables must not price from the beginning. Nothing if they may."""
    held = problem.elimination.held(problem.label_counts)
    if held > MOST_HELD:
        return f"labelling tables would hold more than {MOST_HELD:,} entries"
    if most_entries is None or held <= most_entries:
        return ""
    return (
        f"labelling tables would hold {held:,} entries, more than the {most_entries:,} of"
        " max_labelling_entries"
    )
