"""What a function can run: the functions, methods and properties that it reaches by name.

Read from the source, so that branches which no test takes count too. Names are followed through
imports; what stands after a dot is looked up in the classes that the annotations mention (loosely:
an element of a container counts as the container), and where there are none, in every class that
has such a member.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from tests.tree import modules, name_of, syntax_of

Function = ast.FunctionDef | ast.AsyncFunctionDef
Types = frozenset[str]
"""Classes by their full names."""

OF_BUILTINS = {name for builtin in (dict, list, set, str, int, Fraction) for name in dir(builtin)}
"""Members that say nothing of a class of ours."""
BINDING = (ast.arg, ast.AnnAssign, ast.Assign, ast.NamedExpr, ast.For, ast.comprehension)
TELLING = (ast.Name, ast.Attribute, *BINDING)
"""What is looked at in a unit."""
NOTHING: Types = frozenset()


@dataclass(frozen=True)
class Unit:
    """A function, a class without its methods, a method, or a constant."""

    name: str
    scope: "Scope"
    parts: tuple[ast.AST, ...]
    """What runs where the unit is used."""
    owner: str | None = None
    """The class of a method."""
    returns: ast.expr | None = None


@dataclass
class Scope:
    """A module, and what its names mean."""

    module: str
    meanings: dict[str, str] = field(default_factory=dict)


@dataclass
class Class:
    """Fields and methods of a class, and where it has the rest from."""

    unit: Unit
    bases: list[str]
    fields: dict[str, ast.expr]
    methods: dict[str, str]


class Sources:
    """All units of some packages."""

    def __init__(self, *packages: str, leaving_out: tuple[str, ...] = ()) -> None:
        self.units: dict[str, Unit] = {}
        self.classes: dict[str, Class] = {}
        self._scopes: dict[str, Scope] = {}
        self._meanings: dict[str, str] = {}
        self._used: dict[str, tuple[set[str], set[str]]] = {}
        for path in modules(*packages):
            name = name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if name.startswith(leaving_out):
                continue
            self._scopes[name] = Scope(name)
            self._read(self._scopes[name], syntax_of(path))
        self.owners: dict[str, set[str]] = {}
        for found in self.classes.values():
            for member, method in found.methods.items():
                self.owners.setdefault(member, set()).add(method)

    def _read(self, scope: Scope, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            _learn_imports(scope, node)
        for node in tree.body:
            if isinstance(node, Function):
                self._add(scope, node.name, (node,), returns=node.returns)
            elif isinstance(node, ast.ClassDef):
                self._read_class(scope, node)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._add(scope, target.id, (node.value,))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                value = () if node.value is None else (node.value,)
                self._add(scope, node.target.id, value, returns=node.annotation)

    def _add(
        self,
        scope: Scope,
        name: str,
        parts: tuple[ast.AST, ...],
        owner: str | None = None,
        returns: ast.expr | None = None,
    ) -> Unit:
        full = f"{scope.module}.{name}"
        scope.meanings.setdefault(name, full)
        self.units[full] = Unit(full, scope, parts, owner, returns)
        return self.units[full]

    def _read_class(self, scope: Scope, node: ast.ClassDef) -> None:
        full = f"{scope.module}.{node.name}"
        methods: dict[str, str] = {}
        fields: dict[str, ast.expr] = {}
        body: list[ast.AST] = [*node.bases, *node.decorator_list]
        for part in node.body:
            if not isinstance(part, Function):
                body.append(part)
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    fields[part.target.id] = part.annotation
            elif _runs_by_itself(part):
                body.append(part)
                fields |= _attributes(part)
            else:
                unit = self._add(scope, f"{node.name}.{part.name}", (part,), full, part.returns)
                methods[part.name] = unit.name
        unit = self._add(scope, node.name, tuple(body), full)
        bases = [b.value if isinstance(b, ast.Subscript) else b for b in node.bases]
        names = [scope.meanings.get(b.id, "") for b in bases if isinstance(b, ast.Name)]
        self.classes[full] = Class(unit, names, fields, methods)

    def reached(self, roots: Iterable[str], short_of: str) -> set[str]:
        """Everything that runs, or is looked at, from the roots on; nothing through `short_of`."""
        found: set[str] = set()
        guessed: set[str] = set()
        waiting = [self.meaning(root) for root in roots]
        while waiting:
            name = waiting.pop()
            if name in found or name not in self.units or name == short_of:
                continue
            found.add(name)
            sure, guesses = self._uses(name)
            waiting += sure
            guessed |= guesses
            if not waiting:
                waiting = [g for g in guessed - found if self.units[g].owner in found]
        return found

    def _uses(self, name: str) -> tuple[set[str], set[str]]:
        """What a unit uses, and what it may use if such an object can come there."""
        if name not in self._used:
            reader = _Reader(self, self.units[name])
            self._used[name] = set(reader.uses()), reader.guesses
        return self._used[name]

    def meaning(self, name: str) -> str:
        """Follow a name to where it is defined."""
        if name not in self._meanings:
            here = name
            while here not in self.units:
                module, _, last = here.rpartition(".")
                known = self._scopes.get(module)
                if known is None or known.meanings.get(last, here) == here:
                    break
                here = known.meanings[last]
            self._meanings[name] = here
        return self._meanings[name]

    def lineage(self, name: str) -> Iterator[Class]:
        """A class and those that it inherits from."""
        if found := self.classes.get(self.meaning(name)):
            yield found
            for base in found.bases:
                yield from self.lineage(base)


def _learn_imports(scope: Scope, node: ast.AST) -> None:
    if isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            scope.meanings[alias.asname or alias.name] = f"{node.module}.{alias.name}"


def _runs_by_itself(method: Function) -> bool:
    """Whether a method runs without being named: special ones, and validators."""
    validates = any("validator" in ast.unparse(d) for d in method.decorator_list)
    return validates or (method.name.startswith("__") and method.name.endswith("__"))


def _attributes(method: Function) -> dict[str, ast.expr]:
    """What a constructor's parameters say of the attributes that it sets."""
    arguments = [*method.args.args, *method.args.kwonlyargs]
    known = {a.arg: a.annotation for a in arguments if a.annotation is not None}
    found: dict[str, ast.expr] = {}
    for node in ast.walk(method):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            found[node.target.attr] = node.annotation
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            value = node.value
            if isinstance(value, ast.Name) and value.id in known:
                found[node.targets[0].attr] = known[value.id]
            elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
                found[node.targets[0].attr] = value.func
    return found


