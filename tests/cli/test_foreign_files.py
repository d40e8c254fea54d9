"""Foreign files on the command line: `convert`, `formats`, and `solve` of what is told by content."""

import json
from pathlib import Path

import pytest

from steadygrid.formats import IMPORTERS
from tests.cli.commands import Command

GRAPH = "graph { a [speed=1]; b [speed=1]; a -- b [bandwidth=1] }"
DAG = "digraph { x [work=1]; y [work=1]; x -> y [size=1] }"
DIRECTED = "digraph { a [speed=1]; b [speed=1]; a -> b [bandwidth=1]; b -> a [bandwidth=1] }"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hosts.csv").write_text("id,gflops\nA,1\nB,2\n")
    (tmp_path / "links.csv").write_text("from,to,bandwidth\nA,B,8 Gbit/s\n")
    (tmp_path / "net.dot").write_text(GRAPH)
    (tmp_path / "directed.dot").write_text(DIRECTED)
    (tmp_path / "tasks.dot").write_text(DAG)
    (tmp_path / "pair.dax").write_text('<adag><job id="a" runtime="2"/></adag>')
    return tmp_path


def test_tables_in_several_files_are_converted_together(command: Command, folder: Path) -> None:
    files = [folder / "links.csv", folder / "hosts.csv"]
    code, out, err = command("convert", *files, "--to", "platform", "--set", "name=two")
    assert (code, err) == (0, "")
    assert json.loads(out)["name"] == "two"
    assert len(json.loads(out)["processors"]) == 2
    code, _, err = command("convert", folder / "net.dot", folder / "net.dot", "--to", "platform")
    assert (code, "one file at a time is read" in err) == (2, True)
    code, _, err = command("convert", *files, "--to", "dataflow")
    assert (code, "--to dataflow takes one" in err) == (2, True)


def test_warnings_go_to_standard_error_in_the_words_of_the_reader(
    command: Command, folder: Path
) -> None:
    code, out, err = command("convert", folder / "pair.dax", "--to", "application")
    assert (code, json.loads(out)["tasks"][0]["work"]) == (0, "2000000000")
    assert err == "warning: runtimes are read as work at 1 Gf/s: say reference_speed\n"


def test_a_format_can_be_named(command: Command, folder: Path) -> None:
    named = ("--to", "platform", "--format", "dot", "--set", "bandwidth=1")
    assert command("convert", folder / "net.dot", *named).code == 0
    code, _, err = command("convert", folder / "links.csv", *named)
    assert (code, "line 1: expected graph or digraph" in err) == (2, True)


def test_a_bag_is_solved_on_tables(command: Command, folder: Path) -> None:
    files = [folder / "hosts.csv", folder / "links.csv"]
    told = ("--master", "A", "--work", "1Gf", "--input", "1GB", "--json")
    code, out, err = command("solve", *files, *told)
    assert code == 0
    # A computes 1 a second, and the link feeds B with 1 of the 2 that it could
    assert json.loads(out)["objective"]["value"] == "2"
    assert "routes" not in err, "free routing is the kind's own default here"


def test_a_graph_is_an_application_beside_a_platform_and_a_platform_alone(
    command: Command, folder: Path
) -> None:
    code, out, _ = command("solve", folder / "tasks.dot", folder / "net.dot", "--json")
    assert (code, json.loads(out)["kind"]) == (0, "task_graph")
    bag = ("--master", "a", "--work", "1", "--input", "1", "--json")
    assert (
        json.loads(command("solve", folder / "directed.dot", *bag).out)["kind"] == "master_worker"
    )
    code, _, err = command("solve", folder / "tasks.dot", folder / "directed.dot")
    assert code == 2
    assert "it may be in several formats, dot (DOT) and dot (DOT, as DagGen writes it)" in err
    assert "steadygrid convert" in err


def test_the_formats_are_listed_with_their_parameters(command: Command) -> None:
    code, out, _ = command("formats", "--json")
    listed = json.loads(out)
    assert code == 0
    read = {(each.get("reads"), each["content_type"]): each["parameters"] for each in listed}
    for key, importer in IMPORTERS.items():
        assert read[key] == importer.parameters
    assert {"sdf3", "msccl", "pnml"} <= {each["format"] for each in listed}
    code, out, _ = command("formats")
    assert code == 0
    assert all(importer.name in out for importer in IMPORTERS.values())
    assert "reference_speed" in out
