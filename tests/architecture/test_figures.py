"""Figures and lists in documents that the code knows: kinds, features, numbers, paths."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from app import sweep_creation
from app.db import retention, sessions
from app.http import feed, pages, preferences
from app.http import long_poll as patience
from app.http.pictures import MOST_WAITING
from app.jobs import deletion, live
from app.main import create_app
from app.pages import answer, differences, endpoints, quantities, start, stored, studies, words
from app.settings import Settings
from app.sweeps import service as sweeps
from steadygrid.cli import sweeping
from steadygrid.domain import schedule, trace
from steadygrid.domain.job import MOST_PRIORITY
from steadygrid.domain.limits import Limits
from steadygrid.engine.scheduling.start_ups import MOST_TRIED
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.bag_of_tasks import grid, runs, streams
from steadygrid.kinds.bag_of_tasks.sizing import LONGEST_BATCH
from steadygrid.kinds.bag_of_tasks.solver import by_cells, stream_bound
from steadygrid.kinds.cell.schemas import MOST_CORES
from steadygrid.kinds.collective import choice as collective_choice
from steadygrid.kinds.collective.faults import MOST_ENDS, MOST_MESSAGES
from steadygrid.kinds.collective.sizing import MOST_ENTRIES
from steadygrid.kinds.divisible_chain.sizing import DEFAULT_MAX_INSTALLMENTS
from steadygrid.kinds.divisible_chain.solver import answer as chains
from steadygrid.kinds.divisible_chain.solver.choice import MOST_CASES
from steadygrid.kinds.divisible_star import choice as star_choice
from steadygrid.kinds.divisible_star import return_methods
from steadygrid.kinds.divisible_star.optimality import enumeration, return_orders
from steadygrid.kinds.divisible_star.solver.one_round.answer import MOST_REPEATED
from steadygrid.kinds.mono_allocation import fitting
from steadygrid.kinds.mono_allocation.solver import intervals
from steadygrid.kinds.mono_allocation.solver.given import moves
from steadygrid.kinds.replicated_workflow import limits as workflows
from steadygrid.kinds.replicated_workflow.schemas import MOST_CYCLE_STEPS
from steadygrid.pictures import asking, html_page, sweep_maps
from steadygrid.studies import forecast, sweep_checks, sweep_request, what_if
from steadygrid.submissions.job_names import MOST_CHARACTERS
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.architecture.test_cost_of_a_kind import KIND, LINES, PLACES, TEMPLATES
from tests.coverage_gate import TOTAL
from tests.tree import ROOT, name_of, tracked_files
from workers import lanes
from workers.registration import _RESECONDS
from workers.sweeper import _DELETION_FORGOTTEN_SECONDS

SETTINGS = {name: field.default for name, field in Settings.model_fields.items()}
LIMITS = Limits()
DAY = 86_400


def document(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def default(model: type[Any], name: str) -> Any:
    return model.model_fields[name].default


SENTENCES = {
    "docs/http.md": (
        f"{preferences.MOST_WAIT} seconds is the most",
        f"cut to {MOST_CHARACTERS} characters",
        f"(0, the default, to {MOST_PRIORITY})",
        f"For {retention.TOMBSTONE_DAYS} days, each request for it is answered with `410`",
        f"Up to {deletion.MOST_DELETED:,} at once",
        f"at most {live.MOST_JOBS} jobs in one event",
        f"{feed.MOST_PENDING:,} changed jobs wait for it",
        f"heard nothing for {feed.GAP_SECONDS:g} seconds",
        f"A trace has at most {trace.MOST_POINTS} points",
        f"pixels of the whole drawing, {asking.WIDTHS[0]} to {asking.WIDTHS[1]:,}.",
        f"each one of the drawing, {asking.SCALES[0]} to {asking.SCALES[1]}.",
        f"repeated, up to {asking.MOST_LANES_ASKED}.",
        f"| {asking.CELLS[0]} to {asking.CELLS[1]:,}, default",
    ),
    "docs/sweeps.md": (
        f"`parameters`, at most {sweep_request.MOST_PARAMETERS},",
        f"at most `max_sweep_jobs` ({LIMITS.max_sweep_jobs:,}) jobs",
        f"too many jobs, places ({sweep_checks.MOST_PLACES:,}),",
        f"longer than {sweep_checks.MOST_CHECKED_BYTES // 2**20} MiB together",
        f"the first {sweeping._MOST_ROWS} are printed",
        f"made behind it, {sweep_creation.PIECE} at a time",
        f"in place of those that have failed, up to {sweeps.MOST_RETRIED:,}:",
        f"for the first {sweep_creation.MOST_WARNED} combinations of these",
        f"for {retention.TOMBSTONE_DAYS} days it is answered with `410` `sweep_purged`",
    ),
    "docs/pages.md": (
        f"the last {start.LAST} jobs,",
        f"jobs, {pages.DEFAULT_LIMIT} a page, the newest first",
        f"the table {pages.DEFAULT_LIMIT} jobs a page",
        f"more than {quantities.LONGEST} digits the middle is left out",
        f"up to {quantities.LONGEST_COPIED:,} characters",
        f"| {start.LAST} | last jobs of the first page |",
        f"| {pages.DEFAULT_LIMIT} | jobs on a page of the list |",
        f"| {studies.ROWS} | processors, links and media of the form",
        f"| {studies.UPGRADES} | upgrades on the page of a what-if |",
        f"| {studies.OF_JOB} | replans on the page of their job |",
        f"jobs that are compared, and {differences.MOST_DIFFERENCES} differences between",
        f"| {answer.ROWS} | rows of a table about an answer. {stored.ROWS} of a platform",
        f"| {words.LIMITING} | resources that are named as what limits an answer |",
        f"| {quantities.LONGEST} | digits of a number, {quantities.LONGEST_IN_LIST} in lists.",
        f"| {quantities.LONGEST_COPIED:,} | characters of a number that a button copies whole |",
        f"| {answer.LONGEST_BODY // 2**20} MiB | question or answer, as stored, that is laid out."
        f" {answer.LONGEST_PART // 2**10} KiB for each part",
        f"| {html_page.MOST_ROWS:,} | rows of a picture's table",
        f"| {endpoints.LONGEST_FILTER} | characters of a filter |",
        f"`STEADYGRID_PICTURE_MEMORY_BYTES` | {SETTINGS['picture_seconds']:g},"
        f" {SETTINGS['picture_memory_bytes'] // 2**30} GiB |",
    ),
    "docs/pictures.md": (f"(the first {sweep_maps.MOST_MAPS})",),
    "docs/operations.md": (
        f"`STEADYGRID_SOLVER_MEMORY_BYTES` ({SETTINGS['solver_memory_bytes'] // 2**30} GiB)",
        f"`STEADYGRID_PICTURE_MEMORY_BYTES` ({SETTINGS['picture_memory_bytes'] // 2**30} GiB)",
        f"`STEADYGRID_AUDIT_DAYS` ({SETTINGS['audit_days']})",
        f"`STEADYGRID_RETENTION_DAYS` ({SETTINGS['retention_days']})",
        f"A session ends {sessions.IDLE_SECONDS / 3600:g} hours after its last use",
        f"are silent for at most {patience.PING_SECONDS:g} seconds",
        f"Clients see `410` `job_purged` for {retention.TOMBSTONE_DAYS} days",
    ),
    "docs/what-if.md": (
        f"At most {what_if.MOST_SOLVED} upgrades are solved (`MOST_SOLVED`;"
        f" {default(what_if.WhatIfRequest, 'solve')} if nothing is said)",
        f"{what_if.MOST_NAMED:,} resources named (`MOST_NAMED`)",
        f"at most {what_if.MOST_UNPRICED} are listed",
    ),
    "docs/re-planning.md": (
        f"`max_measurements` values ({LIMITS.max_measurements:,})",
        f"rounded to {forecast.DIGITS} digits",
    ),
    "docs/latencies.md": (f"among 1 to {MOST_TRIED:,} and the powers of two",),
    "docs/bag-of-tasks.md": (
        f"of more than {grid.MOST_CELLS:,} classes, `auto` deals them out by cells",
        f"At most {grid.MOST_CELLS:,} cells.",
        f"or there are {grid.MOST_CELLS:,}. In all other cases a note says",
        f"than {stream_bound.MOST_COLUMNS:,} over the number of workers"
        f" ({stream_bound.MOST_DRAWN:,} where they are uniform)",
        f"more than {by_cells.MOST_COLUMNS:,} cells over the number of workers",
        f"the first {runs.MOST_EVENTS:,} `events`",
        f"more than {grid.MOST_CELLS:,} cells, or bounds of more than {grid._LONGEST_CUT} digits",
        f"a number of more than {LONGEST_BATCH:,} digits",
        f"a unit of more than {streams.LONGEST_UNIT:,} digits",
        f"the tasks over all seeds: at most {LIMITS.max_stream_tasks:,}",
    ),
    "docs/cell.md": (f"| `spes` | 8 | small cores. Both numbers are at most {MOST_CORES} |",),
    "docs/collective.md": (
        f"Where that is more than {MOST_ENTRIES:,}, or `options.max_labelling_entries`",
        f"for at most {collective_choice.MOST_SOURCES} sources and {collective_choice.MOST_SUMS:,} entries",
        f"more than {MOST_MESSAGES:,} messages that differ, or {MOST_ENDS:,} copies",
    ),
    "docs/divisible-chain.md": (
        f"The search ends with the time, or with {MOST_CASES} cases.",
        f"so there is an answer. The default is at most {DEFAULT_MAX_INSTALLMENTS}",
        f"({chains.LONGEST_BITS:,} bits)",
        f"({chains.ROUNDED_DIGITS}, if the exact ones are known)",
    ),
    "docs/divisible-star.md": (
        f"up to {star_choice.MOST_SEARCHED} processors that compute) begins with `local_search`",
        f"for {star_choice.MOST_SEARCHED + 1} to {star_choice.MOST_IMPROVED} processors) inserts",
        f"If the search needed up to {MOST_REPEATED:,} nodes",
        f"if the last proof kept up to {MOST_REPEATED:,} partial schedules",
        f"It tries up to {enumeration.MOST_STEPS:,} next workers",
        f"gives their shares exactly. At most {star_choice.MOST_MESSAGES:,} messages.",
        f"Without one, up to {star_choice.MOST_WITH_ALL_ORDERS} workers are tried in all orders at once",
        f"in fractions, for up to {('no', 'one', 'two', 'three', 'four')[return_orders.MOST_WORKERS]}"
        " workers in addition to the master",
        f"`search`, above {star_choice.MOST_SEARCHED} processors `local_search`",
        f"up to {star_choice.MOST_WITH_ALL_ORDERS} workers in addition to the master (8 where one order follows"
        f" from the other, {return_methods.MOST_TRIED} where both are given)",
        f"`strict_one_port`, up to {return_methods.MOST_IN_PROGRAM} workers",
        f"anything else, up to {return_methods.MOST_MOVED} workers",
        f"(`proved_bound`, up to {star_choice.MOST_IMPROVED} workers)",
        f"more than {star_choice.MOST_MESSAGES:,} messages in `rounds`, or {star_choice.MOST_BY_RULE:,} in",
        f"`search` for more than {star_choice.MOST_SEARCHED} processors that compute",
        f"latencies, items or results of more than {star_choice.MOST_IMPROVED} |",
    ),
    "docs/mono-allocation.md": (
        f"after {intervals.MOST_BEGINNINGS:,} beginnings or {intervals.MOST_STEPS:,} steps it ends",
        f"if that takes too long ({fitting.MOST_STEPS:,} steps)",
        f"At most {moves.MOST_MOVES:,} are: `moves` says how many",
    ),
    "docs/replicated-workflow.md": (
        f"Up to {MOST_CYCLE_STEPS:,} steps",
        f"refused above {workflows.MOST_LEAVES:,} of them",
        f"more than {workflows.MOST_ROWS:,} rows are not listed",
        f"give up after {workflows.MOST_TRIED:,} steps",
        f"(up to {workflows.MOST_TURN_OPERATIONS:,} operations per turn)",
        f"more than {workflows.MOST_CYCLE_NODES:,} nodes",
        f"more than {workflows.MOST_TRANSITIONS:,}, with their number",
    ),
    "docs/glossary.md": (f"a job for {SETTINGS['lease_seconds']:g} seconds at a time, and renews",),
    "CONTRIBUTING.md": (f"coverage ({TOTAL:g} % of branches; 100 % for the referee",),
    "docs/model.md": (
        f"holds more than {schedule.MOST_IN_A_PERIOD:,} instances or files",
        f"if it loses at most {float(100 * schedule.MOST_LOST)} %",
        f"({LIMITS.max_processors:,} processors, {LIMITS.max_links:,} links,"
        f" {LIMITS.max_coefficients // 10**6} million coefficients by default)",
    ),
    "docs/decisions/0028-sweeps-have-a-lane.md": (
        f"A sweep puts up to {LIMITS.max_sweep_jobs:,} jobs into the queue at once",
    ),
}


@pytest.mark.parametrize(
    ("name", "sentence"), [(name, one) for name, told in SENTENCES.items() for one in told]
)
def test_a_sentence_has_the_number_of_the_code(name: str, sentence: str) -> None:
    assert sentence in document(name)


def test_numbers_that_are_written_in_words_are_so() -> None:
    """Half a minute, five seconds, a quarter of the turns, one of three, eight, seven days."""
    told = {
        ("docs/operations.md", "in the database every half minute"): _RESECONDS == 30,
        ("docs/operations.md", "after seven days"): sessions.LONGEST_SECONDS == 7 * DAY,
        ("docs/http.md", "others follow every five seconds"): feed.SUMMARY_SECONDS == 5,
        ("docs/http.md", "one is drawn at a time, and eight wait"): MOST_WAITING == 8,
        ("docs/http.md", "each change arrives within about a second"): feed.POLL_SECONDS == 1,
        ("docs/pages.md", "six questions with an example of each"): len(start.tiles()) == 6,
        ("docs/limits.md", "ids of deleted jobs are kept for an hour"): _DELETION_FORGOTTEN_SECONDS
        == 3600,
        ("docs/operations.md", "but for one of four that a worker takes"): lanes._ROUND == 4,
    }
    for (name, sentence), true in told.items():
        assert sentence in document(name)
        assert true, sentence


def told_kinds(text: str) -> set[str]:
    return {kind for kind in re.findall(r"`([a-z_]+)`", text) if kind in PROBLEMS}


def pays_latencies(kind: str) -> bool:
    uses = [use for use in PROBLEMS[kind].uses if "latencies" in use.names]
    return any(use.by is None or use.by for use in uses)


def takes_one_transfer_at_a_time(kind: str) -> bool:
    ports = PROBLEMS[kind].instance.model_fields.get("ports")
    return ports is not None and "send_or_receive" in get_args(ports.annotation)


def uses_cards(kind: str) -> bool:
    """Give all processors of its example two cards, and see whether that is used."""
    problem = PROBLEMS[kind]
    if "one_port" not in get_args(
        getattr(problem.instance.model_fields.get("ports"), "annotation", None)
    ):
        return False
    body = json.loads(json.dumps(problem.example))
    body["problem"] |= {"ports": "one_port"}
    for processor in body["problem"]["platform"]["processors"]:
        processor["cards"] = 2
    sizing = size_submission(parse_submission(body, Limits()), Limits())
    return not any("cards are not used" in warning for warning in sizing.warnings)


@pytest.mark.parametrize(
    ("name", "sentence", "has"),
    [
        ("docs/latencies.md", r"the schedule of (.*) pays them", pays_latencies),
        (
            "docs/single-port.md",
            r"Two port models of (.*) allow less",
            takes_one_transfer_at_a_time,
        ),
        ("docs/cards.md", r"under `one_port` of (.*):$", uses_cards),
        (
            "docs/re-planning.md",
            r"Schedules that repeat are re-planned, of (.*); others are refused",
            lambda kind: PROBLEMS[kind].views is not None,
        ),
    ],
)
def test_a_page_about_a_feature_names_every_kind_that_has_it(
    name: str, sentence: str, has: Any
) -> None:
    (told,) = re.findall(sentence, document(name), re.MULTILINE)
    assert told_kinds(told) == {kind for kind in PROBLEMS if has(kind)}


def test_the_readme_and_the_page_of_kinds_list_all_kinds_once() -> None:
    for name, row in (
        ("README.md", r"^\| \[`([a-z_]+)`\]"),
        ("docs/kinds.md", r"^\* `([a-z_]+)`: "),
    ):
        assert sorted(re.findall(row, document(name), re.MULTILINE)) == sorted(PROBLEMS), name


def lines_of(*folders: str) -> int:
    inside = tuple(f"{folder}/" for folder in folders)
    return sum(
        len(path.read_text(encoding="utf-8").splitlines())
        for path in tracked_files()
        if name_of(path).startswith(inside)
    )


def test_the_cost_of_a_kind_is_told_as_it_is() -> None:
    text = document("docs/adding-a-problem.md")
    for half in (
        f"steadygrid/kinds/{KIND}",
        f"steadygrid/kinds/{KIND}/solver",
        f"tests/kinds/{KIND}",
    ):
        names = [name for name, place in PLACES.items() if str(Path(place).parent) == half]
        count = sum(len((TEMPLATES / name).read_text("utf-8").splitlines()) for name in names)
        files = "1 file" if len(names) == 1 else f"{len(names)} files"
        assert f"| `{half.replace(KIND, '<kind>')}/` | {files}, {count} lines |" in text
    assert f"| `steadygrid/kinds/__init__.py` | {len(LINES)} lines |" in text
    halves = lines_of("steadygrid/kinds/master_worker")
    tests = lines_of("tests/kinds/master_worker")
    assert f"has about {round(halves, -3):,} lines, and {round(tests, -3):,} of tests" in text


def test_every_path_of_the_api_is_in_a_document() -> None:
    """By its own name, or among those that are told together after the first."""
    texts = [document(name_of(path)) for path in tracked_files() if path.suffix == ".md"]
    text = re.sub(r"\b(job|sch|plt|swp|rep)_\.\.\.|\{[a-z_]+\}", "{}", "\n".join(texts))
    paths = {re.sub(r"\{[a-z_]+\}", "{}", path) for path in create_app().openapi()["paths"]}
    variants = {
        "/v1/jobs/{}/pictures/{}.{}": "/v1/jobs/{}/pictures/gantt.svg",
        "/v1/sweeps/{}/pictures/table.{}": "/v1/sweeps/{}/pictures/table.svg",
        "/v1/platforms/{}/pictures/platform.{}": "/v1/platforms/{}/pictures/platform.svg",
        "/v1/schedules/{}/computations": "`GET /v1/schedules/{}/allocations`, `/computations`",
    }
    assert {path for path in paths if variants.get(path, path) not in text} == set()
