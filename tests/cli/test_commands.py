"""The other commands from outside, and whole ways through several of them."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from steadygrid.kinds import PROBLEMS
from tests.cli.commands import Command, answer_of, write
from tests.report.answers import figure_3, star
from tests.tree import ROOT


def test_problems_lists_every_kind(command: Command) -> None:
    code, out, _ = command("problems")
    assert code == 0
    for line, problem in zip(out.splitlines(), PROBLEMS.values(), strict=False):
        assert line.split(maxsplit=1) == [problem.kind, problem.title]
    listed = json.loads(command("problems", "--json").out)
    assert [item["kind"] for item in listed] == list(PROBLEMS)


def test_problems_tells_all_about_a_kind(command: Command) -> None:
    code, out, _ = command("problems", "master_worker")
    assert code == 0
    for phrase in (
        "  bandwidth_centric  the tree algorithm",
        '  kind*      "master_worker"',
        "  platform*  {name, units, processors*, links, media, routes}",
        "  task*      {work, times, input_size, output_size}",
        "  ports      one_port, multiport, send_or_receive or no_overlap, default",
        "  max_period             number: longest period",
        "RR-4870",
        '    {"id": "P1", "unit_time": 10},',
    ):
        assert phrase in out
    document = json.loads(command("problems", "master_worker", "--json").out)
    assert document["instance"]["required"]
    assert document["example"] == PROBLEMS["master_worker"].example


def test_the_example_of_a_kind_can_be_solved_as_it_is(
    command: Command, pipeline: Any, tmp_path: Path
) -> None:
    pipeline(answer_of(figure_3()))
    out = command("problems", "master_worker", "--example").out
    file = tmp_path / "example.json"
    file.write_text(out, encoding="utf-8")
    assert command("solve", file).code == 0


def test_an_unknown_kind_is_refused_with_the_known_ones(command: Command) -> None:
    assert command("problems", "nothing").err == (
        f"steadygrid: there is no kind 'nothing'. The kinds are: {', '.join(PROBLEMS)}\n"
    )
    assert command("problems", "mono_alocation").err.endswith(". Did you mean 'mono_allocation'?\n")
    assert command("problems", "--example").code == 2


def test_the_version_is_printed(command: Command) -> None:
    code, out, _ = command("--version")
    assert code == 0
    assert out.startswith("steadygrid ")


@pytest.mark.parametrize(("typed", "meant"), [("sovle", "solve"), ("kyes", "keys")])
def test_a_misspelt_command_is_answered_with_the_one_like_it(
    command: Command, typed: str, meant: str
) -> None:
    refused = command(typed)
    assert (refused.code, refused.out) == (2, "")
    assert f"No such command '{typed}'. Did you mean '{meant}'?" in refused.err


def test_usage_errors_are_bad_input(command: Command) -> None:
    assert command("solve").code == 2
    assert command("nothing").code == 2
    assert command().code == 2


SIMGRID = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="2Gf" core="2"/>
    <link id="l" bandwidth="1MBps" latency="1ms"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
"""


@pytest.fixture
def simgrid(tmp_path: Path) -> Path:
    file = tmp_path / "platform.xml"
    file.write_text(SIMGRID, encoding="utf-8")
    return file


def test_convert_gives_a_platform_and_says_what_it_could_not_keep(
    command: Command, simgrid: Path, tmp_path: Path
) -> None:
    code, out, err = command("convert", simgrid, "--to", "platform")
    assert code == 0
    assert {p["id"] for p in json.loads(out)["processors"]} >= {"a", "b"}
    assert err.startswith("warning: ")
    target = tmp_path / "ours.json"
    assert command("convert", simgrid, "--to", "platform", "-o", target).out == ""
    assert json.loads(target.read_text()) == json.loads(out)


@pytest.mark.parametrize("name", ["simgrid", "application/simgrid+xml"])
def test_a_format_can_be_named(command: Command, simgrid: Path, name: str) -> None:
    other = simgrid.rename(simgrid.with_suffix(".txt"))
    assert command("convert", other, "--to", "platform", "--format", name).code == 0


