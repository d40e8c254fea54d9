"""What the faults of a document's form are called, in steadygrid's words.

The validation library says "Input should be a valid dictionary or instance of Task". A person
who wrote JSON wants to hear "expected a JSON object, not a text".
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from steadygrid.domain.nearest import nearest
from steadygrid.domain.quantity import may_have_unit
from steadygrid.domain.units import without_unit

_ADD_UNITS = '. Or add units to the platform: "units": {"time": "s", "data": "B", "work": "flop"}'
_LONGEST_SHOWN = 60
_MOST_NAMES = 24
_KNOWN_TYPES = frozenset(get_args(ErrorType))
_PATTERNS = {r"^[A-Za-z0-9_.-]+$": 'only letters, digits, "_", "." and "-" are accepted here'}


def sentence_for(found: ErrorDetails) -> str:
    """Say in a sentence what the validation library found.

    Parameters
    ----------
    found
        With its input and its context. What a type of steadygrid raised keeps its own sentence.
    """
    code = found["type"]
    if code not in _KNOWN_TYPES:
        unitless = "unit" in found.get("ctx", {}) and may_have_unit(found["loc"])
        return f"{found['msg']}{_ADD_UNITS if unitless else ''}"
    say = _SENTENCES.get(code)
    if say is None:
        return "this value is not accepted here"
    return say(found.get("input"), found.get("ctx", {}), found["loc"])


def unknown_field(name: str, known: Iterable[str]) -> str:
    """Refuse a field that an object does not have, and name those that it may have been.

    Parameters
    ----------
    name
        As it was written.
    known
        Fields that the object has.
    """
    names = sorted(known)
    sentence = f"there is no field {shown(name)} here"
    if found := nearest(name, names):
        return f"{sentence}. Did you mean {found!r}?"
    if not names:
        return sentence
    rest = len(names) - _MOST_NAMES
    listed = ", ".join(names[:_MOST_NAMES])
    return f"{sentence}. There are: {listed}" + (f" and {rest} more" if rest > 0 else "")


def shown(text: str) -> str:
    """Quote a name that a user gave, cut where it is long."""
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "...")


def described(value: Any) -> str:
    """Say what a JSON value is, ``a text`` or ``null``; of others, which type they have."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    for types, noun in (
        ((int, float), "a number"),
        (str, "a text"),
        (Mapping, "an object"),
        ((list, tuple), "a list"),
    ):
        if isinstance(value, types):
            return noun
    return f"something of type {type(value).__name__}"


def expected(what: str) -> Callable[[Any, Mapping[str, Any], tuple[Any, ...]], str]:
    """Make the sentence that says what stands where something else is expected."""
    return lambda value, _context, _at: f"expected {what}, not {described(value)}"


def _missing(_value: Any, _context: Mapping[str, Any], at: tuple[Any, ...]) -> str:
    return f"{'the field' if isinstance(at[-1], str) else 'entry'} {at[-1]!r} is missing"


def _choice(value: Any, context: Mapping[str, Any], _at: tuple[Any, ...]) -> str:
    expected = str(context.get("expected", ""))
    if expected in ("True", "False"):
        return f"expected {expected.lower()}, or leave it out"
    choices = re.findall(r"'([^']*)'", expected)
    listed = " or ".join(filter(None, (", ".join(map(repr, choices[:-1])), repr(choices[-1]))))
    if not isinstance(value, str):
        return f"expected {listed}, not {described(value)}"
    found = nearest(value, choices) if len(choices) > 1 else None
    return f"expected {listed}" + (f". Did you mean {found!r}?" if found else "")


def _tag(value: Any, context: Mapping[str, Any], at: tuple[Any, ...]) -> str:
    member = str(context["discriminator"]).strip("'")
    if member not in value:
        return _missing(value, {}, (*at, member))
    return f"its {member!r}: {_choice(value[member], {'expected': context['expected_tags']}, at)}"


def _pattern(_value: Any, context: Mapping[str, Any], _at: tuple[Any, ...]) -> str:
    pattern = str(context.get("pattern"))
    return _PATTERNS.get(pattern, f"the text must match {pattern}")


def _limit(words: str, name: str) -> Callable[[Any, Mapping[str, Any], tuple[Any, ...]], str]:
    return lambda _value, context, _at: words.format(_number(context[name]))


def _number(value: Any) -> str:
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _entries(_value: Any, context: Mapping[str, Any], _at: tuple[Any, ...]) -> str:
    least, given = context["min_length"], context["actual_length"]
    return f"at least {_counted(least, 'entry', 'entries')} must be given, and there are {given}"


def _few_entries(value: Any, context: Mapping[str, Any], _at: tuple[Any, ...]) -> str:
    most = _counted(context["max_length"], "entry", "entries")
    return f"at most {most} are accepted, and there are {len(value):,}"


def _counted(number: int, noun: str, nouns: str) -> str:
    return f"{number:,} {noun if number == 1 else nouns}"


def _short(_value: Any, context: Mapping[str, Any], at: tuple[Any, ...]) -> str:
    if at[-1:] in (("master",), ("source",)):
        return f"choose the {at[-1]}: give the id of a processor"
    return f"at least {_counted(context['min_length'], 'character', 'characters')} must be given"


def _long(_value: Any, context: Mapping[str, Any], _at: tuple[Any, ...]) -> str:
    return f"at most {_counted(context['max_length'], 'character', 'characters')} are accepted"


def _unknown(_value: Any, _context: Mapping[str, Any], at: tuple[Any, ...]) -> str:
    return unknown_field(str(at[-1]), ())


_OBJECT, _LIST, _TEXT = expected("a JSON object"), expected("a JSON list"), expected("a text")


def _whole(value: Any, _context: Mapping[str, Any], _at: tuple[Any, ...]) -> str:
    given = repr(value) if isinstance(value, float) else described(value)
    return f"expected a whole number, not {given}"


def _float(value: Any, _context: Mapping[str, Any], _at: tuple[Any, ...]) -> str:
    without = without_unit(value) if isinstance(value, str) else None
    if without is None:
        return f"expected a number, not {described(value)}"
    return f"numbers are written without units: {value.strip()} is {without[0]}"


_SENTENCES: Mapping[str, Callable[[Any, Mapping[str, Any], tuple[Any, ...]], str]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "string_type": _TEXT,
    "string_sub_type": _TEXT,
    "string_too_short": _short,
    "string_too_long": _long,
    "string_pattern_mismatch": _pattern,
    "string_unicode": lambda *_: "control characters and lone surrogates are not allowed",
    "too_short": _entries,
    "too_long": _few_entries,
    "literal_error": _choice,
    "enum": _choice,
    "union_tag_invalid": _tag,
    "union_tag_not_found": _tag,
    "bool_type": expected("true or false"),
    "bool_parsing": lambda *_: "expected true or false",
    "int_type": _whole,
    "int_from_float": _whole,
    "int_parsing": lambda *_: "expected a whole number",
    "int_parsing_size": lambda *_: "the number has too many digits",
    "float_type": _float,
    "float_parsing": lambda *_: "expected a number",
    "finite_number": lambda *_: "expected a finite number",
    "greater_than": _limit("must be greater than {}", "gt"),
    "greater_than_equal": _limit("must be at least {}", "ge"),
    "less_than": _limit("must be less than {}", "lt"),
    "less_than_equal": _limit("must be at most {}", "le"),
}
