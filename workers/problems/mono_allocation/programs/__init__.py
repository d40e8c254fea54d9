"""The exact programs: (4.1) for fixed routing, (4.2) and (4.3) for chosen ways, copies of tasks.

`model` is what all of them share; `model_fixed`, `model_routing` and `model_copies` each build one;
`search` searches them; `interchange` finds processors that may change places, and `possible` the
periods that allocations can have.
"""
