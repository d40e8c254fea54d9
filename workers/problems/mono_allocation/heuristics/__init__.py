"""The heuristics of the literature, each a file; `registry` names them all.

To add one: write a function from `Tables` and `Control` to a mapping, and add its line to
`registry`.
"""
