"""The figures of `docs/limits.md` are those of the code, in all of its tables and sentences."""

import re

import pytest

import docs._generate
from app import sweep_creation
from app.access import attempts
from app.db import news, retention, sessions
from app.http import body_guard, feed
from app.jobs import deletion, live
from app.pages import login
from app.server import capacity
from app.settings import Settings
from app.studies import replans
from app.sweeps import endpoints as sweep_endpoints
from app.sweeps import service as sweeps
from steadygrid.domain import rational, schedule, trace
from steadygrid.domain.job import Options
from steadygrid.engine.solving import record
from steadygrid.formats.simgrid import fixed, folding, groups
from steadygrid.kinds.collective import choice as collective_choice
from steadygrid.kinds.collective.sizing import MOST_ENTRIES
from steadygrid.kinds.dataflow.solver import model as dataflow_model
from steadygrid.kinds.mono_allocation import fitting
from steadygrid.kinds.mono_allocation.solver import intervals
from steadygrid.kinds.mono_allocation.solver.given import moves
from steadygrid.kinds.shared import start_ups
from steadygrid.pictures import cycle, gantt
from steadygrid.report import lanes
from steadygrid.studies import forbidden, what_if
from tests.tree import ROOT
from workers import retention as worker_retention
from workers.commands.tenants import AT_ONCE

TEXT = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
SIZES = docs._generate.pages()["limits.md"]


def default(*names: str) -> str:
    fields = Settings.model_fields
    return ", ".join(f"{fields[name].default:,g}" for name in names)


TIME_LIMIT = Options.model_fields["time_limit"]
LONGEST = max(bound.le for bound in TIME_LIMIT.metadata if hasattr(bound, "le"))

TABLES = {
    "Tenants.": {
        "max_queued_jobs": f"{Settings.model_fields['max_queued_jobs'].default:,}",
        "tenant_queued_jobs": "any number",
        "tenant_sweep_jobs": "any number",
        "tenant_running_jobs": "any number",
        "tenant_requests_per_minute": "any number",
        "tenant_waiting_requests": default("tenant_waiting_requests"),
        "tenant_solver_seconds_per_day": "any number",
        "tenant_stored_bytes": "any number",
        "tenant_time_limit": f"{Settings.model_fields['tenant_time_limit'].default:,g}",
        "tenant_webhooks": default("tenant_webhooks"),
        "tenant_priority": default("tenant_priority"),
    },
    "Connections and time.": {
        "max_connections": "half of the files that the process may open (`ulimit -n`), at most"
        f" {capacity._MOST_BY_DEFAULT:,}",
        "header_seconds": default("header_seconds"),
        "body_seconds, body_bytes_per_second": f"{default('body_seconds')},"
        f" {Settings.model_fields['body_bytes_per_second'].default:,}",
        "body_turn_seconds": default("body_turn_seconds"),
    },
    "Who has logged in.": {
        "IDLE_SECONDS": f"{sessions.IDLE_SECONDS:,.0f}",
        "LONGEST_SECONDS": f"{sessions.LONGEST_SECONDS:,.0f}",
        "MOST": f"{attempts.MOST:,}",
        "MOST_ADDRESSES": f"{attempts.MOST_ADDRESSES:,}",
        "LONGEST_FORM": f"{login.LONGEST_FORM:,}",
    },
    "What is kept.": {
        "retention_days": default("retention_days"),
        "idempotency_days": default("idempotency_days"),
        "TOMBSTONE_DAYS": f"{retention.TOMBSTONE_DAYS}",
        "MOST_AT_ONCE": f"{worker_retention.MOST_AT_ONCE}",
        "MOST_DELETED": f"{deletion.MOST_DELETED:,}",
    },
    "SimGrid platforms.": {
        "MOST_PAIRS": f"{fixed.MOST_PAIRS:,}",
        "MOST_MEMBERS": f"{fixed.MOST_MEMBERS:,}",
        "max_links": default("max_links"),
        "MOST_IN_FABRIC": f"{folding.MOST_IN_FABRIC:,}",
        "MOST_COMPARED": f"{groups.MOST_COMPARED:,}",
    },
    "Sweeps over HTTP": {
        "FIRST_SECONDS": f"{sweeps.FIRST_SECONDS:g}",
        "PIECE": f"{sweep_creation.PIECE}, {sweeps.PIECE}",
        "MOST_RETRIED": f"{sweeps.MOST_RETRIED:,}",
        "MOST_WARNED": f"{sweep_creation.MOST_WARNED}",
        "EVENT_SECONDS": f"{sweep_endpoints.EVENT_SECONDS:g}",
    },
    "What would help": {
        "MOST_SOLVED": f"{what_if.MOST_SOLVED}",
        "MOST_NAMED": f"{what_if.MOST_NAMED:,}",
        "MOST_UNPRICED": f"{what_if.MOST_UNPRICED}",
        "MOST_ENDS": f"{forbidden.MOST_ENDS}",
    },
    "Studies.": {"MOST_TRANSFERS": f"{replans.MOST_TRANSFERS:,}"},
    "Pictures over HTTP.": {
        "picture_seconds": default("picture_seconds"),
        "picture_memory_bytes": f"{Settings.model_fields['picture_memory_bytes'].default:,}",
    },
}
"""By the words that begin a section, its rows; those of pictures are compared elsewhere."""
ELSEWHERE = ("Pictures.",)

