"""Which examples have schedules that the tests of Gantt charts draw."""

DRAWN = (
    "bags-of-two-kinds",
    "cell-filter-bank",
    "dataflow-two-actors",
    "divisible-load-on-a-tree-with-results",
    "divisible-loads-on-a-chain",
    "file-server-two-cards",
    "replicated-workflow",
    "rr4870-figure-3",
    "rr4870-figure-3-latencies",
    "rr4870-figure-9",
    "rr4872-figure-2-scatter",
    "shared-wide-area-link",
    "three-sites-broadcast",
    "triangle-no-overlap",
    "triangle-one-allocation",
)
"""Each form of schedules, and each port model."""
