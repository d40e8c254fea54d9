"""XML from strangers: defused, bounded, with line numbers."""

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeVar
from xml.parsers.expat import XML_PARAM_ENTITY_PARSING_NEVER, XMLParserType
from xml.sax import SAXException, SAXParseException
from xml.sax.expatreader import ExpatLocator
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException, DTDForbidden
from defusedxml.expatreader import DefusedExpatParser

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.nearest import Known

T = TypeVar("T", bound=str)

MAX_DEPTH = 100
"""Deepest nesting of elements."""
_CHUNK = 1 << 16
_LONGEST_TAG = 1 << 20
_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z_:\x80-\xff][^\s;&<>]{0,80};?")


class Doctype(NamedTuple):
    """The one DOCTYPE that a format may have. It is never opened."""

    root: str
    system: re.Pattern[str]
    says: str
    """What to write, for the refusal of others."""


def refusal(details: Sequence[str], code: str) -> InstanceError:
    """Make the error for one or more faults, each a sentence that begins with its line.

    Parameters
    ----------
    details
        A sentence for each fault, which begins with its line.
    code
        Stable name of the fault.
    """
    return InstanceError("; ".join(details[:5]), [Fault((), code, detail) for detail in details])


class Misread(ValueError):
    """One element breaks a rule. The sentence does not say which element."""


class Element:
    """A start tag: typed access to its attributes, and which of them were not asked for."""

    __slots__ = ("_attributes", "_used", "line", "tag")

    def __init__(self, tag: str, attributes: AttributesImpl, line: int) -> None:
        self.tag = tag
        self.line = line
        self._attributes: dict[str, str] = dict(attributes.items())
        self._used: set[str] = set()

    def __str__(self) -> str:
        name = self._attributes.get("id") or self._attributes.get("src")
        key = "id" if "id" in self._attributes else "src"
        return f"<{self.tag}>" if name is None else f"<{self.tag} {key}={name[:80]!r}>"

    def text(self, name: str) -> str:
        """Give an attribute that must be there and not be empty."""
        value = self.optional(name)
        if not value:
            raise Misread(f"the attribute {name} is missing or empty")
        return value

    def optional(self, name: str, default: str = "") -> str:
        """Give an attribute, or its default.

        Parameters
        ----------
        name
            Of the attribute.
        default
            Text where the attribute is left out.
        """
        self._used.add(name)
        return self._attributes.get(name, default)

    def choice(self, name: str, allowed: Sequence[T], default: T) -> T:
        """Give an attribute that is one of a few words.

        Parameters
        ----------
        name
            Of the attribute.
        allowed
            The words.
        default
            Word where the attribute is left out.
        """
        value = self.optional(name, default)
        for word in allowed:
            if value == word:
                return word
        raise Misread(f"{name}={value[:80]!r} is not one of {', '.join(allowed)}")

    def count(self, name: str, default: int, least: int) -> int:
        """Give an attribute that is a small whole number.

        Parameters
        ----------
        name
            Of the attribute.
        default
            Number where the attribute is left out.
        least
            No smaller number is accepted.
        """
        value = self.optional(name, str(default)).strip()
        if not re.fullmatch(r"[0-9]{1,9}", value, re.ASCII) or int(value) < least:
            raise Misread(f"{name}={value[:80]!r} is not a whole number of at least {least}")
        return int(value)

    def hint(self, name: str) -> str:
        """Ask whether an attribute that nothing has looked at was meant as another one."""
        meant = Known(sorted(self._used - self._attributes.keys())).nearest(name)
        return "" if meant is None else f" (did you mean {meant!r}?)"

    def unused(self) -> list[str]:
        """Name the attributes that nothing has looked at."""
        return [name for name in self._attributes if name not in self._used]


class _Parser(DefusedExpatParser):
    """Refuses every DOCTYPE but the format's own, every entity, and never opens anything."""

    _parser: XMLParserType

    def __init__(self, doctype: Doctype | None) -> None:
        self._doctype = doctype
        super().__init__(forbid_dtd=True)

    @property
    def position(self) -> int:
        """Where the tag begins that is being read, in bytes."""
        return self._parser.CurrentByteIndex

    def defused_start_doctype_decl(
        self, name: str, sysid: str | None, pubid: str | None, has_internal_subset: int
    ) -> None:
        known = self._doctype
        own = (
            known is not None
            and name == known.root
            and sysid is not None
            and known.system.fullmatch(sysid) is not None
        )
        if not own or pubid or has_internal_subset:
            raise DTDForbidden(name, sysid, pubid)

    def reset(self) -> None:
        """Start anew. The format's DTD is taken as read."""
        super().reset()
        self._parser.SetParamEntityParsing(XML_PARAM_ENTITY_PARSING_NEVER)


def parse(data: bytes, handler: ContentHandler, doctype: Doctype | None = None) -> None:
    """Feed a document to a SAX handler, in pieces.

    Parameters
    ----------
    data
        The document as it was sent.
    handler
        Gets the events.
    doctype
        The only DOCTYPE that is accepted. None: no DOCTYPE is.

    Raises
    ------
    InstanceError
        The document is not well-formed XML, or has an entity, or a DOCTYPE that is not the
        format's.
    """
    _refuse_entities(data)
    parser = _Parser(doctype)
    parser.setContentHandler(handler)
    handler.setDocumentLocator(ExpatLocator(parser))
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
            if start - parser.position > _LONGEST_TAG:
                raise ValueError(f"a tag or comment is longer than {_LONGEST_TAG:,} bytes")
        parser.close()
    except DefusedXmlException:
        says = "no DOCTYPE is accepted" if doctype is None else doctype.says
        detail = f"line {parser.getLineNumber()}: {says}"
        raise refusal([detail], "forbidden_doctype") from None
    except SAXParseException as error:
        raise refusal(
            [f"line {error.getLineNumber()}: not well-formed XML ({error.getMessage()})"],
            "malformed_xml",
        ) from None
    except (SAXException, ValueError, LookupError) as error:
        raise refusal([f"not readable as XML ({error})"], "malformed_xml") from None


def _refuse_entities(data: bytes) -> None:
    # Since the DTD is never read, expat would drop an unknown entity inside an attribute
    # without a word. UTF-16 would hide one from this search.
    if b"\0" in data[:4096]:
        raise refusal(["only encodings that contain ASCII are read: use UTF-8"], "malformed_xml")
    unknown = _ENTITY.search(_without_comments(data)) if b"&" in data else None
    if unknown is not None:
        name = unknown.group()[:40].decode("ascii", "replace")
        raise refusal([f"the entity {name} is not defined"], "forbidden_entity")


def _without_comments(data: bytes) -> bytes:
    # A regular expression would take quadratic time on comments that never end.
    kept = []
    start = 0
    while (opening := data.find(b"<!--", start)) >= 0:
        kept.append(data[start:opening])
        closing = data.find(b"-->", opening + 4)
        if closing < 0:
            return b"".join(kept)
        start = closing + 3
    kept.append(data[start:])
    return b"".join(kept)