def test_convert_makes_a_body_of_a_dataflow_graph(command: Command, tmp_path: Path) -> None:
    ports = '<port name="i" type="in" rate="1"/><port name="o" type="out" rate="1"/>'
    loop = '<channel name="c" srcActor="a" srcPort="o" dstActor="a" dstPort="i" initialTokens="1"/>'
    times = '<processor type="p"><executionTime time="3"/><memory/></processor>'
    graph = tmp_path / "graph.xml"
    graph.write_text(
        f'<sdf3 type="sdf"><sdf><actor name="a">{ports}</actor>{loop}</sdf>'
        f'<actorProperties actor="a">{times}</actorProperties></sdf3>'
    )
    code, out, err = command("convert", graph, "--to", "dataflow")
    assert (code, err.startswith("warning: memories are left out")) == (0, True)
    body = tmp_path / "body.json"
    body.write_text(out)
    assert command("solve", body, "--json").code == 0
    assert json.loads(out)["problem"]["graph"]["actors"] == [{"id": "a", "times": 3}]
    assert command("convert", graph, "--to", "dataflow", "--format", "sdf3").code == 0
    assert "Known: sdf3" in command("convert", graph, "--to", "dataflow", "--format", "x").err
    assert "whole body" in command("convert", graph, "--to", "dataflow", "--into", body).err


def test_convert_refuses_what_it_cannot_read(
    command: Command, simgrid: Path, tmp_path: Path
) -> None:
    junk = tmp_path / "junk.xml"
    junk.write_bytes(b"<platform")
    assert command("convert", junk, "--to", "platform").code == 2
    junk.with_suffix(".txt").write_bytes(b"words")
    assert "give --format" in command("convert", junk.with_suffix(".txt"), "--to", "platform").err
    assert "Known: simgrid" in command("convert", simgrid, "--to", "platform", "--format", "x").err
    assert command("convert", simgrid, "--to", "application").code == 2
    assert command("convert", simgrid, "--to", "nothing").code == 2
    assert "NAME=VALUE" in command("convert", simgrid, "--to", "platform", "--set", "x").err
    assert "no parameter 'x'" in command("convert", simgrid, "--to", "platform", "--set", "x=1").err
    assert command("convert", simgrid, "--to", "platform", "-o", tmp_path / "no" / "x").code == 2


def test_a_platform_is_put_into_a_body_with_its_routes(
    command: Command, simgrid: Path, tmp_path: Path
) -> None:
    task = {"work": "1/3", "input_size": 0.1}
    problem = {"kind": "master_worker", "master": "a", "task": task, "ports": "multiport"}
    body = write(tmp_path / "body.json", {"problem": problem, "labels": {"by": "hand"}})
    into = ("convert", simgrid, "--to", "platform", "--into")
    code, out, err = command(*into, body)
    assert code == 0
    made = json.loads(out)
    assert made["problem"].pop("platform") == json.loads(command(*into[:4]).out)
    assert made == {"problem": problem | {"routing": "fixed"}, "labels": {"by": "hand"}}
    assert '"routing": "free"' in err
    write(body, {"problem": problem | {"routing": "free"}})
    code, out, err = command(*into, body)
    assert json.loads(out)["problem"]["routing"] == "free"
    assert '"routing": "fixed" is written' not in err
    for wrong, told in (({}, 'a member "problem"'), ({"problem": {"kind": "cell"}}, "no platform")):
        write(body, wrong)
        assert command(*into, body).code == 2
        assert told in command(*into, body).err


def test_the_command_never_rounds_a_fraction(command: Command, pipeline: Any, body: Path) -> None:
    pipeline(answer_of(star([(1, 3), (7, 11)], 13)))
    value = json.loads(command("solve", body, "--json").out)["objective"]["value"]
    assert Fraction(value) == star([(1, 3), (7, 11)], 13).result.objective.value


def test_an_instance_over_the_limits_is_bad_input(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STEADYGRID_MAX_COEFFICIENTS", "1")
    code, out, err = command("solve", ROOT / "examples" / "star.json")
    assert (code, out) == (2, "")
    assert "coefficients, and at most 1 are accepted" in err


def test_a_router_without_workers_has_throughput_zero_and_a_note(
    command: Command, tmp_path: Path
) -> None:
    platform = {"processors": [{"id": "R"}]}
    problem = {"kind": "master_worker", "platform": platform, "master": "R", "task": {"work": 1}}
    code, out, _ = command("solve", write(tmp_path / "zero.json", {"problem": problem}))
    assert code == 0
    assert "throughput   0 tasks per time unit" in out
    assert "note " in out
