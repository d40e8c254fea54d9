"""Up to what size replicated workflows are evaluated and scheduled."""

MOST_CYCLE_NODES = 2_000_000
"""Of the graph of one round: operations by residue of the data set."""
MOST_TURN_OPERATIONS = 20_000_000
"""Rows times operations of a workflow that is played turn by turn, under ``no_overlap``."""
MOST_ROWS = 1_000_000
"""That a timetable lists."""
MOST_MEAN_ROWS = 1_000_000
"""Of a workflow whose mean latency is computed."""
MOST_LEAVES = 10_000_000
"""Mappings, in each order of their processors, that `exact` may have to tell apart."""
MOST_TRANSITIONS = 100_000
"""Rows times operations of a Petri net that is exported."""
MOST_DIGITS = 300
"""Of the common denominator of all times; starts and periods are sums of them."""
MOST_SEARCHED_NODES = 50_000
"""Operations of a mapping, by residue of the data set, that searches look at."""
MOST_TRIED = 5_000_000
"""Stages, times processors of the one with the least choice, over all that is tried to find them."""
MOST_ORDERS = 120
"""Orders of service that are tried for a mapping, and orders of the files of a stage."""
MOST_COUNT_STEPS = 300_000
"""Choices of numbers of processors that are looked at to prove a bound."""
