"""Scenario-aware SDF3 documents, of our own writing, read in one scenario."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.submissions.imports import INSTANCE_IMPORTERS
from tests.solved import solve

SDF3 = INSTANCE_IMPORTERS["dataflow"]

FSM = """<sdf3 type="fsmsadf" version="1.0"><applicationGraph name="decoder">
<fsmsadf>
<scenariograph name="whole" type="W">
<actor name="a" type="A"><port name="o" type="out" rate="2"/><port name="i" type="in" rate="2"/></actor>
<actor name="b" type="B"><port name="i" type="in" rate="1"/><port name="o" type="out" rate="1"/></actor>
<channel name="c" srcActor="a" srcPort="o" dstActor="b" dstPort="i"/>
<channel name="d" srcActor="b" srcPort="o" dstActor="a" dstPort="i" initialTokens="2"/>
</scenariograph>
<scenariograph name="skipped" type="S">
<actor name="a" type="A"><port name="o" type="out" rate="1"/><port name="i" type="in" rate="1"/></actor>
<channel name="own" srcActor="a" srcPort="o" dstActor="a" dstPort="i" initialTokens="1"/>
</scenariograph>
</fsmsadf>
<fsmsadfProperties>
<defaultProperties>
<actorProperties actor="a"><processor type="p" default="true"><executionTime time="1"/></processor></actorProperties>
<actorProperties actor="b"><processor type="p" default="true"><executionTime time="3"/></processor></actorProperties>
</defaultProperties>
<scenarios>
<scenario name="still" graph="whole">
<actorProperties actor="b"><processor type="p" default="true"><executionTime time="5"/></processor></actorProperties>
</scenario>
<scenario name="moving" graph="whole"/>
<scenario name="none" graph="skipped"/>
<scenario name="lost" graph="absent"/>
</scenarios>
</fsmsadfProperties>
<fsm initialstate="q"><state name="q" scenario="still"><transition destination="q"/></state></fsm>
</applicationGraph></sdf3>
"""

PROCESSES = """<sdf3 type="sadf" version="1.0"><sadf name="frames">
<structure>
<kernel name="A"/><kernel name="B"/><kernel name="C"/><detector name="D"/><detector name="E"/>
<channel name="A2B" source="A" destination="B" type="data"/>
<channel name="B2A" source="B" destination="A" type="data"/>
<channel name="A2C" source="A" destination="C" type="data"/>
<channel name="A2D" source="A" destination="D" type="data"/>
<channel name="D2B" source="D" destination="B" type="control"/>
<channel name="D2C" source="D" destination="C" type="control"/>
<channel name="D2E" source="D" destination="E" type="control"/>
</structure>
<properties>
<kernel_properties kernel="A"><scenario name="default">
<consume channel="B2A" tokens="2"/><produce channel="A2B" tokens="2"/><produce channel="A2D" tokens="1"/>
<profile execution_time="2"/><profile execution_time="2.5" weight="4"/>
</scenario></kernel_properties>
<kernel_properties kernel="B">
<scenario name="fast"><consume channel="A2B" tokens="2"/><produce channel="B2A" tokens="2"/>
<profile execution_time="1"/></scenario>
<scenario name="slow"><consume channel="A2B" tokens="1"/><produce channel="B2A" tokens="1"/>
<profile execution_time="4"/></scenario>
<scenario name="odd"><produce channel="B2A" tokens="1"/></scenario>
</kernel_properties>
<kernel_properties kernel="C"><scenario name="slow"><profile execution_time="9"/></scenario></kernel_properties>
<detector_properties detector="D">
<subscenario name="F"><consume channel="A2D" tokens="1"/><produce channel="D2B" tokens="1" value="fast"/>
<produce channel="D2C" tokens="0"/><produce channel="D2E" tokens="1"/></subscenario>
<subscenario name="slow"><consume channel="A2D" tokens="1"/><produce channel="D2B" tokens="2"/>
<produce channel="D2C" tokens="1"/><produce channel="D2E" tokens="1" value="F"/></subscenario>
<subscenario name="odd"><consume channel="A2D" tokens="1"/><produce channel="D2B" tokens="1"/></subscenario>
<subscenario name="open"><consume channel="A2D" tokens="1"/><produce channel="D2B" tokens="1" value="fast"/>
<produce channel="D2E" tokens="1" value="both"/></subscenario>
<markov_chain initial_state="1"><state name="1" subscenario="F"><transition destination="1"/></state></markov_chain>
</detector_properties>
<detector_properties detector="E">
<subscenario name="one"><profile execution_time="6"/></subscenario><subscenario name="two"/>
<markov_chain scenario="F" initial_state="1"><state name="1" subscenario="one"/></markov_chain>
<markov_chain scenario="both" initial_state="1"><state name="1" subscenario="one"/>
<state name="2" subscenario="two"/></markov_chain>
</detector_properties>
<channel_properties channel="B2A" number_of_initial_tokens="2"/>
</properties></sadf></sdf3>
"""


def read(text: str, **parameters: str) -> tuple[Any, tuple[str, ...]]:
    found = SDF3.read(text.encode(), parameters)
    return found.body, found.warnings


def refused(text: str, **parameters: str) -> tuple[str, str]:
    with pytest.raises(InstanceError) as error:
        SDF3.read(text.encode(), parameters)
    (fault,) = error.value.faults
    return fault.code, fault.detail


def period(text: str, scenario: str) -> Fraction:
    found: Fraction = solve(read(text, scenario=scenario)[0]).result.period
    return found


def test_a_scenario_has_its_graph_and_its_times_before_those_of_all() -> None:
    body, warnings = read(FSM, scenario="still")
    problem = body["problem"]
    assert problem["concurrency"] == "auto"
    assert problem["graph"]["name"] == "decoder"
    assert [(one["id"], one["times"]) for one in problem["graph"]["actors"]] == [("a", 1), ("b", 5)]
    assert [one["id"] for one in problem["graph"]["channels"]] == ["c", "d"]
    assert warnings == (
        "the graph stays in scenario still for ever. How it goes from one to another is left out",
    )
    assert period(FSM, "still") == 6
    assert period(FSM, "moving") == 4
    assert period(FSM, "none") == 1


@pytest.mark.parametrize(
    ("text", "listed"),
    [(FSM, "still, moving, none, lost"), (PROCESSES, "F, slow, odd, open")],
)
def test_a_scenario_that_is_left_out_or_unknown_is_refused_with_a_list(
    text: str, listed: str
) -> None:
    code, detail = refused(text)
    assert code == "scenario_missing"
    assert detail.endswith(f"choose one by the parameter scenario, of {listed}")
    assert refused(text, scenario="x") == (
        "invalid_parameter",
        f"scenario: one of {listed}, not 'x'",
    )


def test_a_long_list_of_scenarios_is_cut() -> None:
    more = "".join(f'<scenario name="s{i}" graph="whole"/>' for i in range(30))
    detail = refused(FSM.replace("</scenarios>", more + "</scenarios>"))[1]
    assert detail.endswith(", s14, s15 and 14 more")


def test_only_graphs_with_scenarios_take_one() -> None:
    plain = '<sdf3 type="sdf"><applicationGraph name="g"><sdf name="g"/></applicationGraph></sdf3>'
    assert refused(plain, scenario="x") == (
        "invalid_parameter",
        "scenario: the graph has no scenarios: leave the parameter out",
    )
    without = FSM.replace("<scenario ", "<other ").replace("</scenario>", "</other>")
    assert refused(without)[1].endswith("a scenario-aware graph has no scenario")


def test_faults_of_a_scenario_name_their_line() -> None:
    assert refused(FSM, scenario="lost")[1] == (
        "line 1: there is no actor: a graph is scenario graph 'absent'"
    )
    twice = FSM.replace('time="5"/>', 'time="5"/><executionTime time="6"/>')
    assert "actor 'b' has a time on 'p' already" in refused(twice, scenario="still")[1]
    assert period(twice, "moving") == 4


def test_a_value_of_a_control_token_chooses_the_scenario() -> None:
    body, warnings = read(PROCESSES, scenario="F")
    problem = body["problem"]
    assert problem["concurrency"] == "sequential"
    actors = {one["id"]: one["times"] for one in problem["graph"]["actors"]}
    assert actors == {"A": "5/2", "B": 1, "D": 0, "E": 6}
    channels = {one["id"]: one for one in problem["graph"]["channels"]}
    assert [*channels] == ["A2B", "B2A", "A2D", "D2B", "D2E"]
    assert (channels["A2B"]["production"], channels["A2B"]["consumption"]) == (2, 2)
    assert warnings == (
        "the graph stays in scenario F for ever. How it goes from one to another is left out",
        "channels without tokens in the scenario are left out: A2C, D2C",
        "processes that never run in the scenario are left out: C",
        "of several execution times the longest is taken: A",
    )
    # E runs once per iteration, for 6; A and B wait for each other for 5/2 + 1.
    assert period(PROCESSES, "F") == 6


def test_a_firing_takes_one_token_of_each_control_channel() -> None:
    channels = {
        one["id"]: one
        for one in read(PROCESSES, scenario="slow")[0]["problem"]["graph"]["channels"]
    }
    assert (channels["D2B"]["production"], channels["D2B"]["consumption"]) == (2, 1)
    # B runs twice for 4, one firing at a time, and A in between; C runs once, for 9.
    assert period(PROCESSES, "slow") == Fraction(21, 2)


def test_a_scenario_in_which_no_graph_can_stay_is_refused() -> None:
    assert refused(PROCESSES, scenario="odd")[0] == "invalid_sdf3"
    assert "the scenario makes tokens of 'A2B' and takes none" in _details("odd")[0]
    assert _details("open") == [
        "line 3: scenario 'open' does not say what 'E' does when it is told 'both':"
        " choose another scenario"
    ]


def _details(scenario: str) -> list[str]:
    with pytest.raises(InstanceError) as error:
        SDF3.read(PROCESSES.encode(), {"scenario": scenario})
    return [fault.detail for fault in error.value.faults]


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        ('<kernel name="B"/>', '<kernel name="A"/>', "a process of this name is there already"),
        ('name="B2A" source', 'name="A2B" source', "a channel of this name is there already"),
        ('destination="C" type="data"', 'destination="X" type="data"', "no process 'X' above"),
        ('kernel_properties kernel="B"', 'kernel_properties kernel="X"', "no such process above"),
        ('<scenario name="slow"><consume', '<scenario name="fast"><consume', "of this name"),
        ('<consume channel="B2A"', '<consume channel="A2B"', "the process is not the target"),
        ('channel="B2A" number', 'channel="X" number', "there is no such channel above"),
        ('tokens="2"/><produce', 'tokens="2,3"/><produce', "tokens is one number"),
        ('execution_time="6"', 'execution_time="-6"', "execution_time:"),
        ("<properties>", '<properties><profile execution_time="1"/>', "belongs to a scenario"),
        ("<properties>", '<properties><scenario name="x"/>', "to the properties of a process"),
        ("<properties>", "<properties><markov_chain/>", "to the properties of a detector"),
        ("<properties>", '<properties><consume channel="A2B"/>', "tokens are moved in a scenario"),
    ],
)
def test_a_fault_of_a_process_names_its_line(old: str, new: str, detail: str) -> None:
    assert old in PROCESSES
    with pytest.raises(InstanceError) as error:
        SDF3.read(PROCESSES.replace(old, new, 1).encode(), {"scenario": "F"})
    details = [fault.detail for fault in error.value.faults]
    assert any(detail in one and one.startswith("line ") for one in details), details


def test_a_process_is_told_one_scenario() -> None:
    two = PROCESSES.replace(
        '<channel name="D2E"',
        '<channel name="X" source="D" destination="B" type="control"/><channel name="D2E"',
    ).replace(
        '<produce channel="D2C" tokens="0"/>',
        '<produce channel="X" tokens="1" value="slow"/><produce channel="D2C" tokens="0"/>',
    )
    assert "'B' is told different scenarios at once" in refused(two, scenario="F")[1]


def test_kernels_without_a_detector_need_no_scenario() -> None:
    text = """<sdf3 type="sadf"><sadf name="g"><structure><kernel name="A"/>
<channel name="c" source="A" destination="A" type="data"/></structure><properties>
<kernel_properties kernel="A"><scenario name="default"><consume channel="c" tokens="1"/>
<produce channel="c" tokens="1"/><profile execution_time="7"/></scenario></kernel_properties>
<channel_properties channel="c" number_of_initial_tokens="1"/></properties></sadf></sdf3>"""
    assert solve(read(text)[0]).result.period == 7
    assert refused(text, scenario="x")[1].endswith("has no scenario")
    assert "there is no process" in refused('<sdf3 type="sadf"/>')[1]
    assert "nested deeper" in refused('<sdf3 type="sadf">' + "<x>" * 200)[1]
