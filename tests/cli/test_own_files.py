"""`solve` of a platform and an application, or of a bag of tasks on a platform."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from steadygrid.cli.asking import graphs
from steadygrid.kinds import PROBLEMS
from tests.cli.commands import Command, write
from tests.data import shared_data
from tests.tree import ROOT

THREE_SITES = ROOT / "examples" / "three_sites.xml"
XML = """<?xml version='1.0'?>
<!-- <a comment> before the root -->
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="two" routing="Full">
    <host id="alpha" speed="1Gf"/><host id="beta" speed="2Gf"/>
    <link id="line" bandwidth="100MBps" latency="0"/>
    <route src="alpha" dst="beta"><link_ctn id="line"/></route>
  </zone>
</platform>
"""
LARGE = """<?xml version='1.0'?>
<platform version="4.1">
  <cluster id="c" prefix="n-" suffix="" radical="0-65535" speed="1Gf" bw="100MBps" lat="0"/>
</platform>
"""
WORKFLOW = {
    "name": "pair",
    "schemaVersion": "1.4",
    "workflow": {
        "tasks": [
            {"name": "a", "id": "a", "parents": [], "children": ["b"], "runtimeInSeconds": 2,
             "files": [{"name": "f", "link": "output", "sizeInBytes": 10}]},
            {"name": "b", "id": "b", "parents": ["a"], "children": [], "runtimeInSeconds": 3,
             "files": [{"name": "f", "link": "input", "sizeInBytes": 10}]},
        ]
    },
}  # fmt: skip
PLATFORM = {
    "processors": [{"id": "M", "speed": 1}, {"id": "W", "speed": 2}],
    "links": [{"source": "M", "target": "W", "bandwidth": 1}],
}
APPLICATION = {
    "tasks": [{"id": "a", "work": 1}, {"id": "b", "work": 2}],
    "files": [{"source": "a", "target": "b", "size": 1}],
}
SDF3 = (
    '<sdf3 type="sdf"><applicationGraph name="g"><sdf name="g" type="g"><actor name="a" type="a">'
    '<port name="i" type="in" rate="1"/><port name="o" type="out" rate="1"/></actor>'
    '<channel name="c" srcActor="a" srcPort="o" dstActor="a" dstPort="i" initialTokens="1"/></sdf>'
    '<sdfProperties><actorProperties actor="a"><processor type="p" default="true">'
    '<executionTime time="3"/></processor></actorProperties></sdfProperties></applicationGraph></sdf3>'
)
BAG = ("--master", "alpha", "--work", "20Gf", "--input", "25MB")
OURS = ("--master", "M", "--work", "3/2", "--input", "1e-3")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file of each sort, and the command run in it."""
    (tmp_path / "p.xml").write_text(XML, encoding="utf-8")
    write(tmp_path / "w.json", WORKFLOW)
    write(tmp_path / "p.json", PLATFORM)
    write(tmp_path / "a.json", APPLICATION)
    write(tmp_path / "body.json", PROBLEMS["master_worker"].example)
    write(tmp_path / "result.json", {"outcome": "optimal", "certificate": {}, "kind": "cell"})
    write(tmp_path / "schedule.json", {"slots": [], "period": "1"})
    write(tmp_path / "wrapped.json", {"platform": PLATFORM})
    write(tmp_path / "list.json", [1])
    (tmp_path / "g.xml").write_text("<graph/>", encoding="utf-8")
    (tmp_path / "flow.xml").write_text(SDF3, encoding="utf-8")
    (tmp_path / "cut.xml").write_text(XML[:-40], encoding="utf-8")
    (tmp_path / "text").write_text("hello", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def body_of(command: Command, *arguments: str) -> Any:
    code, out, err = command("solve", "--print-body", *arguments)
    assert code == 0, err
    return json.loads(out)


def refusal_of(command: Command, *arguments: str) -> str:
    code, out, err = command("solve", *arguments)
    assert (code, out) == (2, "")
    return err


def test_a_bag_of_tasks_on_a_foreign_platform_is_solved_exactly(
    command: Command, tmp_path: Path
) -> None:
    """By the comment in the platform: 8/5 at the shore, 3/2 on the hill, 9/20 in the harbour."""
    task = ("--master", "shore-1", "--work", "20Gf", "--input", "25MB", "--return", "5MB")
    asked = (str(THREE_SITES), *task, "--ports", "multiport")
    code, out, err = command("solve", *asked, "--json")
    assert code == 0
    assert json.loads(out)["objective"]["value"] == "71/20"
    assert "note: taken as master_worker, a bag of identical tasks, as" in err
    assert "note: files keep to the routes of" in err
    assert "warning: latencies of links" in err
    body = write(tmp_path / "body.json", body_of(command, *asked))
    assert command("solve", body, "--json") == (0, out, "")


def test_a_workflow_on_a_platform_is_solved_and_says_as_what(command: Command, files: Path) -> None:
    """3 s of 1 Gf and 2 s of it are done in 5/3 s by 3 Gf, if the file of 10 B is no matter."""
    code, out, err = command("solve", "w.json", "p.xml", "--json")
    assert code == 0
    assert json.loads(out)["objective"]["value"] == "3/5"
    assert "taken as task_graph, any mix of allocations" in err
    assert ". --kind mono_allocation or " in err
    code, out, err = command("solve", "p.xml", "w.json", "--kind", "mono_allocation", "--json")
    assert json.loads(out)["kind"] == "mono_allocation"
    assert "taken as" not in err


def test_the_kinds_of_two_files_are_those_that_need_nothing_else() -> None:
    assert graphs()[0] == "task_graph"
    assert {"mono_allocation", "replicated_workflow"} <= set(graphs())
    assert {"master_worker", "cell", "collective", "dataflow"}.isdisjoint(graphs())


def test_options_become_plain_numbers_of_a_body(command: Command, files: Path) -> None:
    body = body_of(
        command, "p.xml", *BAG, "--return", "1/3kB", "--ports", "multiport", "--method", "lp",
        "--time-limit", "2min", "--max-period", "1h", "--latencies", "ignored", "--prefer", "least_traffic",
        "--set", "mip_gap=1/100", "--set", "whole_files=false", "--set", "name=pair",
    )  # fmt: skip
    platform = body["problem"].pop("platform")
    for given, run in (
        (("--instances", "10"), {"instances": 10}),
        (("--horizon", "24h"), {"horizon": 86400}),
    ):
        assert body_of(command, "p.xml", *BAG, *given)["options"] == {"run": run}
    assert body == {
        "problem": {
            "kind": "master_worker",
            "ports": "multiport",
            "method": "lp",
            "routing": "fixed",
            "master": "alpha",
            "task": {"work": 20 * 10**9, "input_size": 25 * 10**6, "output_size": "1000/3"},
        },
        "options": {
            "time_limit": 120,
            "max_period": 3600,
            "latencies": "ignored",
            "prefer": "least_traffic",
            "mip_gap": "1/100",
            "whole_files": False,
        },
    }
    assert platform["name"] == "pair"
    assert platform["units"] == {"time": "s", "data": "B", "work": "flop"}


def test_documents_of_ours_stand_in_the_body_as_they_are(command: Command, files: Path) -> None:
    task = {"work": "3/2", "input_size": "1/1000"}
    problem = {"kind": "master_worker", "platform": PLATFORM, "master": "M", "task": task}
    assert body_of(command, "p.json", *OURS) == {"problem": problem}
    found = body_of(command, "a.json", "p.json", "--kind", "mono_allocation", "--set", "seed=3")
    graph = {"kind": "mono_allocation", "platform": PLATFORM, "application": APPLICATION, "seed": 3}
    assert found == {"problem": graph}


def test_numbers_that_doubles_do_not_hold_are_not_rounded(command: Command, files: Path) -> None:
    asked = ("p.json", "--master", "M", "--work", "9007199254740993", "--input", "0.1")
    task = body_of(command, *asked)["problem"]["task"]
    assert task == {"work": "9007199254740993", "input_size": "1/10"}


def test_routes_of_foreign_platforms_are_kept_unless_asked(command: Command, files: Path) -> None:
    assert body_of(command, "p.xml", *BAG)["problem"]["routing"] == "fixed"
    assert body_of(command, "p.xml", "w.json")["problem"]["routing"] == "fixed"
    assert body_of(command, "p.xml", *BAG, "--routing", "free")["problem"]["routing"] == "free"
    assert "routing" not in body_of(command, "p.json", *OURS)["problem"]
    mono = body_of(command, "p.xml", "w.json", "--kind", "mono_allocation")["problem"]
    assert "routing" not in mono  # fixed is its own default


def test_a_foreign_format_may_hold_a_whole_problem(command: Command, files: Path) -> None:
    converted = json.loads(command("convert", "flow.xml", "--to", "dataflow").out)
    assert body_of(command, "flow.xml") == converted
    asked = ("--set", "name=h", "--method", "k_periodic", "--time-limit", "9", "--kind", "dataflow")
    body = body_of(command, "flow.xml", *asked)
    assert body["problem"]["graph"]["name"] == "h"
    assert (body["problem"]["method"], body["options"]) == ("k_periodic", {"time_limit": 9})
    _, out, err = command("solve", "flow.xml", "--json")
    assert json.loads(out)["objective"]["value"] == "1/3"
    assert "note: taken as dataflow, as flow.xml is SDF3\n" in err


def test_one_of_the_files_may_be_standard_input(
    command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, arguments in (("p.xml", ("-", "w.json")), ("w.json", ("p.xml", "-"))):
        data = io.BytesIO((files / name).read_bytes())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
        assert body_of(command, *arguments) == body_of(command, "p.xml", "w.json")


def test_what_a_file_is_is_told_by_what_is_in_it(command: Command, files: Path) -> None:
    (files / "p.xml").rename(files / "a.txt")
    (files / "p.json").rename(files / "b.xml")
    assert body_of(command, "a.txt", "a.json")["problem"]["platform"]["name"] == "two"
    assert body_of(command, "b.xml", "a.json")["problem"]["platform"] == PLATFORM
    (files / "mark.xml").write_text("\ufeff" + XML, encoding="utf-8")
    assert body_of(command, "mark.xml", "w.json")["problem"]["platform"]["name"] == "two"


def test_units_of_our_platforms_are_those_that_they_name(command: Command, files: Path) -> None:
    units = {"work": "Gflop", "data": "MB", "time": "min"}
    write(files / "p.json", PLATFORM | {"units": units})
    asked = ("--master", "M", "--work", "20Gf", "--input", "25MB", "--max-period", "90s")
    body = body_of(command, "p.json", *asked)
    assert body["problem"]["task"] == {"work": 20, "input_size": 25}
    assert body["options"] == {"max_period": "3/2"}
    write(files / "p.json", PLATFORM | {"units": {"work": "frames", "data": 3}})
    err = refusal_of(command, "p.json", *asked)
    assert "--work: '20Gf': p.json has its work in 'frames'" in err
    err = refusal_of(command, "p.json", "--master", "M", "--work", "1", "--input", "25MB")
    assert "--input: '25MB': p.json does not say its unit of data" in err
    write(files / "p.json", PLATFORM | {"units": 3})
    assert "p.json: #/units: " in refusal_of(command, "p.json", *OURS)


def test_options_go_before_those_of_a_whole_problem(command: Command, files: Path) -> None:
    example = PROBLEMS["master_worker"].example
    options = {"time_limit": 5, "max_period": "7"}
    write(files / "body.json", {"problem": example["problem"], "options": options})
    asked = ("body.json", "--time-limit", "9s", "--set", "mip_gap=1/100")
    body = body_of(command, *asked)
    assert body["problem"] == example["problem"]
    assert body["options"] == {"time_limit": 9, "max_period": "7", "mip_gap": "1/100"}
    write(files / "body.json", example["problem"])
    assert body_of(command, *asked)["options"] == {"time_limit": 9, "mip_gap": "1/100"}
    assert body_of(command, "body.json") == {"problem": example["problem"]}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("p.xml", "p.xml is a platform, and does not say what to do on it"),
        ("p.xml", "give --master (the processor that holds the tasks), --work (the work of"),
        ("p.xml", "  for a task graph (task_graph, mono_allocation"),
        ("p.xml --master alpha", "on p.xml also needs --work (the work of a task, such as 20Gf)"),
        ("p.xml --kind master_worker --work 1", "also needs --master"),
        ("w.json", "w.json is an application, and does not say where it runs: give the file of"),
        ("p.xml p.json", "p.xml and p.json are two platforms: give one platform, and one"),
        ("w.json a.json", "w.json and a.json are two applications"),
        ("p.xml w.json a.json", "3 files are given, and at most two are taken"),
        ("- -", "only one of the files can be standard input"),
        ("p.xml body.json", "`steadygrid convert p.xml --to platform --into body.json | stead"),
        ("body.json a.json", "body.json: a whole problem is solved alone"),
        ("p.xml result.json", "result.json: a result is neither a platform nor an application"),
        ("schedule.json p.xml", "schedule.json: a schedule is neither"),
        ("p.xml wrapped.json", "give the platform itself: what stands at #/platform"),
        ("p.xml list.json", 'an application has "tasks", or "nodes" (node-link JSON)'),
        ("g.xml", "its root element is <graph>, and those that are read here are <platform>"),
        ("g.xml w.json", "g.xml: neither a platform nor an application: its root element is"),
        ("g.xml --master x", "g.xml: neither a problem nor a part of one"),
        ("cut.xml w.json", "cut.xml: "),
        ("flow.xml p.xml", "flow.xml: a whole problem is solved alone\n"),
        ("flow.xml --master a", "--master: for a bag of identical tasks, and flow.xml is none"),
        ("flow.xml --kind task_graph", "what is in flow.xml is a dataflow"),
        ("flow.xml --ports multiport", "--ports: dataflow has no such choice"),
        ("flow.xml --set processor=q", "flow.xml: processor: no actor has times for it"),
        ("flow.xml --method lp", "--method: expected "),
        ("text p.xml", "text: not a JSON document: line 1, column 1"),
        ("p.xml none.json", "none.json: No such file"),
        ("result.json --master x", "--master: result.json is a result, and no platform"),
        ("list.json --master x", "list.json: neither a problem nor a part of one"),
        ("list.json --time-limit 3", "list.json: expected a JSON object, not a list"),
        ("body.json --master x --work 1", "--master and --work: body.json is a whole problem"),
        ("body.json --return r.json", "--schedule FILE and --json > FILE write files"),
        ("body.json --set ports=x", "--set ports: it has an option of its own, --ports"),
        ("body.json --set mip_gab=1", "beside which only options are set: there is none of this"),
        ("body.json --set mip_gap=x", "--set mip_gap: expected a number"),
        ("body.json --time-limit 0", "--time-limit: must be greater than 0"),
        ("body.json --time-limit 2h", "--time-limit: "),
        ("body.json --instances 3 --horizon 5", "a run has one of them"),
        ("body.json --instances 1e3", "--instances 1e3: expected a whole number in digits"),
        ("body.json --max-period 5s", "body.json does not say its unit of time"),
        ("body.json --set x", "expected NAME=VALUE"),
        ("body.json --set mip_gap=1 --set mip_gap=2", "--set mip_gap: given 2 times"),
        ("body.json --print-body --schedule s.json", "--print-body solves nothing"),
        ("p.xml w.json --master alpha", "--master: for a bag of identical tasks on a platform"),
        ("p.xml w.json --kind master_worker", "it has no application: leave out w.json"),
        ("p.xml w.json --kind task_grph", "there is no such kind. Files and options are made"),
        ("p.xml w.json --kind task_grph", "Did you mean 'task_graph'?"),
        ("p.xml --kind task_graph", "--kind task_graph: it runs an application: give its file"),
        ("p.xml --kind collective", "`steadygrid problems collective --example` prints one"),
        ("p.xml w.json --ports multi", "--ports: expected 'one_port', 'multiport'"),
        ("p.xml w.json --method lp", "--method: "),
        ("p.xml w.json --set duplication=tasks", "of this name; mono_allocation has one"),
        ("p.xml w.json --set platform=x", "--set platform: it is no single value"),
        ("p.xml w.json --set name=x", "said of more than one thing here (SimGrid platform XML, Wf"),
        ("p.xml w.json --set reference_speed=1Gb", "w.json: reference_speed: '1Gb': there is no"),
        ("p.json a.json --set reference_speed=1Gf", "task_graph has no field of this name"),
        ("p.json a.json --kind mono_allocation --set seed=x", "--set seed: "),
        ("p.json --master m --work 1 --input 1", "--master: there is no processor 'm'. Did you me"),
        ("p.json --master M --work -1 --input 1", "--work: '-1': a quantity cannot be negative"),
        ("p.json --master M --work 0 --input 0", "--work, --input: processor 'M' computes the ta"),
        ("p.xml --master alpha --work 1MB --input 1", "'MB' is a unit of data, not of work"),
        ("p.xml --master alpha --work 1 --input 1 --return o.json", "--schedule FILE and --json"),
    ],
)  # fmt: skip
def test_each_mistake_is_told_with_its_remedy(
    command: Command, files: Path, arguments: str, told: str
) -> None:
    err = refusal_of(command, *arguments.split())
    assert told in err
    assert "note: " not in err


