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
def test_ten_thousand_bars_are_drawn_and_the_page_is_used_meanwhile(visit: Visit) -> None:
    page = visit.page
    own = visit.solved(pipeline())
    held: list[Any] = []
    released: list[bool] = []

    def hold(route: Any) -> None:
        if released:
            route.continue_()
        else:
            held.append(route)

    page.route("**/pictures/gantt.vega?*", hold)
    visit.go(own)
    gantt = page.locator("#picture-gantt")
    with page.expect_request("**/pictures/gantt.vega?*") as asked:
        gantt.scroll_into_view_if_needed()
    document = page.locator("html")
    before = document.get_attribute("data-theme")
    # Whoever looks elsewhere while the picture is on its way is answered, by page and service.
    page.get_by_role("button", name="Dark").or_(page.get_by_role("button", name="Light")).click()
    expect(document).not_to_have_attribute("data-theme", before or "")
    gantt.get_by_role("button", name="Show as table").click()
    expect(gantt.locator("tbody tr").first).to_be_visible()
    expect(gantt.locator(".drawing")).to_have_count(0)
    assert page.request.get(f"{visit.base}/livez").ok
    released.append(True)
    for route in held:
        route.continue_()
    spec = asked.value.response().json()
    pieces = f"{STAGES * FIRINGS * ITERATIONS:,} short pieces"
    assert pieces in spec["description"]
    assert 2_000 < len(spec["datasets"]["bars"]) <= 5_000
    expect(gantt.locator(".drawing :is(svg, canvas)").first).to_be_visible()
    with page.expect_response("**/pictures/gantt.vega?*from=*") as closer:
        gantt.get_by_role("button", name="Closer").click()
    finer = closer.value.json()["datasets"]["bars"]
    lengths = [
        min(bar["end"] - bar["start"] for bar in bars) for bars in (spec["datasets"]["bars"], finer)
    ]
    assert lengths == [3, 1]


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
    expect(gantt.locator(".drawing :is(svg, canvas)").first).to_be_visible()
    gantt.get_by_role("button", name="Show as table").click()
    expect(gantt.locator("tbody tr").first).to_be_visible()
    for path in (own, "/jobs", "/", f"/compare?job={own[6:]}&job={own[6:]}"):
        if path != own:
            visit.go(path)
        assert page.locator("html").evaluate("page => page.scrollWidth") <= 360, path
