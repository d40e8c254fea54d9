"""The first screen of a job: answer, badge, what limits, actions and platform, at once and marked."""

import json
import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from app.pages.tabs import TITLES
from tests.acceptance.grids import figure_3
from tests.acceptance.test_real_platforms import imported
from tests.browser.visits import Visit, Visits, expect

pytestmark = pytest.mark.browser

SIZE = {"width": 1440, "height": 900}
MOST_BYTES = 100_000
"""Of a page, before it is compressed."""
ODD = ("<b>\"1\" & '2'</b>", "a \N{RIGHTWARDS ARROW} b", "\u202eevil\u202c", "W" * 180)


def griffon() -> dict[str, Any]:
    return {
        "problem": {
            "kind": "master_worker",
            "platform": imported("griffon"),
            "master": "griffon-1.nancy.grid5000.fr",
            "task": {"work": 10**10, "input_size": 10**7},
            "ports": "multiport",
        }
    }


def odd() -> dict[str, Any]:
    """A star whose ids are markup, quotes, blanks, an arrow, marks of direction, and very long."""
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {
                "processors": [
                    {"id": name, "speed": k + 1} for k, name in enumerate(("the master", *ODD))
                ],
                "links": [
                    {"source": "the master", "target": name, "bandwidth": 20} for name in ODD
                ],
            },
            "master": "the master",
            "task": {"work": 1, "input_size": 1},
        }
    }


SIZES = """() => [...document.querySelectorAll("svg.platform text, svg.period text")]
    .filter((one) => one.checkVisibility()).map((one) => {
    const svg = one.ownerSVGElement;
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return parseFloat(getComputedStyle(one).fontSize) * scale;
})"""
"""Pixels of the texts of pictures, as they are seen."""


SEEN = """
window.seen = {};
const look = () => {
    for (const [name, at] of [["title", "h1"], ["box", "svg.platform .body"]])
        if (!seen[name] && document.querySelector(at)?.getClientRects().length)
            seen[name] = performance.now();
    if (!seen.box) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Notes when the title has a place on the screen, and when the first box has."""


def kept(visit: Visit, name: str) -> None:
    """Keep a picture of the page where ``STEADYGRID_SHOTS`` names a folder, for people to look at."""
    folder = os.environ.get("STEADYGRID_SHOTS")
    if folder:
        visit.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def marked(visit: Visit) -> set[str]:
    """Name the resources that stand out, by their keys."""
    found: list[str] = visit.page.evaluate(
        """() => {
            const keys = JSON.parse(document.querySelector("[data-keys]").dataset.keys);
            return [...document.querySelectorAll("svg [data-on]")]
                .flatMap((one) => one.dataset.r.split(" ").filter(Boolean).map((r) => keys[r]));
        }"""
    )
    return set(found)


@pytest.mark.parametrize("body", [figure_3, griffon], ids=["figure 3", "griffon"])
def test_all_that_matters_is_on_the_first_screen(visits: Visits, body: Any) -> None:
    visit = visits(viewport=SIZE)
    path = visit.solved(body())
    requests: list[str] = []
    visit.page.on("request", lambda request: requests.append(request.url))
    visit.page.add_init_script(SEEN)
    answer = visit.page.goto(visit.base + path)
    assert len(answer.body()) < MOST_BYTES
    page = visit.page
    badge = page.locator(".badge")
    expect(badge).to_have_text("Proved optimal, checked by the referee")
    svg = page.locator("svg.platform")
    for found in (page.locator(".answer"), badge, page.locator(".what-limits"), svg):
        box = found.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= SIZE["height"]
    actions = page.locator("#the-answer .actions a")
    assert actions.count() == 4
    assert actions.last.bounding_box()["y"] < SIZE["height"] - 30
    # The picture comes with the title, and needs nothing but the page: no request of its own.
    assert svg.locator("a").count() >= 4
    seen = page.evaluate("seen")
    assert seen["box"] <= 1.5 * seen["title"]
    own, *others = requests
    assert own == visit.base + path
    assert [one for one in others if not re.search(r"/static/[a-z]+-[0-9a-f]{12}\.", one)] == []
    assert page.locator("#picture-platform img").count() == 0
    kept(visit, f"{page.title()[:12].replace('/', '-')}")
    # What is written in a box fits into it.
    outside = svg.evaluate(
        """(svg) => [...svg.querySelectorAll("a")].flatMap((box) => {
            const frame = box.querySelector(".body").getBBox();
            return [...box.querySelectorAll("text:not(.tag-text)")].filter((text) => {
                const { x, width } = text.getBBox();
                return x < frame.x || x + width > frame.x + frame.width;
            }).map((text) => text.textContent);
        })"""
    )
    assert outside == []
    assert round(min(page.evaluate(SIZES)), 2) >= 11


