"""What people are told of a collective operation."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.view import Amount, View
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.collective.schemas import (
    CombinationOut,
    MessageAllocation,
    MessageTransfer,
)
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.page import page
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.kinds.collective.bodies import FIGURE_2, body, figure_2, turned_round
from tests.kinds.collective.test_bounds import reduced, scattered, spread, switched
from tests.kinds.collective.test_references import alone, table
from tests.kinds.collective.test_trees import chain, ring
from tests.kinds.collective.test_trees import spread as two_ways
from tests.kinds.collective.test_trees import switched as forwarded
from tests.solved import Solved
from tests.verification.answers import Answer

EXAMPLES = Path(__file__).parents[3] / "examples"


def answer(problem: dict[str, Any]) -> Answer:
    submission = parse_submission(problem, Limits())
    found = Solved(*run(submission, Control(30), Limits()))
    return Answer(submission.instance, submission.options, found.result, found.schedule)


def facts(problem: dict[str, Any]) -> dict[str, str]:
    return {
        label: "".join(str(p.value) if isinstance(p, Amount) else p for p in phrase)
        for label, phrase in told_of(answer(problem)).facts
    }


def told_of(answer: Answer) -> View:
    return PROBLEMS["collective"].view(*answer)


def limit(answer: Answer) -> str | None:
    phrase = dict(told_of(answer).facts).get("limit")
    if phrase is None:
        return None
    return "".join(str(p.value) if isinstance(p, Amount) else p for p in phrase)


def four(operation: str, **problem: Any) -> dict[str, Any]:
    """One processor and five others, all beyond one link."""
    rays = "M>H 1/7, " + ", ".join(f"H>{name} 1/9" for name in "ABCDE")
    if operation == "gather":
        return body(
            turned_round(rays), operation, ports="multiport", target="M", sources=[*"ABCDE"]
        )
    return body(rays, operation, ports="multiport", source="M", targets=[*"ABCDE"], **problem)


def all_to_some(**problem: Any) -> dict[str, Any]:
    """A triangle behind one link, whose last processor gives and gets all over it."""
    listed = "A>B 1/9, B>C 1/9, C>A 1/9, C>D 1/2, D>C 1/3"
    return body(listed, "allreduce", ports="multiport", **problem)


TOLD = [
    (figure_2(), "s sends for 2 in each scatter"),
    (body("a>t 1/9", "reduce", target="t", combine={"times": {"t": 1}}), "t combines for 1 in each reduction"),
    (body(turned_round(FIGURE_2), "gather", target="s", sources=["P0", "P1"]), "s receives for 2 in each gather"),
    (body("A>B 1, B>C 1", "all_to_all", ports="send_or_receive", members={"duplex": "full"}), "B sends or receives for 8 in each all-to-all"),
    (four("scatter"), "M can send 7 per time unit to the rest; each scatter needs 5"),
    (all_to_some(), "D can receive 2 per time unit from the rest; each allreduce needs 1"),
    (four("gather"), "M can receive 7 per time unit from the rest; each gather needs 5"),
    (body("M>H 1, H>A 2, H>B 1/9, H>C 1/9", "scatter", ports="multiport", source="M", targets=["A"]), "A can receive 1/2 per time unit from the rest; each scatter needs 1"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "sentence"), TOLD)
def test_the_limit_is_told_in_a_sentence(problem: dict[str, Any], sentence: str) -> None:
    assert facts(problem)["limit"] == sentence


def test_what_takes_more_than_a_sentence_is_left_to_the_prices() -> None:
    several = body("A>B 1, B>C 1, C>A 1, A>C 3, B>A 2, C>B 5", "all_to_all")
    assert "limit" not in facts(several)
    limited = four("scatter")
    limited["problem"]["platform"]["processors"][0]["bandwidth_out"] = 1
    assert "limit" not in facts(limited)


def test_messages_are_counted_and_where_nothing_arrives_too() -> None:
    assert facts(figure_2()) == {
        "messages": "2 in each scatter; together 1 of data per time unit",
        "limit": "s sends for 2 in each scatter",
        "traffic": "links carry messages for 2 of the time, summed up: the least, proved",
    }
    assert facts(figure_2(source="a")) == {"messages": "2 in each scatter"}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (chain(), "s sends for 1 in each broadcast"),
        (ring(), "C can receive 1 per time unit from the rest; each allgather needs 3"),
        (two_ways(), "s can send 2 per time unit to the rest; each multicast needs 1"),
        (spread(), "s can send 1 per time unit to the rest; each multicast needs 1"),
        (scattered(), "C can send 1 per time unit to the rest; each reduce-scatter needs 3"),
        (switched(), None),
        (reduced(), None),
    ],
)  # fmt: skip
def test_the_limit_of_copies_is_told_by_a_cut(given: Answer, sentence: str | None) -> None:
    assert limit(given) == sentence


def test_trees_are_folded_by_their_shape() -> None:
    (section,) = told_of(two_ways()).sections
    assert section.title == "Trees: 2 for 1 message"
    assert section.table is not None
    assert section.table.rows == ((2, 2, 3, 1),)
    (section,) = told_of(forwarded()).sections
    assert section.table is not None
    assert section.table.rows == ((1, 1, 4, 1),)
    long = two_ways().change("result/allocations/1/transfers/0/path", ["s", "h", "g"])
    (section,) = told_of(long).sections
    assert section.table is not None
    assert section.table.rows == ((1, 2, 3, Fraction(1, 2)), (1, 2, 4, Fraction(1, 2)))


def test_what_is_spread_follows_what_is_combined() -> None:
    """On the ring each piece takes two links to its root, and two from there."""
    predicted, section = told_of(
        answer(body("a>b 1, b>c 1, c>a 1", "allreduce", ports="multiport"))
    ).sections
    assert predicted.title == "Predicted times"
    assert section.title == "Trees: 3 for 1 message"
    assert section.table is not None
    assert section.table.rows == ((3, 4, 4, 1),)


def test_what_is_combined_is_as_deep_as_its_deepest_operand() -> None:
    """b's data goes to t by a, where it is combined with that of a, which came from c."""
    sent = [(("data", "b"), "b a"), (("data", "c"), "c w a"), (("data", "--0"), "a t")]
    allocation = MessageAllocation(
        index=0,
        message="data",
        rate=Fraction(1),
        root="t",
        tasks={},
        transfers=[
            MessageTransfer(file=file, path=path.split(), share=Fraction(1)) for file, path in sent
        ],
        combinations=[
            CombinationOut(index=0, processor="a", operands=["b", "c"]),
            CombinationOut(index=1, processor="t", operands=["--0", "t"]),
        ],
    )
    told = told_of(reduced().change("result/allocations", [allocation]))
    assert told.noun == "reduction"
    (section,) = told.sections
    assert section.table is not None
    assert section.table.rows == ((1, 2, 4, 1),)


