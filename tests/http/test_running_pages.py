"""The page of a job that runs: what is slower, what is kept, and where it is."""

import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from fastapi.testclient import TestClient

from app.db.engine import Database
from app.grids.epochs import Position
from app.pages.running import PresentPosition
from tests.http.conftest import ON_SQLITE
from tests.http.test_drift import evaluated, watched
from tests.http.test_measurements import post, speeds


@ON_SQLITE
def test_the_page_says_what_is_slower_and_where_the_schedule_is(
    client: TestClient, database: Database
) -> None:
    job, place = watched(client, database)
    page = job.removeprefix("/v1")
    assert "As it runs" in client.get(page).text
    now = datetime.now(UTC)
    post(client, place, speeds(now.isoformat(), P2="11/25", P3="49/100", P4=0))
    evaluated(client, job)
    text = client.get(page).text
    assert f'data-events="{job}/measured/events"' in text
    told = [
        re.sub("<[^>]+>", "", one) for one in re.findall("<li>(P[^\n]*planned[^\n]*)</li>", text)
    ]
    assert [one.partition("(")[0].strip() for one in told] == [
        "P4: gone",
        "P2: 12 % slower than planned",
    ]
    assert "It still does 0 % of what was planned" in text
    assert 'class="now keep"' not in text
    start = (now - timedelta(hours=1)).isoformat()
    assert client.put(f"{job}/epoch", json={"epoch": start}).status_code == 200
    text = client.get(page).text
    assert "of it is over" in text
    line, _narrow = re.findall('<path [^>]*class="now keep"[^>]*>', text)
    left, wide, at = (
        float(re.findall(f"{name}([0-9.]+)", line)[0])
        for name in ('data-left="', 'data-wide="', r"translate\(")
    )
    assert left <= at < left + wide


def test_a_period_may_be_longer_than_any_double() -> None:
    start = Position(Fraction(0), 1, Fraction(0))
    long = PresentPosition(datetime.now(UTC), 1.0, Fraction(10**400), start)
    assert (long.length, long._replace(period=Fraction(3, 2)).length) == (float("inf"), 1.5)
