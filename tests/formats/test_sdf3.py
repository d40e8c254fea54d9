"""SDF3 documents, of our own writing, and what becomes of them."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.submissions.imports import INSTANCE_IMPORTERS
from tests.solved import solve

SDF3 = INSTANCE_IMPORTERS["dataflow"]

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<sdf3 type="csdf" version="1.0">\n'
PIPE = (
    HEAD
    + """<applicationGraph name="pipe">
<csdf name="pipe" type="P">
<actor name="-a" type="A">
<port name="o" type="out" rate="2,1"/>
<port name="s" type="in" rate="2*1"/> <port name="t" type="out" rate="1,1"/>
<port name="r" type="in" rate="1,2"/>
</actor>
<actor name="b--c" type="B"><port name="i" type="in" rate="3"/><port name="o" type="out" rate="3"/></actor>
<channel name="c" srcActor="-a" srcPort="o" dstActor="b--c" dstPort="i" size="8"/>
<channel name="back" srcActor="b--c" srcPort="o" dstActor="-a" dstPort="r" initialTokens="6"/>
<channel name="own" srcActor="-a" srcPort="t" dstActor="-a" dstPort="s" initialTokens="1"/>
</csdf>
<csdfProperties>
<actorProperties actor="-a">
<processor type="arm" default="true"><executionTime time="1,2*1.5"/></processor>
<processor type="dsp" default="true"><executionTime time="1,2.5"/></processor>
<processor type="gpu"><executionTime time="1"/><memory><stateSize max="1"/></memory></processor>
</actorProperties>
<actorProperties actor="b--c"><processor type="arm"><executionTime time="4"/></processor></actorProperties>
<channelProperties channel="c"><tokenSize sz="512"/></channelProperties>
<graphProperties><timeConstraints><throughput>0.1</throughput></timeConstraints></graphProperties>
</csdfProperties>
</applicationGraph>
</sdf3>
"""
)


def read(text: str, **parameters: str) -> tuple[Any, tuple[str, ...]]:
    found = SDF3.read(text.encode(), parameters)
    return found.body, found.warnings


def faults(text: str, **parameters: str) -> list[tuple[str, str]]:
    with pytest.raises(InstanceError) as refused:
        SDF3.read(text.encode(), parameters)
    return [(fault.code, fault.detail) for fault in refused.value.faults]


def test_a_graph_becomes_a_body() -> None:
    body, warnings = read(PIPE)
    problem = body["problem"]
    assert problem["kind"] == "dataflow"
    assert problem["concurrency"] == "auto"
    assert problem["graph"] == {
        "name": "pipe",
        "actors": [{"id": ".-a", "times": [1, "5/2"]}, {"id": "b-.c", "times": 4}],
        "channels": [
            {
                "id": "c",
                "source": ".-a",
                "target": "b-.c",
                "production": [2, 1],
                "consumption": 3,
                "tokens": 0,
            },
            {
                "id": "back",
                "source": "b-.c",
                "target": ".-a",
                "production": 3,
                "consumption": [1, 2],
                "tokens": 6,
            },
            {
                "id": "own",
                "source": ".-a",
                "target": ".-a",
                "production": [1, 1],
                "consumption": [1, 1],
                "tokens": 1,
            },
        ],
    }
    assert warnings == (
        "memories are left out: <memory> in line 19, <stateSize> in line 19",
        "sizes of tokens are left out: <tokenSize> in line 22",
        "constraints are left out: <timeConstraints> in line 23, <throughput> in line 23",
        "ids that we cannot use are changed: '-a' to '.-a', 'b--c' to 'b-.c'",
        "times are those of the last processor marked as default. Others are left out: -a (dsp, not arm,"
        " gpu)",
        "sizes of channels are left out, unless buffers is true: c (8)",
    )
    assert solve(body).result.period == Fraction(15, 4)


def test_what_the_format_does_not_say_can_be_said() -> None:
    body, warnings = read(
        PIPE, concurrency="sequential", buffers="true", name="other", processor="gpu"
    )
    problem = body["problem"]
    assert (problem["concurrency"], problem["graph"]["name"]) == ("sequential", "other")
    assert problem["capacities"] == {"c": 8}
    assert [actor["times"] for actor in problem["graph"]["actors"]] == [1, 4]
    assert "there is no time for gpu: that of another processor is taken: b--c" in warnings
    assert not any(warning.startswith("sizes of channels") for warning in warnings)


def test_no_channel_is_called_as_the_places_of_another() -> None:
    text = PIPE.replace('name="back"', 'name="c.room"')
    body, _ = read(text, buffers="true")
    names = [channel["id"] for channel in body["problem"]["graph"]["channels"]]
    assert names[:2] == ["c", "c.room."]
    assert solve(body).result.period is not None
    body, _ = read(text)
    assert [channel["id"] for channel in body["problem"]["graph"]["channels"]][1] == "c.room"


def test_the_only_processor_needs_no_mark() -> None:
    text = PIPE.replace(
        '<processor type="arm" default="true"><executionTime time="1,2*1.5"/></processor>', ""
    )
    text = text.replace(
        '<processor type="dsp" default="true"><executionTime time="1,2.5"/></processor>', ""
    )
    assert not any(warning.startswith("times are") for warning in read(text)[1])
    body, warnings = read(PIPE.replace(' default="true"', ""))
    assert body["problem"]["graph"]["actors"][0]["times"] == 1
    assert any(warning.startswith("times are those of the last processor.") for warning in warnings)


@pytest.mark.parametrize(
    ("old", "new", "detail"),
    [
        (
            'rate="2,1"',
            'rate="2,x"',
            "line 6: <port>: rate: 'x' is not a whole number of at most 16 digits",
        ),
        (
            'rate="2,1"',
            'rate="0*1"',
            "line 6: <port>: rate: '0*1' is not a value or a number of times a",
        ),
        ('rate="2,1"', 'rate="20000*1"', "line 6: <port>: rate has more than 10,000 phases"),
        ('time="4"', 'time="-4"', "<executionTime>: time:"),
        ('name="s" type="in"', 'name="o" type="in"', "a port of this name is there already"),
        ('name="s" type="in"', 'name="s" type="up"', "type='up' is not one of in, out"),
        ('<actor name="b--c"', '<actor name="-a"', "an actor of this name is there already"),
        ('<channel name="back"', '<channel name="c"', "a channel of this name is there already"),
        ('dstPort="i"', 'dstPort="o"', "port 'o' of actor 'b--c' is not of type in"),
        ('dstPort="i"', 'dstPort="x"', "actor 'b--c' has no port 'x'"),
        ('dstActor="b--c"', 'dstActor="x"', "there is no actor 'x'"),
        ('dstPort="r"', 'dstPort="s"', "port 's' already belongs to channel 'back'"),
        ('initialTokens="6"', 'initialTokens="1e3"', "is not a whole number of at most 16 digits"),
        (
            'actorProperties actor="b--c"',
            'actorProperties actor="x"',
            "there is no such actor above",
        ),
        ('<executionTime time="4"/>', "", "actor 'b--c' has no execution time"),
        (
            'type="dsp" default="true"',
            'type="arm"',
            "line 18: <executionTime>: actor '-a' has a time on 'arm' already",
        ),
        (
            "<csdfProperties>",
            '<csdfProperties><processor type="x"/>',
            "belong to the properties of an actor",
        ),
        ("<csdfProperties>", '<csdfProperties><executionTime time="1"/>', "belongs to a processor"),
        ("<csdfProperties>", '<csdfProperties><port name="x"/>', "a port belongs to an actor"),
        (
            "<csdfProperties>",
            '<applicationGraph name="x"/><csdfProperties>',
            "one application graph",
        ),
        ('initialTokens="6"', 'initialTokens="9999999999999999"', "graph.channels.1.tokens"),
    ],
)
def test_a_fault_names_its_line_and_what_is_wrong(old: str, new: str, detail: str) -> None:
    assert old in PIPE
    found = faults(PIPE.replace(old, new, 1))
    assert any(code == "invalid_sdf3" and detail in said for code, said in found), found


def initial(**tokens: int) -> str:
    """Give two actors with an initial phase each: a makes 3 and takes 1, b makes 2 and takes 3."""
    return (
        HEAD
        + f"""<applicationGraph name="g"><csdf name="g" type="G">
