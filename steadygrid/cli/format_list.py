"""``steadygrid formats``: which foreign formats there are, and what each has to be told."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.text import Text

from steadygrid.cli.catalogue import definitions
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.formats import IMPORTERS
from steadygrid.submissions.exports import EXPORTERS, PLATFORM_FORMATS
from steadygrid.submissions.imports import INSTANCE_IMPORTERS

_SCHEDULES = "every kind with a schedule that repeats slot by slot"
_PROGRAMS = "master_worker, task_graph and collective, where one program is solved"


def formats(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the foreign formats that are read and written, with their parameters."""
    documents = format_documents()
    if as_json:
        emit_json(documents)
    else:
        emit_lines(lambda width, _: _lines(documents, width))


def format_documents() -> list[dict[str, Any]]:
    """Describe each format: what it is read as or written from, and its parameters."""
    read: list[tuple[str, str, str, str, Mapping[str, str]]] = [
        (importer.noun, importer.name, importer.content_type, importer.title, importer.parameters)
        for importer in IMPORTERS.values()
    ]
    read += [
        (importer.kind, importer.name, importer.content_type, importer.title, importer.parameters)
        for importer in INSTANCE_IMPORTERS.values()
    ]
    documents: list[dict[str, Any]] = [
        {
            "format": name,
            "reads": noun,
            "content_type": content_type,
            "title": title,
            "parameters": dict(parameters),
        }
        for noun, name, content_type, title, parameters in read
    ]
    documents += [
        {
            "format": exporter.name,
            "writes": exporter.kind or (_PROGRAMS if exporter.of_program else _SCHEDULES),
            "content_type": exporter.content_type,
            "title": exporter.title,
            "parameters": {name: each.says for name, each in exporter.parameters.items()},
        }
        for exporter in EXPORTERS.values()
    ]
    documents += [
        {
            "format": name,
            "writes": "platform",
            "content_type": one.content_type,
            "title": one.title,
            "parameters": {},
        }
        for name, one in PLATFORM_FORMATS.items()
    ]
    return documents


def _lines(documents: list[dict[str, Any]], width: int) -> list[Text]:
    lines: list[Text] = []
    for document in documents:
        does = f"reads {document['reads']}" if "reads" in document else "writes"
        noun = document.get("writes", "")
        about = f"{document['title']}: {f'{does} {noun}'.strip()}, {document['content_type']}"
        lines += definitions([(document["format"], about)], width, 0, "bold")
        if document["parameters"]:
            lines += definitions(document["parameters"].items(), width)
        lines.append(Text())
    lines.append(Text("steadygrid convert FILE --to platform --set NAME=VALUE", style="dim"))
    lines.append(Text("steadygrid export FILE --format simgrid", style="dim"))
    return lines
