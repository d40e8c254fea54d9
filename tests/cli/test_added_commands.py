"""Commands of other distributions: what the service adds, and where it is not installed."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import typer
from typer.main import get_command

import steadygrid.cli.command
from steadygrid.cli import commands
from steadygrid.cli.commands import GROUP, OF_THE_SERVICE, OWN
from tests.environment import bare
from tests.tree import ROOT
from workers.commands.plug_in import COMMANDS

COMMAND = str(Path(sys.executable).with_name("steadygrid"))
HOSTILE = "from pathlib import Path\nPath({mark!r}).touch()\nraise SystemExit('foreign code')\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit_:
        steadygrid.cli.command.main(arguments)
    assert isinstance(exit_.value.code, int)
    out, err = capsys.readouterr()
    return exit_.value.code, out, err


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is installed beside the library."""
    monkeypatch.setattr(commands, "entry_points", lambda group: ())


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("name", OF_THE_SERVICE)
@pytest.mark.parametrize("more", [(), ("--port", "0"), ("create", "--tenant", "x"), ("--help",)])
def test_without_the_service_its_commands_say_how_to_get_it(
    capsys: pytest.CaptureFixture[str], name: str, more: tuple[str, ...]
) -> None:
    assert run(capsys, name, *more) == (
        2,
        "",
        f"steadygrid: `steadygrid {name}` belongs to the service, which is not installed:"
        " pip install 'steadygrid[service]'\n",
    )


@pytest.mark.usefixtures("alone")
def test_without_the_service_only_what_there_is_is_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "--help")
    listed = {line.split()[0] for line in out.splitlines() if line.strip()}
    assert code == 0
    assert {"solve", "check", "sweep"} <= listed
    assert set(OF_THE_SERVICE).isdisjoint(listed)


def test_the_service_adds_exactly_its_commands() -> None:
    context = typer.Context(get_command(steadygrid.cli.command.app))
    with_service = set(context.command.list_commands(context))  # type: ignore[attr-defined]
    assert with_service - OWN.keys() == set(OF_THE_SERVICE)


@pytest.mark.parametrize("name", [*OWN, *OF_THE_SERVICE])
def test_the_list_says_of_a_command_what_its_own_help_begins_with(name: str) -> None:
    context = typer.Context(get_command(steadygrid.cli.command.app))
    command = context.command.get_command(context, name)  # type: ignore[attr-defined]
    assert command.name == name
    told = " ".join(command.help.split("\n\n")[0].split())
    assert told == {**OWN, **COMMANDS}[name].help


def test_a_command_of_the_library_loads_nothing_of_the_service() -> None:
    code = (
        "import sys\n"
        "for name in ('app', 'celery', 'sqlalchemy', 'fastapi'): sys.modules[name] = None\n"
        "from steadygrid.cli.command import main\n"
        "main(['problems'])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "master_worker" in ran.stdout


def plugged(monkeypatch: pytest.MonkeyPatch, place: Path, text: str) -> None:
    """Give one more plug-in, a module that has a table."""
    (place / "plug_in_of_a_test.py").write_text(text)
    monkeypatch.syspath_prepend(place)
    monkeypatch.delitem(sys.modules, "plug_in_of_a_test", raising=False)
    point = EntryPoint("test", "plug_in_of_a_test:COMMANDS", GROUP)
    monkeypatch.setattr(commands, "entry_points", lambda group: (point,))


def test_any_distribution_can_add_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plugged(
        monkeypatch,
        tmp_path,
        "from steadygrid.cli.commands import Entry\n"
        "COMMANDS = {'greet': Entry('plug_in_of_a_test:greet', 'Say hello.'),\n"
        "            'solve': Entry('plug_in_of_a_test:greet', 'Say hello.')}\n"
        "def greet(): print('hello')\n",
    )
    assert run(capsys, "greet") == (0, "hello\n", "")
    code, out, err = run(capsys, "solve")
    assert (code, "hello" in out + err) == (2, False)


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("import no_such_package", "No module named 'no_such_package'"),
        ("COMMANDS = 7", "'int' object is not iterable"),
        ("def", "invalid syntax"),
    ],
)
def test_a_service_that_cannot_be_loaded_is_refused_with_the_reason(
    table: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plugged(monkeypatch, tmp_path, table + "\n")
    reason = f"plug_in_of_a_test:COMMANDS cannot be loaded: {why}"
    code, _, err = run(capsys, "serve")
    assert (code, reason in err) == (2, True)
    code, out, err = run(capsys, "--help")
    assert (code, "solve" in out, reason in err) == (0, True, True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with packages of our names that leave a mark when they are imported."""
    place = tmp_path / "work"
    place.mkdir()
    code = HOSTILE.format(mark=str(tmp_path / "imported"))
    for name in ("app", "migrations"):
        (place / name).mkdir()
        (place / name / "__init__.py").write_text(code)
    return place


@pytest.mark.parametrize(
    "arguments", [("serve",), ("api",), ("worker",), ("database", "migrate"), ("keys", "list")]
)
def test_packages_on_the_path_that_are_not_those_of_the_service_are_refused(
    folder: Path, arguments: tuple[str, ...]
) -> None:
    ran = subprocess.run(
        [COMMAND, *arguments],
        cwd=folder,
        env=bare() | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("steadygrid: foreign_package: the package 'app' is not that of ")
    assert str(folder / "app") in ran.stderr
    assert not (folder.parent / "imported").exists()


@pytest.mark.parametrize(("typed", "meant"), [("forecst", "forecast"), ("databases", "database")])
def test_a_misspelt_command_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], typed: str, meant: str
) -> None:
    code, _, err = run(capsys, typed)
    assert code == 2
    assert f"No such command '{typed}'. Did you mean '{meant}'?" in err


@pytest.mark.parametrize("name", ["keys", "tenants", "database"])
def test_help_of_groups_is_plain_text(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert out.isascii()
    assert "completion" not in out