SENTENCES = (
    f"`options.time_limit` is {TIME_LIMIT.default:g} s by default and at most {LONGEST:,} s",
    f"A hard stop comes {default('hard_stop_grace_seconds')} s later",
    f"(never above {MOST_ENTRIES:,}, which the referee has to make as well;"
    f" {collective_choice.MOST_SUMS:,} where combining takes time)",
    f"looks for a mapping within memory for {fitting.MOST_STEPS:,} steps",
    f"for {intervals.MOST_BEGINNINGS:,} beginnings or {intervals.MOST_STEPS:,} steps",
    f"computes at most {moves.MOST_MOVES:,} moves of one task",
    f"more than {dataflow_model.MOST_NODES:,} firings or {dataflow_model.MOST_EDGES:,} dependencies",
    f"has at most {trace.MOST_POINTS} points, and none of them a numerator or denominator of more"
    f" than {record.LONGEST_BITS:,} bits",
    f"goes {AT_ONCE} rows at a time",
    f"a reserve of {capacity.RESERVED_CONNECTIONS} answers",
    f"sends at most {live.MOST_JOBS} jobs an event and two events a second. At most"
    f" {feed.MOST_PENDING:,} jobs",
    f"what has ended in the last {news.ENDED_SECONDS:g} seconds (at most {news.MOST_ENDED:,} of"
    f" them)\n* the {news.NEWEST} newest jobs, and those made in the {news.LATE_SECONDS:g} seconds"
    f" before the newest (at most {news.MOST_NEW:,})\n* the {news.WAITING} that have waited for the"
    f" longest\n* what was deleted in the last {news.DELETED_SECONDS:g} seconds",
    f"Bodies of {body_guard.LARGE_BYTES // 2**20} MiB and more are taken four at a time",
    f"up to {body_guard.MOST_WAITING} others wait",
    f"`audit_days` (a setting, {default('audit_days')})",
    f"deletes, {deletion.AT_ONCE} in each unit",
    f"one request tries again, {sweeps.RETRIED_AT_ONCE} in each unit",
    f"it shows the {gantt.USUAL_LANES} busiest, joins those that do the same where there are more"
    f" than {gantt.MOST_UNFOLDED}, and of rows at most {lanes.MOST_STARTS:,} starts",
    f"a cycle is drawn with at most {cycle.MOST_STEPS} steps",
    f"at most {rational.MAX_DIGITS} digits on each side of a fraction or decimal point and a"
    f" decimal exponent of at most {rational.MAX_EXPONENT}",
    f"no integer is longer than {rational.MAX_ANSWER_DIGITS:,} digits",
    f"a common denominator of at most {start_ups.MOST_DIGITS} digits",
    f"holds more than {schedule.MOST_IN_A_PERIOD:,} instances or files, a shorter one that loses at"
    f" most {float(100 * schedule.MOST_LOST)} % takes its place",
)


def sections() -> dict[str, str]:
    """Give the sections by the words in bold with which they begin."""
    parts = re.split(r"^\*\*(.+?)\*\*", TEXT, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def rows(section: str) -> dict[str, str]:
    """Give the rows of tables of three columns that begin with names in code."""
    found = re.findall(
        r"^\| (`[^|]+`)(?: \([^|]*\))? \| ([^|]+) \| [^|]+ \|$", section, re.MULTILINE
    )
    return {names.replace("`", ""): number for names, number in found}


def test_every_table_has_a_test() -> None:
    told = {name for name, text in sections().items() if rows(text)}
    assert told == {*TABLES, *ELSEWHERE}


@pytest.mark.parametrize("section", TABLES)
def test_the_rows_of_a_table_are_those_of_the_code(section: str) -> None:
    assert rows(sections()[section]) == TABLES[section]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_has_the_number_of_the_code(sentence: str) -> None:
    assert sentence in TEXT + SIZES


def test_numbers_that_are_written_in_words_are_so() -> None:
    """Bodies are taken four at a time, and events are two a second."""
    assert body_guard.LARGE_AT_A_TIME == 4
    assert live.EVENT_SECONDS == 1 / 2
