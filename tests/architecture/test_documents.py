"""What the documents tell people to type exists."""

import re
import shlex
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from app.main import create_app
from steadygrid.cli.command import app as command_line
from tests.tree import ROOT

DOCUMENTS = (
    *("README.md", "CONTRIBUTING.md"),
    *("docs/http.md", "docs/limits.md", "docs/operations.md", "docs/settings.md"),
)
REQUEST_PATH = re.compile(
    r"(?<=[\s`'/0e\"])(/(?:v1/[a-z/{}_.-]+|livez|readyz|metrics|docs|openapi\.json))"
)


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def served_paths() -> set[str]:
    app = create_app()
    templates = {*app.openapi()["paths"], "/docs", "/openapi.json"}
    return {re.sub(r"\{[a-z_]+\}", "ID", template) for template in templates}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_request_in_a_document_is_served(name: str) -> None:
    named = {
        re.sub(
            r"(job|sch|plt)_\.\.\.|\{[a-z_]+\}|(?<=/pictures/)gantt|(?<=[a-z]\.)svg", "ID", path
        ).rstrip("/.")
        for path in REQUEST_PATH.findall(text_of(name).replace("$base", "e"))
    }
    assert named <= served_paths()


def test_the_documents_name_requests_at_all() -> None:
    assert len(REQUEST_PATH.findall(text_of("docs/http.md"))) > 10


@pytest.mark.parametrize(
    ("name", "least"), [("README.md", 5), ("docs/own-files.md", 2), ("docs/pictures.md", 5)]
)
def test_every_command_in_a_document_exists_with_its_options(name: str, least: int) -> None:
    commands: Any = get_command(command_line)
    lines = re.findall(r"^ +(?:\.venv/bin/)?steadygrid (.+)$", text_of(name), re.MULTILINE)
    assert len(lines) >= least
    for line in lines:
        command, *words = shlex.split(line, comments=True)
        found: Any = commands.get_command(Context(commands), command)
        if hasattr(found, "commands"):
            found = found.commands[words[0]]
        options = {option for parameter in found.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options, line


def test_every_file_that_the_readme_solves_exists() -> None:
    for example in set(re.findall(r"examples/[a-z0-9_.-]+\.(?:json|xml)", text_of("README.md"))):
        assert (ROOT / example).is_file(), example
