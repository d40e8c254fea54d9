"""Answers of many bars, and of long numbers: pages are used meanwhile, stay small and fit a phone."""

from itertools import pairwise
from typing import Any

import pytest

from tests.browser.visits import Visit, Visits, expect

pytestmark = pytest.mark.browser

STAGES, FIRINGS, ITERATIONS = 11, 332, 3


def pipeline() -> dict[str, Any]:
    """Make stages that all fire `FIRINGS` times in each of the iterations that a chart shows."""
    names = [f"stage{i}" for i in range(1, STAGES + 1)]
    between = pairwise(names)
    ends = [
        {"source": "source", "target": names[0], "production": FIRINGS, "consumption": 1},
        {
            "source": names[-1],
            "target": "source",
            "production": 1,
            "consumption": FIRINGS,
            "tokens": 4 * FIRINGS,
        },
    ]
    channels = [
        {"source": one, "target": other, "production": 1, "consumption": 1}
        for one, other in between
    ]
    actors = [{"id": "source", "times": FIRINGS}, *({"id": name, "times": 1} for name in names)]
    return {
        "problem": {
            "kind": "dataflow",
            "graph": {"actors": actors, "channels": [*channels, *ends]},
        }
    }


@pytest.mark.long_browser
def test_ten_thousand_bars_are_joined_in_the_page(visit: Visit) -> None:
    own = visit.solved(pipeline())
    answer = visit.page.goto(visit.base + own)
    assert len(answer.body()) < 200 * 1024
    gantt = visit.page.locator("#picture-gantt")
    expect(gantt.locator("svg.period:not(.narrow)")).to_be_visible()
    expect(gantt).to_contain_text("joined: a shorter window shows more")


def long_numbers() -> dict[str, Any]:
    """Make a star whose 35 times have no common divisors: the period has to be long."""
    names = [f"w{i}" for i in range(34)]
    times = {name: 10**29 + 7 * i + 3 for i, name in enumerate(names)}
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "name": "long numbers",
                "processors": [
                    {"id": "M", "unit_time": str(10**29 + 1)},
                    *({"id": name, "unit_time": str(time)} for name, time in times.items()),
                ],
                "links": [
                    {"source": "M", "target": name, "unit_time": str(10**27 + i)}
                    for i, name in enumerate(names)
                ],
            },
            "master": "M",
            "task": {"work": 1, "input_size": 1},
            "ports": "one_port",
        },
        "options": {"max_period": "exact"},
    }


def test_a_period_of_a_thousand_digits_fits_a_phone(visits: Visits) -> None:
    """Of more than 1,000 digits the service makes a shorter one by itself."""
    visit = visits(viewport={"width": 360, "height": 740})
    page = visit.page
    own = visit.solved(long_numbers())
    result = page.request.get(f"{visit.base}/v1{own}/result").json()
    schedule = page.request.get(f"{visit.base}/v1/schedules/{result['schedule']}").json()
    assert 950 < len(schedule["period"]) <= 1_000
    answer = page.goto(visit.base + own)
    assert len(answer.body()) < 2**20
    assert schedule["period"] not in page.locator("main").inner_text()
    gantt = page.locator("#picture-gantt")
    gantt.scroll_into_view_if_needed()
    expect(gantt.locator("svg.narrow")).to_be_visible()
    for path in (own, "/jobs", "/", f"/compare?job={own[6:]}&job={own[6:]}"):
        if path != own:
            visit.go(path)
        assert page.locator("html").evaluate("page => page.scrollWidth") <= 360, path
