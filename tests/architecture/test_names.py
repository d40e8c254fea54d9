"""Names say what a thing is or does, and docstrings say what parameters mean.

A name made only of prepositions, pronouns and participles says neither, and some words are not those
of the field: a route is declared, a path is computed, and neither is a way. It is a list of words, not
a parser: a noun that means nothing passes.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from tests.tree import modules, name_of, syntax_of

PACKAGES = ("steadygrid", "app", "workers")
EMPTY = frozenset(
    [
        "who",
        "whom",
        "what",
        "where",
        "why",
        "when",
        "how",
        "of",
        "at",
        "over",
        "in",
        "on",
        "by",
        "to",
        "from",
        "for",
        "with",
        "without",
        "within",
        "beside",
        "besides",
        "between",
        "before",
        "after",
        "past",
        "upon",
        "into",
        "out",
        "off",
        "up",
        "down",
        "than",
        "then",
        "as",
        "so",
        "else",
        "once",
        "again",
        "left",
        "kept",
        "told",
        "tell",
        "telling",
        "asked",
        "folded",
        "settled",
        "turned",
        "put",
        "away",
        "here",
        "there",
        "now",
        "same",
        "other",
        "others",
        "some",
        "any",
        "all",
        "each",
        "every",
        "none",
        "one",
        "ones",
        "it",
        "its",
        "their",
        "them",
        "they",
        "his",
        "is",
        "are",
        "was",
        "has",
        "have",
        "may",
        "can",
        "must",
        "only",
        "still",
        "yet",
        "too",
        "very",
        "most",
        "more",
        "less",
        "few",
        "many",
        "turn",
        "turns",
    ]
)
BANNED = frozenset({"nobody", "somebody", "everybody", "whoever", "whatever", "way", "ways"})
EXCEPT = frozenset({"all", "any", "main"})
SHARE = 0.9
"""Of public functions with two or more parameters: those whose docstring explains them."""
OpenAPI = re.compile(r"\brouter\.")
"""Endpoints: the parameters are explained in the OpenAPI document, where the docstring stands."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Definition(NamedTuple):
    """A function, a method or a class."""

    place: str
    """Module and qualified name."""
    node: Function | ast.ClassDef
    public: bool


def words(name: str) -> list[str]:
    """Cut a name into lower-case words."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


def empty(name: str) -> bool:
    """Whether a name holds neither a noun nor a verb."""
    return not name.startswith("__") and name not in EXCEPT and set(words(name)) <= EMPTY


def banned(name: str) -> bool:
    """Whether a name has a word that is not of the field."""
    return not BANNED.isdisjoint(words(name))


def definitions(tree: ast.Module, module: str) -> Iterator[Definition]:
    """Give what a module defines at its top and in its classes, outer before inner."""

    def inside(body: list[ast.stmt], place: str, public: bool) -> Iterator[Definition]:
        for node in body:
            if isinstance(node, Function | ast.ClassDef):
                seen = public and not node.name.startswith("_")
                yield Definition(f"{place}.{node.name}", node, seen)
                if isinstance(node, ast.ClassDef):
                    yield from inside(node.body, f"{place}.{node.name}", seen)

    return inside(tree.body, module, True)


@cache
def all_definitions() -> tuple[Definition, ...]:
    return tuple(
        definition
        for path in modules(*PACKAGES)
        for definition in definitions(
            syntax_of(path),
            name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", "."),
        )
    )


def parameters(node: Function) -> list[str]:
    """Give the names of the parameters, without the object or the class."""
    arguments = node.args
    listed = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [argument.arg for argument in listed if argument.arg not in ("self", "cls")]


def explained(node: Function) -> bool:
    """Whether the docstring has a section on parameters."""
    return "Parameters\n---" in (ast.get_docstring(node) or "")


def test_names_say_what_a_thing_is_or_does() -> None:
    wrong = [d.place for d in all_definitions() if empty(d.node.name) or banned(d.node.name)]
    assert wrong == [], "names need a noun or a verb of the field"


def test_docstrings_explain_parameters() -> None:
    wanted = [
        (d.place, explained(d.node))
        for d in all_definitions()
        if d.public
        and isinstance(d.node, Function)
        and len(parameters(d.node)) >= 2
        and not any(OpenAPI.search(ast.unparse(part)) for part in d.node.decorator_list)
    ]
    missing = [place for place, is_explained in wanted if not is_explained]
    assert len(missing) <= (1 - SHARE) * len(wanted), "\n".join(missing)


@pytest.mark.parametrize("name", ["_told", "by_what", "of", "as_told", "Asked"])
def test_names_without_noun_and_verb_are_found(name: str) -> None:
    assert empty(name)


@pytest.mark.parametrize("name", ["told_price", "main", "__init__", "read"])
def test_names_with_a_noun_or_a_verb_are_fine(name: str) -> None:
    assert not empty(name)


def test_words_that_are_not_of_the_field_are_found() -> None:
    assert banned("cheapest_ways")
    assert banned("OneWay")
    assert not banned("gateway")


def test_what_a_docstring_must_explain_is_counted() -> None:
    source = '''
class Room:
    def enter(self, door, *, key):
        """Enter.

        Parameters
        ----------
        door
            Open.
        """

    def _leave(self, a, b): ...
def told(a, b): ...
'''
    found = list(definitions(ast.parse(source), "m"))
    assert [(d.place, d.public) for d in found] == [
        ("m.Room", True),
        ("m.Room.enter", True),
        ("m.Room._leave", False),
        ("m.told", True),
    ]
    functions = [d.node for d in found if isinstance(d.node, Function)]
    assert [parameters(node) for node in functions] == [["door", "key"], ["a", "b"], ["a", "b"]]
    assert [explained(node) for node in functions] == [True, False, False]
