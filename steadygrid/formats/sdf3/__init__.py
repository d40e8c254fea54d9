"""SDF3 (XML): synchronous and cyclo-static dataflow graphs.

What becomes of what:

===================== ====================================================================
SDF3                  dataflow graph
===================== ====================================================================
actor                 actor; its times are those of one processor of its properties
port                  nothing of its own: its rate is that of the channel
channel               channel; `initialTokens` its tokens
size of a channel     a channel back with the tokens that there is room for, if asked
sequences             ``1,2,3`` one value per phase; ``3*1`` three times 1
===================== ====================================================================

Sizes of tokens, memories, bandwidths, constraints, architectures and mappings are left out, and said.
The format's own rule is that an actor may fire as often at once as its channels allow.

Source: Stuijk, Geilen, Basten, "SDF3: SDF for free", ACSD 2006, and the files of its distribution.
"""

from steadygrid.formats.sdf3.reader import SdfActor, SdfChannel, SdfGraph, read_graph, refusal

__all__ = ["SdfActor", "SdfChannel", "SdfGraph", "read_graph", "refusal"]