def test_faults_are_told_by_their_file_and_their_option(command: Command, files: Path) -> None:
    broken = {**PLATFORM, "links": [{"source": "M", "target": "X", "bandwidth": 1}]}
    write(files / "p.json", broken)
    assert refusal_of(command, "p.json", "--master", "N", "--work", "1", "--input", "1") == (
        "steadygrid: 2 faults\n"
        "  p.json: #/links/0/target: there is no processor 'X'. There are 'M', 'W' [unknown_processor]\n"
        "  --master: there is no processor 'N'. There are 'M', 'W' [unknown_processor]\n"
        "steadygrid explain CODE says more.\n"
    )
    shared = XML.replace(
        "</zone>",
        '<host id="c" speed="1f"/><route src="alpha" dst="c"><link_ctn id="line"/></route></zone>',
    )
    (files / "p.xml").write_text(shared, encoding="utf-8")
    assert (
        'p.xml: shared media need "ports": "multiport" (2 links name media). --ports multiport'
        in (refusal_of(command, "p.xml", *BAG))
    )
    assert body_of(command, "p.xml", *BAG, "--ports", "multiport")


@pytest.mark.parametrize(
    "document",
    [
        {"processors": 3},
        {"processors": []},
        {"processors": [None]},
        {"links": None},
        {"units": [1], "processors": [{"id": "M"}]},
        {"tasks": {}},
        {"tasks": [[]]},
        {"files": "x"},
        {"workflow": {}},
        {"workflow": {"tasks": 3}},
        {"workflow": []},
        {"tasks": [], "processors": []},
        {},
        None,
        "platform",
    ],
)
def test_no_document_gives_a_traceback(command: Command, files: Path, document: Any) -> None:
    write(files / "x.json", document)
    for arguments in ([], ["p.json"], ["a.json"], list(OURS), ["--time-limit", "3"]):
        err = refusal_of(command, "x.json", *arguments)
        assert err.startswith("steadygrid: ")
        assert "internal error" not in err


