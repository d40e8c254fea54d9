"""How hard the words are: ``python -m tests.wording`` prints it by group of texts.

Markdown (prose and table cells apart), help of the command, sentences of errors, descriptions of
fields, pages, reports and docstrings: lengths of sentences, semicolons, and words that the project
does not use. ``tests/wording.json`` holds the figures that no change may exceed; ``--lower`` writes
lower ones there. ``--worst N`` shows the N longest sentences and refused words of each group.
"""

import argparse
import ast
import json
import re
import tokenize
from collections.abc import Iterator
from io import StringIO
from itertools import pairwise
from typing import Any, NamedTuple

from typer.main import get_command

from steadygrid.cli.command import app
from tests.tree import ROOT, modules, name_of, syntax_of, tracked_files

FIGURES = ROOT / "tests" / "wording.json"
REFUSED = {
    r"\b(no|some|every|any)bod(y|y's|ies)\b": "processor, user, client, administrator",
    r"\b(who|what)ever\b": "each, any, all",
    r"(?<!one-)(?<!two-)\b(ways?|whichever way)\b": "route, path, direction, method, form",
    r"\b(is|are|was) told\b|\btells? of\b|\bsays? nothing of\b": "reports, states, lists",
    r"\bof ours\b|\bour own\b|\bours\b": "steadygrid's, built-in",
    r"\bof now\b": "current",
    r"\bin vain\b|\bputs? up with\b|\bmended\b|\bwhereof\b": "plain words",
    r"\bis the (key|search)'s\b": "plain words",
    r"\bwhere (there (is|are) (none|any)|nothing is said|nothing else is said)\b": "Default: ...",
    r"\b(so|as) many (take|may|can|as are)\b": "the number",
    r"\bbeside\b": "next to, together with, at the same time as",
    r"\bsorts? of (hosts?|processors?|devices?)\b|\bcosts? what\b": "host type; takes as long as",
    r"\b(utili[sz]e|simply|obviously|just|easily|of course)\b": "(drop the word)",
}
"""What is refused, in any case of letters, and what to write instead."""

ANY_REFUSED = re.compile("|".join(REFUSED))

UNNAMED = re.compile(r"\b(nobody|somebody|anybody|everybody|whoever)\b", re.IGNORECASE)
"""What is refused in tests: they name the worker, client, tenant or processor that they mean."""

TARGETS = {
    "readme": (16, 28, 36, 2, 0),
    "docs": (17, 30, 40, 4, 0.5),
    "cells": (13, 26, 36, 8, 0.5),
    "decisions": (18, 32, 45, 8, 1),
    "changelog": (14, 26, 36, 4, 0.5),
    "help": (11, 20, 26, 0, 0),
    "errors": (12, 22, 28, 2, 0),
    "codes": (12, 22, 28, 0, 0),
    "fields": (13, 26, 36, 8, 0.5),
    "pages": (9, 18, 24, 2, 0),
    "reports": (10, 20, 28, 4, 0),
    "docstrings": (13, 26, 36, 8, 0.5),
}
"""By group: words in a sentence on average, in the longest but 5 %, in the longest; semicolons in
100 sentences; refused words in 1,000 words."""

CODE = re.compile(r"`+[^`]*`+")
MEASURES = ("mean", "p95", "longest", "semicolons", "refused")
ABBREVIATED = re.compile(r"\b(e\.g|i\.e|cf|vs|[Ff]ig|[Nn]o|al|resp|approx)\.$")
ERRORS = re.compile(
    r"fault|refus|misread|malformed|unreadable|failure|^add$|^NoMapping", re.IGNORECASE
)
FORMULA = r"^( *)\.\. math::.*\n(?:(?:\1 +\S.*| *)\n)*"
LISTING = r"^( *)(\S.*)?::\n\n(?:(?:\1 +\S.*| *)\n)+"
"""Parts of docstrings that are no prose: formulas, and code after a double colon."""
CODE_TEXTS = ("CodeText", "of_referee")
"""What makes the texts of codes in `steadygrid.domain.codes`."""
DESCRIBED = ("Field", "Query", "Parameter", "Header", "Path")
POLICY = "default-src "
"""Part of a content security policy, which is no sentence."""
LEAST = 4
"""A shorter literal is a name or a heading, and no sentence."""

Texts = dict[str, list[tuple[str, str]]]
"""By group: where a text is, and the text."""


class Found(NamedTuple):
    """The figures of a group, in the order of `MEASURES`, and what they come from."""

    figures: tuple[float, ...]
    """As in `TARGETS`: words; semicolons in 100 sentences; refused words in 1,000."""
    sentences: list[tuple[int, str, str]]
    """Words, place and sentence, the longest first."""
    refused: list[tuple[str, str, str]]
    """Place, word, and what to write instead."""


def words(sentence: str) -> int:
    """Count the words; a span of code is one."""
    return len(re.findall(r"[A-Za-z0-9À-ž][\w'’/.×-]*", sentence))


