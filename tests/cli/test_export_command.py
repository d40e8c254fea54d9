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
    assert "the format is one of: graphml" in err
    code, _, err = command("export", ROOT / "examples" / "star.json", "--format", "graphml")
    assert code == 2
    assert "expected one platform" in err