def test_a_choice_is_marked_everywhere_and_stands_in_the_address(visits: Visits) -> None:
    visit = visits(viewport=SIZE)
    path = visit.solved(figure_3())
    visit.go(path)
    page = visit.page
    box = page.locator("svg.platform a", has_text="P2")
    box.click()
    expect(page).to_have_url(visit.base + path + "?resource=processor%3AP2")
    expect(page.locator("#picked")).to_contain_text("P2 is marked in the pictures and in the table")
    expect(page.locator("#chosen")).to_contain_text("receives 3/4 = 0.75")
    assert {"processor:P2", "link:P1->P2", "link:P2->P4"} <= marked(visit)
    assert not marked(visit) & {"processor:P3", "link:P1->P3"}
    faded = page.locator("svg.platform a", has_text="P3")
    assert faded.evaluate("one => getComputedStyle(one).opacity") == "0.28"
    before = marked(visit)
    kept(visit, "chosen")
    page.get_by_role("link", name="Neighbourhood").click()
    expect(page.locator("#picture-platform")).to_contain_text("those within 1 link of P2")
    assert {"processor:P2", "link:P1->P2", "link:P2->P4"} <= marked(visit)
    page.get_by_role("link", name="All of the platform").click()
    visit.go(f"{path}?resource=processor%3AP2")
    page.reload()
    assert marked(visit) == before
    page.keyboard.press("Escape")
    expect(page).to_have_url(visit.base + path)
    expect(page.locator("#picked")).to_be_hidden()
    assert marked(visit) == set()
    # By the keyboard alone; the row marks the box, and Escape takes both back.
    page.locator(".resources a", has_text="P4").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chosen")).to_contain_text("P4")
    assert "processor:P4" in marked(visit)
    assert page.evaluate("document.activeElement.textContent") == "P4"
    page.keyboard.press("Escape")
    expect(page.locator("#chosen")).to_have_count(0)


def test_tabs_keep_the_choice_and_old_addresses_lead_to_them(visits: Visits) -> None:
    visit = visits(viewport=SIZE)
    path = visit.solved(griffon())
    page = visit.page
    visit.go(path)
    assert page.locator("html").evaluate("one => one.scrollHeight") <= 2_000
    expect(page.locator(".resources tbody tr:visible")).to_have_count(12)
    page.get_by_role("button", name="Show all 23").click()
    expect(page.locator(".resources tbody tr:visible")).to_have_count(23)
    lane = page.locator("svg.period:not(.narrow) .lane", has=page.locator(".name", has_text="×"))
    group = str(lane.first.locator(".name").text_content())
    lane.first.locator("rect").first.click()
    for place in (page.locator("svg.platform a[aria-current]"), page.locator("#chosen th")):
        expect(place).to_contain_text(group)
    page.keyboard.press("Escape")
    page.locator("svg.platform a", has_text="griffon-1").first.click()
    expect(page.locator("#picked")).to_contain_text("griffon-1")
    page.locator(".tabs a", has_text="Speeds changed").click()
    expect(page).to_have_url(re.compile(r"/changes\?resource=processor%3Agriffon-1\.nancy"))
    expect(page.locator(".measuring tr[data-on] th")).to_contain_text("griffon-1.nancy")
    kept(visit, "changes")
    page.locator(".tabs a", has_text="Answer").click()
    expect(page.locator("#chosen")).to_contain_text("griffon-1")
    visit.go(f"{path}#proof")
    expect(page).to_have_url(re.compile(r"/proof$"))
    expect(page.locator("h2#proof")).to_be_visible()
    narrow = visits(viewport={"width": 390, "height": 844})
    for tab in TITLES:
        narrow.go(f"{path}/{tab}".removesuffix("/"))
        expect(narrow.page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=1)
    visit.go(path)
    pages = re.compile(rb"/Type\s*/Page\b")
    assert len(pages.findall(page.pdf())) == 2
    page.reload(wait_until="networkidle")
    assert len(pages.findall(page.pdf())) == 2
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator(".resources tbody tr:visible")).to_have_count(23)
    expect(page.locator(".tabs")).to_be_hidden()
    expect(page.locator("button:visible")).to_have_count(0)
    for picture in ("svg.platform", "svg.period:not(.narrow)"):
        expect(page.locator(picture)).to_be_visible()
    # Paper is white, and what limits is black on it, also from a dark page.
    black, white = "rgb(0, 0, 0)", "rgb(255, 255, 255)"
    expect(page.locator("body")).to_have_css("background-color", white)
    expect(page.locator("svg.platform .body.limit").first).to_have_css("stroke", black)
    expect(page.locator("svg.period .lane.most rect").first).to_have_css("fill", black)


