"""JSON documents: read strictly, written canonically.

The standard library's `json` is used on purpose: faster ones turn large integers into
floats without a word.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from steadygrid.domain.rational import MAX_DIGITS


class MalformedJSONError(ValueError):
    """The document is not JSON as RFC 8259 has it, or a name in it is given twice."""


class _UnplacedError(ValueError):
    """What the hooks of the decoder find: they do not know where they are in the text."""


class _TwiceError(_UnplacedError):
    """A name that is given twice in one object."""


class _ConstantError(_UnplacedError):
    """A name for no number."""


_MARKUP = (
    "it looks like XML. `steadygrid convert FILE --to platform` and POST /v1/platforms make a"
    " platform of a SimGrid file, `--to dataflow` a body of an SDF3 graph"
)
_TOLD = {
    "Expecting value": "a value is expected here",
    "Expecting property name": "a name in double quotes is expected here",
    "Illegal trailing comma": "there is a comma before the end of a list or an object",
    "Expecting ':' delimiter": 'a ":" is expected here',
    "Expecting ',' delimiter": 'a "," or the end of the list or object is expected here',
    "Unterminated string": "the text that begins here does not end",
    "Invalid control character": "a text cannot hold a control character as it is",
    "Invalid \\": "there is no such escape sequence",
    "Extra data": "the document has ended before this",
}
_OTHER = "this is not JSON"
_MARGIN = 4096
_TOKEN = re.compile(
    r'"((?:[^"\\]++|\\.)*+)"([ \t\n\r]*+:)?+|[{}]|-?+Infinity|NaN', re.ASCII | re.DOTALL
)
"""A text, with its colon where it is a name. The ends of objects. What is no number."""
_BEYOND: int = 10**MAX_DIGITS


def integer(text: str) -> int:
    """Read an integer; one with more digits than any field takes as the least such integer.

    No 10^5-digit conversion is ever tried, and every field refuses that one by its own rule.
    """
    if len(text) <= MAX_DIGITS + 1:
        return int(text)
    return -_BEYOND if text.startswith("-") else _BEYOND


def constant(text: str) -> float:
    """Refuse NaN and infinities; `explained` tells where."""
    raise _ConstantError(f"{text} is not a JSON number")


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its members; refuse a name that is given twice: `explained` tells where."""
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _TwiceError(f"the name {name[:200]!r} is given twice in one object")
            seen.add(name)
    return members


@contextmanager
def explained(text: str) -> Iterator[None]:
    """Turn what the decoder of a text raises into `MalformedJSONError`, with line and column."""
    try:
        yield
    except RecursionError:
        raise MalformedJSONError("the document is nested too deeply") from None
    except json.JSONDecodeError as error:
        what = next((told for said, told in _TOLD.items() if error.msg.startswith(said)), _OTHER)
        raise MalformedJSONError(f"line {error.lineno}, column {error.colno}: {what}") from None
    except _UnplacedError as error:
        twice = isinstance(error, _TwiceError)
        at, what = (_second_name(text) if twice else _first_constant(text)) or (None, str(error))
        raise MalformedJSONError(what if at is None else f"{_place(text, at)}: {what}") from None


def _place(text: str, at: int) -> str:
    """Give line and column of a character, both from 1."""
    line = text.count("\n", 0, at) + 1
    return f"line {line}, column {at - text.rfind(chr(10), 0, at)}"


def _second_name(text: str) -> tuple[int, str] | None:
    """Find the first name of the text that its object has already, and say so."""
    objects: list[set[str]] = []
    for token in _TOKEN.finditer(text):
        if token[0] == "{":
            objects.append(set())
        elif token[0] == "}":
            objects.pop()
        elif token[2]:
            name: str = json.loads(f'"{token[1]}"') if "\\" in token[1] else token[1]
            if name in objects[-1]:
                return token.start(), f"the name {name[:200]!r} is given twice in one object"
            objects[-1].add(name)
    return None


def _first_constant(text: str) -> tuple[int, str] | None:
    """Find the first NaN or infinity of the text, and say so."""
    for token in _TOKEN.finditer(text):
        if token[0][0] not in '"{}':
            return token.start(), f"{token[0]} is not a JSON number"
    return None


def read_text(data: bytes | bytearray) -> str:
    """Decode UTF-8; `MalformedJSONError` for anything else."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        place = _place(before, len(before))
        raise MalformedJSONError(f"{place}: the document is not UTF-8") from None


def refuse_markup(text: str) -> None:
    """Refuse XML with a word on where it belongs."""
    if text[:_MARGIN].lstrip()[:1] == "<":
        raise MalformedJSONError(_MARKUP)


def parse_json(data: bytes | str) -> Any:
    """Read one JSON document; refuse NaN, duplicate names and deep nesting.

    Raises
    ------
    MalformedJSONError
        With a sentence fit for a client.
    """
    text = read_text(data) if isinstance(data, bytes) else data
    refuse_markup(text)
    with explained(text):
        return json.loads(
            text, parse_int=integer, parse_constant=constant, object_pairs_hook=unique
        )


def canonical_json(document: Any) -> str:
    """Write a document so that equal documents give equal text."""
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def content_id(prefix: str, document: Any) -> str:
    """Name a document by its content: ``plt_`` and 32 hexadecimal digits of SHA-256.

    Parameters
    ----------
    prefix
        What the id begins with, before the underscore.
    document
        JSON-ready.
    """
    digest = hashlib.sha256(canonical_json(document).encode("utf-8", "surrogatepass"))
    return f"{prefix}_{digest.hexdigest()[:32]}"
