"""The cheapest methods to combine what several have into one, where combinations are binary.

A *part* is what some of the sources have, combined. `parts` says which there are, and of which two
others each may be made: any, or only neighbours in a given order. `table` finds by dynamic
programming over parts and places the cheapest tree of combinations, each at a place of its own and
each operand on its cheapest route; at rational prices everything is exact. `orders` finds orders
where there are too many sources for a table of all parts. Vertices are integers, as in
`steadygrid.engine.arborescences`. Any of them forwards.
"""
