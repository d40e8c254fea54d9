"""The tables of rules in the referee's docstrings say which fault codes there are, and no others.

A table numbers its rules. Each row names the codes of the faults that break its rule, or, after
*see*, a function that checks it and has a table of its own.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeGuard

import pytest

import steadygrid

LIBRARY = Path(steadygrid.__file__).parent
BORDER = re.compile(r"=+ =+ =+")


def contract_half() -> list[Path]:
    """All modules that find faults, but those that solve."""
    places = {path: path.relative_to(LIBRARY).parts for path in LIBRARY.rglob("*.py")}
    here = [path for path, parts in places.items() if not {"engine", "solver"} & set(parts)]
    return sorted(path for path in here if "Findings" in path.read_text(encoding="utf-8"))


class Row(NamedTuple):
    number: int
    rule: str
    says: str

    @property
    def names(self) -> list[str]:
        return re.findall(r"`([^`]+)`", self.says)

    @property
    def codes(self) -> list[str]:
        return [] if self.says.startswith("see ") else self.names

    @property
    def functions(self) -> list[str]:
        return self.names if self.says.startswith("see ") else []


def tables(docstring: str) -> Iterator[list[Row]]:
    """Read the tables whose first column is a number, each row of one line or more."""
    rows: list[Row] | None = None
    columns = (0, 0)
    for line in docstring.splitlines():
        if BORDER.fullmatch(line):
            if rows is not None:
                yield rows
                rows = None
            else:
                rows = []
                first, second, _ = map(len, line.split())
                columns = first + 1, first + second + 2
        elif rows is not None:
            number = line[: columns[0]].strip()
            rule, says = line[slice(*columns)].strip(), line[columns[1] :].strip()
            if number:
                rows.append(Row(int(number), rule, says))
            else:
                last = rows.pop()
                rows.append(Row(last.number, f"{last.rule} {rule}", f"{last.says} {says}".strip()))
    assert rows is None, "a table without an end"


def docstrings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What functions and classes say of themselves, with their names."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, ast.get_docstring(node) or ""


def strings(node: ast.AST) -> set[str]:
    """All texts in some code."""
    return {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


Function = ast.FunctionDef


class Module:
    """One module: what it says in tables, and which codes its findings have."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.by_name: dict[str, list[list[Row]]] = {}
        for name, said in docstrings(self.tree):
            self.by_name.setdefault(name, []).extend(tables(said))
        self.tables = [table for listed in self.by_name.values() for table in listed]
        self.rows = [row for table in self.tables for row in table]
        self.codes: set[str] = set()
        self.patterns: list[re.Pattern[str]] = []
        self.untold: list[str] = []
        self.within: dict[ast.AST, Function | None] = {}
        self._place(self.tree, None)
        for node, function in self.within.items():
            if is_finding(node):
                self._take(node.args[1], function)

    def _place(self, node: ast.AST, function: Function | None) -> None:
        self.within[node] = function
        inside = node if isinstance(node, Function) else function
        for child in ast.iter_child_nodes(node):
            self._place(child, inside)

    def _take(self, code: ast.expr, function: Function | None) -> None:
        """Note the codes that an expression may give."""
        if isinstance(code, ast.Constant):
            self.codes.add(str(code.value))
        elif isinstance(code, ast.IfExp):
            self._take(code.body, function)
            self._take(code.orelse, function)
        elif isinstance(code, ast.JoinedStr):
            parts = (
                re.escape(str(p.value)) if isinstance(p, ast.Constant) else "(.+)"
                for p in code.values
            )
            self.patterns.append(re.compile("".join(parts)))
        elif isinstance(code, ast.Call) and isinstance(code.func, ast.Attribute):
            for value in (self._mapping(code.func.value), *code.args[1:]):
                self._take(value, function)
        elif isinstance(code, ast.Dict):
            for value in code.values:
                self._take(value, function)
        elif isinstance(code, ast.Name) and function is not None:
            sources = list(self._sources(code.id, function))
            for source, place in sources:
                self._take(source, place)
            if not sources:
                self.untold.append(f"{function.name}: {code.id}")
        else:
            self.untold.append(ast.unparse(code))

    def _mapping(self, name: ast.expr) -> ast.expr:
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == ast.unparse(name):
                return node.value
        return name

    def _sources(self, name: str, function: Function) -> Iterator[tuple[ast.expr, Function | None]]:
        """Where a name in a function is from: assigned, out of a list of tuples, or an argument."""
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                for value in parts_for(name, node.targets[0], node.value):
                    yield value, function
            elif isinstance(node, ast.For):
                for put in appended(ast.unparse(node.iter), function):
                    for value in parts_for(name, node.target, put):
                        yield value, function
        arguments = [argument.arg for argument in function.args.args]
        if name in arguments:
            for node, place in self.within.items():
                if not isinstance(node, ast.Call) or called(node) != function.name:
                    continue
                if place is not function and (function.name != "add" or is_finding(node)):
                    bound = arguments[1:] if arguments[0] == "self" else arguments
                    yield node.args[bound.index(name)], place

    def has(self, code: str) -> bool:
        """Tell whether findings may have a code."""
        listed = strings(self.tree)
        return code in self.codes or any(
            match is not None and listed.issuperset(match.groups())
            for match in (pattern.fullmatch(code) for pattern in self.patterns)
        )

    def knows(self, name: str) -> bool:
        return any(
            name in (getattr(node, "id", None), getattr(node, "name", None))
            for node in ast.walk(self.tree)
        )


