"""What the referee asks of whole chunks, a right answer with one thing changed in it, and what people are told."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from benchmarks.boxes import a100
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.certificates import ChunkCut, WholeChunksCertificate
from steadygrid.kinds.collective.schemas import ChunksOut
from steadygrid.report.glyphs import ASCII
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.engine.arborescences.test_chunk_times import both_ways, ring
from tests.kinds.collective.bodies import F, body
from tests.kinds.collective.test_chunks import DGX_1, boxes, on
from tests.kinds.collective.test_faults import figure_2
from tests.verification.answers import Answer, answered

pytestmark = pytest.mark.usefixtures("few_programs")


@cache
def right() -> Answer:
    return answered(on(DGX_1, 8, "allgather", chunks=1))


@cache
def reduced() -> Answer:
    return answered(on(DGX_1, 8, "reduce", target="0", chunks=2))


@cache
def at_times() -> Answer:
    """No set proves it: each link carries its next whole chunk later."""
    return answered(on(DGX_1, 8, "allreduce", chunks=1))


@cache
def without() -> Answer:
    return answered(on(DGX_1, 8, "allgather"))


def altered(answer: Answer, **members: Any) -> Answer:
    """Give the answer with some members of its result changed."""
    return answer._replace(result=answer.result.model_copy(update=members))


def chunks(answer: Answer, **changed: Any) -> Answer:
    return altered(answer, chunks=answer.result.chunks.model_copy(update=changed))


def cut(answer: Answer, *names: str, direction: str = "out") -> Answer:
    given = ChunkCut(processors=list(names), direction=direction)
    return answer.change("result/certificate/chunk_cut", given)


def trees(answer: Answer, **changed: Any) -> Answer:
    return altered(answer, trees=answer.result.trees.model_copy(update=changed))


def allocation(answer: Answer, **changed: Any) -> Answer:
    first, *others = answer.result.allocations
    return altered(answer, allocations=[first.model_copy(update=changed), *others])


def broken() -> Answer:
    """Half a chunk of a message goes where another one went."""
    first, *others = right().result.allocations
    halves = [first.model_copy(update={"rate": first.rate / 2}) for _ in range(2)]
    listed = [*halves, *others]
    listed = [one.model_copy(update={"index": k}) for k, one in enumerate(listed)]
    return altered(right(), allocations=listed)


MUTANTS: list[tuple[str, Callable[[], Answer], str]] = [
    ("another number", lambda: chunks(right(), count=2), "wrong_count"),
    ("no number", lambda: chunks(right(), count=0), "wrong_count"),
    ("another size", lambda: chunks(right(), size=F(1, 2)), "wrong_size"),
    ("a shorter time", lambda: chunks(right(), least_time=F(1, 20)), "wrong_least_time"),
    ("a longer time", lambda: chunks(right(), least_time=F(1, 10)), "wrong_least_time"),
    ("more without chunks", lambda: chunks(right(), unlimited=F(22)), "wrong_loss"),
    (
        "other prices",
        lambda: chunks(right(), unlimited=F(22), loss=F(8, 33)),
        "prices_miss_bound",
    ),
    ("less loss", lambda: chunks(right(), loss=F(0)), "wrong_loss"),
    ("nothing told", lambda: altered(right(), chunks=None), "chunks_of_nothing"),
    ("told unasked", lambda: altered(without(), chunks=right().result.chunks), "wrong_chunks"),
    ("a wide set", lambda: cut(right(), "0", "1"), "wide_cut"),
    ("a set of all", lambda: cut(right(), *"01234567"), "wide_cut"),
    ("a set of none", lambda: cut(right()), "wide_cut"),
    ("a stranger", lambda: cut(right(), "0", "X"), "unknown_processor"),
    ("into it", lambda: cut(right(), "0", direction="in"), "wrong_direction"),
    ("out of it", lambda: cut(reduced(), "0", direction="out"), "wrong_direction"),
    ("a wide set of a reduce", lambda: cut(reduced(), "1", direction="in"), "wide_cut"),
    ("a set where times decide", lambda: cut(at_times(), "0"), "wide_cut"),
    ("half a chunk", broken, "broken_chunk"),
    ("deeper", lambda: allocation(right(), depth=9), "wrong_depth"),
    ("deepest", lambda: trees(right(), depth_max=2), "wrong_depth_max"),
    ("on average", lambda: trees(right(), depth_mean=F(2)), "wrong_depth_mean"),
    ("unreadable", lambda: trees(right(), depth_mean=None), "wrong_depth_mean"),
    ("no less deep", lambda: trees(right(), depth_bound=3), "wrong_depth_bound"),
    ("there and back", lambda: trees(at_times(), depth_bound=2), "wrong_depth_bound"),
    ("more trees", lambda: trees(right(), count=9), "wrong_tree_count"),
]


def test_right_answers_are_accepted() -> None:
    for answer in (right(), reduced(), at_times(), without()):
        assert answer.faults() == []
    assert at_times().result.certificate.chunk_cut is None


@pytest.mark.parametrize(
    ("change", "code"), [(change, code) for _, change, code in MUTANTS], ids=[m[0] for m in MUTANTS]
)
def test_one_thing_changed_is_found(change: Callable[[], Answer], code: str) -> None:
    assert code in {fault.code for fault in change().faults()}


def test_a_time_that_is_too_long_is_found() -> None:
    """Where no set decides, a bound below what whole chunks allow has a link that was full before."""
    answer = at_times()
    value = answer.result.objective.value / 2
    told = answer.result.chunks
    half = altered(
        answer,
        bound=answer.result.bound.model_copy(update={"value": value}),
        chunks=told.model_copy(update={"least_time": 2 * told.least_time}),
    )
    assert "whole_chunk_before" in {fault.code for fault in half.faults()}


def test_without_a_set_nothing_is_proved_where_links_share_a_port() -> None:
    """A port is busy for sums of what its links take, which is no whole number for any of them."""
    links = "A>B 3, A>S 3, S>C 2"
    asked = body(links, "broadcast", switches="S", source="A", chunks=1)
    other = body(f"{links}, A>C 2", "broadcast", switches="S", source="A", chunks=1)
    right, better = answered(asked), answered(other)
    assert (right.result.objective.value, better.result.objective.value) == (F(1, 6), F(1, 5))
    given = better.result.certificate
    forged = WholeChunksCertificate(
        prices=given.prices, potentials=given.potentials, cuts=given.cuts, chunk_cut=None
    )
    told = ChunksOut(count=1, size=F(1), least_time=F(6), unlimited=F(1, 5), loss=F(1, 6))
    result = right.result.model_copy(update={"certificate": forged, "chunks": told})
    codes = {
        fault.code for fault in better._replace(result=result, schedule=right.schedule).faults()
    }
    assert codes == {"whole_chunk_before"}


def test_a_bound_of_nothing_is_a_fault_and_no_crash() -> None:
    nothing = right().result.bound.model_copy(update={"value": F(0)})
    assert altered(right(), bound=nothing).faults()


def test_no_value_has_no_chunks_that_are_broken() -> None:
    codes = {fault.code for fault in altered(right(), objective=None).faults()}
    assert "wrong_loss" in codes
    assert "broken_chunk" not in codes


def test_times_before_an_unlimited_throughput_of_nothing_are_not_asked() -> None:
    codes = {fault.code for fault in chunks(at_times(), unlimited=F(0)).faults()}
    assert "wrong_loss" in codes
    assert "whole_chunk_before" not in codes


def test_a_bound_of_any_number_of_chunks_is_not_told_as_less() -> None:
    answer = answered(on(ring(8), 8, "allreduce", chunks=2))
    assert answer.result.certificate.type == "cuts"
    assert answer.faults() == []
    changed = chunks(answer, unlimited=F(2), loss=1 - answer.result.objective.value / 2)
    assert "wrong_unlimited" in {fault.code for fault in changed.faults()}


def test_paths_have_no_depth() -> None:
    answer = answered(figure_2())
    assert answer.result.trees is None
    assert {a.depth for a in answer.result.allocations} == {None}
    assert {f.code for f in allocation(answer, depth=1).faults()} == {"depth_of_nothing"}
    told = altered(answer, trees=right().result.trees)
    assert {f.code for f in told.faults()} == {"wrong_tree_count"}


def test_trees_that_go_in_circles_have_no_depth() -> None:
    answer = right()
    first, *others = answer.result.allocations
    back = first.transfers[0].model_copy(update={"path": first.transfers[0].path[::-1]})
    circle = first.model_copy(update={"transfers": [*first.transfers, back], "depth": 99})
    nowhere = first.model_copy(
        update={"transfers": [first.transfers[0].model_copy(update={"path": []})], "depth": 99}
    )
    for odd in (circle, nowhere, first.model_copy(update={"message": "X", "depth": 99})):
        found = {f.code for f in altered(answer, allocations=[odd, *others]).faults()}
        assert found
        assert "wrong_depth" not in found


def lines(problem: dict[str, Any]) -> str:
    submission = parse_submission(problem, Limits())
    result, schedule = run(submission, Control(30), Limits())
    drawn = page(Report(submission, result, schedule), 400, ASCII)
    return "\n".join(line.plain for line in drawn)


def test_it_is_said_why_no_fewer_time_is_enough() -> None:
    told = lines(boxes(a100(2), "allgather", chunks=1))
    assert "15 chunks must enter each of 16 processors (0, 1, 2 and 13 more); before 7/150" in told
    assert "its links let in 14" in told
    assert "no schedule with 1 chunk per message does better" in told
    assert "1 chunk per message, each with 1 of data; 16 trees, 2 hops deep;" in told
    assert "the links of each of 16 processors (0, 1, 2 and 13 more), all alike" in told
    told = lines(on(DGX_1, 8, "allreduce", chunks=1))
    assert "with any number of chunks, each allreduce takes 7/600" in told
    assert "1 chunk per participant that combines each piece at one processor" in told
    told = lines(on(ring(4), 4, "reduce", target="0", chunks=2))
    assert "2 chunks must enter 0; before 1" not in told


def test_one_of_many_alike_is_not_named_alone() -> None:
    told = lines(boxes(a100(2), "allgather"))
    assert "each of 16 processors (0, 1, 2 and 13 more) can receive 325" in told
    assert "all alike" in told
    assert "all alike" not in lines(on(both_ways({(0, 1): 1, (1, 2): 3}), 3, "allgather"))
