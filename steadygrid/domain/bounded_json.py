"""Large JSON documents, read without keeping more of a list than is accepted."""

import json
import re
from collections.abc import Callable, Mapping
from json import JSONDecodeError
from json.decoder import WHITESPACE, scanstring  # type: ignore[attr-defined]
from typing import Any

from steadygrid.domain.document import constant, explained, integer, refuse_markup, unique
from steadygrid.domain.errors import Fault, LimitError, Pointer

_ENTRIES = 600_000
_MOST = {"[": 1_000_000, ",": 6_000_000, '"': 12_000_000, '\\"': 1_000_000}
_MOST_OBJECTS = 1_000_000
"""More lists, values, ends of texts, quotations and objects than so many entries have."""
_FIELDS = 100_000
"""Different names that are no entry of a list: fields, labels, and what is misspelt."""
_NAME = re.compile(r'"([^"]*+)"\s*+:')
_WINDOW = 2**16
"""Characters without a quotation mark: no number, name or label is so long."""


class LongList(list[Any]):
    """A list of which only the beginning is kept. Its length is that of the whole."""

    left_out = 0

    def __len__(self) -> int:
        """Count all entries, those left out too."""
        return super().__len__() + self.left_out


def parse_counted(text: str, most: Mapping[Pointer, int]) -> Any:
    """Read one JSON document as `steadygrid.domain.document.parse_json` does, in bounded memory.

    The lists that grow with an instance are read entry by entry, and entries beyond what
    is accepted are counted and dropped. What holds more objects, lists or strings than any
    accepted instance does, or more different names than the longest list has entries to
    be named, is refused.

    Parameters
    ----------
    most
        For each list, by the members that lead to it, how many entries are accepted; one
        more is kept.

    Raises
    ------
    MalformedJSONError
        With a sentence fit for a client.
    LimitError
        There are too many values.
    """
    refuse_markup(text)
    times = max(1.0, sum(most.values()) / _ENTRIES)
    if any(text.count(sign) > times * count for sign, count in _MOST.items()):
        raise _too_much("more values")
    if any(text.find('"', at, at + _WINDOW) < 0 for at in range(0, len(text) - _WINDOW, _WINDOW)):
        raise _too_much("a longer text")
    most_names = max(most.values(), default=0) + _FIELDS
    _refuse_many_names(text, most_names)
    reader = _Reader(text, most, int(times * _MOST_OBJECTS), most_names)
    with explained(text):
        try:
            return reader.document()
        finally:
            reader.forget()


def _refuse_many_names(text: str, most: int) -> None:
    """Refuse before reading: the scanner has an object whole before it can be looked at."""
    names: set[str] = set()
    for match in _NAME.finditer(text):
        names.add(match[1])
        if len(names) > most:
            raise _too_much("more names")


def _too_much(what: str) -> LimitError:
    detail = f"the body holds {what} than any instance that is accepted"
    return LimitError(detail, [Fault((), "limit_exceeded", detail)])


class _Reader:
    def __init__(
        self, text: str, most: Mapping[Pointer, int], most_objects: int, most_names: int
    ) -> None:
        self._text = text
        self._most = most
        self._walked = {pointer[:length] for pointer in most for length in range(len(pointer))}
        self._objects = 0
        self._most_objects = most_objects
        self._most_names = most_names
        self._names: dict[str, str] = {}
        decoder = json.JSONDecoder(
            parse_int=integer, parse_constant=constant, object_pairs_hook=self._object
        )
        self._scan: Callable[[str, int], tuple[Any, int]] = decoder.scan_once  # type: ignore[attr-defined]

    def forget(self) -> None:
        """Let go of the text: the scanner holds the reader, which holds the scanner."""
        self.__dict__.clear()

    def document(self) -> Any:
        value, end = self._value(self._space(0), ())
        if end != len(self._text):
            raise JSONDecodeError("Extra data", self._text, end)
        return value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        self._objects += 1
        if self._objects > self._most_objects:
            raise _too_much("more values")
        if len(pairs) > self._most_names:
            raise _too_much("more names")
        names = self._names
        return unique([(names.setdefault(name, name), value) for name, value in pairs])

    def _space(self, at: int) -> int:
        end: int = WHITESPACE.match(self._text, at).end()
        return end

    def _value(self, at: int, pointer: Pointer) -> tuple[Any, int]:
        """Read a value and the space behind it."""
        opening = self._text[at : at + 1]
        value: Any
        if opening == "{" and pointer in self._walked:
            value, end = self._members(at + 1, pointer)
        elif opening == "[" and pointer in self._most:
            value, end = self._entries(at + 1, self._most[pointer])
        else:
            value, end = self._scanned(at)
        return value, self._space(end)

    def _scanned(self, at: int) -> tuple[Any, int]:
        try:
            return self._scan(self._text, at)
        except StopIteration as stop:
            raise JSONDecodeError("Expecting value", self._text, stop.value) from None

    def _members(self, at: int, pointer: Pointer) -> tuple[dict[str, Any], int]:
        text, pairs = self._text, []
        at = self._space(at)
        if text[at : at + 1] == "}":
            return {}, at + 1
        while True:
            if text[at : at + 1] != '"':
                message = "Expecting property name enclosed in double quotes"
                raise JSONDecodeError(message, text, at)
            name, at = scanstring(text, at + 1, True)
            at = self._space(at)
            if text[at : at + 1] != ":":
                raise JSONDecodeError("Expecting ':' delimiter", text, at)
            value, at = self._value(self._space(at + 1), (*pointer, name))
            pairs.append((name, value))
            if text[at : at + 1] == "}":
                return self._object(pairs), at + 1
            at = self._after_comma(at)

    def _entries(self, at: int, most: int) -> tuple[list[Any], int]:
        text, entries = self._text, LongList()
        at = self._space(at)
        if text[at : at + 1] == "]":
            return [], at + 1
        kept = 0
        while True:
            objects = self._objects
            value, at = self._scanned(at)
            if kept <= most:
                entries.append(value)
                kept += 1
            else:
                entries.left_out += 1
                self._objects = objects
            at = self._space(at)
            if text[at : at + 1] == "]":
                return (entries if entries.left_out else list(entries)), at + 1
            at = self._after_comma(at)

    def _after_comma(self, at: int) -> int:
        if self._text[at : at + 1] != ",":
            raise JSONDecodeError("Expecting ',' delimiter", self._text, at)
        return self._space(at + 1)
