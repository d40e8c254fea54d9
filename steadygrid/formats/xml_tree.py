"""A whole XML document as a tree, for formats whose parts refer to each other."""

from collections.abc import Iterator
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import limit_error, refused
from steadygrid.formats.xml import parse

MAX_DEPTH = 64
"""Deepest nesting of elements."""
_ELEMENTS_PER_LINK = 6


class XMLNode:
    """An element: names are without the prefix of a namespace."""

    __slots__ = ("attributes", "children", "line", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.children: list[XMLNode] = []
        self.text = ""

    def get(self, name: str, default: str = "") -> str:
        """Give an attribute.

        Parameters
        ----------
        name
            Of the attribute.
        default
            Where it is left out.
        """
        return self.attributes.get(name, default)

    def children_named(self, tag: str) -> Iterator["XMLNode"]:
        """Give the children of a name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> "XMLNode | None":
        """Give the first child of a name."""
        return next(self.children_named(tag), None)


class _Builder(ContentHandler):
    def __init__(self, most: int) -> None:
        super().__init__()
        self.root: XMLNode | None = None
        self._open: list[XMLNode] = []
        self._count = 0
        self._most = most
        self._where: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 - of SAX
        """Take what knows the line.

        Parameters
        ----------
        locator
            Of the parser.
        """
        self._where = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - of SAX
        """Begin an element.

        Parameters
        ----------
        name
            With its prefix.
        attrs
            Of the element.
        """
        self._count += 1
        if self._count > self._most:
            raise limit_error(self._count, "elements", self._most)
        line = self._where.getLineNumber() or 0 if self._where is not None else 0
        if len(self._open) >= MAX_DEPTH:
            raise refused(line, "nested_too_deeply", f"at most {MAX_DEPTH} elements are nested")
        attributes = {key.rpartition(":")[2]: value for key, value in attrs.items()}
        node = XMLNode(name.rpartition(":")[2], attributes, line)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self.root = node
        self._open.append(node)

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - of SAX
        """End an element.

        Parameters
        ----------
        name
            With its prefix.
        """
        node = self._open.pop()
        node.text = node.text.strip()

    def characters(self, content: str) -> None:
        """Take text.

        Parameters
        ----------
        content
            A piece of it.
        """
        if self._open and len(self._open[-1].text) < 10_000:
            self._open[-1].text += content


def read_tree(data: bytes, limits: Limits) -> XMLNode:
    """Read an XML document.

    Parameters
    ----------
    data
        No DOCTYPE is accepted.
    limits
        `max_body_bytes`; `max_links` bounds the number of elements.

    Raises
    ------
    InstanceError
        ``malformed_xml``, ``forbidden_doctype``, ``forbidden_entity``, ``nested_too_deeply``.
    LimitError
        The document has too many bytes or elements.
    """
    if len(data) > limits.max_body_bytes:
        raise limit_error(len(data), "bytes", limits.max_body_bytes)
    builder = _Builder(_ELEMENTS_PER_LINK * limits.max_links)
    parse(data, builder)
    if builder.root is None:
        raise refused("", "malformed_xml", "there is no element")
    return builder.root