def test_a_grid_of_1500_hosts_has_a_short_page(visits: Visits) -> None:
    visit = visits(viewport=SIZE)
    body = griffon()
    body["problem"] |= {"platform": imported("g5k"), "master": "edel-1.grenoble.grid5000.fr"}
    path = visit.solved(body)
    assert len(visit.page.goto(visit.base + path).body()) < MOST_BYTES
    assert visit.page.locator("html").evaluate("one => one.scrollHeight") <= 3_000
    assert round(min(visit.page.evaluate(SIZES)), 2) >= 11
    visit.go(f"{path}?around=AS_edel&hops=3")
    expect(visit.page.locator("figcaption").first).to_contain_text("within 3 links of AS_edel")
    assert round(min(visit.page.evaluate(SIZES)), 2) >= 11
    kept(visit, "grid")


def test_without_a_script_a_box_is_a_link_that_marks(visits: Visits) -> None:
    visit = visits(viewport=SIZE, java_script_enabled=False)
    path = visit.solved(figure_3())
    visit.go(path)
    visit.page.locator("svg.platform a", has_text="P2").click()
    expect(visit.page.locator("#chosen")).to_contain_text("receives 3/4 = 0.75")
    expect(visit.page.locator("svg.platform a[aria-current]")).to_contain_text("P2")
    visit.page.locator("#picked a", has_text="Clear").click()
    expect(visit.page.locator("#chosen")).to_have_count(0)
    visit.page.emulate_media(media="print", color_scheme="dark")
    expect(visit.page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_odd_ids_are_text_and_can_be_chosen(visits: Visits) -> None:
    visit = visits(viewport=SIZE)
    path = visit.solved(odd())
    visit.go(path)
    for name in ODD:
        key = f"processor:{name}"
        visit.go(f"{path}?resource={quote(key, safe='')}")
        assert key in marked(visit)
        visit.page.locator("svg.platform a[aria-current]").click()
        expect(visit.page).to_have_url(visit.base + path)
    assert visit.page.locator("svg.platform b").count() == 0
    kept(visit, "odd")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_narrow_screen_the_answer_comes_before_the_picture(
    visits: Visits, scheme: str
) -> None:
    visit = visits(viewport={"width": 390, "height": 800}, color_scheme=scheme)
    visit.go(visit.solved(griffon()))
    page = visit.page
    picture = page.locator("svg.platform").bounding_box()
    for found in (".answer", ".badge", ".what-limits"):
        box = page.locator(found).bounding_box()
        assert box["y"] + box["height"] < picture["y"]
    assert page.locator("html").evaluate("one => one.scrollWidth") <= 390
    assert round(min(page.evaluate(SIZES)), 2) >= 11
    period = page.locator("svg.period:visible")
    assert period.count() == 1
    assert period.bounding_box()["width"] <= 390
    assert (
        page.locator("#picture-gantt .canvas").evaluate("one => one.scrollWidth - one.clientWidth")
        == 0
    )
    master = page.locator("svg.platform a", has_text="griffon-1").first.bounding_box()
    assert 0 <= master["x"] <= 390 - master["width"]
    kept(visit, f"narrow-{scheme}")


def test_the_page_of_a_stored_platform_has_its_picture_at_once(visits: Visits) -> None:
    visit = visits(viewport=SIZE)
    made = visit.page.request.post(
        f"{visit.base}/v1/platforms",
        data=json.dumps(griffon()["problem"]["platform"]),
        headers={"Content-Type": "application/json"},
    )
    assert made.ok, made.text()
    visit.go(f"/platforms/{made.json()['id']}")
    expect(visit.page.locator("svg.platform")).to_contain_text("cabinet1_router")
    assert round(min(visit.page.evaluate(SIZES)), 2) >= 11
    visit.page.get_by_label("Around").fill("griffon_cluster_cabinet3")
    visit.page.get_by_label("links", exact=True).fill("2")
    visit.page.get_by_role("button", name="Show its neighbourhood").click()
    expect(visit.page.locator("figcaption")).to_contain_text("within 2 links of")
    expect(visit.page.locator("svg.platform")).to_contain_text("cabinet3")
    kept(visit, "stored")
