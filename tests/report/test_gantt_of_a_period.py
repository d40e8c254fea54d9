from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from rich.cells import cell_len

from steadygrid.domain.job import Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.kinds.task_graph.schemas import TaskGraphResult
from steadygrid.report.chart import Block, axis, column, row
from steadygrid.report.gantt import gantt
from steadygrid.report.glyphs import ASCII, UNICODE
from steadygrid.report.report import Report
from steadygrid.submissions.submission import parse_submission
from tests.engine.scheduling.test_start_ups import figure_3 as with_latencies
from tests.pictures.reports import example
from tests.report.answers import figure_3, rounded_star, shared_link, star, submission
from tests.solved import solve

F = Fraction


def drawn(report: Report, width: int = 80, glyphs: Any = UNICODE) -> str:
    lines = [line.plain.rstrip() for line in gantt(report, width, glyphs)]
    assert all(cell_len(line) <= width for line in lines)
    return "\n".join(lines)


def test_the_period_of_figure_3_is_seen_at_a_glance() -> None:
    assert drawn(figure_3()) == (
        """\
One period: 40 time units
            0             10             20             30            40
            └──────────────┴──────────────┴──────────────┴─────────────┘
P1    send  ├→P2 ×5───────┤├→P3 ×15────────────────────────────────────┤   100 %
      comp  █ 1 task ███████████████████████████████████████████████████   100 %
P2    recv  ├←P1 ×5───────┤·············································    25 %
      comp  █ 5 tasks ██████████████████████████████████████████████████   100 %
P3    send  ···············├→P4 ×10─────────────────────┤···············    50 %
      recv  ···············├←P1 ×15────────────────────────────────────┤    75 %
      comp  █ 5 tasks ██████████████████████████████████████████████████   100 %
P4    recv  ···············├←P3 ×10─────────────────────┤···············    50 %
      comp  █ 10 tasks █████████████████████████████████████████████████   100 %
→P ×5 sends 5 files to P, ←P receives, █ computes, · idle"""
    )


def test_a_message_holds_its_ports_from_its_latency_on() -> None:
    body = with_latencies(20)
    options: dict[str, Any] = {"latencies": "paid", "latency_loss": 1}
    answer = solve(body, **options)
    asked = parse_submission(body | {"options": options}, Limits())
    lines = drawn(Report(asked, answer.result, answer.schedule)).splitlines()
    (sends,) = (line for line in lines if line.startswith("P1    send"))
    assert answer.schedule.period == 100
    assert UNICODE.idle not in sends


def test_the_same_picture_is_drawn_in_ascii_and_narrower() -> None:
    report = star([(1, 2), (2, 3), (3, 8)], 5, {"time": "s"})
    assert drawn(report, 60, ASCII) == (
        """\
One period: 20 s
            0         5        10        15     20 s
            +---------+---------+---------+--------+
M     send  [>W0 x10-----------][>W1 x5------------]   100 %
      comp  # 4 tasks ##############################   100 %
W0    recv  [<M x10------------]....................    50 %
      comp  # 10 tasks #############################   100 %
W1    recv  ....................[<M x5-------------]    50 %
      comp  # 5 tasks ####################..........    75 %
>P x5 sends 5 files to P, <P receives, # computes, . idle"""
    )


def test_a_master_alone_only_computes() -> None:
    assert drawn(star([], 5), 60).splitlines()[3:] == [
        "M     comp  █ 1 task ███████████████████████████████   100 %"
    ]


def test_constant_rates_are_shown_as_shares_of_the_links() -> None:
    assert (
        drawn(shared_link()).splitlines()[3:]
        == (
            """\
east  comp  █ 2 tasks ██████████████████████████████████████████████████   100 %
west  comp  █ 1 task ███████████████████████████████████████████████████   100 %

Carried all the time, at constant rates
  wan.medium        100 %  ████████████████████████
  hub->east.link     60 %  ██████████████▍           1 input per s
  store->hub.link  56.2 %  █████████████▌            1.5 input per s
  store.out          45 %  ██████████▊
  hub--west.half     40 %  █████████▋                0.5 input, 0.5 output per s
  east->hub.link     20 %  ████▊                     1 output per s
  hub->store.link  18.8 %  ████▌                     1.5 output per s"""
        ).splitlines()
    )


def test_processors_that_do_the_same_share_a_row() -> None:
    report = shared_link()
    assert report.schedule is not None
    east, west = report.schedule.computations
    alike = replace(report.schedule, computations=(east, replace_processor(east, west.processor)))
    rows = drawn(replace(report, found=alike), 60).splitlines()
    assert rows[3].startswith("east +1  comp  █ 2 tasks ███")
    assert rows[4] == "+N: so do N more processors"


def replace_processor(computation: Computation, processor: str) -> Computation:
    return computation._replace(processor=processor)


