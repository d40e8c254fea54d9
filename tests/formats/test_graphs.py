"""GraphML, DOT, node-link JSON, SAGA and objects of networkx, which reads three of them, too."""

import io
import json
import warnings
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

import steadygrid as sg
from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats import IMPORTERS
from steadygrid.formats.simgrid.notes import FORWARDS_ONLY
from tests.data import shared_data
from tests.formats.foreign import bandwidths, faults, load, sizes, speeds, works


def graphml(graph: Any) -> bytes:
    file = io.BytesIO()
    nx.write_graphml(graph, file)
    return file.getvalue()


def node_link(graph: Any) -> str:
    return json.dumps(nx.node_link_data(graph))


def network() -> Any:
    graph = nx.Graph(name="lab")
    graph.add_node("a", speed=2)
    graph.add_node("b", speed=0.5)
    graph.add_edge("a", "b", bandwidth=3, latency=0.25)
    graph.add_edge("b", "c", bandwidth=0.1)
    graph.add_edge("c", "c", bandwidth=9)
    return graph


def dag() -> Any:
    graph = nx.DiGraph()
    graph.add_node("x", work=1)
    graph.add_node("y", work=2.5)
    graph.add_node("z", work=0)
    graph.add_edge("x", "y", size=7)
    graph.add_edge("x", "z", size=0.125)
    return graph


@pytest.mark.parametrize("write", [graphml, node_link, lambda graph: graph])
def test_a_graph_that_networkx_writes_is_the_same_platform(write: Any) -> None:
    written = write(network())
    if isinstance(written, nx.Graph):
        with pytest.warns(sg.LossyFormatWarning) as told:
            platform = sg.Platform.from_networkx(written)
        found = tuple(str(each.message) for each in told)
        assert {each.filename for each in told} == {__file__}
    else:
        platform, found = load("platform", written)
    assert speeds(platform) == {"a": 2, "b": Fraction(1, 2), "c": None}
    tenth = Fraction(1, 10)
    assert bandwidths(platform) == {
        ("a", "b"): 3, ("b", "a"): 3, ("b", "c"): tenth, ("c", "b"): tenth,
    }  # fmt: skip
    assert [link.latency for link in platform.links] == [Fraction(1, 4), 0]
    assert found == (f"{FORWARDS_ONLY}: c", "self-loops are left out: c")


@pytest.mark.parametrize("write", [graphml, node_link, lambda graph: graph])
def test_a_graph_that_networkx_writes_is_the_same_application(write: Any) -> None:
    written = write(dag())
    if isinstance(written, nx.Graph):
        application = sg.Application.from_networkx(written)
    else:
        application, found = load("application", written)
        assert found == ()
    assert works(application) == {"x": 1, "y": Fraction(5, 2), "z": 0}
    assert sizes(application) == {("x", "y"): 7, ("x", "z"): Fraction(1, 8)}


def test_names_of_attributes_can_be_said() -> None:
    graph = nx.MultiGraph()
    graph.add_node(1, flops=Fraction(1, 3))
    graph.add_edge(1, 2, rate=3)
    graph.add_edge(2, 1, rate="1e1")
    with pytest.warns(sg.LossyFormatWarning) as told:
        platform = sg.Platform.from_networkx(graph, bandwidth="rate", speed="flops", name="two")
    assert "parallel edges are added up: 1 to 2" in [str(each.message) for each in told]
    assert (platform.name, speeds(platform)) == ("two", {"1": Fraction(1, 3), "2": None})
    assert bandwidths(platform)["1", "2"] == 13
    tasks = nx.DiGraph([(1, 2, {"mb": 4})])
    nx.set_node_attributes(tasks, 5, "t")
    application = sg.Application.from_networkx(tasks, work="t", size="mb")
    assert (works(application), sizes(application)) == ({"1": 5, "2": 5}, {("1", "2"): 4})


def test_directions_that_are_equal_are_one_link() -> None:
    graph = nx.DiGraph()
    for a, b, rate in (("a", "b", 2), ("b", "a", 2), ("b", "c", 1), ("c", "b", 3), ("a", "c", 5)):
        graph.add_edge(a, b, bandwidth=rate)
    platform, _ = load("platform", graphml(graph))
    assert sorted((e.source, e.target, e.duplex) for e in platform.links) == [
        ("a", "b", "full"), ("a", "c", "simplex"), ("b", "c", "simplex"), ("c", "b", "simplex"),
    ]  # fmt: skip


