"""A schedule that runs, while one looks at the page of its job."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.browser.visits import Visit, expect
from tests.http.test_measurements import speeds
from tests.http.test_replans import FIGURE_3

pytestmark = pytest.mark.browser


def test_what_is_slower_is_seen_and_fills_the_fields(visit: Visit) -> None:
    page: Any = visit.page
    place = visit.post("/v1/platforms", FIGURE_3["problem"]["platform"])["links"]["self"]
    platform = place.rpartition("/")[2]
    job = visit.solved(FIGURE_3 | {"problem": FIGURE_3["problem"] | {"platform": platform}})
    started = {"epoch": datetime.now(UTC).isoformat()}
    assert page.request.put(f"{visit.base}/v1{job}/epoch", data=started).ok
    visit.go(job)
    line = page.locator("svg.period:not(.narrow) path.now")
    before = line.get_attribute("transform")
    expect(page.locator(".slower li")).to_have_count(0)
    url = f"{visit.base}{place}/measurements"
    measured = {"measurements": [speeds(datetime.now(UTC).isoformat(), P2="11/25", P3="49/100")]}
    assert page.request.post(url, data=measured).ok
    told = page.locator(".slower li")
    expect(told).to_have_text("P2: 12 % slower than planned (measured 11/25, planned 1/2)")
    tick = page.locator(".resources tr", has_text="P2").locator("svg.bar .tick").first
    expect(tick).to_have_attribute("x1", "88%")
    expect(line).not_to_have_attribute("transform", before)
    page.get_by_role("link", name="Speeds changed").first.click()
    expect(page.get_by_label("measured speed of P2", exact=True)).to_have_value("11/25")
    expect(page.get_by_label("measured speed of P1", exact=True)).to_have_value("")
    # What a person has written stays.
    page.get_by_label("measured speed of P3", exact=True).fill("1/3")
    measured = {"measurements": [speeds(datetime.now(UTC).isoformat(), P2="1/2", P3="1/4")]}
    assert page.request.post(url, data=measured).ok
    expect(told).to_have_text("P3: 50 % slower than planned (measured 1/4, planned 1/2)")
    expect(page.get_by_label("measured speed of P2", exact=True)).to_have_value("")
    expect(page.get_by_label("measured speed of P3", exact=True)).to_have_value("1/3")
