"""What cases prove together, and what shares achieve besides it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.kinds.divisible_chain.solver.cases import Rules
from steadygrid.kinds.divisible_chain.solver.chain import Chain, Shares
from steadygrid.kinds.divisible_chain.solver.goal import Goal
from steadygrid.kinds.divisible_chain.solver.timing import earliest


@dataclass(frozen=True)
class Part:
    """What prices prove in a case. No prices, no bound if no processor may compute some load."""

    rules: Rules
    value: Fraction | None
    prices: Mapping[str, Fraction]


@dataclass(frozen=True)
class Proof:
    """A bound for all choices.

    Attributes
    ----------
    workers
        Who may compute; for the makespan those that are available before the bound.
    parts
        Cases that together leave nothing out.
    """

    value: Fraction
    workers: tuple[int, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Found:
    """Shares, what they achieve, and what is proved."""

    shares: Shares
    value: Fraction
    proof: Proof


def value_of(
    chain: Chain, goal: Goal, shares: Shares, check: Callable[[], None] = lambda: None
) -> Fraction:
    """Compute what shares achieve; `check` is called for each installment, and may raise.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    goal
        What is minimised.
    shares
        Fraction of the whole load by processor and position in the sequence.
    check
        Called between the steps; may raise, which ends the work.

    Returns
    -------
    Fraction
        In time units.
    """
    timing = earliest(chain, shares, check=check)
    return goal.value(timing.makespan, timing.completions)


def proof_of(chain: Chain, goal: Goal, workers: Sequence[int], parts: Sequence[Part]) -> Proof:
    """Give what cases prove that leave nothing out.

    A schedule that ends before the processors left out are available does without them.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    goal
        What is minimised.
    workers
        Who may compute, by position along the chain.
    parts
        What prices prove in each case.
    """
    bounds = [part.value for part in parts if part.value is not None]
    others = set(chain.workers) - set(workers)
    if goal.name == "makespan":
        bounds += [chain.available[i] for i in others]
    return Proof(min(bounds), tuple(workers), tuple(parts))


def holds(chain: Chain, goal: Goal, proof: Proof) -> bool:
    """Tell whether all who may compute are available before the bound on the makespan.

    A processor that is not takes no part in what is shorter, and yet the program lets it wait for
    them.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    goal
        What is minimised.
    proof
        A bound for all choices of who computes what.
    """
    if goal.name != "makespan" or not proof.value:
        return True
    return all(chain.available[i] < proof.value for i in proof.workers)
