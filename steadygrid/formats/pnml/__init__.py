"""PNML: Petri nets as tools exchange them.

The grammar is that of ISO/IEC 15909-2 for place/transition nets (``version-2009/grammar``): a net of
one page. Times are no part of it, so a transition has its own in a ``toolspecific`` element.
"""

from steadygrid.formats.pnml.document import write_net
from steadygrid.formats.pnml.net import Net, Place, Transition

__all__ = ["Net", "Place", "Transition", "write_net"]
