"""Rules for answers of `upper_bound` and `compare`."""

from steadygrid.kinds.collective.methods import METHODS
from steadygrid.kinds.collective.schemas import CollectiveResult, ComparedMulticast
from steadygrid.verification.comparison import check_methods, check_row
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


def check_comparison(result: CollectiveResult, findings: Findings) -> None:
    """Check that a bound alone, and a table of methods, are where they are asked for, and agree.

    Parameters
    ----------
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =========================================================== ===================
    1  ``upper_bound`` gives no value                              `wrong_outcome`
    2  where there is no value, there are no allocations           `wrong_outcome`
    3  a table stands only in answers of ``compare`` with a value  `wrong_comparison`
    4  each of its rows is of another method that can be asked for see `check_methods`
    5  its ratio is right, and its time                            see `check_row`
    6  no method is better than the answer                         `wrong_comparison`
    7  ``upper_bound`` is no less than the answer's bound          `wrong_comparison`
    8  some method is as good as the answer                        `wrong_comparison`
    == =========================================================== ===================
    """
    alone = result.objective is None
    if result.method == "upper_bound" and not alone:
        findings.add(
            ("result", "objective"), "wrong_outcome", "A bound alone was asked for, no value."
        )
    if alone and result.allocations:
        findings.add(
            ("result", "allocations"),
            "wrong_outcome",
            "There are allocations, but there is no value.",
        )
    if result.comparison is None:
        return
    if result.method != "compare" or result.objective is None:
        findings.add(
            ("result", "comparison"),
            "wrong_comparison",
            "Methods stand side by side in answers of 'compare' with a value, and no others.",
        )
        return
    check_methods(result.comparison, METHODS.keys() - {"auto", "compare"}, findings)
    for position, row in enumerate(result.comparison):
        _check_row(result, row, position, findings)
    value = result.objective.value
    if all(row.throughput != value or row.method == "upper_bound" for row in result.comparison):
        findings.add(
            ("result", "comparison"),
            "wrong_comparison",
            f"No method has the throughput of the answer, {show(value)}.",
        )


def _check_row(
    result: CollectiveResult, row: ComparedMulticast, position: int, findings: Findings
) -> None:
    at = ("result", "comparison", position)
    bound, value = result.bound, result.objective
    throughput = row.throughput
    check_row(row, position, throughput, None if bound is None else bound.value, findings)
    if throughput is None or bound is None or value is None:
        return
    limit = row.method == "upper_bound"
    if throughput < bound.value if limit else throughput > value.value:
        findings.add(
            (*at, "throughput"),
            "wrong_comparison",
            f"{row.method} is better than the answer, whose value is {show(value.value)} and whose"
            f" bound is {show(bound.value)}.",
        )