def test_many_links_are_cut_to_the_busiest() -> None:
    platform = {
        "processors": [{"id": "hub"}, *({"id": f"w{i}", "unit_time": 1} for i in range(15))],
        "links": [{"source": "hub", "target": f"w{i}", "bandwidth": 2} for i in range(15)],
    }
    asked = submission(
        {
            "problem": {
                "kind": "master_worker",
                "platform": platform,
                "master": "hub",
                "task": {"work": 1},
                "ports": "multiport",
            }
        }
    )
    star_like = star([(1, 15)] * 15)
    assert star_like.schedule is not None
    schedule = replace(
        star_like.schedule,
        ports="multiport",
        allocations=tuple(
            a._replace(transfers=(a.transfers[0]._replace(path=("hub", f"w{i}")),))
            for i, a in enumerate(star_like.schedule.allocations)
        ),
        computations=tuple(
            c._replace(processor=f"w{i}") for i, c in enumerate(star_like.schedule.computations)
        ),
        slots=(),
    )
    text = drawn(Report(asked, star_like.result, schedule))
    assert "w0 +14  comp" in text
    assert text.splitlines()[-1] == "  and 3 more in use"


def test_nothing_is_carried_where_nothing_is_sent() -> None:
    report = star([], 5)
    assert report.schedule is not None
    instance = report.submission.instance.model_copy(update={"ports": "multiport"})
    asked = replace(report.submission, instance=instance)
    schedule = replace(report.schedule, ports="multiport")
    assert "Carried" not in drawn(Report(asked, report.result, schedule))


def test_a_bounded_period_shows_where_time_is_left() -> None:
    rows = drawn(rounded_star()).splitlines()
    assert rows[4].startswith("W0    recv  ├←M ×2─────────────────┤····")
    assert rows[7].endswith("····    40 %")


def test_the_busiest_of_many_processors_are_drawn_and_the_rest_is_counted() -> None:
    text = drawn(star([(1, 40 + i) for i in range(40)]))
    rows = text.splitlines()
    assert len(rows) == 3 + 23 + 3
    assert rows[3].startswith("M     send  ")
    assert rows[4].startswith("W0    recv  ")
    assert rows[-1] == "and 29 less busy processors, not drawn"


def test_hundreds_of_short_transfers_become_slivers_and_shades() -> None:
    few = drawn(star([(1, 60)] * 60))
    assert few.splitlines()[3].startswith("M     send  ││││││")
    assert "░ ▒ ▓ │ too short to draw" in few
    many = drawn(star([(1, 400)] * 400)).splitlines()[3]
    assert set(many[12:72]) <= set("│█▓▒░")


def test_a_wide_letter_keeps_the_columns_straight() -> None:
    block = Block(F(0), F(10), ("→計算",), "─", True, "")
    line = row([block], F(20), 20, UNICODE).plain
    assert cell_len(line) == 20
    assert line == "├→計算───┤··········"


@pytest.mark.parametrize("name", ["e\u0301", "\u0301e", "計\u0301算", "\u2764\ufe0f", "क्षि"])
def test_a_character_without_a_width_of_its_own_takes_no_cell(name: str) -> None:
    block = Block(F(0), F(10), (f"→{name}",), "─", True, "")
    line = row([block], F(10), 10, UNICODE)
    assert (line.cell_len, name in line.plain) == (10, True)


def test_a_label_that_does_not_fit_is_replaced_by_a_shorter_one() -> None:
    block = Block(F(0), F(5), ("→P1 ×1000", "→P1", "P1"), "─", True, "")
    assert row([block], F(10), 20, UNICODE).plain.startswith("├→P1─────┤")
    assert row([block], F(10), 10, UNICODE).plain.startswith("├→P1┤")
    assert row([block], F(10), 8, UNICODE).plain.startswith("├P1┤")
    assert row([block], F(10), 6, UNICODE).plain.startswith("├─┤")


def test_a_crumb_of_time_is_shaded_by_what_it_fills() -> None:
    blocks = [Block(F(i, 1000), F(2 * i + 1, 2000), (), "─", True, "") for i in range(100)]
    assert row(blocks, F(1), 10, UNICODE).plain[0] == "▓"


def test_columns_are_found_without_rounding_errors() -> None:
    huge = F(10**300)
    assert [column(huge * i / 4, huge, 40) for i in range(5)] == [0, 10, 20, 30, 40]


@pytest.mark.parametrize(
    ("period", "labels"),
    [
        (F(40), "0           10            20            30          40"),
        (F(1, 3), "0                  0.1             0.2          0.3333"),
        (F(10**15), "0           2e14       4e14      6e14       8e14  1e15"),
        (F(7 * 10**104), "0              2e104         4e104       7e104"),
        (F(3, 10**9), "0               1e-9              2e-9          3e-9"),
    ],
)
def test_ticks_are_round_numbers(period: F, labels: str) -> None:
    assert axis(period, 56, None, UNICODE)[0].split() == labels.split()


