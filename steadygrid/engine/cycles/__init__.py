"""Largest ratios of time to height over the cycles of a graph, exact and proved.

Events that repeat and wait for each other are a graph: an edge says that its target, `height` turns
later, starts no earlier than `time` after its source. The period of the whole is the largest ratio of
time to height over all cycles. `graph` holds such a graph, `ratio` finds the ratio with a critical
cycle and a schedule, and makes that the earliest one; `policies` is its search. `rounds` unfolds
what differs from turn to turn until a critical cycle is a real one.
"""
