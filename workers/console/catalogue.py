"""What the problem kinds ask for, told from their JSON Schemas."""

import json
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Any

from rich.text import Text

from app.domain.job import Options
from app.domain.problem import Problem
from workers.console.documents import folded_json
from workers.console.glyphs import Glyphs

_INDENT = 2


def list_of_kinds(problems: Iterable[Problem[Any, Any]], width: int) -> list[Text]:
    """Name every kind with its title."""
    known = list(problems)
    longest = max(len(problem.kind) for problem in known)
    lines = [
        Text(f"{problem.kind:<{longest}}", style="bold").append(
            f"  {problem.title}", style="not bold"
        )
        for problem in known
    ]
    hint = "steadygrid problems KIND says what a kind asks for; --example prints a body to solve."
    return [*lines, Text(), *(Text(line, style="dim") for line in wrap(hint, width))]


def description_of(problem: Problem[Any, Any], width: int, glyphs: Glyphs) -> list[Text]:
    """Describe a kind: what it asks, its methods, its fields, its sources, an example."""
    lines = [
        Text(problem.kind, style="bold").append(f"  {problem.title}", style="not bold"),
        Text(),
        *map(Text, wrap(problem.description, width)),
    ]
    lines += [Text(), Text("Methods", style="bold")]
    lines += _definitions(problem.methods.items(), width)
    lines += [Text(), Text("Fields of the problem (* required)", style="bold")]
    lines += _definitions(fields(problem.instance.model_json_schema()), width)
    lines += [Text(), Text("Options", style="bold")]
    lines += _definitions(fields(Options.model_json_schema()), width)
    lines += [Text(), Text("Sources", style="bold")]
    for source in problem.sources:
        first, *rest = wrap(source, width - 2 * _INDENT)
        lines.append(Text(f"{' ' * _INDENT}{glyphs.idle} {first}"))
        lines += [Text(" " * (_INDENT + 2) + line) for line in rest]
    lines += [Text(), Text("Example", style="bold")]
    lines += map(Text, folded_json(problem.example, ascii_only=False, width=width).splitlines())
    return lines


def kind_document(problem: Problem[Any, Any]) -> dict[str, Any]:
    """Give the same as JSON, with the schemas themselves."""
    return {
        "kind": problem.kind,
        "title": problem.title,
        "description": problem.description,
        "methods": dict(problem.methods),
        "sources": list(problem.sources),
        "instance": problem.instance.model_json_schema(),
        "result": problem.result.model_json_schema(mode="serialization"),
        "example": problem.example,
    }


def fields(schema: Mapping[str, Any]) -> list[tuple[str, str]]:
    """List the fields of an object's JSON Schema, each with a phrase for its type."""
    definitions = schema.get("$defs", {})
    required = schema.get("required", ())
    listed = []
    for name, field in schema.get("properties", {}).items():
        phrase = _phrase(field, definitions)
        phrase += _default(field, ", default ")
        if field.get("description"):
            phrase += f": {field['description']}"
        listed.append((f"{name}*" if name in required else name, phrase))
    return listed


def _default(field: Mapping[str, Any], before: str) -> str:
    default = field.get("default")
    if default is None or default in ([], {}, False):
        return ""
    return before + (default if isinstance(default, str) else json.dumps(default))


def _phrase(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "const" in field:
        return json.dumps(field["const"])
    if "$ref" in field:
        return _phrase(definitions[field["$ref"].rsplit("/", 1)[-1]], definitions)
    if "enum" in field:
        *first, last = map(str, field["enum"])
        return f"{', '.join(first)} or {last}" if first else last
    if "anyOf" in field:
        choices = [choice for choice in field["anyOf"] if choice.get("type") != "null"]
        if any("pattern" in choice for choice in choices):
            return "number"
        return " or ".join(dict.fromkeys(_phrase(choice, definitions) for choice in choices))
    kind = field.get("type")
    if kind == "object":
        if field.get("properties"):
            required = field.get("required", ())
            return (
                "{"
                + ", ".join(
                    f"{name}*" if name in required else name + _default(part, " = ")
                    for name, part in field["properties"].items()
                )
                + "}"
            )
        values = field.get("additionalProperties")
        return "object of " + _phrase(values, definitions) if values else "object"
    if kind == "array":
        return f"list of {_phrase(field.get('items', {}), definitions)}"
    return {"boolean": "true or false", "string": "text"}.get(str(kind), str(kind or "anything"))


def _definitions(pairs: Iterable[tuple[str, str]], width: int) -> list[Text]:
    known = list(pairs)
    column = max(len(name) for name, _ in known) + 2
    lines = []
    for name, text in known:
        parts = wrap(text, max(width - column - _INDENT, 20)) or [""]
        for i, part in enumerate(parts):
            head = "" if i else name
            lines.append(Text(" " * _INDENT).append(f"{head:<{column}}", style="cyan").append(part))
    return lines
