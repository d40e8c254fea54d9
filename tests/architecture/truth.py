"""Where the code asks whether a number is true that may be None.

There 0 and None are taken for the same. Types are read off annotations: those of parameters, of fields
and properties, of what functions give, and of variables that are assigned one of these. What cannot be
read so is passed over.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

NUMBERS = frozenset({"int", "float", "Fraction", "Decimal"})
_SHELLS = frozenset({"Annotated", "cached_property", "ClassVar", "Final"})
_LISTS = frozenset({"Sequence", "list", "tuple", "Iterable", "Iterator", "set", "frozenset"})
_TABLES = frozenset({"Mapping", "dict", "defaultdict"})

Type = ast.expr | None


class Doubt(NamedTuple):
    """A number that may be None, asked whether it is true."""

    line: int
    text: str


@dataclass
class _Class:
    bases: list[str]
    fields: dict[str, Type] = field(default_factory=dict)
    methods: dict[str, Type] = field(default_factory=dict)


class Declared:
    """What all modules declare, by name; where they disagree about a name it means nothing."""

    def __init__(self, trees: Iterable[ast.Module]) -> None:
        self._classes: dict[str, _Class] = {}
        self._functions: dict[str, Type] = {}
        self._numbers = set(NUMBERS)
        for node in (node for tree in trees for node in tree.body):
            match node:
                case ast.ClassDef(name=name):
                    self._add(_read_class(node), name)
                case ast.FunctionDef(name=name, returns=returns):
                    _merge(self._functions, {name: returns})
                case ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name("Annotated"))
                ) if any(map(self._is_number, _kinds(node.value))):
                    self._numbers.add(name)

    def _add(self, found: _Class, name: str) -> None:
        known = self._classes.setdefault(name, _Class([]))
        known.bases += [base for base in found.bases if base not in known.bases]
        _merge(known.fields, found.fields)
        _merge(known.methods, found.methods)

    def _is_number(self, annotation: ast.expr) -> bool:
        return isinstance(annotation, ast.Name) and annotation.id in self._numbers

    def may_be_no_number(self, annotation: Type) -> bool:
        """Tell whether a type is that of a number, or None."""
        kinds = _kinds(annotation)
        return any(map(_is_none, kinds)) and any(map(self._is_number, kinds))

    def result_of(self, function: str) -> Type:
        """Give what a function, or the name of a class, gives when it is called."""
        return ast.Name(function) if function in self._classes else self._functions.get(function)

    def member_of(self, owner: Type, name: str, *, called: bool) -> Type:
        """Give the type of a field, or of what a method gives, looking through bases."""
        if not isinstance(owner, ast.Name):
            return None
        found = self._classes.get(owner.id)
        if found is None:
            return None
        table = found.methods if called else found.fields
        if name in table:
            return table[name]
        inherited = (self.member_of(ast.Name(b), name, called=called) for b in found.bases)
        return next((one for one in inherited if one is not None), None)


def _merge(known: dict[str, Type], found: Mapping[str, Type]) -> None:
    for name, annotation in found.items():
        agreed = name not in known or _text(known[name]) == _text(annotation)
        known[name] = annotation if agreed else None


def _text(annotation: Type) -> str:
    return "" if annotation is None else ast.unparse(annotation)


def _read_class(node: ast.ClassDef) -> _Class:
    found = _Class([base.id for base in node.bases if isinstance(base, ast.Name)])
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            found.fields[item.target.id] = item.annotation
        elif isinstance(item, ast.FunctionDef):
            is_property = any("property" in ast.dump(one) for one in item.decorator_list)
            (found.fields if is_property else found.methods)[item.name] = item.returns
            given = {one.arg: one.annotation for one in parameters(item)}
            for part in ast.walk(item):
                if isinstance(part, ast.AnnAssign) and _is_own(part.target):
                    found.fields[part.target.attr] = part.annotation  # type: ignore[union-attr]
                elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Name):
                    for target in filter(_is_own, part.targets):
                        kept = given.get(part.value.id)
                        found.fields.setdefault(target.attr, kept)  # type: ignore[attr-defined]
    return found


def _is_own(target: ast.expr) -> bool:
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    )


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.arg]:
    """List the parameters that have a name."""
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _kinds(annotation: Type) -> list[ast.expr]:
    """List the members of a union, unwrapped."""
    match annotation:
        case None:
            return []
        case ast.Constant(value=str() as text):
            return _kinds(ast.parse(text, mode="eval").body)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _kinds(left) + _kinds(right)
        case ast.Subscript(value=ast.Name(id=name), slice=inner) if name in _SHELLS:
            return _kinds(inner.elts[0] if isinstance(inner, ast.Tuple) else inner)
    return [annotation]


def _solid(annotation: Type) -> Type:
    """Give the only member of a union that is not None."""
    kinds = [one for one in _kinds(annotation) if not _is_none(one)]
    return kinds[0] if len(kinds) == 1 else None


def _is_none(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Constant) and annotation.value is None


def doubts_of(tree: ast.Module, declared: Declared) -> list[Doubt]:
    """List the numbers that may be None of which a module asks whether they are true."""
    walk = _Walk(declared)
    walk.visit(tree)
    return walk.doubts


class _Walk(ast.NodeVisitor):
    def __init__(self, declared: Declared) -> None:
        self._declared = declared
        self._scopes: list[dict[str, Type]] = [{}]
        self._sure: list[str] = []
        self._asked: list[ast.BoolOp] = []
        self.doubts: list[Doubt] = []

    def visit(self, node: ast.AST) -> None:
        """Look at what is asked, and go on with the parts."""
        match node:
            case ast.ClassDef():
                self._within(node, {"self": ast.Name(node.name)})
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                given = {one.arg: one.annotation for one in parameters(node) if one.arg != "self"}
                self._within(node, given)
                return
            case ast.BoolOp():
                self._in_turn(node)
                return
            case ast.If(test=test, body=body):
                self._branch(test, body, node.orelse)
                return
            case ast.While() | ast.IfExp() | ast.Assert():
                self._ask(node.test)
            case ast.UnaryOp(op=ast.Not(), operand=asked):
                self._ask(asked)
            case ast.comprehension(ifs=conditions):
                for condition in conditions:
                    self._ask(condition)
            case (
                ast.Call(func=ast.Name(id="bool"), args=[asked])
                | ast.Call(func=ast.Name(id="any" | "all"), args=[ast.GeneratorExp(elt=asked)])
            ):
                self._ask(asked)
        self.generic_visit(node)

    def _within(
        self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, scope: dict[str, Type]
    ) -> None:
        self._scopes.append(scope)
        sure, self._sure = self._sure, []
        if not isinstance(node, ast.ClassDef):
            for part in ast.walk(node):
                self._bind(part, scope)
        self.generic_visit(node)
        self._scopes.pop()
        self._sure = sure

    def _branch(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> None:
        """Go through an `if`: what is not None in it, or after it, is no doubt there."""
        self._ask(test)
        self.visit(test)
        before = len(self._sure)
        self._sure += _compared(test, ast.And, ast.IsNot)
        for part in body:
            self.visit(part)
        del self._sure[before:]
        if isinstance(body[-1], ast.Return | ast.Raise | ast.Continue):
            self._sure += _compared(test, ast.Or, ast.Is)
        for part in other:
            self.visit(part)

    def _in_turn(self, node: ast.BoolOp) -> None:
        """Go through ``x is None or not x``, where the second x is no doubt."""
        before = len(self._sure)
        for value in node.values:
            if value is not node.values[-1] or node in self._asked:
                self._ask(value)
            self.visit(value)
            sign = ast.IsNot if isinstance(node.op, ast.And) else ast.Is
            self._sure += _compared(value, ast.And, sign)
        del self._sure[before:]

    def _ask(self, node: ast.expr) -> None:
        if isinstance(node, ast.BoolOp):
            self._asked.append(node)
            return
        text = ast.unparse(node)
        if self._declared.may_be_no_number(self._type_of(node)) and text not in self._sure:
            self.doubts.append(Doubt(node.lineno, text))

    def _bind(self, part: ast.AST, scope: dict[str, Type]) -> None:
        """Note the type of a variable; of one that is bound to several, that of the first."""
        match part:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                scope[name] = annotation
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                scope.setdefault(name, self._type_of(value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):
                    if isinstance(target, ast.Name):
                        scope.setdefault(target.id, self._type_of(value))
            case (
                ast.For(target=target, iter=several)
                | ast.comprehension(target=target, iter=several)
            ):
                match target, several:
                    case ast.Name(id=name), _:
                        scope.setdefault(name, _element(self._type_of(several), of_table=False))
                    case (
                        ast.Tuple(elts=[_, ast.Name(id=name)]),
                        ast.Call(func=ast.Attribute(value=owner, attr="items")),
                    ):
                        scope.setdefault(name, _element(self._type_of(owner), of_table=True))

    def _type_of(self, node: ast.expr) -> Type:
        known = self._declared
        match node:
            case ast.Name(id=name):
                found = (scope[name] for scope in reversed(self._scopes) if name in scope)
                return next(found, None)
            case ast.NamedExpr(value=value):
                return self._type_of(value)
            case ast.Attribute(value=owner, attr=name):
                return known.member_of(_solid(self._type_of(owner)), name, called=False)
            case ast.Subscript(value=owner):
                return _element(self._type_of(owner), of_table=None)
            case ast.Call(func=ast.Name(id=name)):
                return known.result_of(name)
            case ast.Call(func=ast.Attribute(value=owner, attr=name), args=arguments):
                value = _element(self._type_of(owner), of_table=True)
                if name == "get" and len(arguments) == 1 and value is not None:
                    return _or_none(value)
                return known.member_of(_solid(self._type_of(owner)), name, called=True)
            case ast.IfExp(body=one, orelse=other):
                first, second = self._type_of(one), self._type_of(other)
                if _is_none(other) and first is not None:
                    return _or_none(first)
                if _is_none(one) and second is not None:
                    return _or_none(second)
        return None


def _compared(test: ast.expr, join: type[ast.boolop], how: type[ast.cmpop]) -> list[str]:
    """List what a test compares with None in this way, alone or among others joined so."""
    joined = isinstance(test, ast.BoolOp) and isinstance(test.op, join)
    return [
        ast.unparse(part.left)
        for part in (test.values if joined else [test])  # type: ignore[attr-defined]
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], how)
    ]


def _or_none(annotation: ast.expr) -> ast.expr:
    return ast.BinOp(annotation, ast.BitOr(), ast.Constant(None))


def _element(annotation: Type, *, of_table: bool | None) -> Type:
    """Give the type of what a list holds, or of the values of a table; None: of whichever it is."""
    match _solid(annotation):
        case ast.Subscript(value=ast.Name(id=name), slice=inner) if name in _LISTS and not of_table:
            return inner.elts[0] if isinstance(inner, ast.Tuple) else inner
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=[_, value])) if (
            name in _TABLES and of_table is not False
        ):
            return value
    return None
