"""Slots of processors that take part in one transfer at a time: matchings of any graph.

Under ``send_or_receive`` and ``no_overlap`` a slot is a matching of the graph whose vertices are the
processors, and whose edges the links with both their directions; switches have no ports and are no
vertices. Shares of time are what slots can carry exactly if no processor is busy for more than all
of the time, and no odd set of processors B has more than ``(|B| - 1) / 2`` among its members. Edmonds'
matching polytope (Schrijver, Combinatorial Optimization, chapter 25).

`odd_sets` says what links take of such a set, `separation` finds the sets that some shares violate,
and `slots` decomposes shares that violate none.
"""
