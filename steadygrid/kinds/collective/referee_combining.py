"""Rules for a message that is combined: all that its sources have becomes one, at its receiver."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from steadygrid.domain.errors import Pointer
from steadygrid.domain.schedule import Allocation
from steadygrid.verification.findings import Findings


def check_combining(
    sources: Collection[str],
    combiners: Collection[str],
    allocation: Allocation,
    findings: Findings,
    at: Pointer,
) -> None:
    """Check what `check_allocation`, with the view of the allocation, and `check_tree` leave open.

    They have every operand that is made elsewhere come to its combination. All that no combination
    uses comes to the receiver. Each comes whole, by one sequence of paths from where it is made,
    between processors that may combine.

    Parameters
    ----------
    sources
        Of the message. The receiver may be among them.
    combiners
        Sources and receiver, and who else may combine.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= ====================
    1  combinations are numbered from 0                                        `wrong_index`
    2  each is by a processor that may combine                                 `may_not_combine`
    3  one that takes time is where its task runs                              `combined_elsewhere`
    4  it has two operands or more                                             `too_few_operands`
    5  an operand is what a source has, or the outcome of a combination before `unknown_operand`
    6  each of these is used once at most                                      `used_twice`
    7  each but the last outcome is used                                       `not_combined`
    == ======================================================================= ====================

    By rules 5 to 7 the last outcome is all together, and it is what the receiver gets. Where
    nothing is combined, that is what the only source has.
    """
    made = dict.fromkeys(sources, 0)
    last = next(iter(made), "")
    for position, combination in enumerate(allocation.combinations):
        here = (*at, "combinations", position)
        name = f"Allocation {allocation.index}: combination {position}"
        if combination.index != position:
            findings.add(
                (*here, "index"), "wrong_index", f"{name} has the index {combination.index}."
            )
        if combination.processor not in combiners:
            findings.add(
                (*here, "processor"),
                "may_not_combine",
                f"{name} is done by {combination.processor!r}, which only forwards.",
            )
        last = f"--{combination.index}"
        if allocation.tasks.get(last, (combination.processor,)) != (combination.processor,):
            findings.add(
                (*at, "tasks", last),
                "combined_elsewhere",
                f"{name} is done by {combination.processor!r}, its task runs elsewhere.",
            )
        if len(combination.operands) < 2:
            findings.add(
                (*here, "operands"), "too_few_operands", f"{name} has fewer than two operands."
            )
        for operand in combination.operands:
            if operand not in made:
                findings.add(
                    (*here, "operands"),
                    "unknown_operand",
                    f"{name} uses {operand!r}, which no source has and no combination before made.",
                )
                continue
            made[operand] += 1
            if made[operand] > 1:
                findings.add(
                    (*here, "operands"), "used_twice", f"{name} uses {operand!r} a second time."
                )
        made.setdefault(last, 0)
    for data, times in made.items():
        if not times and data != last:
            findings.add(
                (*at, "combinations"),
                "not_combined",
                f"Allocation {allocation.index}: no combination uses {data!r}.",
            )


def check_order(
    sources: Sequence[str], allocation: Allocation, findings: Findings, at: Pointer
) -> None:
    """Check that the operands of each combination follow each other in the order of the sources.

    Each is what some sources have that follow each other. The next one begins where it ends. What
    `check_combining` finds unknown is left out.

    Parameters
    ----------
    sources
        Of the message, in order.
    allocation
        Moves and combines this message.
    findings
        Collects the faults that are found.
    at
        Place of the allocation in the answer.

    Notes
    -----
    Rules, in this order:

    == ============================================================================== ==============
    1  each operand begins, in the order of the sources, where the one before it ends `out_of_order`
    == ============================================================================== ==============
    """
    spans = {source: (k, k + 1) for k, source in enumerate(sources)}
    for position, combination in enumerate(allocation.combinations):
        listed = [spans[operand] for operand in combination.operands if operand in spans]
        apart = next((pair for pair in pairwise(listed) if pair[0][1] != pair[1][0]), None)
        if apart is not None:
            (first, last), (after, _) = apart
            findings.add(
                (*at, "combinations", position, "operands"),
                "out_of_order",
                f"Allocation {allocation.index}: combination {position} puts what begins with"
                f" {sources[after]!r} behind what begins with {sources[first]!r} and ends with"
                f" {sources[last - 1]!r}. The order of the sources is fixed.",
            )
        elif listed:
            spans[f"--{combination.index}"] = listed[0][0], listed[-1][1]
