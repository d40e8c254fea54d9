"""The exact programs: (4.1) for fixed routing, (4.2) and (4.3) for chosen routes, copies of tasks.

`model` is program (4.1) and what all of them share. `model_routing` and `model_copies` are the
others. `search` searches them. `interchange` finds processors that may change places, and
`possible` the periods that allocations can have.
"""
