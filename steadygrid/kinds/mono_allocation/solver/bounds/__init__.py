"""What no single allocation can undercut, proved in exact arithmetic.

`prices` of resources, shared out by `messages` where the graph is wide; `packing` of tasks into
processors; `strongest` chooses among them.
"""
