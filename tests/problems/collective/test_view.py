"""What people are told of a collective operation."""

from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.view import Amount
from steadygrid.problems import PROBLEMS
from steadygrid.problems.submission import parse_submission
from tests.problems.collective.bodies import FIGURE_2, body, figure_2, turned_round
from workers.pipeline import run
from workers.solving.control import Control


def facts(problem: dict[str, Any]) -> dict[str, str]:
    submission = parse_submission(problem, Limits())
    answer = run(submission, Control(30), Limits())
    told = PROBLEMS["collective"].view(submission.instance, submission.options, *answer)
    return {
        label: "".join(str(p.value) if isinstance(p, Amount) else p for p in phrase)
        for label, phrase in told.facts
    }


def four(operation: str, **problem: Any) -> dict[str, Any]:
    """One processor and five others, all beyond one link."""
    rays = "M>H 1/7, " + ", ".join(f"H>{name} 1/9" for name in "ABCDE")
    if operation == "gather":
        return body(
            turned_round(rays), operation, ports="multiport", target="M", sources=[*"ABCDE"]
        )
    return body(rays, operation, ports="multiport", source="M", targets=[*"ABCDE"], **problem)


TOLD = [
    (figure_2(), "s sends for 2 in each scatter"),
    (body(turned_round(FIGURE_2), "gather", target="s", sources=["P0", "P1"]), "s receives for 2 in each gather"),
    (body("A>B 1, B>C 1", "all_to_all", ports="send_or_receive", members={"duplex": "full"}), "B sends or receives for 8 in each all-to-all"),
    (four("scatter"), "M can send 7 per time unit to the rest; each scatter needs 5"),
    (four("gather"), "M can receive 7 per time unit from the rest; each gather needs 5"),
    (body("M>H 1, H>A 2, H>B 1/9, H>C 1/9", "scatter", ports="multiport", source="M", targets=["A"]), "B, C, H and 1 more can send 1/2 per time unit to the rest; each scatter needs 1"),
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
    }
    assert facts(figure_2(source="a")) == {"messages": "2 in each scatter"}
