"""Platforms of every size are drawn with all their processors, and the table names each of them."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.grids import figure_3
from tests.browser.visits import Visit, expect
from tests.data import shared_data

pytestmark = pytest.mark.browser

TWO_CLUSTERS = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="grid" routing="Full">
    <cluster id="left" prefix="left-" suffix="" radical="1-30" speed="1Gf" bw="125MBps" lat="50us"/>
    <cluster id="right" prefix="right-" suffix="" radical="1-9" speed="2Gf" bw="125MBps" lat="50us"/>
    <link id="between" bandwidth="1GBps" latency="1ms"/>
    <zoneRoute src="left" dst="right" gw_src="left-left_router" gw_dst="right-right_router">
      <link_ctn id="between"/>
    </zoneRoute>
  </zone>
</platform>
"""


def platform(name: str) -> tuple[str, str]:
    """Give a platform, and of which type it is."""
    if name == "figure 3":
        return json.dumps(figure_3()["problem"]["platform"]), "application/json"
    if name == "two clusters":
        return TWO_CLUSTERS, "application/simgrid+xml"
    path = shared_data(f"simgrid-platforms/{name}.xml")
    return path.read_text(encoding="utf-8"), "application/simgrid+xml"


def stored(visit: Visit, name: str) -> dict[str, Any]:
    """Store a platform, and give it as the service has it."""
    data, form = platform(name)
    answer = visit.page.request.post(
        f"{visit.base}/v1/platforms", data=data, headers={"Content-Type": form}
    )
    assert answer.ok, answer.text()
    kept: dict[str, Any] = visit.page.request.get(
        f"{visit.base}/v1/platforms/{answer.json()['id']}"
    ).json()
    return kept


@pytest.mark.parametrize(
    ("name", "boxes"),
    [
        ("figure 3", 4),
        ("two clusters", 4),
        pytest.param("griffon", 9, marks=pytest.mark.long_browser),
        pytest.param("g5k", 16, marks=pytest.mark.long_browser),
    ],
)
def test_a_platform_is_drawn_and_its_table_has_all_processors(
    visit: Visit, name: str, boxes: int
) -> None:
    kept = stored(visit, name)
    page = visit.page
    visit.go(f"/platforms/{kept['id']}")
    svg = page.locator("figure svg.platform")
    expect(svg).to_be_visible()
    assert svg.locator("rect:is(.body, .chip)").count() == boxes
    with page.expect_download() as awaited:
        page.locator("figcaption a", has_text="table").click()
    text = Path(awaited.value.path()).read_text(encoding="utf-8")
    listed = list(csv.reader(io.StringIO(text, newline="")))
    named = [one for row in listed if row[1] == "computing" for one in row[0].split(", ")]
    processors = kept["platform"]["processors"]
    assert sorted(named) == sorted(one["id"] for one in processors if not one.get("switch"))
