"""What the referee of collective operations asks: a right answer, and one thing changed in it."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import NO_TIME_FOR_SCHEDULE, Bound, Objective, Options, Outcome
from steadygrid.kinds.collective.certificates import UnreachableCertificate
from steadygrid.kinds.collective.schemas import CombinationOut
from tests.kinds.collective.bodies import F, body, figure_2, turned_round
from tests.verification.answers import Answer, answered


@cache
def right() -> Answer:
    return answered(figure_2())


@cache
def lost() -> Answer:
    return answered(figure_2(source="a"))


@cache
def triangle() -> Answer:
    """Three processors of one transfer at a time; the optimum is that of their odd set."""
    listed = "A>B 1, B>C 1, C>A 1"
    members = {"duplex": "full"}
    return answered(body(listed, "all_to_all", ports="send_or_receive", members=members))


@cache
def gathered() -> Answer:
    listed = turned_round("s>a 1, s>b 1, a>P0 2/3, b>P0 4/3, b>P1 4/3")
    return answered(body(listed, "gather", target="s", sources=["P0", "P1"]))


def test_right_answers_are_accepted() -> None:
    for answer in (right(), lost(), triangle(), gathered()):
        assert answer.faults() == []


def more(answer: Answer) -> Answer:
    """Claim twice the throughput, with prices that sum to it, and without a schedule."""
    result = answer.result
    value = 2 * result.objective.value
    told = {
        "outcome": Outcome.FEASIBLE,
        "objective": Objective.throughput(value),
        "bound": Bound.from_value(value, exact=True),
        "gap": F(0),
        "algorithmic_bandwidth": 2 * result.algorithmic_bandwidth,
        "certificate": DualityCertificate(
            prices={name: 2 * price for name, price in result.certificate.prices.items()}
        ),
        "allocations": [
            a.model_copy(update={"rate": 2 * a.rate}) for a in result.allocations
        ],
        "notes": [NO_TIME_FOR_SCHEDULE],
    }  # fmt: skip
    return answer._replace(result=result.model_copy(update=told), schedule=None)


PLANTED: list[tuple[str, Callable[[], Answer], str, Any]] = [
    ("wrong_kind", right, "result/kind", "cell"),
    ("wrong_operation", right, "result/operation", "gather"),
    ("wrong_messages", right, "result/messages", lambda listed: listed[::-1]),
    ("wrong_messages", right, "result/messages", lambda listed: listed[:1]),
    ("wrong_messages", right, "result/messages", lambda listed: [*listed, listed[0]]),
    ("wrong_messages", right, "result/messages/0/size", F(2)),
    ("wrong_messages", right, "result/messages/0/origin", "a"),
    ("wrong_messages", right, "result/messages/1/receivers", ["P1", "P0"]),
    ("wrong_messages", right, "result/messages/1/sources", ["s"]),
    ("wrong_messages", right, "instance/sizes", {"P0": F(2)}),
    ("wrong_bandwidth", right, "result/algorithmic_bandwidth", F(2)),
    ("wrong_bandwidth", right, "result/algorithmic_bandwidth", None),
    ("wrong_bandwidth", lost, "result/algorithmic_bandwidth", F(0)),
    ("infeasible_unproved", lost, "result/certificate", NoCertificate()),
    ("unknown_message", lost, "result/certificate/message", "P7"),
    ("not_closed", lost, "result/certificate/processors", ["a"]),
    ("proves_nothing", lost, "instance/source", "s"),
    ("proves_nothing", lost, "result/certificate/processors", []),
    ("proves_nothing", lost, "result/certificate/processors", ["s", "a", "b", "P0", "P1"]),
    ("wrong_certificate", right, "result/certificate", UnreachableCertificate(message="P0", processors=[])),
    ("ghost_resource", right, "result/certificate/prices", {"x.send": F(1, 2)}),
    ("negative_price", right, "result/certificate/prices", {"s.send": F(1), "a.send": F(-1, 2)}),
    ("prices_miss_bound", right, "result/certificate/prices", {"s.send": F(1)}),
    ("cheap_operation", right, "result/certificate/prices", {"a.send": F(1, 2)}),
    ("cheap_operation", gathered, "result/certificate/prices", {"a.receive": F(1, 2)}),
    ("cheap_operation", triangle, "result/certificate/prices", {"A.port": F(1, 6)}),
    ("wrong_index", right, "result/allocations/0/index", 3),
    ("rate_not_positive", right, "result/allocations/0/rate", F(0)),
    ("wrong_sum", right, "result/allocations/0/rate", F(1, 3)),
    ("wrong_sum", right, "result/allocations", lambda listed: listed[:1]),
    ("unknown_message", right, "result/allocations/0/message", "P7"),
    ("unknown_file", right, "result/allocations/0/message", "P1"),
    ("wrong_root", right, "result/allocations/0/root", "a"),
    ("combined_for_nothing", right, "result/allocations/0/combinations", [CombinationOut(index=0, processor="a", operands=["s", "s"])]),
    ("unknown_task", right, "result/allocations/0/tasks", {"work": "s"}),
    ("file_does_not_move", right, "result/allocations/0/transfers", []),
    ("path_start", right, "result/allocations/0/transfers/0/path", ["a", "P0"]),
    ("path_end", right, "result/allocations/0/transfers/0/path", ["s", "a"]),
    ("missing_link", right, "result/allocations/0/transfers/0/path", ["s", "P0"]),
    ("shares_miss_one", right, "result/allocations/0/transfers/0/share", F(1, 2)),
    ("allocations_disagree", right, "schedule/allocations/0/rate", F(1, 3)),
    ("allocations_disagree", right, "schedule/allocations/1/message", "P0"),
    ("allocations_disagree", right, "schedule/allocations/1/index", 5),
    ("unknown_stream", right, "schedule/allocations/0/message", None),
    ("unknown_stream", right, "schedule/allocations/0/message", "P7"),
    ("wrong_instances", right, "schedule/allocations/0/instances_per_period", F(3)),
    ("wrong_files", right, "schedule/files", lambda files: files[:1]),
    ("wrong_count", right, "schedule/runs", lambda runs: runs[:1]),
    ("no_schedule", right, "schedule", None),
]  # fmt: skip


@pytest.mark.parametrize(("code", "answer", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(
    code: str, answer: Callable[[], Answer], place: str, value: Any
) -> None:
    assert code in answer().change(place, value).codes()


def test_half_a_message_over_each_of_two_paths_is_found() -> None:
    """A right answer by two ways, told as one allocation of both."""
    diamond = body("s>a 1, s>b 1, a>t 2, b>t 2", "scatter", ports="multiport", source="s", targets=["t"])  # fmt: skip
    told = answered(diamond, max_period="exact")
    assert [a.rate for a in told.result.allocations] == [F(1, 2), F(1, 2)]

    def merged(listed: Any) -> Any:
        first, second = (each.transfers[0] for each in listed)
        if isinstance(listed, tuple):
            halves = (first._replace(share=F(1, 2)), second._replace(share=F(1, 2)))
            return (listed[0]._replace(rate=F(1), instances_per_period=F(2), transfers=halves),)
        told = [each.model_copy(update={"share": F(1, 2)}) for each in (first, second)]
        return [listed[0].model_copy(update={"rate": F(1), "transfers": told})]

    def renamed(transfers: Any) -> Any:
        return tuple(transfer._replace(allocation=0) for transfer in transfers)

    merged_both = (
        told.change("result/allocations", merged)
        .change("schedule/allocations", merged)
        .change("schedule/slots/0/transfers", renamed)
    )
    assert merged_both.codes() == {"several_ways"}


def test_more_than_the_ports_can_carry_is_found() -> None:
    assert "overloaded" in more(right()).codes()


def test_a_set_of_processors_that_is_too_full_is_found_where_no_slots_are_shown() -> None:
    slow = more(triangle())
    factor = F(3, 4)
    value = factor * slow.result.objective.value
    half = slow.result.model_copy(
        update={
            "objective": Objective.throughput(value),
            "bound": Bound.from_value(value, exact=True),
            "algorithmic_bandwidth": factor * slow.result.algorithmic_bandwidth,
            "certificate": DualityCertificate(prices={"A--B--C.odd": value}),
            "allocations": [
                a.model_copy(update={"rate": factor * a.rate}) for a in slow.result.allocations
            ],
        }
    )
    assert "odd_set_overload" in slow._replace(result=half).codes()


def test_who_is_infeasible_has_no_allocations() -> None:
    told = lost().change("result/allocations", right().result.allocations)
    assert "wrong_outcome" in told.codes()


def test_the_bound_of_an_impossible_operation_is_no_fault_of_the_prices() -> None:
    result = right().result.model_copy(update={"allocations": []})
    told = Answer(lost().instance, Options(), result, None)
    assert "cheap_operation" not in told.codes()


def test_a_bound_alone_has_no_bandwidth() -> None:
    told = {
        "outcome": Outcome.BOUND_ONLY,
        "objective": None,
        "gap": None,
        "allocations": [],
        "algorithmic_bandwidth": None,
        "preferred": None,
    }
    bound_only = right().result.model_copy(update=told)
    assert right()._replace(result=bound_only, schedule=None).faults() == []
    assert "wrong_outcome" in right()._replace(result=bound_only).codes()


@pytest.mark.parametrize("count", [Fraction(1, 2), Fraction(7)])
def test_counts_of_cargo_belong_to_their_own_message(count: Fraction) -> None:
    assert right().change("schedule/runs/0/cargo/0/count", count).faults()


def test_sizes_that_the_instance_names_count_for_their_own_pair() -> None:
    sizes = [{"source": "A", "target": "B", "size": 3}]
    told = answered(body("A>B 1", "all_to_all", members={"duplex": "full"}, pair_sizes=sizes))
    assert told.result.objective.value == F(1, 3)
    assert "wrong_messages" in told.change("instance/pair_sizes", None).codes()
    assert told.change("instance/participants", ("A", "B")).faults() == []


@pytest.mark.parametrize(
    ("code", "operands"),
    [
        ("not_combined", ["a", "b"]),
        ("used_twice", ["s", "a", "b", "s"]),
        ("unknown_operand", ["s", "a", "b", "c"]),
    ],
)
def test_what_is_combined_is_everything_once(code: str, operands: list[str]) -> None:
    """Of what s has itself nothing moves: only its combination tells what becomes of it."""
    right = answered(body("a>s 1, b>s 1", "reduce", target="s"))
    assert right.faults() == []
    place = "result/allocations/0/combinations/0/operands"
    assert right.change(place, operands).codes() == {code, "allocations_disagree"}


def test_a_schedule_has_no_allocations_of_its_own() -> None:
    more = right().change(
        "schedule/allocations",
        lambda listed: (*listed, listed[0]._replace(index=len(listed), rate=F(0))),
    )
    assert "allocations_disagree" in more.codes()