@pytest.mark.parametrize("apart", [(), ("--set", "apart=n-5")])
def test_a_cluster_of_65536_hosts_is_solved_with_any_of_them_as_the_master(
    command: Command, files: Path, apart: tuple[str, ...]
) -> None:
    (files / "large.xml").write_text(LARGE)
    task = ("--master", "n-7", "--work", "1Gf", "--input", "10MB", "--ports", "multiport")
    code, out, err = command("solve", "large.xml", *task, *apart, "--json")
    assert code == 0
    assert json.loads(out)["objective"]["value"] == "11"
    folded = "n-[1-4,6,8-65535]" if apart else "n-[1-6,8-65535]"
    assert folded in err


def test_hosts_that_an_application_names_are_not_folded(command: Command, files: Path) -> None:
    (files / "large.xml").write_text(LARGE)
    tasks = [{"id": "a", "work": 1, "allowed": ["n-9", 3]}, {"id": "b", "times": {"n-4": 1}}, 7]
    write(files / "strange.json", {"tasks": tasks, "files": []})
    assert "n-9" not in refusal_of(command, "large.xml", "strange.json", "--ports", "multiport")
    tasks = [{"id": "a", "work": 10**9, "allowed": ["n-9"]}, {"id": "b", "times": {"n-4": 2}}]
    write(
        files / "named.json", {"tasks": tasks, "files": [{"source": "a", "target": "b", "size": 1}]}
    )
    code, out, _ = command("solve", "large.xml", "named.json", "--ports", "multiport", "--json")
    assert code == 0
    assert json.loads(out)["objective"]["value"] == "1/2"