class _Reader:
    """What one unit uses."""

    def __init__(self, sources: Sources, unit: Unit) -> None:
        self._sources = sources
        self._unit = unit
        self.guesses: set[str] = set()
        self._types: dict[str, Types] = {}
        if unit.owner is not None:
            self._types |= {"self": frozenset({unit.owner}), "cls": frozenset({unit.owner})}

    def uses(self) -> Iterator[str]:
        nodes = [
            node
            for part in self._unit.parts
            for node in ast.walk(part)
            if isinstance(node, TELLING)
        ]
        self._learn(nodes)
        self._learn(nodes)
        for node in nodes:
            if isinstance(node, ast.Name):
                yield self._named(node.id)
            elif isinstance(node, ast.Attribute):
                yield from self._members(node)

    def _named(self, name: str) -> str:
        return self._sources.meaning(self._unit.scope.meanings.get(name, name))

    def _members(self, node: ast.Attribute) -> Iterator[str]:
        types = self._type(node.value)
        if types:
            for name in types:
                for owner in self._sources.lineage(name):
                    if node.attr in owner.methods:
                        yield owner.methods[node.attr]
                        break
        elif not self._is_foreign(node.value) and node.attr not in OF_BUILTINS:
            self.guesses |= self._sources.owners.get(node.attr, set())

    def _is_foreign(self, value: ast.expr) -> bool:
        """Whether a value is a literal, or an imported module."""
        root = value
        while isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
            root = root.func if isinstance(root, ast.Call) else root.value
        if not isinstance(root, ast.Name):
            return True
        return root.id not in self._types and root.id not in self._unit.scope.meanings

    def _learn(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            if isinstance(node, ast.arg):
                if node.annotation is not None:
                    self._know(node.arg, self._mentioned(node.annotation))
                else:
                    self._types.setdefault(node.arg, NOTHING)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self._know(node.target.id, self._mentioned(node.annotation))
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    self._spread(target, self._type(node.value))
            elif isinstance(node, ast.NamedExpr | ast.For | ast.comprehension):
                source = node.value if isinstance(node, ast.NamedExpr) else node.iter
                self._spread(node.target, self._type(source))

    def _spread(self, target: ast.expr, types: Types) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self._know(node.id, types)

    def _know(self, name: str, types: Types) -> None:
        self._types[name] = self._types.get(name, NOTHING) | types

    def _mentioned(self, annotation: ast.AST, seen: frozenset[str] = NOTHING) -> Types:
        """The classes that an annotation mentions, also behind an alias."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value, mode="eval")
            except SyntaxError:
                return NOTHING
        found: set[str] = set()
        for node in ast.walk(annotation):
            name = self._named(node.id) if isinstance(node, ast.Name) else ""
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node is not annotation
            ):
                name = self._named(node.value)
            if name in self._sources.classes:
                found.add(name)
            elif name in self._sources.units and name not in seen:
                alias = self._sources.units[name]
                if alias.returns is None and alias.owner is None:
                    reader = _Reader(self._sources, alias)
                    for part in alias.parts:
                        if isinstance(part, ast.expr):
                            found |= reader._mentioned(part, seen | {name})
        return frozenset(found)

    def _type(self, value: ast.AST) -> Types:
        """The classes that a value, or its elements, may have."""
        match value:
            case ast.Name(id=name):
                if name in self._types:
                    return self._types[name]
                return self._result(self._named(name))
            case ast.Attribute(value=of, attr=attr):
                types = self._type(of)
                found = [self._member(name, attr) for name in types]
                if any(f is not None for f in found):
                    return NOTHING.union(*(f for f in found if f is not None))
                return types
            case ast.Call(func=ast.Name(id=name), args=arguments):
                called = self._named(name)
                if called in self._sources.units:
                    return self._result(called)
                return NOTHING.union(*map(self._type, arguments))
            case ast.Call(func=function):
                return self._type(function)
            case ast.Constant() | ast.JoinedStr() | ast.Lambda():
                return NOTHING
            case ast.Compare():
                return NOTHING
            case _:
                parts = (n for n in ast.iter_child_nodes(value) if isinstance(n, ast.expr))
                return NOTHING.union(*map(self._type, parts))

    def _result(self, name: str) -> Types:
        """What a function gives, a class makes, or a constant is."""
        unit = self._sources.units.get(name)
        if unit is None:
            return NOTHING
        if name in self._sources.classes:
            return frozenset({name})
        reader = _Reader(self._sources, unit)
        if unit.returns is not None:
            return reader._mentioned(unit.returns)
        return NOTHING.union(*(reader._mentioned(part) for part in unit.parts))

    def _member(self, of: str, attr: str) -> Types | None:
        for owner in self._sources.lineage(of):
            if attr in owner.methods:
                return self._result(owner.methods[attr])
            if attr in owner.fields:
                return _Reader(self._sources, owner.unit)._mentioned(owner.fields[attr])
        return None


def without_data(sources: Sources, names: Iterable[str]) -> set[str]:
    """Leave out constants, and classes that only hold fields."""
    return {
        name
        for name in names
        if any(
            isinstance(node, Function)
            for part in sources.units[name].parts
            for node in ast.walk(part)
        )
    }
