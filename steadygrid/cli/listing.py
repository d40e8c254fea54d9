"""``steadygrid problems``: what can be asked."""

from typing import Annotated

import typer

from steadygrid.cli.catalogue import description_of, kind_document, list_of_kinds
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import Refusal, complain
from steadygrid.domain.nearest import nearest
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import printable


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
            raise Refusal("--example needs a KIND; the kinds are: " + ", ".join(PROBLEMS))
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
        meant = f"; did you mean {found!r}?" if found else ""
        raise Refusal(f"there is no kind {printable(kind)!r}; the kinds are: {known}{meant}")
    problem = PROBLEMS[kind]
    if example:
        emit_json(problem.example)
    elif as_json:
        emit_json(kind_document(problem))
    else:
        emit_lines(lambda width, glyphs: description_of(problem, width, glyphs))
