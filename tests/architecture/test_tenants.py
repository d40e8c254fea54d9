"""No tenant is a default: the type checker reports calls that leave it out."""

import ast
from collections.abc import Iterator

import pytest

from tests.tree import modules, name_of, syntax_of

PACKAGES = ("steadygrid", "app", "workers")


def defaults_of(arguments: ast.arguments) -> Iterator[str]:
    """Names of the parameters that need not be given."""
    positional = arguments.posonlyargs + arguments.args
    with_default = positional[len(positional) - len(arguments.defaults) :]
    yield from (parameter.arg for parameter in with_default)
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield parameter.arg


def defaults_in(source: str) -> set[str]:
    """Parameters of functions and fields of classes that need not be given."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            found |= set(defaults_of(node.args))
        elif isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


@pytest.mark.parametrize(
    "source",
    ["def read(a, tenant='x'): ...", "lambda *, tenant=None: 0", "class A:\n  tenant: str = ''"],
)
def test_a_default_tenant_is_seen_wherever_it_is(source: str) -> None:
    assert "tenant" in defaults_in(source)
    assert "tenant" not in defaults_in("def read(tenant, a=1, *, b): ...")


def test_no_tenant_has_a_default() -> None:
    guilty = [
        name_of(path)
        for path in modules(*PACKAGES)
        if "tenant" in defaults_in(path.read_text(encoding="utf-8"))
    ]
    assert guilty == []


def test_one_place_says_whose_a_request_is() -> None:
    users = {
        name_of(path)
        for path in modules(*PACKAGES)
        if "LOCAL_TENANT" in path.read_text(encoding="utf-8")
    }
    assert users == {
        "app/db/columns.py",
        "app/db/models.py",
        "app/http/identity.py",
        "workers/commands/tenants.py",
    }
    quoted = [
        name_of(path)
        for path in modules(*PACKAGES)
        if '"local"' in path.read_text(encoding="utf-8")
    ]
    assert quoted == ["app/db/columns.py"]


def test_workers_have_no_tenant() -> None:
    """They open units of all tenants only, and a claim says whose the job is."""
    for path in modules("workers"):
        calls = [
            node.func.attr
            for node in ast.walk(syntax_of(path))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and "database" in ast.unparse(node.func.value)
        ]
        assert not {"read", "write"} & set(calls), name_of(path)