def test_weights_stand_for_bandwidths_and_speeds_and_that_is_told() -> None:
    graph = nx.Graph()
    graph.add_node("a", weight=2)
    graph.add_edge("a", "b", weight=3)
    platform, found = load("platform", node_link(graph), speed="1/2")
    assert speeds(platform) == {"a": 2, "b": Fraction(1, 2)}
    assert bandwidths(platform)["a", "b"] == 3
    assert {"weight is read as speed", "weight is read as bandwidth"} <= set(found)


def test_edges_without_a_bandwidth_have_to_be_told_one() -> None:
    graph = network()
    graph.add_edge("a", "d")
    code, sentence = faults("platform", graphml(graph))[0]
    assert code == "missing_parameter"
    assert sentence.startswith("bandwidth: 1 of 4 edges have no bandwidth")
    platform, found = load("platform", graphml(graph), bandwidth="7")
    assert bandwidths(platform)["a", "d"] == 7
    assert "edges without a bandwidth have the one that is said: a to d" in found
    assert faults("platform", graphml(graph), bandwidth="7 GB/s")[0][0] == "mixed_units"


ZOO = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key attr.name="LinkSpeedRaw" attr.type="double" for="edge" id="d1"/>
  <key attr.name="LinkSpeed" attr.type="string" for="edge" id="d2"/>
  <key attr.name="LinkSpeedUnits" attr.type="string" for="edge" id="d3"/>
  <key attr.name="label" attr.type="string" for="node" id="d4"/>
  <key attr.name="Internal" attr.type="int" for="node" id="d5"/>
  <graph edgedefault="undirected">
    <node id="0"><data key="d4">Oslo</data><data key="d5">1</data></node>
    <node id="1"><data key="d4">Rome</data><data key="d5">0</data></node>
    <node id="2"><data key="d4">Rome</data></node>
    <node id="3"/>
    <edge source="0" target="1"><data key="d1">1000000000.0</data></edge>
    <edge source="1" target="2"><data key="d2">2.5</data><data key="d3">G</data></edge>
    <edge source="2" target="3"><data key="d1">8.0</data></edge>
  </graph>
