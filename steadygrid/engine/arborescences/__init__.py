"""Weighted arborescences in directed networks: flows, cuts, packings, cheapest trees.

Vertices are integers ``0..number-1``, an arc is a pair (tail, head), capacities and weights are
Python integers, prices rationals: every result is exact. *Members* may copy what reaches them, and
every arborescence spans all of them. All other vertices are *forwarders*: what enters one leaves it
once.

* `cuts` says whether given demands can be packed.
* `splitting` replaces forwarders by arcs between members, and `few_routes` by as few as it can.
* `packing` finds the trees.
* `level_growth` finds shallow ones of whole chunks, whose least time `chunk_times` gives.
* `timed_growth` finds those of a program as it runs.
* `cheapest` prices them.
* `steiner` finds the cheapest trees to some members over others, and `nearest` cheap ones where that
  takes too long.
"""
