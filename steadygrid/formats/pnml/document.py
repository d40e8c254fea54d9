"""Nets as XML."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from steadygrid.formats.pnml.net import Net

GRAMMAR = "http://www.pnml.org/version-2009/grammar"
TOOL = "steadygrid"
_OWN = f'<toolspecific tool="{TOOL}" version="1">'
_NOT_IN_XML = dict.fromkeys((0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}")


def write_net(net: Net) -> str:
    """Write a net.

    Transitions have the ids ``t0``, ``t1``, ..., places ``p0``, ``p1``, ...; names are text of their
    own. Arcs have no inscription, and so the weight 1. A place without ``initialMarking`` is empty.
    """
    return "\n".join(_lines(net)) + "\n"


def _lines(net: Net) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<pnml xmlns="{GRAMMAR}/pnml">'
    yield f'<net id="net" type="{GRAMMAR}/ptnet">{_name(net.name)}'
    yield f"{_OWN}<rows>{net.rows}</rows></toolspecific>"
    yield '<page id="page">'
    for number, transition in enumerate(net.transitions):
        delay = f"{_OWN}<delay>{transition.delay}</delay></toolspecific>"
        yield f'<transition id="t{number}">{_name(transition.name)}{delay}</transition>'
    for number, place in enumerate(net.places):
        held = place.tokens
        marking = f"<initialMarking><text>{held}</text></initialMarking>" if held else ""
        yield f'<place id="p{number}">{_name(place.name)}{marking}</place>'
    for number, place in enumerate(net.places):
        yield f'<arc id="i{number}" source="t{place.before}" target="p{number}"/>'
        yield f'<arc id="o{number}" source="p{number}" target="t{place.after}"/>'
    yield "</page>"
    yield "</net>"
    yield "</pnml>"


def _name(text: str) -> str:
    return f"<name><text>{escape(text.translate(_NOT_IN_XML))}</text></name>"
