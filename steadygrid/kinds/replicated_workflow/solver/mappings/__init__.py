"""Mappings of a replicated workflow, where none is given: which processors take turns at which stage.

`space` knows which mappings there are and what they cost, `first` finds one at all, `greedy` and
`local_search` good ones, `exhaustive` the best; `bounds` says what no mapping can exceed, and
`methods` puts them together.
"""
