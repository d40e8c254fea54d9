"""``steadygrid problems``: what the kinds ask for, told from their JSON Schemas."""

import json
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Annotated, Any

import typer
from rich.text import Text

from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import Refusal, complain
from steadygrid.documents import folded_json
from steadygrid.domain.job import Options
from steadygrid.domain.judging import not_judged_members
from steadygrid.domain.nearest import nearest
from steadygrid.domain.problem import Problem
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import Glyphs, printable

_INDENT = 2
_SHORTEST_TEXT = 24
"""Cells of a line next to a name. Where there are fewer, the text goes below it."""


def problems(
    kind: Annotated[str | None, typer.Argument(help="A kind, to be told all about it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with the schemas.")] = False,
    example: Annotated[
        bool, typer.Option("--example", help="Print only the kind's example, ready to solve.")
    ] = False,
) -> None:
    """List the kinds of problem, or say what one of them asks for."""
    if kind is None:
        if example:
            raise Refusal("--example needs a KIND. The kinds are: " + ", ".join(PROBLEMS))
        if as_json:
            emit_json([{"kind": p.kind, "title": p.title} for p in PROBLEMS.values()])
        else:
            emit_lines(lambda width, _: list_of_kinds(PROBLEMS.values(), width))
        complain([f"note: {printable(kind.detail)}" for kind in PROBLEMS.unusable().values()])
        return
    if kind not in PROBLEMS:
        trouble = PROBLEMS.trouble(kind)
        if trouble is not None:
            raise Refusal(printable(trouble.detail))
        known = ", ".join(PROBLEMS)
        found = nearest(kind, PROBLEMS)
        meant = f". Did you mean {found!r}?" if found else ""
        raise Refusal(f"there is no kind {printable(kind)!r}. The kinds are: {known}{meant}")
    problem = PROBLEMS[kind]
    if example:
        emit_json(problem.example)
    elif as_json:
        emit_json(kind_document(problem))
    else:
        emit_lines(lambda width, glyphs: description_of(problem, width, glyphs))


def list_of_kinds(problems: Iterable[Problem[Any, Any]], width: int) -> list[Text]:
    """Name every kind with its title.

    Parameters
    ----------
    problems
        In the order of the list.
    width
        Cells per line.
    """
    known = list(problems)
    lines = definitions(((problem.kind, problem.title) for problem in known), width, 0, "bold")
    hint = "steadygrid problems KIND says what a kind asks for. --example prints a body to solve."
    return [*lines, Text(), *(Text(line, style="dim") for line in wrap(hint, width))]


def description_of(problem: Problem[Any, Any], width: int, glyphs: Glyphs) -> list[Text]:
    """Describe a kind: what it asks, its methods, its fields, its sources, an example.

    Parameters
    ----------
    problem
        The kind.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    lines = [
        *definitions([(problem.kind, problem.title)], width, 0, "bold"),
        Text(),
        *map(Text, wrap(problem.description, width)),
    ]
    lines += [Text(), Text("Methods", style="bold")]
    lines += definitions(problem.methods.items(), width)
    for path, meaning, listed in parts(problem.instance.model_json_schema()):
        title = f"Fields of {path}" if path else "Fields of the problem (* required)"
        lines += [Text(), Text(title, style="bold")]
        lines += [
            Text(" " * _INDENT + line, style="dim") for line in wrap(meaning, width - _INDENT)
        ]
        lines += definitions(listed, width)
    lines += [Text(), Text('Options: in "options", beside "problem"', style="bold")]
    lines += definitions(fields(Options.model_json_schema()), width)
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
        "not_judged": list(not_judged_members(problem.result)),
        "example": problem.example,
    }


def parts(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Give the fields of an object and of all objects in it, each sort of object once.

    Yields
    ------
    tuple
        The route to it (``application.tasks[]``; empty for the object itself), what it is, and its
        fields.
    """
    definitions = schema.get("$defs", {})
    seen: set[str] = set()
    places: list[tuple[str, Mapping[str, Any]]] = [("", schema)]
    for path, part in places:
        meaning = part.get("description", "") if path else ""
        yield path, " ".join(meaning.replace("``", "`").split()), fields(part, definitions)
        for name, field in part.get("properties", {}).items():
            for suffix, reference in _references(field):
                if reference not in seen and definitions[reference].get("properties"):
                    seen.add(reference)
                    place = f"{path}.{name}{suffix}" if path else f"{name}{suffix}"
                    places.append((place, definitions[reference]))


def _references(field: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name the definitions that a field's values have, with ``[]`` for each list around them."""
    if "$ref" in field:
        yield "", field["$ref"].rsplit("/", 1)[-1]
    for choice in (*field.get("anyOf", ()), *field.get("oneOf", ())):
        yield from _references(choice)
    for suffix, reference in _references(field.get("items", {})) if "items" in field else ():
        yield f"[]{suffix}", reference


def fields(
    schema: Mapping[str, Any], definitions: Mapping[str, Any] | None = None
) -> list[tuple[str, str]]:
    """List the fields of an object's JSON Schema, each with a phrase for its type.

    Parameters
    ----------
    schema
        Of an object.
    definitions
        To which it refers. None: they are its own.
    """
    definitions = schema.get("$defs", {}) if definitions is None else definitions
    required = schema.get("required", ())
    listed = []
    for name, field in schema.get("properties", {}).items():
        phrase = _phrase(field, definitions)
        default = _default(field, ", default ")
        phrase += default
        if field.get("description"):
            phrase += f"{';' if default else ':'} {field['description']}"
        listed.append((f"{name}*" if name in required else name, phrase))
    return listed


def _default(field: Mapping[str, Any], before: str) -> str:
    default = field.get("default")
    if default is None or default is False or isinstance(default, list | dict):
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
    if "anyOf" in field or "oneOf" in field:
        given = field.get("anyOf") or field["oneOf"]
        choices = [choice for choice in given if choice.get("type") != "null"]
        if any("pattern" in choice for choice in choices):
            return "number"
        return " or ".join(dict.fromkeys(_phrase(choice, definitions) for choice in choices))
    kind = field.get("type")
    if kind == "object":
        if field.get("properties"):
            required = field.get("required", ())
            names = (f"{name}*" if name in required else name for name in field["properties"])
            return "{" + ", ".join(names) + "}"
        values = field.get("additionalProperties")
        return "object of " + _phrase(values, definitions) if isinstance(values, dict) else "object"
    if kind == "array":
        listed = field.get("prefixItems") or [field.get("items", {})]
        told = dict.fromkeys(_phrase(item, definitions) for item in listed)
        return f"list of {' and '.join(told)}"
    return {"boolean": "true or false", "string": "text"}.get(str(kind), str(kind or "anything"))


def definitions(
    pairs: Iterable[tuple[str, str]], width: int, margin: int = _INDENT, style: str = "cyan"
) -> list[Text]:
    """Write names with their meanings next to them, or below where there is no room.

    Parameters
    ----------
    pairs
        Each a name and its meaning.
    width
        Cells per line.
    margin
        Cells before a name.
    style
        Of a name.
    """
    known = list(pairs)
    column = max(len(name) for name, _ in known) + 2
    beside = width - column - margin >= _SHORTEST_TEXT
    lines = []
    for name, text in known:
        indent = margin + column if beside else margin + _INDENT
        told = wrap(text, width - indent) or [""]
        if beside:
            head = Text(" " * margin).append(f"{name:<{column}}", style=style)
            lines.append(head.append(told.pop(0)))
        else:
            lines.append(Text(" " * margin).append(name, style=style))
        lines += [Text(" " * indent + line) for line in told]
    return lines
