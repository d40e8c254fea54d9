"""No number that may be None is asked whether it is true: 0 is a number, too."""

import ast
from textwrap import dedent

import pytest

from tests.architecture.truth import Declared, doubts_of
from tests.tree import ROOT, syntax_of

PACKAGES = ("steadygrid", "workers", "app")

DECLARATIONS = """
Count = Annotated[int, Field(ge=1)]
ExactRational = Annotated[Fraction, Strict()]

class Base:
    bound: ExactRational | None = None

class Answer(Base):
    gap: Annotated[Fraction, Field(ge=0)] | None
    rates: Mapping[str, Fraction]
    parts: Sequence[Base]
    named: dict[str, Base]
    name: str | None
    share: Fraction

    def __init__(self, most: Count | None):
        self.most = most

    @property
    def rest(self) -> "float | None": ...

    def least(self) -> Fraction | None: ...

def found() -> Fraction | None: ...
"""


def doubts(body: str, parameters: str = "answer: Answer, number: Fraction | None") -> list[str]:
    lines = "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
    tree = ast.parse(f"{DECLARATIONS}\ndef asks({parameters}):\n{lines}")
    return [doubt.text for doubt in doubts_of(tree, Declared([tree]))]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("if number: pass", "number"),
        ("while not number: pass", "number"),
        ("return number or 1", "number"),
        ("return answer and number or 0", "number"),
        ("if answer and number: pass", "number"),
        ("if not (answer.name or number): pass", "number"),
        ("return 1 if answer.gap else 2", "answer.gap"),
        ("assert answer.bound", "answer.bound"),
        ("return bool(answer.rest)", "answer.rest"),
        ("return [1 for one in answer.parts if one.bound]", "one.bound"),
        ("return all(one.bound for one in answer.parts)", "one.bound"),
        ("for one in answer.parts:\n    if one.bound: pass", "one.bound"),
        ("return answer.parts[0].bound or 1", "answer.parts[0].bound"),
        ("if rate := answer.rates.get('a'): pass", "(rate := answer.rates.get('a'))"),
        ("if answer.least(): pass", "answer.least()"),
        ("if found(): pass", "found()"),
        ("if Answer(1).most: pass", "Answer(1).most"),
        ("value = found()\nif value: pass", "value"),
        ("name, value = answer.name, answer.gap\nif value: pass", "value"),
        ("for name, part in answer.named.items():\n    if part.bound: pass", "part.bound"),
        ("value = None if answer.name is None else answer.share\nreturn value or 1", "value"),
        ("if number is None or answer.gap: pass", "answer.gap"),
        ("if number is None and number: pass", "number"),
        ("if number is not None:\n    pass\nif number: pass", "number"),
        ("if number is None and answer:\n    return\nif number: pass", "number"),
    ],
)
def test_a_number_that_may_be_none_is_doubted(body: str, text: str) -> None:
    assert text in doubts(body)


@pytest.mark.parametrize(
    "body",
    [
        "if number is not None and number > 0: pass",
        "if number is None or not number: pass",
        "if number is not None and number: pass",
        "if number == 0: pass",
        "if number is not None:\n    if number: pass",
        "if answer is None or number is None:\n    return\nif number: pass",
        "if answer.share: pass",
        "if answer.name: pass",
        "if answer.rates.get('a', 0): pass",
        "if answer.rates: pass",
        "return unknown or number",
        "for one in answer.parts: pass",
        "number: Fraction = found()\nif number: pass",
    ],
)
def test_what_cannot_be_mistaken_is_not(body: str) -> None:
    assert doubts(body) == []


def test_no_number_that_may_be_none_is_asked_whether_it_is_true() -> None:
    trees = {
        path.relative_to(ROOT): syntax_of(path)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }
    declared = Declared(trees.values())
    found = [
        f"{path}:{doubt.line}: {doubt.text} may be None, and may be 0"
        for path, tree in trees.items()
        for doubt in doubts_of(tree, declared)
    ]
    assert found == []
