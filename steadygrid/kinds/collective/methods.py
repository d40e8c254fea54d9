"""The methods of `collective`, each with a sentence about it: said here and nowhere else."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

REFERENCES: Mapping[str, str] = {
    "mcph": "reference: one tree, grown to the target that keeps the busiest port least busy",
    "reduced_broadcast": (
        "reference: the message is broadcast to all who copy, and relays that get little are"
        " dropped as long as that costs no throughput"
    ),
    "scatter": "reference: as often as each target can be sent a message of its own, as if they differed",
}
"""Heuristics for a multicast, in the order in which they are compared."""

METHODS: Mapping[str, str] = {
    "auto": (
        "the first of flows, intervals, least_cut, cutting_planes and trees that applies; programs"
        " for a completion"
    ),
    "flows": "messages that differ: the linear program over their flows, solved exactly",
    "intervals": (
        "data that is combined in a fixed order: trees of combinations of neighbours, priced by a"
        " table of intervals and places"
    ),
    "least_cut": (
        "copies, where only links limit and all who copy take part: the cut that is worst, found by"
        " maximum flows, and trees packed into the links"
    ),
    "cutting_planes": (
        "copies, where all who copy take part: a linear program over links with a row for each cut"
        " that matters, and trees packed into its solution"
    ),
    "trees": (
        "copies, by any processors: cutting planes from above, trees among those that take part"
        " from below; where these do not meet, the cheapest trees join them until none pays;"
        " or data whose combining takes time: trees of combinations, priced by a table of all parts"
        " and places"
    ),
    **REFERENCES,
    "upper_bound": "copies, by any processors: no trees, only what no schedule can exceed",
    "programs": (
        "one operation, for a completion: trees of least latency, and trees packed into the links, run"
        " as programs that are simulated; the best is kept, with a bound by cuts"
    ),
    "compare": "a multicast by trees and by all references, with throughput and time of each",
}
COPYING = frozenset(METHODS) - {"auto", "flows"}
"""Those that let messages be copied."""
SCHEDULED = frozenset(METHODS) - {"auto", "upper_bound", "programs"}
"""Those with a schedule."""

if TYPE_CHECKING:
    Method = str
else:
    Method = Literal[tuple(METHODS)]