<actor name="a" type="A"><port name="o" type="out" rate="3;1"/><port name="i" type="in" rate="1;1"/></actor>
<actor name="b" type="B"><port name="i" type="in" rate="3;1"/><port name="o" type="out" rate="2;1"/></actor>
<channel name="c" srcActor="a" srcPort="o" dstActor="b" dstPort="i" initialTokens="{tokens["c"]}"/>
<channel name="d" srcActor="b" srcPort="o" dstActor="a" dstPort="i" initialTokens="{tokens["d"]}"/>
</csdf><csdfProperties>
<actorProperties actor="a"><processor type="p" default="true"><executionTime time="9;2"/></processor></actorProperties>
<actorProperties actor="b"><processor type="p" default="true"><executionTime time="3"/></processor></actorProperties>
</csdfProperties></applicationGraph></sdf3>"""
    )


def test_initial_phases_leave_their_tokens() -> None:
    body, warnings = read(initial(c=1, d=1))
    graph = body["problem"]["graph"]
    assert [(c["id"], c["tokens"], c["production"]) for c in graph["channels"]] == [
        ("c", 1 + 3 - 3, 1),
        ("d", 1 + 2 - 1, 1),
    ]
    assert [actor["times"] for actor in graph["actors"]] == [2, 3]
    assert any(warning.startswith("initial_phases: ") for warning in warnings)
    # Three tokens on a circuit of 5 time units.
    assert solve(body).result.objective.value == Fraction(3, 5)


def test_initial_phases_that_cannot_end_are_refused() -> None:
    assert read(initial(c=0, d=1))[0]["problem"]["graph"]["channels"][0]["tokens"] == 0
    told = [detail for _, detail in faults(initial(c=0, d=0))]
    assert told == [
        "line 4: actor 'a': its initial firings lack tokens after 0 of 1: start the graph behind them",
        "line 5: actor 'b': its initial firings lack tokens after 0 of 1: start the graph behind them",
    ]


def test_others_go_on_while_initial_phases_run() -> None:
    # After its first initial firing a lacks a token of d, which only a repeated firing of b makes.
    text = initial(c=0, d=1).replace(
        'rate="3;1"/><port name="i" type="in" rate="1;1"',
        'rate="3,0;1"/><port name="i" type="in" rate="1,3;1"',
    )
    text = text.replace('time="9;2"', 'time="9,9;2"').replace(
        'rate="3;1"/><port name="o" type="out" rate="2;1"',
        'rate="1"/><port name="o" type="out" rate="1"',
    )
    body, _ = read(text)
    graph = body["problem"]["graph"]
    # Of 4 tokens taken of d one is there, so b runs 3 times: that takes all that a has made.
    assert [(c["id"], c["tokens"]) for c in graph["channels"]] == [("c", 0), ("d", 0)]
    more = read(text.replace('initialTokens="1"', 'initialTokens="2"'))[0]["problem"]["graph"]
    assert [(c["id"], c["tokens"]) for c in more["channels"]] == [("c", 1), ("d", 0)]
    less = faults(text.replace('initialTokens="1"', 'initialTokens="0"'))
    assert [detail for _, detail in less] == [
        "line 4: actor 'a': its initial firings lack tokens after 0 of 2: start the graph behind them"
    ]


def test_ports_of_an_actor_have_as_many_initial_phases() -> None:
    text = initial(c=1, d=1).replace('rate="1;1"', 'rate="1,1;1"')
    told = [detail for _, detail in faults(text)]
    assert told == [
        "line 4: actor 'a': its ports have as many initial phases as each other; 'o' has 1, another 2"
    ]


def test_what_is_no_graph_is_refused() -> None:
    assert faults("<platform/>")[0][1] == "line 1: the document is <platform>, not <sdf3>"
    assert "there is no actor" in faults(HEAD + "</sdf3>")[0][1]
    assert faults("<sdf3>")[0][0] == "malformed_xml"
    assert faults('<!DOCTYPE sdf3 SYSTEM "x"><sdf3/>')[0] == (
        "forbidden_doctype",
        "line 1: no DOCTYPE is accepted",
    )
    assert faults("<sdf3>&x;</sdf3>")[0][0] == "forbidden_entity"
    assert "nested deeper" in faults("<sdf3>" + "<x>" * 200)[0][1]
    assert len(faults(HEAD + "<actor/>" * 100 + "</sdf3>")) == 20


def test_a_port_without_a_channel_is_left_out() -> None:
    text = PIPE.replace(
        '<actor name="b--c" type="B">',
        '<actor name="b--c" type="B"><port name="x" type="in" rate="1"/>',
    )
    assert "ports without a channel are left out: b--c.x" in read(text)[1]


def test_parameters_are_checked() -> None:
    assert faults(PIPE, concurrency="x") == [
        ("invalid_parameter", "concurrency: one of sequential, auto, not 'x'")
    ]
    assert faults(PIPE, processor="fpga")[0][1].endswith("there are: arm, dsp, gpu")
    assert faults(PIPE, speed="1")[0][0] == "unknown_parameter"
    small = PIPE.replace('size="8"', 'size="8" initialTokens="9"')
    assert faults(small, buffers="true") == [
        ("invalid_sdf3", "line 11: channel 'c' has room for 8 tokens, and 9 at the beginning")
    ]


def test_documents_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LimitError):
        SDF3.read(PIPE.encode(), limits=Limits(max_body_bytes=1000))
    monkeypatch.setattr("steadygrid.formats.sdf3.reader._MOST_VALUES", 9)
    with pytest.raises(LimitError, match="10 rates and times"):
        SDF3.read(PIPE.encode())
