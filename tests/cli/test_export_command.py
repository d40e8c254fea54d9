"""Platforms that the command writes in foreign formats."""

from pathlib import Path

import networkx as nx

import steadygrid as sg
from tests.cli.commands import Command
from tests.tree import ROOT

STAR = sg.Platform.build("star").processor("M").processor("A", speed=2).link("M", "A", bandwidth=3)


def test_a_platform_is_written_as_the_library_writes_it(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "platform.json"
    path.write_text(STAR.done().to_json())
    assert command("export", path, "--format", "graphml") == (0, STAR.done().export("graphml"), "")
    target = tmp_path / "star.graphml"
    assert command("export", path, "--format", "graphml", "-o", target).out == ""
    assert nx.read_graphml(target).nodes["A"] == {"speed": "2"}


def test_what_cannot_be_written_is_refused(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "platform.json"
    path.write_text(STAR.medium("bus", 1).done().to_json())
    code, out, err = command("export", path, "--format", "graphml")
    assert (code, out) == (2, "")
    assert "a medium or a route is not said by a graph" in err
    code, _, err = command("export", path, "--format", "graphlm")
    assert code == 2
    assert "the format is one of: graphml, simgrid, lp, mps. Did you mean 'graphml'?" in err
    code, _, err = command("export", ROOT / "examples" / "star.json", "--format", "graphml")
    assert code == 2
    assert "expected one platform" in err


def test_a_platform_is_written_for_simgrid(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "star.json"
    path.write_text(STAR.done().to_json())
    assert command("export", path, "--format", "simgrid").out == STAR.done().export("simgrid")
    thirds = sg.Platform.build("thirds").processor("A", speed="1/3").done()
    path.write_text(thirds.to_json())
    code, out, err = command("export", path, "--format", "simgrid")
    assert (code, err) == (0, "note: numbers that no decimal says are rounded to 17 digits\n")
    assert out == thirds.export("simgrid")
    code, _, err = command("export", path, "--format", "simgrid", "--master", "A")
    assert code == 2
    assert "--format simgrid writes a platform, which has no master" in err
    code, _, err = command("export", path, "--format", "simgrid", "--numbers", "exact")
    assert code == 2
    assert "--numbers is for lp and mps" in err


def test_the_program_of_a_problem_is_written(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "star.json"
    path.write_text(STAR.done().to_json())
    asked = ("--master", "M", "--work", "1", "--input", "1")
    code, out, err = command("export", path, "--format", "lp", *asked)
    assert code == 0
    assert out.startswith("\\ steady-state master-worker tasking. Written by steadygrid\n")
    assert " compute(A): + computed(A) <= 2\n" in out
    assert "note: exact optimum: 2\n" in err
    body = ROOT / "examples" / "star.json"
    assert command("export", body, "--format", "mps").out == sg.solve(body).export("mps")


def test_what_has_no_program_is_refused(command: Command) -> None:
    cell = ROOT / "examples" / "cell-filter-bank.json"
    code, out, err = command("export", cell, "--format", "lp")
    assert (code, out) == (2, "")
    assert err.startswith("steadygrid: cell is not solved by one linear program")
    body = ROOT / "examples" / "star.json"
    code, _, err = command("export", body, "--format", "lp", "--numbers", "exct")
    assert code == 2
    assert err.endswith("--numbers: one of: exact, rounded. Did you mean 'exact'?\n")
    code, _, err = command("convert", body, "--to", "lp")
    assert code == 2
    assert "the program is written by `steadygrid export FILE --format lp`" in err
