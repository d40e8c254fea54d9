"""The codes of errors that the source raises: what is given where a function takes a ``code``."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from app.main import STATUS_BY_CODE
from steadygrid.domain.wording import _SENTENCES
from tests.tree import ROOT, modules, name_of

CODE = re.compile(r"[a-z]+(_[a-z0-9]+)*")
PATTERN = re.compile(r"([a-z]+_)?\{[a-z_.]+\}(_[a-z]+)?")
OF_COMMAND = re.compile(r"[a-z]+(_[a-z]+)+(?=: )")
"""The code at the beginning of a refusal of the command."""

MADE: Mapping[str, tuple[str, ...]] = {
    "duplicate_{noun}": ("processor", "medium"),
    "unknown_{place}": ("dialect", "split", "order"),
    "unknown_{name}": ("state", "outcome", "platform", "application"),
    "wrong_{name}": (
        "blocks",
        "buffers",
        "completion_time_at_most",
        "depth",
        "dma",
        "local_store",
        "no_schedule_before",
    ),
    "{self.noun}_purged": ("job", "replan", "sweep"),
    "{self.noun}_active": ("job", "sweep"),
}
"""Codes that f-strings make, and the words that stand in them."""

IN_TABLES = {
    "duplicate_layer": "steadygrid/kinds/layer_pipeline/faults.py",
    "duplicate_sort": "steadygrid/kinds/layer_pipeline/faults.py",
    "link_twice": "steadygrid/verification/slots.py",
    "no_cut": "steadygrid/kinds/collective/referee_cuts.py",
    "two_receives": "steadygrid/verification/slots.py",
    "two_sends": "steadygrid/verification/slots.py",
    "two_transfers": "steadygrid/verification/slots.py",
}
"""Codes that tables and lists of the referee hold, and their files."""


_LOOKED_AT = (ast.Assign, ast.Call, ast.ClassDef, ast.FunctionDef, ast.ImportFrom, ast.Module)


class Place(NamedTuple):
    """Where a code, or what makes it, is in the source."""

    file: str
    line: int
    code: str


def _takers(
    trees: Mapping[str, list[ast.AST]],
) -> tuple[dict[tuple[str, str], int], dict[str, set[int]]]:
    """Give the place of the argument ``code``: of functions by module and name, of methods by name."""
    functions: dict[tuple[str, str], int] = {}
    methods: dict[str, set[int]] = defaultdict(set)
    for module, nodes in trees.items():
        for owner in nodes:
            if not isinstance(owner, ast.Module | ast.ClassDef | ast.FunctionDef):
                continue
            if isinstance(owner, ast.ClassDef):
                fields = [
                    one.target.id
                    for one in owner.body
                    if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
                ]
                if "code" in fields:
                    functions[module, owner.name] = fields.index("code")
            for one in owner.body:
                if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                    continue
                names = [argument.arg for argument in (*one.args.posonlyargs, *one.args.args)]
                if "code" not in names:
                    continue
                place = names.index("code") - (names[0] in ("self", "cls"))
                if not isinstance(owner, ast.ClassDef):
                    functions[module, one.name] = place
                elif one.name in ("__init__", "__new__"):
                    functions[module, owner.name] = place
                else:
                    methods[one.name].add(place)
    return functions, methods


def _imported(nodes: Iterable[ast.AST]) -> dict[str, tuple[str, str]]:
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def _texts(node: ast.AST | None, constants: Mapping[str, str]) -> Iterator[str]:
    """Give what an expression may be: literals, constants, and f-strings with their names."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
            for part in node.values
            if isinstance(part, ast.Constant | ast.FormattedValue)
        )
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, constants)
        yield from _texts(node.orelse, constants)
    elif isinstance(node, ast.Name) and node.id in constants:
        yield constants[node.id]


def _assigned(node: ast.AST) -> Iterator[str]:
    """Give the literals that become a name ``code``."""
    if isinstance(node, ast.Assign):
        yield from _of_target(node.targets[0], node.value)


