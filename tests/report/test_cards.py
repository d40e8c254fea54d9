"""Network cards in what people read: a row for each that is busy, by its name if it has one."""

from typing import Any

from steadygrid.report.bottleneck import bottleneck
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.report import Report
from tests.kinds.master_worker.test_cards import star
from tests.report.answers import submission
from tests.report.test_gantt_of_a_period import drawn
from tests.solved import solve


def report(*given: Any) -> Report:
    """A master that feeds three workers who want two thirds of the time of a card each."""
    body = star(*given)
    body["problem"]["task"] = {"work": "3/2"}
    return Report(submission(body), *solve(body))


def test_files_that_leave_side_by_side_have_rows_of_their_own() -> None:
    assert (
        drawn(report(2)).partition("W1  ")[0]
        == """\
One period: 6 time units
            0         1         2         3         4         5        6
            └─────────┴─────────┴─────────┴─────────┴─────────┴────────┘
M     send  ├→W0 ×1────────────┤├→W2 ×2────────────────────────────────┤   100 %
      send  ├→W1 ×2────────────────────────────────┤├→W0 ×1────────────┤   100 %
W0    recv  ├←M ×1─────────────┤····················├←M ×1─────────────┤  66.7 %
      comp  █ 2 tasks ██████████████████████████████████████████████████   100 %
"""
    )


def test_named_cards_have_their_names() -> None:
    lines = drawn(report(["eth0", "a-very-long-card-1"], *["eth0"] + ["a-very-long-card-1"] * 2))
    assert lines.splitlines()[3:5] == [
        "M eth0         send  ├→W0 ×2──────────────────────────┤·················  66.7 %",
        "  a-ve…d-1     send  ├→W1 ×2──────────────────────────┤├→W2 ×1─────────┤   100 %",
    ]
    assert lines.splitlines()[5].startswith("W0             recv  ├←M ×2")


def test_more_cards_are_what_relieves_a_port() -> None:
    assert bottleneck(Report(submission(star(2)), *solve(star(2))), 80, UNICODE) == (
        "M.send, 100 % busy. The price says at most +100 % for twice as many such cards"
    )
    named = report(["eth0", "eth1"], "eth0", "eth1", "eth1")
    assert bottleneck(named, 80, UNICODE) == (
        "M--eth1.send, 100 % busy. The price says at most +60 % for twice as many such cards"
    )


def test_of_many_cards_a_few_are_drawn_and_the_rest_is_counted() -> None:
    body = star(30)
    problem = body["problem"]
    names = [f"W{k}" for k in range(30)]
    problem["platform"]["processors"][1:] = [{"id": n, "unit_time": 2} for n in names]
    problem["platform"]["links"] = [{"source": "M", "target": n, "unit_time": 2} for n in names]
    lines = drawn(Report(submission(body), *solve(body))).splitlines()
    assert sum(" send  " in line for line in lines) == 6
    assert "and 24 more cards, not drawn" in lines
    assert sum(" recv  " in line for line in lines) == 9
