"""Trees as the text of an algorithm, or why they do not fit and what would."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from steadygrid.formats.msccl.blocks import lay_out
from steadygrid.formats.msccl.document import Settings, write_algorithm
from steadygrid.formats.msccl.fitting import (
    Collective,
    Plan,
    buffers_of,
    fitting_grain,
    fitting_program,
)
from steadygrid.formats.msccl.limits import FEWER, Excess
from steadygrid.formats.msccl.moves import Tree
from steadygrid.formats.msccl.network import Network


class Alternative(NamedTuple):
    """Other trees for the same messages."""

    remedy: str
    """What to ask for to get them, and what that costs: `chunks: 3 fits, with 342.9 of 346.7`."""
    trees: Sequence[Tree]
    plan: Plan = Plan()


def write_trees(
    trees: Sequence[Tree],
    collective: Collective,
    settings: Settings,
    network: Network | None = None,
    alternatives: Iterable[Alternative] = (),
) -> str:
    """Write trees as an algorithm.

    Parameters
    ----------
    trees
        Of all messages, each of the same number of chunks in all.
    collective
        What they do. Its dialect and whether it is in place are those of `settings`.
    settings
        How.
    network
        What moves share; needed where the order is `start`.
    alternatives
        What is tried where the trees do not fit, the best first.

    Raises
    ------
    LimitError
        MSCCL does not take so much. It says what would fit.
    """
    plan = settings.plan
    found = fitting_grain(trees, collective, plan)
    if isinstance(found, Excess):
        raise found.error(_remedy(trees, collective, plan, alternatives))
    program = fitting_program(trees, collective, plan, network)
    buffers = buffers_of(program.trees, collective, plan.instances)
    return write_algorithm(lay_out(program, buffers, collective.rank_of), settings)


def _remedy(
    trees: Sequence[Tree],
    collective: Collective,
    plan: Plan,
    alternatives: Iterable[Alternative],
) -> str:
    """Say what fits, the nearest first."""
    for other in (*_simpler(trees, plan), *alternatives):
        if not isinstance(fitting_grain(other.trees, collective, other.plan), Excess):
            return other.remedy
    return FEWER


def _simpler(trees: Sequence[Tree], plan: Plan) -> Iterator[Alternative]:
    """Give the same trees with fewer channels."""
    if plan.instances > 1:
        yield Alternative("instances: 1 fits", trees, plan._replace(instances=1))
    if plan.split != "arc":
        yield Alternative("split: arc fits", trees, plan._replace(split="arc"))
    if plan.instances > 1 and plan.split != "arc":
        yield Alternative("instances: 1 with split: arc fits", trees, Plan("arc", plan.order))
