"""One page for each kind: its question, methods, fields, options, sources and example."""

from collections.abc import Iterator, Mapping
from typing import Any

from steadygrid.cli.catalogue import fields, parts
from steadygrid.documents import folded_json
from steadygrid.domain.job import Options
from steadygrid.domain.problem import Problem
from steadygrid.kinds import PROBLEMS


def pages() -> Mapping[str, str]:
    """Give the page of each kind by the name of its file."""
    return {f"{kind}.md": "\n".join(_lines(problem)) for kind, problem in PROBLEMS.items()}


def _lines(problem: Problem[Any, Any]) -> Iterator[str]:
    yield from (f"# `{problem.kind}`: {problem.title}", "", problem.description, "")
    yield from ("## Methods", "")
    yield from _table(("method", "meaning"), problem.methods.items())
    yield from ("## Fields of the problem", "", "A star marks a required field.", "")
    yield from _objects(problem.instance.model_json_schema())
    yield from ("## Options", "", "They stand in `options`, next to `problem`.", "")
    yield from _table(("field", "value"), fields(Options.model_json_schema()))
    yield from ("## Fields of the result", "")
    yield from _objects(problem.result.model_json_schema(mode="serialization"))
    yield from ("## Sources", "")
    yield from (f"* {source}" for source in problem.sources)
    yield from ("", "## Example", "", "```json")
    yield from folded_json(problem.example, ascii_only=False, width=80).splitlines()
    yield from ("```", "")


def _objects(schema: Mapping[str, Any]) -> Iterator[str]:
    for path, meaning, listed in parts(schema):
        if path:
            yield from (f"### `{path}`", "", meaning, "")
        yield from _table(("field", "value"), listed)


def _table(head: tuple[str, str], rows: Any) -> Iterator[str]:
    yield from (f"| {head[0]} | {head[1]} |", "|---|---|")
    yield from (f"| `{name}` | {_cell(text)} |" for name, text in rows)
    yield ""


def _cell(text: str) -> str:
    plain = " ".join(text.replace("``", "`").split())
    return plain.replace("|", "\\|").replace("<", "\\<").replace("*", "\\*")
