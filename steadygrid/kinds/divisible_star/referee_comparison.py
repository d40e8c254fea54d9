"""Rules for answers of `compare`."""

from collections.abc import Sequence

from steadygrid.kinds.divisible_star.replay.tree_terms import is_linear
from steadygrid.kinds.divisible_star.schemas import (
    ComparedStar,
    DivisibleStarInstance,
    DivisibleStarResult,
)
from steadygrid.verification.comparison import AT, check_methods, check_row
from steadygrid.verification.findings import Findings

OF_ITEMS = frozenset({"search", "rounding"})
OF_ROUNDS = frozenset({"lp"})
OF_RESULTS = frozenset({"closed_form", "lp", "search", "local_search"})
OF_ONE_ROUND = {
    True: frozenset({"closed_form", "lp", "umr", "periodic"}),
    False: frozenset({"search", "local_search", "umr", "periodic"}),
}
"""Without any of these, by whether costs are linear."""


def check_comparison(
    instance: DivisibleStarInstance, result: DivisibleStarResult, findings: Findings
) -> str | None:
    """Check that methods stand side by side where that is asked for, and agree with the answer.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Returns
    -------
    str or None
        The method whose answer this is. None where that cannot be told.

    Notes
    -----
    Rules, in this order:

    == ============================================================== ===================
    1  there is a table in answers of ``compare``, and in no others   `wrong_comparison`
    2  each of its rows is of another method that knows what is asked see `check_methods`
    3  its ratio is right, and its time                               see `check_row`
    4  one row is said to be the answer, and has its makespan         `wrong_comparison`
    5  no method is better than the answer                            `wrong_comparison`
    == ============================================================== ===================

    Rule 2: `_methods` names them.
    """
    rows = result.comparison
    if instance.method != "compare" or rows is None:
        if instance.method == "compare" or rows is not None:
            findings.add(
                AT,
                "wrong_comparison",
                "Methods stand side by side in answers of 'compare', and in no others.",
            )
        return None
    check_methods(rows, _methods(instance), findings)
    bound = None if result.bound is None else result.bound.value
    for position, row in enumerate(rows):
        check_row(row, position, row.makespan, bound, findings)
    best = [row for row in rows if row.is_answer]
    if len(best) != 1 or best[0].makespan != result.makespan or _is_beaten(rows, result):
        findings.add(
            AT,
            "wrong_comparison",
            "No method has the makespan of the answer, and is the best.",
        )
        return None
    return best[0].method


def _is_beaten(rows: Sequence[ComparedStar], result: DivisibleStarResult) -> bool:
    return any(
        row.makespan is not None and result.makespan is not None and row.makespan < result.makespan
        for row in rows
    )


def _methods(instance: DivisibleStarInstance) -> frozenset[str]:
    """Name the methods that know items, rounds or results, if that is asked, or latencies."""
    if instance.load.items is not None:
        return OF_ITEMS
    if instance.rounds > 1:
        return OF_ROUNDS
    if instance.load.return_volume:
        return OF_RESULTS
    return OF_ONE_ROUND[is_linear(instance)]