</graphml>
"""


def test_files_of_the_topology_zoo_have_labels_and_bits() -> None:
    platform, found = load("platform", ZOO)
    assert list(speeds(platform)) == ["Oslo", "Rome-1", "Rome-2", "3"]
    assert platform.units.data == "B"
    assert [e.bandwidth for e in platform.links] == [125_000_000, 312_500_000, 1]
    assert "nodes outside of the network (Internal 0) stay: 1" in found
    assert any(each.startswith("labels that are empty or doubled") for each in found)


DOT = """strict graph "a net" {
  // the backbone
  edge [bandwidth="1 Gbit/s"]; node [shape=box]
  A [speed="2 Gflops", label=<b> ]
}
"""


def test_dot_has_defaults_chains_subgraphs_and_comments() -> None:
    text = """/* two
    lines */ graph net {
  edge [bandwidth="1 Gbit/s"]
# a line of the preprocessor
  A [speed="2 Gflops"] ; rankdir=LR
  A -- B:port:n -- "C" + "1";
  subgraph cluster { D; E } -- A [bandwidth="10Gbps", color=red]
}"""
    platform, _ = load("platform", text)
    giga = 10**9 // 8
    assert platform.name == "net"
    assert speeds(platform)["A"] == 2 * 10**9
    assert {pair: rate for pair, rate in bandwidths(platform).items() if pair[0] < pair[1]} == {
        ("A", "B"): giga, ("B", "C1"): giga, ("A", "D"): 10 * giga, ("A", "E"): 10 * giga,
    }  # fmt: skip


def test_daggen_writes_work_as_size_and_alpha_is_left_out() -> None:
    text = """digraph G {
  1 [size="12000", alpha="0.20"]
  2 [size="3e4", alpha="0.1"]; 3 [size=1]
  1 -> 2 [size ="786"]
  1 -> {2; 3} [size=1]
}"""
    application, found = load("application", text)
    assert works(application) == {"1": 12000, "2": 30000, "3": 1}
    assert sizes(application) == {("1", "2"): 787, ("1", "3"): 1}
    assert "alpha (Amdahl's law) is left out: a task runs on one processor" in found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DOT, "line 4: '<' is not expected here: text in HTML is not read"),
        ("graph {\n a -> b }", "line 2: expected -- in this sort of graph"),
        ("graph { a -- b", "line 1: the graph does not end"),
        ("graph { a -- }", "line 1: expected a name, not '}'"),
        ("graph { a [b }", "line 1: expected a name, not '}'"),
        ("graph { a -- ~ }", "line 1: '~' is not expected here"),
        ("graph " + "{" * 70, "line 1: at most 64 subgraphs are nested"),
        ('graph { "a" + b }', "line 1: expected text in quotes behind +"),
        ("tree { }", "line 1: expected graph or digraph"),
        ("graph x y", "line 1: expected {, not 'y'"),
    ],
)
def test_what_is_wrong_with_dot_is_told_with_its_line(text: str, words: str) -> None:
    ((code, sentence),) = faults("platform", text, format="dot")
    assert (code, sentence[: len(words)]) == ("malformed_dot", words)


SAGA_TASKS = {
    "name": "pair",
    "tasks": [{"name": "a", "cost": 1}, {"name": "b", "cost": 2.5}],
    "dependencies": [{"source": "a", "target": "b", "size": 3}],
}
SAGA_NETWORK = {
    "nodes": [{"name": "p", "speed": 1}, {"name": "q", "speed": 2}],
    "edges": [
        {"source": "p", "target": "q", "speed": 4},
        {"source": "p", "target": "p", "speed": 1e9},
    ],
}


def test_saga_has_networks_and_task_graphs() -> None:
    platform, found = load("platform", json.dumps(SAGA_NETWORK))
    assert speeds(platform) == {"p": 1, "q": 2}
    assert bandwidths(platform) == {("p", "q"): 4, ("q", "p"): 4}
    assert found == ("self-loops are left out: p",)
    application, found = load("application", json.dumps(SAGA_TASKS))
    assert application.name == "pair"
    assert works(application) == {"a": 1, "b": Fraction(5, 2)}
    assert sizes(application) == {("a", "b"): 3}
    assert found == ()


def test_older_files_of_saga_are_node_link() -> None:
    graph = nx.DiGraph()
    graph.add_node("a", weight=2)
    graph.add_node("b", weight=3)
    graph.add_edge("a", "b", weight=4)
    application, _ = load("application", node_link(graph), format="saga")
    assert (works(application), sizes(application)) == ({"a": 2, "b": 3}, {("a", "b"): 4})
    assert load("application", node_link(graph)).document == application


def test_tasks_without_work_have_to_be_told_some_and_sizes_are_zero() -> None:
    graph = nx.DiGraph([("a", "b")])
    ((code, sentence),) = faults("application", graphml(graph))
    assert code == "missing_parameter"
    assert sentence.startswith("work: 2 of 2 tasks have no work")
    application, found = load("application", graphml(graph), work="2 Gflop")
    assert works(application) == {"a": 2 * 10**9, "b": 2 * 10**9}
    assert sizes(application) == {("a", "b"): 0}
    assert "edges without a size have size 0: 1. Say size" in found
    application, _ = load("application", graphml(graph), work="1", size="25MB")
    assert sizes(application) == {("a", "b"): 25 * 10**6}


def test_an_application_is_directed_and_has_no_cycle() -> None:
    assert faults("application", "graph { a -- b }", format="dot")[0][0] == "not_directed"
    cycle = nx.DiGraph([("a", "b"), ("b", "a")])
    assert faults("application", graphml(cycle), work="1")[0][0] == "cycle"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (ZOO.replace('target="3"', 'target="4"'), "unknown_processor", "line 15: there is no node '4'"),
        (ZOO.replace('id="3"', 'id="2"'), "duplicate_processor", "line 12: node '2' is given twice"),
        (ZOO.replace(">8.0<", ">fast<"), "not_a_rational", "line 15: 'fast' is no number"),
        (ZOO.replace(">8.0<", ">0<"), "zero_rational", "line 15: LinkSpeedRaw is greater than zero"),
        (ZOO.replace('id="3"', ""), "missing", "line 12: a node has no id"),
        (ZOO.replace("graph>", "graf>").replace("<graph e", "<graf e"), "missing", "line 2: expected"),
        (ZOO.replace('source="2"', 'directed="true" source="2"'), "mixed_directions", "line 15: "),
        (ZOO[:-12], "malformed_xml", "not well-formed"),
        ("<graphml>" + "<graph>" * 70, "nested_too_deeply", "line 1: at most 64 elements"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_graphml_is_told_with_its_line(text: str, code: str, words: str) -> None:
    found = faults("platform", text)
    assert code in [each[0] for each in found]
    assert any(words in each[1] for each in found)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"nodes": [{"id": 1}, {"id": 1}], "links": []}, ("nodes", 1, "id"), "duplicate_processor"),
        ({"nodes": [{"id": 1}, 2], "links": []}, ("nodes", 1), "missing"),
        ({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}, ("links", 0, "target"),
         "unknown_processor"),
        ({"nodes": [{"id": 1}], "links": [7]}, ("links", 0), "invalid_type"),
        ({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "bandwidth": True}]},
         ("links", 0), "not_a_rational"),
        ({"nodes": {}, "links": []}, ("nodes",), "invalid_type"),
        ({"nodes": []}, ("edges",), "missing"),
        ([], (), "invalid_type"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_node_link_is_told_with_its_pointer(
    document: Any, pointer: Any, code: str
) -> None:
    with pytest.raises(sg.InstanceError) as refused:
        load("platform", json.dumps(document), format="node_link")
    assert [(fault.pointer, fault.code) for fault in refused.value.faults] == [(pointer, code)]


def test_what_is_no_graph_is_refused() -> None:
    with pytest.raises(sg.InstanceError, match="expected a graph with nodes"):
        sg.Platform.from_networkx({"a": ["b"]})
    graph = nx.Graph()
    graph.add_nodes_from([1, "1"])
    with pytest.raises(sg.InstanceError, match="two nodes are written '1'"):
        sg.Platform.from_networkx(graph)
    with pytest.raises(sg.InstanceError, match="no parameter 'colour'"):
        sg.Platform.from_networkx(graph, colour="red")
    assert faults("platform", "{", format="node_link")[0][0] == "malformed_json"
    assert faults("platform", "[]", format="saga")[0][0] == "invalid_type"
    assert faults("application", "{", format="saga")[0][0] == "malformed_json"


def test_limits_are_kept() -> None:
    for limits in (Limits(max_body_bytes=10), Limits(max_processors=2), Limits(max_links=1)):
        for text in (graphml(network()), node_link(network()), "graph {a--b;b--c;c--d}"):
            with pytest.raises(LimitError):
                load("platform", text, limits=limits, bandwidth="1")
    for limits in (Limits(max_tasks=2), Limits(max_files=1)):
        with pytest.raises(LimitError):
            load("application", graphml(dag()), limits=limits)


def test_recorded_workflows_come_back_from_networkx_and_from_its_json_unchanged() -> None:
    paths = sorted(shared_data("wfinstances").glob("*.json"))
    assert len(paths) > 10
    for path in paths:
        importer = IMPORTERS["application", "application/wfformat+json"]
        ours: Any = importer.read(path.read_bytes()).document
        graph = nx.DiGraph(name=ours.name)
        graph.add_nodes_from((task.id, {"work": str(task.work)}) for task in ours.tasks)
        graph.add_edges_from((f.source, f.target, {"size": str(f.size)}) for f in ours.files)
        for again in (
            sg.Application.from_networkx(graph),
            load("application", node_link(graph)).document,
            load("application", graphml(graph), name=ours.name).document,
        ):
            assert again.name == ours.name
            assert again.tasks == ours.tasks
            assert set(again.files) == set(ours.files)


def test_a_graph_can_be_solved() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sg.LossyFormatWarning)
        platform = sg.Platform.from_networkx(network())
    task = {"work": 1, "input_size": 1}
    problem = {"kind": "master_worker", "platform": platform, "master": "a", "task": task}
    # a computes 2, and the link to b of 3 feeds what b computes, 1/2
    assert sg.solve(problem, in_process=True).objective == Fraction(5, 2)
