"""SimGrid's XML: its DOCTYPE, and attributes with units."""

import re
from collections.abc import Callable, Sequence
from xml.sax.handler import ContentHandler

from steadygrid.domain.errors import InstanceError
from steadygrid.formats import xml
from steadygrid.formats.simgrid.units import Quantity
from steadygrid.formats.xml import MAX_DEPTH, Misread

__all__ = ["MAX_DEPTH", "Element", "Misread", "parse", "refusal"]

_OWN = xml.Doctype(
    "platform",
    re.compile(
        r"(https?://(www\.)?simgrid\.(org|gforge\.inria\.fr)/([\w./-]{1,80}/)?)?simgrid\.dtd",
        re.ASCII,
    ),
    "only SimGrid's own DOCTYPE is accepted"
    ' (SYSTEM "https://simgrid.org/simgrid.dtd"), without definitions of its own',
)


def refusal(details: Sequence[str], code: str = "invalid_platform") -> InstanceError:
    """Make the error for one or more faults, each a sentence that begins with its line.

    Parameters
    ----------
    details
        A sentence for each fault, which begins with its line.
    code
        Stable name of the fault.
    """
    return xml.refusal(details, code)


def parse(data: bytes, handler: ContentHandler) -> None:
    """Feed a document to a SAX handler. See `steadygrid.formats.xml.parse`.

    Parameters
    ----------
    data
        The XML document. It may refer to SimGrid's own DTD, which is never fetched.
    handler
        Gets the events.
    """
    xml.parse(data, handler, _OWN)


class Element(xml.Element):
    """A start tag whose attributes may be quantities."""

    __slots__ = ()

    def quantity(
        self, name: str, parse: Callable[[str], Quantity], default: str | None = None
    ) -> Quantity:
        """Give a quantity with its unit.

        Parameters
        ----------
        name
            Of the attribute.
        parse
            Reads a number with its unit. What it refuses with ``ValueError`` is misread.
        default
            Text where the attribute is left out. None: it has to be there.
        """
        text = self.text(name) if default is None else self.optional(name) or default
        try:
            return parse(text)
        except ValueError as error:
            raise Misread(f"{name}: {error}") from None
