"""Platform, application, job and schedule."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError

from steadygrid.domain.application import Application, application_faults, find_cycle
from steadygrid.domain.errors import Fault, InstanceError, format_pointer
from steadygrid.domain.job import JobState, Objective, Options, relative_gap
from steadygrid.domain.platform import Platform, arc_uses, platform_faults
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer

HALF = Fraction(1, 2)


def platform(links: list[dict[str, Any]], **more: Any) -> Platform:
    processors = [
        {"id": "A", "bandwidth_out": 4},
        {"id": "B", "bandwidth_in": 8, "speed": 2},
        {"id": "S", "switch": True},
        {"id": "T", "switch": True},
    ]
    return Platform.model_validate({"processors": processors, "links": links} | more)


def test_a_link_has_one_arc_for_each_direction_it_carries() -> None:
    built = platform(
        [
            {"source": "A", "target": "B", "bandwidth": 2},
            {"source": "B", "target": "S", "unit_time": 3, "duplex": "half"},
            {"source": "S", "target": "A", "unit_time": 1, "duplex": "simplex"},
        ]
    )
    assert [(a.source, a.target, a.unit_time, a.half) for a in built.arcs] == [
        (0, 1, HALF, None),
        (1, 0, HALF, None),
        (1, 2, 3, 3),
        (2, 1, 3, 2),
        (2, 0, 1, None),
    ]
    assert [a.index for a in built.arcs_out[1]] == [1, 2]
    assert [a.index for a in built.arcs_in[0]] == [1, 4]
    assert built.arc_by_ends[2, 0].link == 2
    assert built.processors[1].time_per_work == HALF
    assert built.processors[0].time_per_work is None


@pytest.mark.parametrize(
    ("link", "ports", "uses"),
    [
        (
            {"source": "A", "target": "B", "unit_time": 3},
            "one_port",
            [("A.send", 3), ("B.receive", 3)],
        ),
        (
            {"source": "B", "target": "A", "unit_time": 3, "duplex": "half"},
            "one_port",
            [("A--B.half", 3), ("B.send", 3), ("A.receive", 3)],
        ),
        ({"source": "A", "target": "S", "unit_time": 3}, "one_port", [("A.send", 3)]),
        ({"source": "S", "target": "T", "unit_time": 3}, "one_port", [("S->T.link", 3)]),
        (
            {"source": "S", "target": "T", "unit_time": 3, "duplex": "half"},
            "one_port",
            [("S--T.half", 3)],
        ),
        (
            {"source": "A", "target": "B", "unit_time": 3, "media": ["bus", "bus"]},
            "multiport",
            [
                ("A->B.link", 3),
                ("A.out", Fraction(1, 4)),
                ("B.in", Fraction(1, 8)),
                ("bus.medium", Fraction(2, 5)),
            ],
        ),
        (
            {"source": "A", "target": "S", "unit_time": 3, "duplex": "half"},
            "multiport",
            [("A--S.half", 3), ("A.out", Fraction(1, 4))],
        ),
    ],
)
def test_an_arc_uses_the_resources_of_its_port_model(link: Any, ports: Any, uses: Any) -> None:
    built = platform([link], media=[{"id": "bus", "bandwidth": 5}])
    assert [tuple(use) for use in arc_uses(built, built.arcs[0], ports)] == uses


def test_an_arc_of_an_unchecked_link_without_speed_is_an_error() -> None:
    with pytest.raises(ValueError, match="no speed"):
        _ = platform([{"source": "A", "target": "B"}]).arcs


def test_a_sound_platform_has_no_faults() -> None:
    built = platform(
        [
            {"source": "A", "target": "B", "unit_time": 1, "duplex": "simplex"},
            {"source": "B", "target": "A", "unit_time": 2, "duplex": "simplex"},
            {"source": "B", "target": "S", "unit_time": 2},
        ],
        routes=[{"source": "A", "target": "S", "via": ["B"]}],
    )
    assert list(platform_faults(built, ())) == []


def application(files: list[tuple[str, str]], tasks: str = "abcd") -> Application:
    return Application.model_validate(
        {
            "tasks": [{"id": t, "work": 1} for t in tasks],
            "files": [{"source": a, "target": b, "size": 1} for a, b in files],
        }
    )


def codes(built: Application) -> list[str]:
    return [fault.code for fault in application_faults(built, ("application",))]


def test_an_application_is_an_acyclic_graph_of_known_tasks() -> None:
    assert codes(application([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])) == []
    assert codes(application([("a", "b"), ("a", "b")])) == ["duplicate_file"]
    assert codes(application([("a", "x")])) == ["unknown_task"]
    assert codes(application([], tasks="aa")) == ["duplicate_task"]
    assert codes(Application.model_validate({"tasks": [{"id": "a"}]})) == ["ambiguous_work"]
    (fault,) = application_faults(application([("a", "b"), ("b", "c"), ("c", "b")]), ())
    assert fault.code == "cycle"
    assert fault.detail.endswith("b -> c -> b")


def test_a_long_chain_does_not_exhaust_the_stack() -> None:
    tasks = [str(i) for i in range(5000)]
    pairs = [(str(i), str(i + 1)) for i in range(4999)]
    assert find_cycle(tasks, pairs) == []
    assert len(find_cycle(tasks, [*pairs, ("4999", "0")])) == 5000


def test_a_schedule_reads_back_what_it_writes() -> None:
    file = ("begin", "task")
    schedule = Schedule(
        Fraction(40), Fraction(21), Fraction(21, 40), Fraction(21, 40), Fraction(0), None,
        "one_port", 2, 3, False, (file,),
        (
            Allocation(
                0, Fraction(21, 40), Fraction(21), {"task": ("P2",)},
                (Transfer(file, ("P1", "P2"), Fraction(1)),),
            ),
        ),
        (Computation("P2", "task", 0, Fraction(21), Fraction(0), Fraction(40)),),
        (Slot(Fraction(0), HALF, (SlotTransfer("P1", "P2", file, 0, Fraction(21)),)),),
    )  # fmt: skip
    assert Schedule.from_document(schedule.document) == schedule
    assert schedule.header["counts"] == {
        "allocations": 1,
        "computations": 1,
        "slots": 1,
        "transfers": 1,
    }
    for broken in ({"ports": "no_port"}, {"slots": [{}]}, {"files": [[1, 2]]}, {"period": "x"}):
        with pytest.raises((KeyError, TypeError, ValueError)):
            Schedule.from_document(schedule.document | broken)
    bounded = schedule.document | {"rounding_loss": "1/3"}
    assert Schedule.from_document(bounded).rounding_loss == Fraction(1, 3)


def test_states_know_whether_they_are_final() -> None:
    assert [state.value for state in JobState if state.final] == [
        "succeeded",
        "failed",
        "cancelled",
    ]


def test_whole_files_are_the_default_unless_the_period_is_bounded() -> None:
    assert Options().wants_whole_files
    assert not Options(max_period=Fraction(5)).wants_whole_files
    assert Options(max_period=Fraction(5), whole_files=True).wants_whole_files
    with pytest.raises(ValidationError):
        Options.model_validate({"time_limit": float("nan")})


def test_the_gap_is_relative_to_the_bound() -> None:
    assert relative_gap(Fraction(9), Fraction(10)) == Fraction(1, 10)
    assert relative_gap(Fraction(0), Fraction(0)) == 0
    assert Objective.throughput(Fraction(10**400)).approx is None


def test_pointers_are_escaped() -> None:
    assert format_pointer(("a/b", "~", 0)) == "#/a~1b/~0/0"
    error = InstanceError(faults=[Fault(("a",), "code", "what to do")])
    assert error.detail == "The input breaks a rule. #/a: what to do"