def called(call: ast.Call) -> str | None:
    """The name of the function that a call calls, as it is or of an object."""
    return getattr(call.func, "attr", getattr(call.func, "id", None))


def is_finding(node: ast.AST) -> TypeGuard[ast.Call]:
    """Tell what adds a finding from what adds to sets and others."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "add"
        and len(node.args) == 3
        and ast.unparse(node.func.value) != "super()"
    )


def parts_for(name: str, target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    """What of a value goes to a name of the target."""
    if isinstance(value, ast.IfExp):
        yield from parts_for(name, target, value.body)
        yield from parts_for(name, target, value.orelse)
    elif isinstance(target, ast.Name) and target.id == name:
        yield value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, part in zip(target.elts, value.elts, strict=True):
            yield from parts_for(name, one, part)


def appended(to: str, function: Function) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"{to}.append":
            yield node.args[0]


@cache
def read(path: Path) -> Module:
    return Module(path.read_text(encoding="utf-8"))


def faults_of(module: Module) -> list[str]:
    """What is wrong with the tables of a module."""
    told = {code for row in module.rows for code in row.codes}
    return [
        *(f"cannot tell the codes of {what}" for what in module.untold),
        *(f"no rule says {code}" for code in sorted(module.codes - told)),
        *(
            f"no rule says {pattern.pattern}"
            for pattern in module.patterns
            if not any(pattern.fullmatch(code) for code in told)
        ),
        *(f"no finding has the code {code}" for code in sorted(told) if not module.has(code)),
        *(
            f"there is no function {name}"
            for row in module.rows
            for name in row.functions
            if not module.knows(name)
        ),
        *(f"rule {row.number} says no code" for row in module.rows if not row.names),
        *(
            f"rules are numbered {[row.number for row in table]}"
            for table in module.tables
            if [row.number for row in table] != list(range(1, len(table) + 1))
        ),
    ]


@pytest.mark.parametrize("path", contract_half(), ids=lambda path: str(path.relative_to(LIBRARY)))
def test_the_rules_of_a_module_say_its_codes_and_no_others(path: Path) -> None:
    assert not faults_of(read(path))


def test_a_function_that_a_rule_names_has_rules() -> None:
    modules = [read(path) for path in contract_half()]
    have = {name for module in modules for name, listed in module.by_name.items() if listed}
    named = {name for module in modules for row in module.rows for name in row.functions}
    assert len(named) > 50
    assert named <= have


MODULE = '''
_TWICE = {"send": "two_sends"}


def check(parts, findings):
    """Check parts.

    == ================================ =======================
    1  a part is not empty, and above 0 `empty_part`,
                                        `negative_part`
    2  no two are sent at once          `two_sends`, `two_more`
    3  it has its time                  `wrong_time`
    4  it ends                          see `check_ends`
    == ================================ =======================
    """
    for part in parts:
        code, text = ("empty_part", "is empty") if part else ("negative_part", "is negative")
        findings.add(part, code, text)
        findings.add(part, _TWICE.get(part, "two_more"), "is sent twice")
    compare("time", findings)
    check_ends(parts)


def compare(name, findings):
    findings.add((), f"wrong_{name}", "is wrong")
'''


@pytest.mark.parametrize(
    ("was", "becomes", "fault"),
    [
        ("`empty_part`,", "`empty_parts`,", "no rule says empty_part"),
        ("`negative_part`\n", "\n", "no rule says negative_part"),
        ("`two_sends`, `two_more`", "`two_more`", "no rule says two_sends"),
        ("`wrong_time`", "`two_sends`", "no rule says wrong_(.+)"),
        ("`wrong_time`", "`wrong_place`", "no finding has the code wrong_place"),
        ("`two_more`", "`two_more`, `three`", "no finding has the code three"),
        ("see `check_ends`", "see `check_end`", "there is no function check_end"),
        ("\n    3  it", "\n    5  it", "rules are numbered [1, 2, 5, 4]"),
        ("see `check_ends`", "", "rule 4 says no code"),
    ],
)
def test_a_table_that_is_wrong_is_found(was: str, becomes: str, fault: str) -> None:
    assert not faults_of(Module(MODULE))
    assert MODULE.count(was) == 1
    assert fault in faults_of(Module(MODULE.replace(was, becomes)))
