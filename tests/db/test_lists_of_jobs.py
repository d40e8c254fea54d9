"""Lists of jobs by outcome and by the beginning of their names."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import event, insert, text

from app.db.engine import Database
from app.db.matching import _next_after_all
from app.db.models import jobs
from app.db.news import NewsRepository
from app.db.packing import pack
from app.db.queue import Found
from steadygrid.domain.job import Outcome
from tests.databases import add_job, claim_of

NAMES = [
    "figure 3",
    "figure 30",
    "figure 4",
    "Figure 3",
    "figure",
    "figur",
    "figurf",
    "100 % of it",
    "100_",
    "100x",
    "a\\b",
    "a\\",
    "\ud7ff",
    "\ud7ffa",
    "\ue000",
    "\U0010ffff",
    "\U0010ffff\U0010ffffa",
    "é",
    "e\u0301",
    "\U0001f600 smile",
]


def named(database: Database, prefix: str) -> list[str | None]:
    with database.read("local") as unit:
        return [job.name for job in unit.jobs.page(100, name=prefix).items]


def test_a_name_is_found_by_its_beginning_and_nothing_else(database: Database) -> None:
    for name in (*NAMES, None):
        add_job(database, name=name)
    prefixes = {name[:length] for name in NAMES for length in range(1, len(name) + 1)}
    for prefix in (*prefixes, "%", "_", "FIGURE", "figure 3 ", "\x00", "x" * 200):
        expected = [name for name in NAMES if name.startswith(prefix)]
        assert sorted(map(str, named(database, prefix))) == sorted(expected), repr(prefix)
    assert len(named(database, "")) == len(NAMES) + 1


def test_the_end_of_a_range_of_names_is_the_next_text_that_is_one() -> None:
    assert _next_after_all("ab") == "ac"
    assert _next_after_all("a\ud7ff") == "a\ue000"
    assert _next_after_all("a\U0010ffff") == "b"
    assert _next_after_all("\U0010ffff") is None


def test_names_of_other_tenants_are_not_found(database: Database) -> None:
    add_job(database, name="figure 3")
    with database.read("other") as unit:
        assert not unit.jobs.page(10, name="fig").items


def test_jobs_are_found_by_any_of_some_outcomes(database: Database) -> None:
    found = {}
    for outcome in (Outcome.OPTIMAL, Outcome.INFEASIBLE, Outcome.UNKNOWN):
        job = add_job(database, name=outcome.value)
        with database.write_all() as unit:
            claim = claim_of(unit, job)
            assert claim is not None
            unit.queue.succeed(claim, Found(outcome), pack({}), None)
        found[outcome] = job
    add_job(database)
    with database.read("local") as unit:
        for outcomes in ([Outcome.OPTIMAL], [Outcome.UNKNOWN, Outcome.OPTIMAL], [Outcome.FEASIBLE]):
            page = unit.jobs.page(10, outcomes=outcomes)
            assert {job.id for job in page.items} == {found[o] for o in outcomes if o in found}
        both = unit.jobs.page(10, outcomes=list(Outcome), name="inf")
        assert [job.outcome for job in both.items] == [Outcome.INFEASIBLE]


def test_each_list_has_its_index(database: Database) -> None:
    with database.engine.connect() as connection:
        writer = connection.execution_options(writes=True)
        with writer.begin():
            rows = (job_row(number) for number in range(MANY))
            writer.execute(insert(jobs), list(rows))
            writer.execute(text("ANALYZE jobs"))
        explain = "EXPLAIN QUERY PLAN" if database.dialect == "sqlite" else "EXPLAIN"
        for index, condition in (
            ("ix_jobs_tenant_outcome_id", "outcome = 'unknown' ORDER BY id DESC LIMIT 50"),
            ("ix_jobs_tenant_name_id", "name >= 'fig 12' AND name < 'fig 13'"),
            ("ix_jobs_tenant_finished_at", "finished_at > '2027-01-01'"),
        ):
            query = f"{explain} SELECT id FROM jobs WHERE tenant = 'local' AND {condition}"
            assert index in str(connection.execute(text(query)).all())


def test_news_never_sort_all_jobs(database: Database) -> None:
    """On PostgreSQL once it has counted the table: before, it takes either of two indexes."""
    asked: list[tuple[str, Any]] = []
    with database.engine.connect() as connection:
        writer = connection.execution_options(writes=True)
        with writer.begin():
            # One of ten waits: of an empty state any index is as good, and no sort takes long.
            rows = [job_row(number) for number in range(5 * MANY)]
            for row in rows[::10]:
                row |= {"state": "queued", "outcome": None, "finished_at": None}
            writer.execute(insert(jobs), rows)
            writer.exec_driver_sql("ANALYZE jobs")
        event.listen(
            connection,
            "before_cursor_execute",
            lambda _one, _cursor, query, values, *_: asked.append((query, values)),
        )
        news = NewsRepository(connection, "local")
        news.versions(f"job_{0:032x}")
        news.waiting()
        explain = "EXPLAIN QUERY PLAN" if database.dialect == "sqlite" else "EXPLAIN"
        by_id = [(query, values) for query, values in asked if "ORDER BY jobs.id" in query]
        assert len(by_id) == 3
        for query, values in by_id:
            plan = str(connection.exec_driver_sql(f"{explain} {query}", values).all())
            assert "Sort" not in plan, plan
            assert "TEMP B-TREE" not in plan, plan


MANY = 2_000
DAY = datetime(2026, 11, 23, tzinfo=UTC)


def job_row(number: int) -> dict[str, Any]:
    return {
        "id": f"job_{number:032x}",
        "kind": "cell",
        "name": f"fig {number}",
        "state": "succeeded",
        "outcome": "unknown" if number % 500 == 0 else "optimal",
        "labels": {},
        "warnings": [],
        "time_limit": 60.0,
        "attempt": 1,
        "failures": 0,
        "woken_at": DAY,
        "wakes": 0,
        "seq": 4,
        "created_at": DAY,
        "finished_at": DAY + timedelta(seconds=number),
    }