def _of_target(target: ast.AST, value: ast.AST) -> Iterator[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.IfExp):
        yield from _of_target(target, value.body)
        yield from _of_target(target, value.orelse)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts, strict=False):
            yield from _of_target(one, other)
    elif isinstance(target, ast.Name) and target.id == "code":
        yield from _texts(value, {})


def _given(call: ast.Call, places: Iterable[int]) -> Iterator[ast.AST]:
    for keyword in call.keywords:
        if keyword.arg == "code":
            yield keyword.value
    for place in places:
        if place < len(call.args):
            yield call.args[place]


@cache
def scan() -> tuple[Place, ...]:
    """List all codes of the source, and f-strings that make some, with their places."""
    sources = {
        path: path.read_bytes()
        for path in modules("steadygrid", "app", "workers", "service")
        if "domain/codes/" not in name_of(path)
    }
    nodes = {path: _nodes(text) for path, text in sources.items() if re.search(rb"\bcode\b", text)}
    functions, methods = _takers({_module(path): found for path, found in nodes.items()})
    called = {name for _, name in functions} | methods.keys() | {"PydanticCustomError", "Refusal"}
    calls = re.compile(rf"\b({'|'.join(sorted(called))})\(|^[A-Z_]+ = \"".encode(), re.MULTILINE)
    for path, text in sources.items():
        if path not in nodes and calls.search(text):
            nodes[path] = _nodes(text)
    constants = {
        node.targets[0].id: node.value.value
        for found in nodes.values()
        for node in found
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id.isupper()
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }
    return tuple(
        Place(name_of(path), getattr(node, "lineno", 0), text)
        for path, found in nodes.items()
        for imported in [_imported(found)]
        for node in found
        for text in (
            *_assigned(node),
            *_of_call(node, _module(path), imported, functions, methods, constants),
            *_defaults(node, constants),
        )
        if CODE.fullmatch(text) or PATTERN.fullmatch(text)
    )


def _nodes(text: bytes) -> list[ast.AST]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, _LOOKED_AT)]


def _module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _of_call(
    call: ast.AST,
    module: str,
    imported: Mapping[str, tuple[str, str]],
    functions: Mapping[tuple[str, str], int],
    methods: Mapping[str, set[int]],
    constants: Mapping[str, str],
) -> Iterator[str]:
    if not isinstance(call, ast.Call):
        return
    called = getattr(call.func, "id", getattr(call.func, "attr", ""))
    places: set[int] = set()
    if isinstance(call.func, ast.Attribute):
        places = methods.get(called, set())
    elif called == "PydanticCustomError":
        places = {0}
    else:
        key = (module, called) if (module, called) in functions else imported.get(called)
        if key in functions:
            places = {functions[key]}
        elif called == "Refusal":
            told = next(_texts(call.args[0], {}), "") if call.args else ""
            yield from (code[0] for code in [OF_COMMAND.match(told)] if code)
    for argument in _given(call, places):
        yield from _texts(argument, constants)


def _defaults(function: ast.AST, constants: Mapping[str, str]) -> Iterator[str]:
    if not isinstance(function, ast.FunctionDef):
        return
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    rest = names[len(names) - len(function.args.defaults) :]
    for name, default in zip(rest, function.args.defaults, strict=True):
        if name == "code":
            yield from _texts(default, constants)


def made_by(pattern: str) -> list[str]:
    """Give the codes that an f-string makes."""
    return [re.sub(r"\{.*\}", word, pattern) for word in MADE.get(pattern, ())]


def codes_of_source() -> dict[str, str]:
    """Give each code with one place that raises it."""
    found = dict.fromkeys(sorted(_SENTENCES), "steadygrid/domain/wording.py")
    found |= dict.fromkeys(sorted(STATUS_BY_CODE), "app/main.py: STATUS_BY_CODE")
    found |= IN_TABLES
    for file, line, text in scan():
        for code in made_by(text) if "{" in text else [text]:
            found[code] = f"{file}:{line}"
    return found
