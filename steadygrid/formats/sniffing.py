"""What a document looks like, before it is read: its root element, its members, its first line."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from steadygrid.domain.document import MalformedJSONError, parse_json
from steadygrid.formats.markup import is_markup, root_element

Sniff = Callable[[bytes], bool]
_BLANK = b"\xef\xbb\xbf \t\r\n"
_parsed: dict[tuple[int, int], Mapping[str, Any]] = {}


def has_root(*names: str) -> Sniff:
    """Make the test for XML documents whose root element has one of these names.

    Parameters
    ----------
    *names
        Without the prefix of a namespace.
    """

    def sniff(data: bytes) -> bool:
        root = root_element(data) if is_markup(data) else None
        return root is not None and root.rpartition(":")[2] in names

    return sniff


def has_object(name: str) -> Sniff:
    """Make the test for JSON objects that have an object as a member.

    Parameters
    ----------
    name
        Of the member.
    """
    return lambda data: json_members(data).get(name) is dict


def has_lists(*names: str, without: tuple[str, ...] = ()) -> Sniff:
    """Make the test for JSON objects that have lists as members.

    Parameters
    ----------
    *names
        Of the members; ``a|b`` for one or the other.
    without
        Members that such a document does not have.
    """

    def sniff(data: bytes) -> bool:
        members = json_members(data)
        return all(
            any(members.get(name) is list for name in either.split("|")) for either in names
        ) and members.keys().isdisjoint(without)

    return sniff


def has_line(pattern: str, flags: int = 0) -> Sniff:
    """Make the test for text that a pattern finds.

    Parameters
    ----------
    pattern
        A regular expression that takes linear time.
    flags
        Of the regular expression.
    """
    compiled = re.compile(pattern.encode(), flags)
    return lambda data: not is_structured(data) and compiled.search(data) is not None


def is_structured(data: bytes) -> bool:
    """Whether a document begins as XML or JSON does, or is no text at all."""
    return data.lstrip(_BLANK)[:1] in (b"<", b"{", b"[", b"") or b"\0" in data[:4096]


def json_members(data: bytes) -> Mapping[str, Any]:
    """Give the types of a JSON object's members, and truth values as they are; of anything else none.

    Parameters
    ----------
    data
        The last one is remembered, as several formats ask in turn.
    """
    key = len(data), hash(data)
    found = _parsed.get(key)
    if found is None:
        found = _members(data)
        _parsed.clear()
        _parsed[key] = found
    return found


def _members(data: bytes) -> Mapping[str, Any]:
    if data.lstrip(_BLANK)[:1] != b"{":
        return {}
    try:
        document: Any = parse_json(data)
    except MalformedJSONError:
        return {}
    return {n: v if isinstance(v, bool) else type(v) for n, v in document.items()}