def test_limits_hold_for_files_too(
    command: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = '<host id="alpha" speed="1Gf"/><cluster id="c" prefix="" suffix="" radical="0-99999"'
    huge += ' speed="1Gf" bw="1MBps" lat="0" topology="TORUS" topo_parameters="99999"/>'
    (files / "huge.xml").write_text(XML.replace('<host id="alpha" speed="1Gf"/>', huge))
    assert "At most 100,000 are accepted" in refusal_of(command, "huge.xml", *BAG)
    monkeypatch.setenv("STEADYGRID_MAX_BODY_BYTES", "600")
    (files / "p.xml").write_text(XML + " " * 600)
    assert "p.xml: longer than 600 bytes" in refusal_of(command, "p.xml", *BAG)
    monkeypatch.setenv("STEADYGRID_MAX_BODY_BYTES", "6000")
    monkeypatch.setenv("STEADYGRID_MAX_PROCESSORS", "1")
    assert "p.json: #/processors: 2 processors" in refusal_of(command, "p.json", *OURS)


@pytest.mark.parametrize(
    ("platform", "master"),
    [
        ("griffon", "griffon-1.nancy.grid5000.fr"),
        ("small_platform", "Tremblay"),
        ("two_hosts", None),
    ],
)
def test_real_platforms_and_workflows_are_taken(
    command: Command, platform: str, master: str | None
) -> None:
    path = str(shared_data(f"simgrid-platforms/{platform}.xml"))
    workflow = str(shared_data("wfinstances/hic-dirt02-001.json"))
    found = body_of(command, path, workflow, "--ports", "multiport")
    assert len(found["problem"]["application"]["tasks"]) == 38
    task = ("--master", master or "x", "--work", "20Gf", "--input", "25MB", "--ports", "multiport")
    if master is None:
        assert "--master: there is no processor 'x'" in refusal_of(command, path, *task)
    else:
        assert body_of(command, path, *task)["problem"]["platform"] == found["problem"]["platform"]