def sentences(text: str) -> list[str]:
    """Cut prose into sentences; a span of code is one word, a link its text."""
    text = CODE.sub("CODE", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|<[^>]+>|https?://\S+", " ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?<!\w)[*_]{1,2}(\S[^*]*?)[*_]{1,2}(?!\w)", r"\1", text)
    ends = r"(?<=[.!?])[)\"']?\s+(?=[\"'(]?(?:[A-Z0-9]|steadygrid))"
    found, rest = [], ""
    for piece in re.split(ends, text.replace("\n", " ")):
        rest = f"{rest} {piece}".strip()
        if not ABBREVIATED.search(rest):
            found.append(rest)
            rest = ""
    return [one for one in (*found, rest) if words(one) > 1]


def prose_and_cells(text: str) -> tuple[list[str], list[str]]:
    """Give the paragraphs and list items of Markdown, and its table cells."""
    text = re.sub(r"^(```|~~~|:::).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    prose: list[str] = []
    cells: list[str] = []
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            row = re.split(r"(?<!\\)\|", line)[1:-1]
            cells += [cell.strip() for cell in row if not re.fullmatch(r"\s*:?-*:?\s*", cell)]
        elif item := re.match(r"\s*(?:[*+-]|\d+\.)\s+", line):
            prose.append(" ".join(block))
            block = [line[item.end() :]]
        elif not line.strip() or line.startswith(("#", "    ", ">")):
            prose.append(" ".join(block))
            block = []
        else:
            block.append(line.strip())
    return [text for text in prose if text], [cell for cell in cells if words(cell) >= LEAST]


def _documents() -> Iterator[tuple[str, str, str]]:
    for path in tracked_files():
        name = name_of(path)
        if path.suffix != ".md" or not (path.parent == ROOT or name.startswith("docs/")):
            continue
        prose, cells = prose_and_cells(path.read_text(encoding="utf-8"))
        by_name = {"README.md": "readme", "CHANGELOG.md": "changelog"}
        group = "decisions" if "/decisions/" in name else by_name.get(name, "docs")
        yield from ((group, name, text) for text in prose)
        if name != "docs/command-line.md":  # its cells are measured as help
            yield from (("cells", name, text) for text in cells)


def _literal(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "X" for part in node.values]
        return "".join(map(str, parts))
    return ""


def _code() -> Iterator[tuple[str, str, str]]:
    for path in modules("steadygrid", "app", "workers"):
        name = name_of(path)
        tree = syntax_of(path)
        literals = "pages" if name.startswith("app/pages") else ""
        literals = "reports" if name.startswith("steadygrid/report") else literals
        inner: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr) and _literal(node.value):
                place = f"{name}:{node.lineno}"
                inner.add(id(node.value))
                yield from (("docstrings", place, part) for part in paragraphs(node.value))
            elif isinstance(node, ast.Call):
                yield from _of_call(name, node)
            elif isinstance(node, ast.JoinedStr):
                inner |= {id(part) for part in node.values}
            is_prose = id(node) not in inner and POLICY not in _literal(node)
            if literals and is_prose and words(_literal(node)) >= LEAST:
                yield literals, f"{name}:{getattr(node, 'lineno', 0)}", _literal(node)


def paragraphs(node: ast.AST) -> list[str]:
    """Give the paragraphs of a docstring and the rows of its tables, without headings, names and code."""
    text = re.sub(FORMULA, r"\n", _with_rows_apart(_literal(node)), flags=re.MULTILINE)
    text = re.sub(LISTING, r"\1\2:\n\n", text, flags=re.MULTILINE)
    headings = r"^ *(Parameters|Returns|Raises|Attributes|Examples|Notes|Yields)\n *-+\n"
    names = r"^ *\S+(, \S+)*( : .*)?\n(?= {8,}\S)"
    no_prose = rf"{headings}|^ *(>>>|\.\.\. ).*$|{names}"
    text = re.sub(no_prose, "\n\n", text, flags=re.MULTILINE)
    return re.split(r"\n\s*\n|\n(?= *(?:\d+[.)]? |\* ))", text)


def _with_rows_apart(text: str) -> str:
    """Put a blank line before each row of a table, and in place of its borders of equals signs."""
    found: list[str] = []
    lines = [*text.splitlines(), ""]
    column = -1  # where rows begin; below 0 outside of tables
    for line, following in pairwise(lines):
        if re.fullmatch(r" *=[= ]*=", line):
            column = line.index("=") if following.strip(' "') else -1
            found.append("")
            continue
        if column >= 0 and line[column : column + 1].strip():
            found.append("")
        found.append(line)
    return "\n".join(found)


def _of_call(name: str, call: ast.Call) -> Iterator[tuple[str, str, str]]:
    called = str(getattr(call.func, "id", getattr(call.func, "attr", "")))
    group = "errors" if ERRORS.search(called) else "fields" if called in DESCRIBED else ""
    group = "codes" if called in CODE_TEXTS else group
    given = (*call.args, *(keyword.value for keyword in call.keywords)) if group else ()
    for one in given:
        if words(text := _literal(one)) >= LEAST:
            yield group, f"{name}:{call.lineno}", text


def _templates() -> Iterator[tuple[str, str, str]]:
    for path in sorted((ROOT / "app/pages/templates").glob("*.html")):
        text = re.sub(r"{#.*?#}|{%.*?%}", "\n", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = re.sub(r"{{.*?}}", "X", text, flags=re.DOTALL)
        text = re.sub(r"<(/?)(a|b|code|em|strong|kbd|span)\b[^>]*>", "", text)
        for part in re.split(r"<[^>]*>", text):
            if words(part) >= LEAST:
                yield "pages", name_of(path), part


def _helps() -> Iterator[tuple[str, str, str]]:
    todo: list[tuple[str, Any]] = [("steadygrid", get_command(app))]
    while todo:
        name, command = todo.pop()
        yield from (("help", name, part) for part in (command.help or "").split("\n\n"))
        for one in command.params:
            if text := getattr(one, "help", None):
                yield "help", f"{name} {one.opts[-1]}", text
        names = command.list_commands(None) if hasattr(command, "list_commands") else ()
        todo += [(f"{name} {key}", command.get_command(None, key)) for key in names]


def gather() -> Texts:
    """Collect all texts by group."""
    texts: Texts = {group: [] for group in TARGETS}
    for source in (_documents, _code, _templates, _helps):
        for group, place, text in source():
            texts[group].append((place, text))
    return texts


def measure(texts: list[tuple[str, str]]) -> Found:
    """Measure one group."""
    found = [(words(one), place, one) for place, text in texts for one in sentences(text)]
    found.sort(reverse=True)
    refused = [
        (place, match[0], instead)
        for place, text in texts
        if ANY_REFUSED.search(plain := re.sub(r"`[^`]*`", "", text).lower())
        for pattern, instead in REFUSED.items()
        for match in re.finditer(pattern, plain)
    ]
    lengths = sorted(length for length, _, _ in found)
    semicolons = sum(sentence.count(";") for _, _, sentence in found)
    figures = (
        round(sum(lengths) / len(found), 1),
        lengths[int(0.95 * (len(found) - 1))],
        lengths[-1],
        round(100 * semicolons / len(found)),
        round(1000 * len(refused) / sum(lengths), 1),
    )
    return Found(figures, found, refused)


def unnamed(source: str) -> Iterator[tuple[int, str]]:
    """Find `UNNAMED` words in docstrings, comments and names: line and word; strings are data."""
    if not UNNAMED.search(source):
        return
    begins = True  # a statement: a string here is a docstring
    for token in tokenize.generate_tokens(StringIO(source).readline):
        is_docstring = begins and token.type == tokenize.STRING
        if is_docstring or token.type in (tokenize.COMMENT, tokenize.NAME):
            plain = CODE.sub(lambda code: "\n" * code[0].count("\n"), token.string)
            for number, line in enumerate(plain.splitlines(), token.start[0]):
                yield from ((number, match[0]) for match in UNNAMED.finditer(line))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def held() -> dict[str, dict[str, float]]:
    """Give the figures that no change may exceed."""
    figures: dict[str, dict[str, float]] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return figures


def lowered(seen: dict[str, Found], old: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Give the figures to hold: what is seen, never above the old ones nor below the targets."""
    return {
        group: {
            name: max(goal, min(figure, old.get(group, {}).get(name, figure)))
            for name, figure, goal in zip(MEASURES, found.figures, TARGETS[group], strict=True)
        }
        for group, found in seen.items()
    }


def main() -> None:
    """Print the table, and what makes it so."""
    parser = argparse.ArgumentParser(prog="python -m tests.wording")
    parser.add_argument("--worst", type=int, default=0, metavar="N")
    parser.add_argument("--group", choices=list(TARGETS))
    parser.add_argument("--within", default="", help="places that begin with this")
    parser.add_argument("--lower", action="store_true")
    asked = parser.parse_args()
    groups = {
        group: [(place, text) for place, text in texts if place.startswith(asked.within)]
        for group, texts in gather().items()
        if asked.group in (None, group)
    }
    seen = {group: measure(texts) for group, texts in groups.items() if texts}
    if asked.lower:
        if asked.group or asked.within:
            parser.error("--lower takes all texts: leave out --group and --within")
        FIGURES.write_text(json.dumps(lowered(seen, held()), indent=1) + "\n", encoding="utf-8")
    print("figure (target)  mean words       95 %    longest  ; in 100  refused in 1,000")
    for group, found in seen.items():
        cells = [
            f"{figure:g} ({goal:g})"
            for figure, goal in zip(found.figures, TARGETS[group], strict=True)
        ]
        print(f"{group:10}" + "".join(f"{cell:>13}" for cell in cells))
        for length, place, sentence in found.sentences[: asked.worst]:
            print(f"    {length:3}  {place}: {sentence}")
        for place, word, instead in found.refused[: asked.worst]:
            print(f"         {place}: '{word}': {instead}")


if __name__ == "__main__":
    main()
