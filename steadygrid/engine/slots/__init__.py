r"""Slots as columns, where half-duplex links carry both directions under the one-port model.

A slot is a set of transfers that may run side by side. At most one from each send port, one into
each receive port, and never both directions of a half-duplex link; switches have no ports. Where
the links used contain a cycle, the conflicts among transfers are not those of a bipartite graph, and
no rows of ports and links say what slots can carry. There the slots are variables of the program:
each arc e is busy for at most :math:`\sum_{S \ni e} \lambda_S`, where slot S has the share
:math:`\lambda_S` of the time, and :math:`\sum_S \lambda_S \le 1`.

`search` begins with a few slots, and adds the one that pays most at the program's prices until none
pays; `heaviest` finds it exactly where there are few transfers, else an integer program does.
"""
