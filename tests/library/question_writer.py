"""Writes `steadygrid/submissions/questions.py`: ``python -m tests.library.question_writer``."""

import subprocess
import sys
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from steadygrid.domain.application import Application
from steadygrid.domain.platform import Platform
from steadygrid.domain.problem import Problem
from steadygrid.kinds import BUILT_IN, PROBLEMS
from tests.tree import ROOT

PATH = ROOT / "steadygrid" / "submissions" / "questions.py"
SPREAD = {"master_worker": "task", "divisible_star": "load"}
"""Members whose own members are arguments."""
HEAD = '''"""Problems to be solved, a function for each kind; `tests.library.question_writer` writes this.

Each gives a `Question`, which `solve` and the client take. Platforms and applications are objects or
documents, and numbers are of any exact sort. A member that is None gets its default.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from steadygrid.domain.application import Application
from steadygrid.domain.platform import Platform
from steadygrid.submissions.question import Quantity, Question

if TYPE_CHECKING:
'''
TAIL = """

def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
"""


def written() -> str:
    """Write the module."""
    problems = [PROBLEMS[kind] for kind in BUILT_IN]
    lines = [f"    from {one.result.__module__} import {one.result.__name__}\n" for one in problems]
    source = HEAD + "".join(sorted(lines)) + "".join(map(_function, problems)) + TAIL
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", PATH.name, "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return done.stdout


def _function(problem: Problem[Any, Any]) -> str:
    spread = SPREAD.get(problem.kind)
    fields = {k: v for k, v in problem.instance.model_fields.items() if k not in ("kind", spread)}
    inner: dict[str, FieldInfo] = {}
    if spread is not None:
        inner = problem.instance.model_fields[spread].annotation.model_fields
    together = {**fields, **inner}
    first = next(iter(fields))
    wanted = [name for name, one in together.items() if one.is_required() and name != first]
    rest = [name for name, one in together.items() if not one.is_required() and name != first]
    arguments = [_argument(first, fields[first]), "*"]
    arguments += [_argument(name, together[name]) for name in (*wanted, *rest)]
    members = ", ".join(f'"{name}": {name}' for name in fields)
    if spread is not None:
        own = ", ".join(f'"{name}": {name}' for name in inner)
        members += f', "{spread}": _given({{{own}}})'
    result = problem.result.__name__
    return (
        f'\n\ndef {problem.kind}({", ".join(arguments)},) -> "Question[{result}]":\n'
        f'    """Ask for {problem.title[0].lower()}{problem.title[1:]}."""\n'
        f'    return Question("{problem.kind}", {{{members}}})\n'
    )


def _argument(name: str, field: FieldInfo) -> str:
    kind = _type(field.annotation)
    if field.is_required():
        return f"{name}: {kind}"
    return f"{name}: {kind if kind == 'Any' else f'{kind} | None'} = None"


def _type(annotation: Any) -> str:
    if annotation in (Platform, Application):
        return f"{annotation.__name__} | Mapping[str, Any]"
    if annotation in (str, int, bool):
        return str(annotation.__name__)
    if annotation is Fraction:
        return "Quantity"
    if get_origin(annotation) is Annotated:
        return _type(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        kinds = {_type(one) for one in get_args(annotation) if one is not NoneType}
        return kinds.pop() if len(kinds) == 1 else "Any"
    if get_origin(annotation) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(annotation)))}]"
    return "Any"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
