"""In what two bodies differ: where, in words, and what stands there, with its unit."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, Self

from steadygrid.domain.errors import format_pointer
from steadygrid.domain.quantity import unit_at
from steadygrid.domain.rational import parse_exact
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.quantities import decimal_text, exact_text

MOST_DIFFERENCES = 50
"""Rows of a table of them."""
_LONGEST = 80
_NOUNS = {"processors": "host", "media": "medium"}
_AMOUNTS = {
    "work": "work",
    **dict.fromkeys(("size", "input_size", "output_size", "memory"), "data"),
}
"""Members besides those of platforms that count a unit of the platform."""


class Difference(NamedTuple):
    """A place at which two bodies differ, and what stands there."""

    where: str
    pointer: str
    first: str
    second: str


class _Entry(str):
    """A step to the entry of a list that is known by its id, or by the ends of a link."""

    label: str
    __slots__ = ("label",)

    def __new__(cls, entry: Mapping[str, Any]) -> Self:
        if "id" in entry:
            made = super().__new__(cls, f"[id={entry['id']}]")
            made.label = printable(entry["id"])
        else:
            ends = entry["source"], entry["target"]
            made = super().__new__(cls, f"[source={ends[0]},target={ends[1]}]")
            made.label = f" {UNICODE.to} ".join(map(printable, ends))
        return made


_Place = tuple[str | int, ...]


def differences(first: Any, second: Any) -> Iterator[Difference]:
    """List the places where two bodies differ, entries with names by these.

    Parameters
    ----------
    first, second
        Bodies of jobs: both canonical, or both as they were sent.
    """
    units = [_units_of(body) for body in (first, second)]
    for at, *pair in _differing(first, second, ()):
        values = [_number(at, value) for value in pair]
        texts = [
            _value_text(at, value, labels, "" if number is None else _number_text(number))
            for value, number, labels in zip(pair, values, units, strict=True)
        ]
        if texts[0] == texts[1]:
            texts = [
                _value_text(at, value, labels, str(value))
                for value, labels in zip(pair, units, strict=True)
            ]
        yield Difference(_place_text(at), printable(format_pointer(at)), *map(_cut, texts))


def _differing(first: Any, second: Any, at: _Place) -> Iterator[tuple[_Place, Any, Any]]:
    if isinstance(first, dict) and isinstance(second, dict):
        for key in dict.fromkeys((*first, *second)):
            yield from _differing(first.get(key), second.get(key), (*at, key))
    elif names := _names(first, second):
        old, new = ({_name(entry): entry for entry in listed} for listed in (first, second))
        for name in names:
            yield from _differing(old.get(name), new.get(name), (*at, name))
    elif isinstance(first, list) and isinstance(second, list):
        for i in range(max(len(first), len(second))):
            one, other = (listed[i] if i < len(listed) else None for listed in (first, second))
            yield from _differing(one, other, (*at, i))
    elif first != second:
        yield at, first, second


def _names(first: Any, second: Any) -> list[_Entry]:
    """List the names in two lists whose entries all have one; empty where some have none, or two one."""
    if not (isinstance(first, list) and isinstance(second, list)):
        return []
    pair = [[_name(entry) for entry in listed] for listed in (first, second)]
    if any(None in names or len(set(names)) < len(names) for names in pair):
        return []
    return [name for name in dict.fromkeys((*pair[0], *pair[1])) if name is not None]


def _name(entry: Any) -> _Entry | None:
    """Say by what an entry of a list is known."""
    if not isinstance(entry, dict):
        return None
    ends = [entry.get("id")] if "id" in entry else [entry.get("source"), entry.get("target")]
    return _Entry(entry) if all(isinstance(end, str) for end in ends) else None


def _place_text(at: _Place) -> str:
    """Say a place in words: ``host P2, speed``."""
    said, left = [], list(at)
    if left[0] in ("problem", "options") and left[1:]:
        del left[0]
    while left:
        step, *after = left
        left = after
        if isinstance(step, int):
            said.append(f"entry {step + 1}")
        elif step in ("platform", "application") and isinstance((*after, "", "")[1], _Entry):
            continue
        elif after and isinstance(after[0], _Entry):
            said.append(f"{_noun(step)} {after[0].label}")
            del left[0]
        elif after and isinstance(after[0], int):
            said.append(f"{_noun(step)} {after[0] + 1}")
            del left[0]
        elif step == "labels" and after:
            said.append(f"label {after[0]}")
            del left[0]
        else:
            said.append(_word(step))
    return printable(", ".join(said))


def _noun(listed: str) -> str:
    return _NOUNS.get(listed) or _word(listed).removesuffix("s")


def _word(member: str) -> str:
    return member.replace("_", " ")


def _units_of(body: Any) -> Mapping[str, Any]:
    problem = body.get("problem") if isinstance(body, dict) else None
    platform = problem.get("platform") if isinstance(problem, dict) else None
    units = platform.get("units") if isinstance(platform, dict) else None
    return units if isinstance(units, dict) else {}


def _unit(at: _Place, units: Mapping[str, Any]) -> str:
    if at == ("options", "time_limit"):
        return "s"
    amount = _AMOUNTS.get(str(at[-1]))
    return unit_at(at, units) if amount is None else units.get(amount) or ""


def _number(at: _Place, value: Any) -> Fraction | None:
    """Read what is counted in a unit; ids may look like numbers, too."""
    known = {"time": "s", "data": "B", "work": "flop"}
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not _unit(at, known):
        return None
    try:
        return parse_exact(str(value))
    except ValueError:
        return None


def _number_text(number: Fraction) -> str:
    """Write a decimal that is exact, else a fraction, or what it is about."""
    text = decimal_text(number)
    return text if Fraction(text.replace(",", "")) == number else exact_text(number, UNICODE)


def _value_text(at: _Place, value: Any, units: Mapping[str, Any], number: str) -> str:
    if value is None:
        return "not there"
    if number and _number(at, value) is not None:
        return printable(f"{number} {_unit(at, units)}".rstrip())
    if isinstance(value, dict) and isinstance(at[-1], _Entry):
        members = [
            f"{_word(name)} {_value_text((*at, name), member, units, str(member))}"
            for name, member in value.items()
            if name not in ("id", "source", "target") and member not in (None, False, "0", [], {})
        ]
        return ", ".join(members) or "there"
    return printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}{UNICODE.ellipsis}"
