"""What one certified solve took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Statistics:
    """How large a program was, who solved it, and how long each step took.

    Attributes
    ----------
    variables, constraints, nonzeros
        Size of the program.
    method
        Whose basis was proved: ``simplex`` or ``ipm``.
    iterations
        Of the floating-point solver, over all runs.
    repaired
        Whether the solver's first basis was not the optimal one.
    refinements
        Runs of the floating-point solver on the magnified errors of a basis.
    pivots
        Exact simplex pivots that the repair took.
    seconds
        Time by step: ``read``, ``solve`` (the floating-point solver), ``factorise``,
        ``substitute``, ``check``, ``refine``, ``pivot``.
    """

    variables: int = 0
    constraints: int = 0
    nonzeros: int = 0
    method: str = ""
    iterations: int = 0
    repaired: bool = False
    refinements: int = 0
    pivots: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add the time of a step."""
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - started
            self.seconds[step] = self.seconds.get(step, 0.0) + spent
