"""The list of slow tests is checked by what each of them takes of the run."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from tests.slow_cases import Cost, advice, listed, read_costs, slowest, strangers
from tests.tree import ROOT, syntax_of


def costs(**seconds: int) -> dict[str, Cost]:
    """Ten cases of each function, which take so many seconds together."""
    return {name: Cost(Fraction(taken), 10) for name, taken in seconds.items()}


COSTS = costs(a=90_000, b=5_000, c=1, d=4_999)


def test_a_list_is_true_where_all_slow_tests_are_in_it() -> None:
    assert strangers(COSTS, ["a", "b", "d"]) == advice(COSTS, ["a", "b", "d"]) == []


def test_a_name_that_is_no_test_is_told() -> None:
    assert strangers(COSTS, ["a", "e"]) == ["e is no test that ran: strike it out"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (
            ["a", "b"],
            "a case of d takes 499.9 of 100,000 parts of the run: make it quicker, or list it",
        ),
        (["a", "b", "c", "d"], "a case of c takes 0.1 of 100,000 parts of the run: strike it out"),
        (
            ["b", "d"],
            "a case of a takes 9000.0 of 100,000 parts of the run: make it quicker, or list it",
        ),
        (["b", "d"], "what is not listed takes 90 % of the run: make tests quicker"),
    ],
)
def test_a_list_that_does_not_fit_is_told(names: list[str], said: str) -> None:
    assert said in advice(COSTS, names)


def test_a_list_is_written_by_what_cases_take_on_average() -> None:
    assert slowest(COSTS, []) == ["a", "b", "d"]
    assert slowest(COSTS, ["c", "gone"]) == ["a", "b", "d"]
    between = COSTS | costs(e=20)
    assert slowest(between, []) == ["a", "b", "d"]
    assert slowest(between, ["e"]) == ["a", "b", "d", "e"]
    many = COSTS | {"many": Cost(Fraction(500), 1_000)}
    assert slowest(many, []) == ["a", "b", "d"]


def test_costs_are_added_up_by_function_over_all_processes(tmp_path: Path) -> None:
    (tmp_path / "1.tsv").write_text("0.5\ttests/a.py::test[x]\n0.25\ttests/a.py::test[y[0]]\n")
    (tmp_path / "2.tsv").write_text("1\ttests/a.py::test[z]\n2\ttests/b.py::test\n")
    assert read_costs(tmp_path) == {
        "tests/a.py::test": Cost(Fraction(7, 4), 3),
        "tests/b.py::test": Cost(Fraction(2), 1),
    }
    with pytest.raises(SystemExit, match="no costs are in"):
        read_costs(tmp_path / "nothing")


def test_what_is_listed_exists() -> None:
    by_path: dict[str, set[str]] = {}
    for name in listed():
        path, _, function = name.partition("::")
        by_path.setdefault(path, set()).add(function.rpartition("::")[2])
    for path, functions in by_path.items():
        tree = syntax_of(ROOT / path)
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert functions <= defined, path
