"""YAML from strangers: text, lists and mappings alone, bounded, without anchors and tags."""

from typing import Any

import yaml

from steadygrid.domain.limits import Limits
from steadygrid.formats.fault_list import limit_error, refused

MAX_DEPTH = 64
"""Deepest nesting."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOTHING = ("", "~", "null", "Null", "NULL")


def read_yaml(data: bytes, limits: Limits) -> Any:
    """Read one document. Scalars stay text, so that numbers are exact; null is None.

    Parameters
    ----------
    data
        UTF-8.
    limits
        `max_body_bytes`.

    Raises
    ------
    InstanceError
        ``malformed_yaml``, with the line.
    """
    if len(data) > limits.max_body_bytes:
        raise limit_error(len(data), "bytes", limits.max_body_bytes)
    try:
        return _built(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        detail = "this is no text in UTF-8: save it as that"
        raise refused(line, "malformed_yaml", detail) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "this is no YAML"
        place = "" if mark is None else f"line {mark.line + 1}"
        raise refused(place, "malformed_yaml", str(problem)[:200]) from None


def _built(text: str) -> Any:
    """Build the document out of events, which never expand anything."""
    stack: list[tuple[Any, str | None]] = []
    result: Any = None
    documents = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise refused(line, "malformed_yaml", "anchors and aliases are not read: write it out")
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise refused(
                    line, "malformed_yaml", "one document is read, and here begins another"
                )
        elif isinstance(event, yaml.ScalarEvent):
            empty = event.style is None and event.value in _NOTHING
            result = _placed(stack, None if empty else event.value, line, result)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(stack) >= MAX_DEPTH:
                raise refused(line, "nested_too_deeply", f"at most {MAX_DEPTH} levels are read")
            part: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            result = _placed(stack, part, line, result)
            stack.append((part, None))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            stack.pop()
    return result


def _placed(stack: list[tuple[Any, str | None]], value: Any, line: int, result: Any) -> Any:
    """Put a value where it belongs; give the whole document."""
    if not stack:
        return value
    part, key = stack[-1]
    if isinstance(part, list):
        part.append(value)
    elif key is None:
        if not isinstance(value, str):
            raise refused(line, "malformed_yaml", "a name is text")
        if value in part:
            raise refused(line, "malformed_yaml", f"the name {value[:80]!r} is given twice")
        stack[-1] = part, value
    else:
        part[key] = value
        stack[-1] = part, None
    return result
