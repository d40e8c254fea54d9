"""The one list of resources: exact, of the schedule that runs, with shares that add up to 1."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.reading import read_platform
from steadygrid.report.report import Report
from steadygrid.report.resource_rows import ResourceRow
from steadygrid.report.resources import ResourceList, resource_list
from steadygrid.submissions.submission import parse_submission
from tests.data import shared_data
from tests.pages.site import example
from tests.report.answers import figure_3

F = Fraction
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def answered(body: dict[str, Any]) -> Report:
    asked = parse_submission(body, Limits())
    return Report(asked, *run(asked, Control(), Limits()))


def of_example(name: str) -> Report:
    return answered(json.loads((EXAMPLES / f"{name}.json").read_text()))


def by_key(listed: ResourceList) -> dict[str, ResourceRow]:
    return {row.key: row for row in listed.rows}


def port(row: ResourceRow, name: str) -> tuple[Fraction | None, Fraction | None]:
    (one,) = [one for one in row.ports if one.port == name]
    return one.busy, one.share


def test_figure_3_is_limited_by_its_master_and_links_are_used_by_direction() -> None:
    listed = resource_list(of_example("rr4870-figure-3"))
    rows = by_key(listed)
    master = rows["processor:P1"]
    assert master.share == 1
    assert port(master, "send") == (1, F(20, 21))
    assert port(master, "compute") == (1, F(1, 21))
    assert (master.per_period, master.does) == (1, F(1, 21))
    links = {key: row.busy for key, row in rows.items() if row.kind == "link" and row.used}
    assert links == {"link:P1->P2": F(3, 4), "link:P1->P3": F(1, 4), "link:P2->P4": F(1, 2)}
    assert rows["link:P3->P4"].busy == 0
    assert [row.key for row in listed.limiting] == ["processor:P1"]
    assert (listed.throughput, listed.optimum, listed.period) == (F(21, 40), F(21, 40), 40)


def test_a_wide_area_link_shares_the_bound_with_twins() -> None:
    listed = resource_list(of_example("shared-wide-area-link"))
    rows = by_key(listed)
    assert rows["medium:wan"].share == F(18, 23)
    twins = rows["processor:lab-1"]
    assert twins.members == ("lab-1", "lab-2")
    assert (twins.share, twins.label) == (F(5, 23), "lab-1 … ×2")
    assert twins.at_most == F(92, 15) * (1 + F(5, 23))
    apart = by_key(resource_list(of_example("shared-wide-area-link"), folded=False))
    assert apart["processor:lab-1"].share == apart["processor:lab-2"].share == F(5, 46)


@pytest.mark.filterwarnings("ignore::steadygrid.reading.LossyFormatWarning")
def test_griffon_is_told_of_the_schedule_that_runs_and_not_of_its_rates() -> None:
    platform = read_platform(shared_data("simgrid-platforms/griffon.xml"))
    master = "griffon-1.nancy.grid5000.fr"
    task = {"work": 3 * 10**6, "input_size": 25 * 10**6}
    listed = resource_list(
        answered(
            {
                "problem": {
                    "kind": "master_worker",
                    "platform": platform.model_dump(mode="json"),
                    "master": master,
                    "task": task,
                    "ports": "multiport",
                }
            }
        )
    )
    assert (listed.throughput, listed.optimum) == (F(1019, 200), F(15286087, 3000000))
    assert {row.key: row.share for row in listed.limiting} == {
        f"link:{master}->griffon_cluster_cabinet1": F(15000000, 15286087),
        f"processor:{master}": F(286087, 15286087),
    }
    assert sum(len(row.members) for row in listed.rows if row.busy == F(285000, 286087)) == 53
    (last,) = [row for row in listed.rows if row.busy == F(180000, 286087)]
    assert (last.per_period, last.does) == (12, F(12, 1019))


def test_a_price_of_no_resource_has_a_row_so_that_shares_add_up() -> None:
    report = figure_3()
    prices = dict(report.result.certificate.prices) | {"anything": F(1, 40)}
    certificate = report.result.certificate.model_copy(update={"prices": prices})
    result = report.result.model_copy(update={"certificate": certificate})
    listed = resource_list(Report(report.submission, result, report.found))
    assert by_key(listed)["other:anything"].share == F(1, 22)
    assert sum(row.share or 0 for row in listed.rows) == 1


def test_twice_a_full_link_is_twice_both_of_its_directions() -> None:
    report = figure_3()
    prices = {"P1->P2.link": F(1, 8), "P2->P1.link": F(1, 4), "P1.send": F(3, 20)}
    certificate = report.result.certificate.model_copy(update={"prices": prices})
    result = report.result.model_copy(update={"certificate": certificate})
    rows = by_key(resource_list(Report(report.submission, result, report.found)))
    assert rows["link:P1->P2"].at_most == F(21, 40) + F(1, 8) + F(1, 4)
    assert rows["link:P1->P3"].at_most is None


def test_processors_without_work_role_or_traffic_are_idle() -> None:
    """W is fast behind a slow link; V computes nothing for P1 but forwards, and U does nothing."""
    platform = {
        "processors": [
            {"id": "M"},
            {"id": "V"},
            {"id": "W", "unit_time": 1},
            {"id": "U", "unit_time": 5},
            {"id": "far"},
        ],
        "links": [
            {"source": one, "target": other, "unit_time": time}
            for one, other, time in (("M", "V", 1), ("V", "W", 1), ("M", "U", 9), ("U", "far", 9))
        ],
    }
    problem = {"kind": "master_worker", "ports": "one_port", "platform": platform, "master": "M"}
    listed = resource_list(answered({"problem": problem | {"task": {"work": 1, "input_size": 1}}}))
    used = {row.key for row in listed.rows if row.kind == "processor" and row.used}
    assert used == {"processor:M", "processor:V", "processor:W"}
    assert listed.idle_processors == 2


@pytest.mark.parametrize("kind", PROBLEMS)
def test_shares_and_what_all_do_add_up_exactly_for_every_kind(kind: str) -> None:
    body = json.loads(json.dumps(PROBLEMS[kind].example))
    report = Report(parse_submission(body, Limits()), *example(kind))
    for folded in (True, False):
        listed = resource_list(report, folded=folded)
        shares = [row.share for row in listed.rows if row.share is not None]
        assert sum(shares) == (1 if shares else 0)
        done = [row.does for row in listed.rows if row.does is not None]
        assert sum(done) == (1 if done else 0)
        assert len({row.key for row in listed.rows}) == len(listed.rows)
        names = [name for row in listed.rows for name in row.names]
        assert len(set(names)) == len(names), "each resource stands in one row"
        for row in listed.rows:
            assert sum(one.share or 0 for one in row.ports) == (row.share or 0)


@pytest.mark.parametrize("kind", PROBLEMS)
def test_what_was_planned_stands_where_the_question_says_it(kind: str) -> None:
    body = json.loads(json.dumps(PROBLEMS[kind].example))
    report = Report(parse_submission(body, Limits()), *example(kind))
    listed = resource_list(report)
    planned = [row.planned for row in listed.rows if row.planned is not None]
    pointers = [one.pointer for one in planned if one.pointer is not None]
    asks_for_one = "platform" in report.submission.problem.instance.model_fields
    assert len(pointers) == (len(planned) if asks_for_one else 0)
    for one in planned:
        found: Any = report.submission.document() if one.pointer else str(one.value)
        for step in one.pointer or ():
            found = found[step]
        assert F(found) in (one.value, 1 / one.value)


def test_actors_of_a_dataflow_graph_are_resources() -> None:
    listed = resource_list(of_example("dataflow-two-actors"))
    assert {row.kind for row in listed.rows} == {"actor"}
    assert all(0 < row.busy <= 1 for row in listed.rows)
