"""Fair rates, against a fluid that is followed in fractions."""

import random
from fractions import Fraction

import pytest

from steadygrid.engine.executions.shares import Shares

F = Fraction


class Fluid:
    """Flows with what is left of them; rates by filling all resources anew at each step."""

    def __init__(self, uses: list[dict[int, Fraction]]) -> None:
        self.uses = uses
        self.now = F(0)
        self.left: dict[int, tuple[int, Fraction]] = {}

    def rates(self) -> dict[int, Fraction]:
        open_, room, found = set(self.left), dict.fromkeys(range(9), F(1)), {}
        level = F(0)
        while open_:
            loads = {
                r: sum((self.uses[self.left[i][0]].get(r, F(0)) for i in open_), F(0)) for r in room
            }
            grown = min(room[r] / load for r, load in loads.items() if load)
            level += grown
            room = {r: free - grown * loads[r] for r, free in room.items()}
            full = {r for r, load in loads.items() if load and not room[r]}
            for i in [i for i in open_ if full & self.uses[self.left[i][0]].keys()]:
                found[i] = level
                open_.remove(i)
        return found

    def next_end(self) -> tuple[Fraction, int]:
        rates = self.rates()
        return min((self.now + left / rates[i], i) for i, (_, left) in self.left.items())

    def go_to(self, date: Fraction) -> None:
        rates = self.rates()
        for i, (sort, left) in self.left.items():
            self.left[i] = (sort, left - rates[i] * (date - self.now))
        self.now = date


@pytest.mark.parametrize("seed", range(8))
def test_flows_end_when_a_fluid_does(seed: int) -> None:
    """Half of the cases have a resource that all use: it is the fullest now and then, or always."""
    draw = random.Random(seed)
    uses = [
        {r: F(draw.randint(1, 9), 10**6) for r in draw.sample(range(1, 6), draw.randint(1, 2))}
        for _ in range(5)
    ]
    if seed % 2:
        for one in uses:
            one[0] = F(draw.choice([2, 3, 4, 30]), 10**6)
    shares = Shares([{r: float(part) for r, part in one.items()} for one in uses])
    fluid = Fluid(uses)
    for i in range(120):
        if not fluid.left or (len(fluid.left) < 12 and draw.random() < 0.5):
            date = fluid.now + F(draw.randint(0, 3), 10**6)
            if fluid.left:
                date = min(date, fluid.next_end()[0])
            fluid.go_to(date)
            sort, data = draw.randrange(5), F(draw.randint(1, 10**4), 7)
            fluid.left[i] = (sort, data)
            shares.start(float(date), sort, float(data), i, 0)
        else:
            date, due = fluid.next_end()
            fluid.go_to(date)
            assert shares.next_end() == pytest.approx(float(date), rel=1e-9)
            ended, _ = shares.end(shares.next_end())
            assert ended == due or fluid.left[ended][1] == 0
            del fluid.left[ended]
        told = {i: left for i, _, left in shares.unfinished_flows(float(fluid.now))}
        assert told.keys() == fluid.left.keys()
