"""``steadygrid explain``: what the code of an error means, and what to do about it."""

import json
from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Annotated

import typer
from rich.text import Text

from steadygrid.cli.console import emit_lines
from steadygrid.cli.terminal import Refusal, emit
from steadygrid.domain.codes import CODES
from steadygrid.domain.codes.text import CodeText
from steadygrid.domain.nearest import nearest
from steadygrid.report.glyphs import printable

_INDENT = 2


def explain(
    code: Annotated[
        str | None, typer.Argument(help="The code of an error. [default: list all codes]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain the code of an error: what it means, its cause, and what to do.

    Exit code 2 means that the code is unknown. The most similar code is named then.
    """
    if code is None:
        if as_json:
            emit(json.dumps([document_of(known, CODES[known]) for known in CODES], indent=2) + "\n")
        else:
            emit_lines(lambda width, _: list_of_codes(CODES.items(), width))
        return
    text = CODES.get(code) or _text_of_others(code)
    if as_json:
        emit(json.dumps(document_of(code, text), indent=2) + "\n")
    else:
        emit_lines(lambda width, _: explanation_of(code, text, width))


def _text_of_others(code: str) -> CodeText:
    """Find a code among the kinds of other distributions, or refuse it."""
    from steadygrid.kinds import BUILT_IN, PROBLEMS  # loads pydantic

    others = {kind: PROBLEMS[kind] for kind in PROBLEMS if kind not in BUILT_IN}
    for problem in others.values():
        if code in problem.codes:
            return problem.codes[code]
    found = nearest(code, [*CODES, *(own for problem in others.values() for own in problem.codes)])
    meant = f" Did you mean {found!r}?" if found else " `steadygrid explain` lists all codes."
    if not others:
        raise Refusal(f"No error has the code {printable(code)!r}.{meant}")
    raise Refusal(
        f"No built-in error has the code {printable(code)!r}. It may belong to an external kind:"
        f" {', '.join(others)}.{meant}"
    )


def document_of(code: str, text: CodeText) -> Mapping[str, str]:
    """Give a code with its texts as a JSON document.

    Parameters
    ----------
    code
        Of an error.
    text
        Of the code.
    """
    return {"code": code, **text._asdict()}


def list_of_codes(texts: Iterable[tuple[str, CodeText]], width: int) -> list[Text]:
    """List codes with their titles, one on a line.

    Parameters
    ----------
    texts
        Each code with its text.
    width
        Cells per line, for the last sentence. Lines of codes are not cut.
    """
    known = list(texts)
    column = max(len(code) for code, _ in known) + _INDENT
    hint = "steadygrid explain CODE states the cause of an error and what to do."
    return [
        *(
            Text().append(f"{code:<{column}}", style="bold").append(text.title)
            for code, text in known
        ),
        Text(),
        *(Text(line, style="dim") for line in wrap(hint, width)),
    ]


def explanation_of(code: str, text: CodeText, width: int) -> list[Text]:
    """Explain a code.

    Parameters
    ----------
    code
        Of an error.
    text
        Of the code.
    width
        Cells per line.
    """
    lines = [Text().append(code, style="bold").append(f"  {text.title}")]
    for label, said in (("Cause", text.cause), ("What to do", text.remedy)):
        lines += [Text(), Text(label, style="cyan")]
        lines += [Text(" " * _INDENT + line) for line in wrap(said, width - _INDENT)]
    return [*lines, Text(), Text(f"Since version {text.since}.", style="dim")]
