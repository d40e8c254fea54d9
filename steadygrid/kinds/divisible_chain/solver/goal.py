"""The objective as weights of the loads' completions."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.kinds.divisible_chain.schemas import DivisibleChainInstance, ObjectiveName


@dataclass(frozen=True)
class Goal:
    """What is minimised: the makespan, or weighted completions less a constant."""

    name: ObjectiveName
    weights: tuple[Fraction, ...] = ()
    """By load; empty for the makespan."""
    constant: Fraction = Fraction(0)

    def value(self, makespan: Fraction, completions: Sequence[Fraction]) -> Fraction:
        """Compute the objective of a schedule, in time units.

        Parameters
        ----------
        makespan
            Date, in time units.
        completions
            Date at which each load completes, in time units.
        """
        if self.name == "makespan":
            return makespan
        pairs = zip(self.weights, completions, strict=True)
        return sum((weight * date for weight, date in pairs), -self.constant)


def read_goal(instance: DivisibleChainInstance) -> Goal:
    """State the objective of an instance. A mean counts every load alike."""
    loads = instance.loads
    if instance.objective == "makespan":
        return Goal("makespan")
    if instance.objective == "mean_completion":
        return Goal("mean_completion", (Fraction(1, len(loads)),) * len(loads))
    return Goal(
        "weighted_flow",
        tuple(load.weight for load in loads),
        sum((load.weight * load.release_date for load in loads), Fraction(0)),
    )
