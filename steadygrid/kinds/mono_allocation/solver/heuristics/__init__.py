"""The heuristics of the literature, each in a file; `registry` names them all.

To add one: a function from tables and control to a mapping in a file of its own, its line in
`registry`, and its sentence in `steadygrid.kinds.mono_allocation.methods`.
"""
