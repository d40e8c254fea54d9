"""The optimum over every choice of who computes what, by trying all of them."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain as joined
from itertools import combinations, product
from typing import Any

import pyomo.core as pyo

from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control

F = Fraction
Place = tuple[int, int]


class Puzzle:
    """A body as numbers; positions along the chain, and of installments in their order."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        problem = document["problem"]
        platform, self.loads = problem["platform"], problem["loads"]
        ids = [p["id"] for p in platform["processors"]]
        widths = [F(link["bandwidth"]) for link in platform["links"]]
        self.strict = problem.get("ports", "strict_one_port") == "strict_one_port"
        self.objective = problem.get("objective", "makespan")
        self.available = [F(problem.get("availability", {}).get(id_, 0)) for id_ in ids]
        self.released = [F(load.get("release_date", 0)) for load in self.loads]
        self.wire = [
            [F(load["communication_volume"]) / width for load in self.loads] for width in widths
        ]
        self.work: list[list[Fraction | None]] = []
        for processor in platform["processors"]:
            speeds = [
                load.get("speeds", {}).get(processor["id"], processor.get("speed"))
                for load in self.loads
            ]
            self.work.append(
                [
                    None if speed is None else F(load["computation_volume"]) / F(speed)
                    for load, speed in zip(self.loads, speeds, strict=True)
                ]
            )
        self.order = [
            k
            for _ in range(problem.get("rounds", 1))
            for k, load in enumerate(self.loads)
            for _ in range(load.get("installments", 1))
        ]

    def places(self, load: int) -> list[Place]:
        """List who may compute which installment of a load."""
        return [
            (i, t)
            for t, k in enumerate(self.order)
            for i, row in enumerate(self.work)
            if k == load and row[load] is not None
        ]

    def choices(self) -> Iterator[set[Place]]:
        """Give every set of computations in which no load is left out."""
        per_load = []
        for load in range(len(self.loads)):
            places = self.places(load)
            sizes = range(1, len(places) + 1)
            per_load.append(list(joined(*(combinations(places, size) for size in sizes))))
        for parts in product(*per_load):
            yield set(joined(*parts))

    def count(self) -> int:
        """Count the choices."""
        total = 1
        for load in range(len(self.loads)):
            total *= 2 ** len(self.places(load)) - 1
        return total

    def weights(self) -> tuple[Sequence[Fraction], Fraction]:
        """Give what each completion counts, and what is taken off."""
        if self.objective == "mean_completion":
            return [F(1, len(self.loads))] * len(self.loads), F(0)
        weights = [F(load.get("weight", 1)) for load in self.loads]
        taken = sum((w * r for w, r in zip(weights, self.released, strict=True)), F(0))
        return weights, taken


def best_choice(document: Mapping[str, Any]) -> Fraction:
    """Give the least objective over all choices."""
    puzzle = Puzzle(document)
    return min(_best(puzzle, choice) for choice in puzzle.choices())


def _best(puzzle: Puzzle, choice: set[Place]) -> Fraction:
    """Solve a linear program in which exactly the chosen computations have a date."""
    steps, links = range(len(puzzle.order)), range(len(puzzle.wire))
    model = pyo.ConcreteModel()
    model.part = pyo.Var(sorted(choice), domain=pyo.NonNegativeReals)
    model.send = pyo.Var(links, steps, domain=pyo.NonNegativeReals)
    model.begin = pyo.Var(sorted(choice), domain=pyo.NonNegativeReals)
    model.done = pyo.Var(range(len(puzzle.loads)), domain=pyo.NonNegativeReals)
    model.last = pyo.Var(domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    rows = model.rows

    def sent(link: int, t: int) -> Any:
        time = puzzle.wire[link][puzzle.order[t]]
        return model.send[link, t] + time * sum(
            model.part[i, s] for i, s in choice if s == t and i > link
        )

    for t in steps:
        for link in links:
            least = [sent(link, t - 1)] if t else []
            least += [sent(link - 1, t)] if link else [puzzle.released[puzzle.order[t]]]
            if puzzle.strict and t and link + 1 in links:
                least.append(sent(link + 1, t - 1))
            for date in least:
                rows.add(model.send[link, t] >= date)
    for i, t in choice:
        load = puzzle.order[t]
        work = puzzle.work[i][load]
        assert work is not None
        end = model.begin[i, t] + work * model.part[i, t]
        arrival = sent(i - 1, t) if i else puzzle.released[load]
        rows.add(model.begin[i, t] >= arrival)
        rows.add(model.begin[i, t] >= puzzle.available[i])
        for j, later in choice:
            if j == i and later > t:
                rows.add(model.begin[j, later] >= end)
        rows.add(model.done[load] >= end)
        rows.add(model.last >= end)
    for load in range(len(puzzle.loads)):
        rows.add(sum(model.part[i, t] for i, t in choice if puzzle.order[t] == load) == 1)
    if puzzle.objective == "makespan":
        model.goal = pyo.Objective(expr=model.last)
    else:
        weights, taken = puzzle.weights()
        total = sum(w * model.done[k] for k, w in enumerate(weights))
        model.goal = pyo.Objective(expr=total - taken)
    solved = solve_certified(model, Control())
    assert solved.objective is not None
    return solved.objective