def test_methods_stand_side_by_side_and_a_bound_alone_is_what_was_asked() -> None:
    told = told_of(table()).comparison
    assert told is not None
    assert told.table is not None
    assert [row[0] for row in told.table.rows] == ["upper_bound", "trees", "mcph", "scatter"]
    asked = alone().change("instance/method", "upper_bound")
    assert (told_of(table()).bound_asked, told_of(asked).bound_asked) == (False, True)


def test_cuts_are_told_as_prices_that_add_up() -> None:
    """And the rates of a shorter period than the exact one are headed as those of the optimum.

    The rates are 1/50, 1/400 and 3/400, so no period below 400 holds whole broadcasts of each.
    """
    body = json.loads((EXAMPLES / "three-sites-broadcast.json").read_text())
    body["options"] = {"max_period": 399}
    submission = parse_submission(body, Limits())
    report = Report(submission, *run(submission, Control(30), Limits()))
    assert report.result.certificate.type == "cuts"
    assert report.schedule.bounded == "asked"
    lines = [line.plain for line in page(report, 100, UNICODE)]
    text = " ".join(" ".join(lines).split())
    assert "Why no schedule does more than 3/100 broadcasts per time unit" in text
    assert "bound 3/100: reached, no schedule does better" in text
    assert "The price says at most +67 % for a second such link" in text
    busiest = next(line for line in lines if "Nancy-gate->Rennes-gate.link" in line and "█" in line)
    assert busiest.endswith("1/50")
    assert "optimum" in " ".join(
        lines[lines.index("Allocations: the routes that broadcasts take") :]
    )
    assert "idle" in text
    assert "computes," not in text


def test_who_cannot_be_reached_is_named() -> None:
    problem = json.loads((EXAMPLES / "three-sites-broadcast.json").read_text())
    platform = problem["problem"]["platform"]
    platform["links"] = [one for one in platform["links"] if "Rennes-2" not in one.values()]
    submission = parse_submission(problem, Limits())
    report = Report(submission, *run(submission, Control(30), Limits()))
    shown = " ".join(" ".join(line.plain for line in page(report, 80, UNICODE)).split())
    assert (
        "no schedule exists: message 'data' cannot reach Rennes-2: links lead only to Lyon" in shown
    )


def test_a_picture_has_no_axis_without_rows_and_explains_only_what_it_shows() -> None:
    body = json.loads((EXAMPLES / "two-boxes-allgather.json").read_text())
    submission = parse_submission(body, Limits())
    report = Report(submission, *run(submission, Control(30), Limits()))
    lines = [line.plain for line in page(report, 80, UNICODE)]
    assert not any(line.startswith("One period") for line in lines)
    assert "Carried all the time, at constant rates" in lines
    assert not any("computes," in line for line in lines)
