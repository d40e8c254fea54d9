"""What a command loads before it does anything: less is a faster start."""

import subprocess
import sys

import pytest

from tests.tree import ROOT

SOLVERS = {"pyomo", "highspy", "flint", "numpy", "scipy", "networkx"}
DRAWING = {"altair", "vl_convert", "jinja2", "steadygrid.pictures"}
FOREIGN = {"steadygrid.formats.xml", "steadygrid.formats.simgrid.conversion", "xml.sax"}
SERVICE = {"app", "celery", "sqlalchemy", "fastapi", "pydantic_settings"}
EVERYTHING = SOLVERS | DRAWING | FOREIGN | SERVICE
STAR = "examples/star.json"


def loaded(code: str) -> set[str]:
    """Give the modules that are loaded at the end of a program, and all their parents."""
    told = "import sys\nsys.stdout.write('\\n' + ' '.join(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\n{told}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(ran.stdout.splitlines()[-1].split())


def command(*arguments: str) -> set[str]:
    return loaded(
        "from steadygrid.cli.command import main\n"
        f"try: main({list(arguments)!r})\nexcept SystemExit: pass"
    )


@pytest.mark.parametrize(
    ("arguments", "never"),
    [
        (("--help",), EVERYTHING | {"rich.console", "pydantic", "steadygrid.documents"}),
        (("--version",), EVERYTHING | {"rich.console", "pydantic", "steadygrid.documents"}),
        (("solve", "--help"), EVERYTHING),
        (("solve", STAR), EVERYTHING),
        (("solve", STAR, "--json"), EVERYTHING),
        (("problems", "cell"), EVERYTHING),
        (("explain", "cycle"), EVERYTHING | {"pydantic.main", "steadygrid.kinds.cell.schemas"}),
        (("keys", "--help"), SOLVERS | DRAWING | FOREIGN | {"celery", "fastapi"}),
    ],
)
def test_a_command_loads_nothing_that_it_does_not_need(
    arguments: tuple[str, ...], never: set[str]
) -> None:
    assert command(*arguments) & never == set()


def test_solving_a_kind_loads_no_other_kind() -> None:
    kinds = {name for name in command("solve", STAR) if name.startswith("steadygrid.kinds.")}
    assert {name.split(".")[2] for name in kinds} == {"master_worker", "shared"}


@pytest.mark.parametrize(
    "kind", ["master_worker", "task_graph", "mono_allocation", "collective", "replicated_workflow"]
)
def test_a_solver_process_loads_no_plug_ins_of_pyomo_and_no_statistics(kind: str) -> None:
    code = (
        "import steadygrid as sg\n"
        f"assert sg.solve(sg.problems()[{kind!r}].example, in_process=True).verified"
    )
    never = {"pyomo.environ", "scipy.stats", "scipy.optimize", "rich.console", *DRAWING, *SERVICE}
    assert loaded(code) & never == set()