def test_the_unit_stands_at_the_end_of_the_axis() -> None:
    assert axis(F(5), 30, "s", ASCII) == [
        "0           2           4  5 s",
        "+-----------+-----------+----+",
    ]


def task_graph_report() -> Report:
    """A chain of two tasks on two processors."""
    platform = {
        "processors": [{"id": "A", "unit_time": 1}, {"id": "B", "unit_time": 1}],
        "links": [{"source": "A", "target": "B", "unit_time": 1}],
    }
    file = ("first", "second")
    schedule = Schedule(
        F(2), F(1), F(1, 2), F(1, 2), F(0), None, "one_port", 2, 3, False, (file,),
        (
            Allocation(
                0, F(1, 2), F(1), {"first": ("A",), "second": ("B",)},
                (Transfer(file, ("A", "B"), F(1)),),
            ),
        ),
        (
            Computation("A", "first", 0, F(1), F(0), F(1)),
            Computation("B", "second", 0, F(1), F(0), F(2)),
        ),
        (Slot(F(0), F(2), (SlotTransfer("A", "B", file, 0, F(1)),)),),
    )  # fmt: skip
    application = {
        "tasks": [{"id": "first", "work": 1}, {"id": "second", "work": 2}],
        "files": [{"source": "first", "target": "second", "size": 2}],
    }
    parts = {"platform": platform, "application": application}
    asked = submission({"problem": {"kind": "task_graph", **parts}})
    envelope = figure_3().result.model_dump(mode="json", include=set(Result.model_fields))
    rated = {"kind": "task_graph", "allocations": [], "statistics": {}}
    return Report(asked, TaskGraphResult.model_validate(envelope | rated), schedule)


def test_where_instances_have_several_tasks_the_picture_names_them() -> None:
    assert drawn(task_graph_report(), 60).splitlines()[3:7] == [
        "A     send  ├→B ×1─────────────────────────────────┤   100 %",
        "      comp  █ first ×1 █████████····················    50 %",
        "B     recv  ├←A ×1─────────────────────────────────┤   100 %",
        "      comp  █ second ×1 ████████████████████████████   100 %",
    ]


def test_a_port_for_everything_is_one_row() -> None:
    assert drawn(example("triangle-no-overlap")).splitlines()[3:6] == [
        "A     all   ├→B ×1─────────────┤├←C ×1┄┄┄┄┄┄┄┄┄┄┄┄┄┤██████████··········  83.3 %",
        "B     all   ├←A ×1─────────────┤█ filter █··········├→C ×1═════════════┤  83.3 %",
        "C     all   █ fit ×1 █··········├→A ×1┄┄┄┄┄┄┄┄┄┄┄┄┄┤├←B ×1═════════════┤  83.3 %",
    ]


def test_a_port_that_sends_or_receives_is_one_row_beside_computing() -> None:
    assert drawn(example("triangle-one-allocation")).splitlines()[3:7] == [
        "A     port  ├←B ×1┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┤├→B ×1─────────────────┤············    80 %",
        "      comp  █read███████················································    20 %",
        "B     port  ├→A ×1┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┤├←A ×1─────────────────┤············    80 %",
        "      comp  █ filter ████ fit ×1 ███████████████████████████████████████   100 %",
    ]


def test_output_files_are_drawn_with_a_line_of_their_own() -> None:
    report = shared_link()
    assert report.schedule is not None
    slot = report.schedule.slots[0]
    one_port = replace(
        report.schedule,
        ports="one_port",
        slots=(
            replace_slot(slot, 0, [t for t in slot.transfers if t.receiver == "west"]),
            replace_slot(slot, 1, [t for t in slot.transfers if t.sender == "west"]),
        ),
    )
    instance = report.submission.instance.model_copy(update={"ports": "one_port"})
    asked = replace(report.submission, instance=instance)
    rows = drawn(Report(asked, report.result, one_port), 60).splitlines()
    assert any("west   send  ····················├═┤" in line for line in rows)
    assert any("├←hub ×1──" in line for line in rows)
    assert rows[-1] == "files: ── input, ══ output"
    assert not any(line.startswith("hub") for line in rows)


def test_where_there_are_many_files_some_share_a_line() -> None:
    lines = drawn(example("rr4870-figure-9")).splitlines()
    assert lines[-1] == "files: ── T1>T2, ══ T1>T3, ┄┄ the other files"


def replace_slot(slot: Slot, start: int, transfers: list[SlotTransfer]) -> Slot:
    return slot._replace(start=F(start), duration=F(1), transfers=tuple(transfers))


def test_nothing_is_drawn_where_nothing_happens() -> None:
    report = figure_3()
    assert gantt(replace(report, found=None), 80, UNICODE) == []
