"""The whole site: every link leads somewhere, every page is well formed, programs see no HTML."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urldefrag, urljoin, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.pages import assets, jobs, kinds, words
from app.pages.rendering import FIELDS
from app.pages.start import tiles
from steadygrid.kinds import PROBLEMS
from steadygrid.pictures.house_style import FAINT, INK, PAPER, PLATFORM
from steadygrid.pictures.picture import THEMES
from tests.http.conftest import quiet
from tests.pages.markup import Element, read
from tests.pages.site import PAGE, Site, posted

BASE = "http://localhost:8000"
CSS = assets.asset("steadygrid.css").content.decode()


def crawled(site: Site) -> dict[str, Element | None]:
    """Follow all links from the first page; what is no page is None."""
    found: dict[str, Element | None] = {}
    left = [f"{BASE}/", f"{BASE}/platforms/{site.platform}", f"{BASE}/applications"]
    while left:
        address = left.pop()
        if address in found:
            continue
        answer = site.client.get(address, headers=PAGE)
        assert answer.status_code == 200, (address, answer.text[:500])
        page = None
        if answer.headers["Content-Type"].startswith("text/html") and "/docs" not in address:
            page = read(answer.text)
            assert {name: answer.headers[name] for name in FIELDS if name != "Vary"} == {
                name: value for name, value in FIELDS.items() if name != "Vary"
            }
            assert len(answer.content) < 2**20
            left += followed(links(page, address), address)
        found[address] = page
    return found


def followed(found: list[str], address: str) -> list[str]:
    """Leave pictures, and of what can be chosen on a page of a job all but one of each sort."""
    chosen: dict[tuple[str, ...], str] = {}
    others: list[str] = []
    for one in found:
        parts = urlsplit(one)
        if parts.path.startswith("/jobs/") and parts.query:
            chosen.setdefault(tuple(parse_qs(parts.query)), one)
        elif "/pictures/" not in one:
            others.append(one)
    return others if urlsplit(address).query else [*others, *chosen.values()]


def links(page: Element, address: str) -> list[str]:
    wanted = [one.attributes["href"] for tag in ("a", "link") for one in page.all(tag)]
    absolute = [urldefrag(urljoin(address, one)).url for one in wanted]
    assert all(urlsplit(one).netloc == "localhost:8000" for one in absolute), absolute
    return absolute


def test_every_link_of_every_page_leads_somewhere(site: Site) -> None:
    pages = {urlsplit(address).path for address, page in crawled(site).items() if page}
    assert {"/", "/jobs", "/platforms", "/applications", "/problems", "/new"} <= pages
    assert {f"/jobs/{job}" for job in site.jobs.values()} <= pages
    assert {f"/problems/{kind}" for kind in PROBLEMS} <= pages
    assert {f"/platforms/{site.platform}", f"/applications/{site.application}"} <= pages


def test_the_first_page_says_what_is_going_on(site: Site) -> None:
    page = read(site.client.get("/", headers=PAGE).text)
    assert page.where(class_="busy")[0].text == "2 running, 1 queued, 0 workers"
    captions = [one.text for one in page.all("caption")]
    assert captions == [
        "Jobs that are running",
        "The last sweeps, the newest first",
        "Jobs that failed in the last day",
        "The last jobs, the newest first",
    ]
    assert len(page.all("tbody")[0].all("tr")) == 2
    assert words.NO_WORKER in page.text


def test_a_service_without_jobs_says_how_to_begin(tmp_path: Path) -> None:
    with TestClient(
        create_app(quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path)), base_url="http://localhost"
    ) as client:
        page = read(client.get("/", headers=PAGE).text)
        assert page.one("h1").text == words.WELCOME
        assert not page.all("table")
        assert words.NO_JOBS in read(client.get("/jobs", headers=PAGE).text).text


def test_filters_stand_in_the_address(site: Site) -> None:
    page = read(
        site.client.get("/jobs?state=failed&kind=&outcome=&label=&name=", headers=PAGE).text
    )
    rows = page.one("tbody").all("tr")
    assert [row.attributes["data-job"] for row in rows] == [site.jobs["failed"]]
    chosen = [one for one in page.all("option") if "selected" in one.attributes]
    assert [one.text for one in chosen] == ["failed"]
    nothing = site.client.get("/jobs?state=failed&kind=cell", headers=PAGE)
    assert words.NO_SUCH_JOBS in read(nothing.text).text


def test_lists_name_kinds_and_outcomes_in_words(site: Site) -> None:
    page = read(site.client.get("/jobs", headers=PAGE).text)
    own = site.jobs["infeasible"]
    (row,) = [one for one in page.all("tr") if one.attributes.get("data-job") == own]
    assert {"task graph", "impossible"} <= {one.text for one in row.all("td")}
    named = {one.attributes["value"]: one.text for one in page.all("option")}
    assert (named["task_graph"], named["infeasible"]) == ("task graph", "impossible")


def test_a_list_says_what_limits_each_job(site: Site) -> None:
    table = read(site.client.get("/jobs", headers=PAGE).text).one("table")
    place = [one.text for one in table.one("thead").all("th")].index("limited by")
    cells = {
        row.attributes["data-job"]: row.all("td")[place - 1].text
        for row in table.one("tbody").all("tr")
    }
    wanted = {"master_worker": "P1", "divisible_star": "", "failed": ""}
    assert {name: cells[site.jobs[name]] for name in wanted} == wanted
    told = site.client.get(f"/v1/jobs/{site.jobs['master_worker']}").json()["limited_by"]
    assert told == {"key": "processor:P1", "label": "P1", "alike": 0}


@pytest.mark.parametrize(
    ("query", "kept"), [("label=campus&name=a", "campus"), ("kind=cells&label=b:c", "b:c")]
)
def test_a_wrong_filter_leaves_the_form_as_it_was_filled_in(
    site: Site, query: str, kept: str
) -> None:
    answer = site.client.get(f"/jobs?{query}", headers=PAGE)
    page = read(answer.text)
    assert answer.status_code == 422
    assert page.where(name="label")[0].attributes["value"] == kept
    assert page.where(class_="limits")[0].text.startswith(query.partition("=")[0])


def test_a_job_can_be_changed_and_solved_again(site: Site) -> None:
    job = site.jobs["feasible"]
    shown = read(site.client.get(f"/jobs/{job}/question", headers=PAGE).text)
    link = next(a for a in shown.all("a") if a.text == "changed and solved again")
    page = read(site.client.get(link.attributes["href"], headers=PAGE).text)
    assert (
        json.loads(page.where(id="body")[0].text) == site.client.get(f"/v1/jobs/{job}/draft").json()
    )
    assert page.where(id="new-job")[0].attributes["data-kind"] == "master_worker"


def test_what_is_too_long_to_be_changed_by_hand_is_changed_by_its_job(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "LONGEST_BODY", 100)
    job = site.jobs["feasible"]
    answer = site.client.get(f"/new?job={job}", headers=PAGE)
    assert answer.status_code == 200
    based = json.loads(read(answer.text).where(id="body")[0].text)
    assert based == {"base": job, "changes": []}
    checked = site.client.post("/v1/jobs?validate_only=true", json=based)
    assert checked.status_code == 200
    varied = read(site.client.get(f"/new?job={job}&vary=true", headers=PAGE).text)
    sweep = json.loads(varied.where(id="body")[0].text)
    assert sweep["template"] == {"base": job}
    assert site.client.post("/v1/sweeps?validate_only=true", json=sweep).status_code == 200


def test_a_stored_platform_begins_a_question(site: Site) -> None:
    kept = site.client.get("/v1/platforms").json()["items"][0]["id"]
    page = read(site.client.get(f"/new?platform={kept}", headers=PAGE).text)
    assert json.loads(page.where(id="body")[0].text)["problem"]["platform"] == kept
    assert site.client.get("/new?platform=plt_0", headers=PAGE).status_code == 404


def test_lists_go_to_and_fro(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "DEFAULT_LIMIT", 5)
    address, forth = "/jobs?kind=master_worker", []
    while address:
        page = read(site.client.get(address, headers=PAGE).text)
        forth.append([row.attributes["data-job"] for row in page.one("tbody").all("tr")])
        following = page.where(rel="next")
        before = page.where(rel="prev")
        address = following[0].attributes["href"] if following else ""
    assert len(forth) >= 2
    assert [len(ids) for ids in forth[:-1]] == [5] * (len(forth) - 1)
    back = [forth[-1]]
    while before:
        page = read(site.client.get(before[0].attributes["href"], headers=PAGE).text)
        back.append([row.attributes["data-job"] for row in page.one("tbody").all("tr")])
        assert page.where(rel="next")
        before = page.where(rel="prev")
    assert back[::-1] == forth


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/nothing", 404, "not_found"),
        ("/jobs/none", 404, "not_found"),
        ("/jobs/job_" + "0" * 32, 404, "not_found"),
        ("/problems/none", 404, "not_found"),
        ("/platforms/none", 404, "not_found"),
        ("/applications/none", 404, "not_found"),
        ("/jobs?stat=failed", 422, "invalid_request"),
        ("/jobs?state=lost", 422, "invalid_request"),
        ("/jobs?kind=none", 422, "invalid_request"),
        ("/jobs?label=%3Cb%3E", 422, "invalid_request"),
        ("/jobs?page_token=x", 422, "invalid_request"),
        ("/jobs?backwards=perhaps", 422, "invalid_request"),
        ("/?x=1", 422, "invalid_request"),
        ("/new?example=none", 422, "invalid_request"),
        ("/compare", 422, "invalid_request"),
    ],
)
def test_refusals_are_pages_for_people_and_problem_details_for_programs(
    site: Site, path: str, status: int, code: str
) -> None:
    shown = site.client.get(path, headers=PAGE)
    told = site.client.get(path)
    assert (shown.status_code, told.status_code) == (status, status)
    assert told.headers["Content-Type"] == "application/problem+json"
    page = read(shown.text)
    assert page.where(class_="answer")[0].text == told.json()["detail"]
    assert page.where(class_="code")[0].text == f"Code: {code}, status {status}"
    assert all(error["detail"] in page.text for error in told.json()["errors"])


def test_the_api_answers_browsers_as_any_client(site: Site) -> None:
    for path in ("/v1/jobs/none", "/v1/nothing", "/livez?x=1", "/static/none.css"):
        answer = site.client.get(path, headers=PAGE)
        assert answer.headers["Content-Type"] == "application/problem+json", path


def test_an_error_of_ours_is_a_page_without_details(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("secret")

    monkeypatch.setattr(jobs, "opened", broken)
    client = TestClient(site.client.app, base_url=BASE, raise_server_exceptions=False)
    answer = client.get(f"/jobs/{site.jobs['cell']}", headers=PAGE)
    assert answer.status_code == 500
    assert "Code: internal, status 500" in read(answer.text).text
    assert "secret" not in answer.text


def test_two_jobs_stand_side_by_side(site: Site) -> None:
    first, second = site.jobs["master_worker"], site.jobs["hostile"]
    address = f"/compare?job={first}&job="
    page = read(site.client.get(address + second, headers=PAGE).text)
    facts, asked = page.all("tbody")
    rows = [[cell.text for cell in row.all("th") + row.all("td")] for row in facts.all("tr")]
    assert ["kind", "master_worker", "master_worker"] in rows
    assert any(row[0] == "throughput" and row[1].startswith("21/40") for row in rows)
    assert ["master", "P1", "M"] in [
        [cell.text for cell in row.all("th") + row.all("td")] for row in asked.all("tr")
    ]
    # Hosts and links are compared by their names, wherever they stand in their lists.
    changed = json.loads(json.dumps(site.client.get(f"/v1/jobs/{first}/instance").json()))
    hosts = changed["problem"]["platform"]["processors"]
    hosts.reverse()
    hosts[0]["unit_time"] = "3"
    hosts.append({"id": "P9", "unit_time": "1"})
    other = posted(site.client, changed)
    page = read(site.client.get(address + other, headers=PAGE).text)
    shown = [[c.text for c in (*row.all("th"), *row.all("td"))] for row in page.all("tr")]
    place = "#/problem/platform/processors/[id=P4]/unit_time"
    assert [cell.text for cell in page.where(title=place)] == ["host P4, unit time"]
    assert [row for row in shown if row[0].startswith("host")] == [
        ["host P4, unit time", "1", "3"],
        ["host P9", "not there", "unit time 1"],
    ]
    same = read(site.client.get(address + first, headers=PAGE).text)
    assert "Both were asked the same." in same.text
    three = read(site.client.get(f"{address}{first}&job={second}", headers=PAGE).text)
    assert "two jobs are compared, not 3: go back and tick two" in three.text


def test_stored_documents_are_tabulated(site: Site) -> None:
    body = PROBLEMS["task_graph"].example["problem"]
    page = read(site.client.get(f"/platforms/{site.platform}", headers=PAGE).text)
    processors, links_ = page.all("tbody")[:2]
    assert [row.one("th").text for row in processors.all("tr")] == [
        one["id"] for one in body["platform"]["processors"]
    ]
    assert len(links_.all("tr")) == len(body["platform"]["links"])
    page = read(site.client.get(f"/applications/{site.application}", headers=PAGE).text)
    layers = {row.one("th").text: row.all("td")[0].text for row in page.all("tbody")[0].all("tr")}
    assert set(layers) == {one["id"] for one in body["application"]["tasks"]}
    for file in body["application"]["files"]:
        assert int(layers[file["source"]]) < int(layers[file["target"]])


def test_files_are_named_by_their_content_and_packed_once(site: Site) -> None:
    path = assets.address("steadygrid.css")
    plain = site.client.get(path, headers={"Accept-Encoding": "identity"})
    packed = site.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert re.fullmatch(r"/static/steadygrid-[0-9a-f]{12}\.css", path)
    assert plain.text == packed.text == CSS
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < len(CSS) / 2
    assert "Content-Encoding" not in plain.headers
    assert "immutable" in plain.headers["Cache-Control"]
    assert site.client.get("/static/steadygrid.css").status_code == 404


def test_behind_a_proxy_pages_link_below_their_path(site: Site) -> None:
    below = TestClient(site.client.app, base_url=BASE, root_path="/grid")
    page = read(below.get(f"/jobs/{site.jobs['cell']}", headers=PAGE).text)
    targets = [one.attributes["href"] for tag in ("a", "link") for one in page.all(tag)]
    assert all(one.startswith(("/grid/", "#", "?")) for one in targets)


def test_the_path_of_the_public_address_is_one_that_a_proxy_takes_off(tmp_path: Path) -> None:
    url = "https://grid.example.org/grid/"
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path, public_url=url, insecure=True)
    with TestClient(create_app(settings), base_url=BASE) as client:
        page = read(client.get("/jobs", headers=PAGE).text)
        (skip, *targets) = [one.attributes["href"] for one in page.all("a")]
        assert skip == "#content"
        assert all(one.startswith("/grid/") for one in targets)
        missing = client.get("/none", headers=PAGE)
        assert (missing.status_code, "/grid/jobs" in missing.text) == (404, True)
        assert client.get("/livez").status_code == 200
        assert client.get("/docs/assets/swagger-ui.css").status_code == 200
        assert client.get("/openapi.json").json()["servers"] == [{"url": "/grid"}]


def test_without_pages_there_is_no_html_but_the_reference(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path, pages=False)
    with TestClient(
        create_app(settings), base_url="http://localhost", follow_redirects=False
    ) as client:
        assert client.get("/", headers=PAGE).headers["Location"] == "/docs"
        for path in ("/jobs", "/new", "/problems", assets.address("steadygrid.css")):
            answer = client.get(path, headers=PAGE)
            assert answer.status_code == 404
            assert answer.headers["Content-Type"] == "application/problem+json"


def test_without_what_draws_a_page_says_how_to_get_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/jobs/{site.jobs['master_worker']}/schedule"
    drawn = read(site.client.get(path, headers=PAGE).text)
    monkeypatch.setattr(jobs, "pictures_installed", lambda: False)
    page = read(site.client.get(path, headers=PAGE).text)
    assert not page.all("img")
    assert page.text.count(words.NO_PICTURES) == 1
    assert not page.all("figure")
    assert drawn.all("figure")
    first = read(site.client.get(path.removesuffix("/schedule"), headers=PAGE).text)
    written = [one.attributes["id"] for one in first.all("figure")]
    assert written == ["picture-platform", "picture-gantt"]
    assert [one.text for one in page.all("caption")] == [one.text for one in drawn.all("caption")]


def test_pictures_that_a_page_shows_are_there(site: Site) -> None:
    path = f"/jobs/{site.jobs['master_worker']}"
    pages = [read(site.client.get(path + tab, headers=PAGE).text) for tab in ("", "/schedule")]
    listed = site.client.get(f"/v1{path}/pictures")
    known = {one["name"] for one in listed.json()["items"]} if listed.status_code == 200 else set()
    shown = [one.attributes["src"] for page in pages for one in page.all("img")]
    assert shown
    assert {re.split(r"[/.]", one)[-2] for one in shown} == known - {"platform", "gantt"}
    for figure in (one for page in pages for one in page.all("figure")):
        assert figure.one("figcaption").text
        if drawn := figure.all("svg"):
            name = figure.attributes["id"].removeprefix("picture-")
            assert drawn[0].attributes["class"] == name.replace("gantt", "period")
            continue
        assert figure.one("source").attributes["media"] == "(prefers-color-scheme: dark)"


def colours() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Give those of light, of dark and of paper."""
    light, dark, paper = (
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", text))
        for text in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    )
    return light, light | dark, light | paper


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1, 2])
def test_colours_can_be_read_in_both_themes_and_on_paper(theme: int) -> None:
    """WCAG 2.2, 1.4.3 for text, 1.4.11 for what is no text."""
    has = colours()[theme]
    for ground in ("paper", "shade"):
        for text in ("ink", "faint", "accent", "doubt", "wrong", "good"):
            assert contrast(has[text], has[ground]) >= 4.5, (text, ground)
        for sign in ("edge", "good", "wrong", "doubt", "accent"):
            assert contrast(has[sign], has[ground]) >= 3, (sign, ground)
    for text in ("ink", "faint", "accent"):
        assert contrast(has[text], has["pick"]) >= 4.5, text
    for ground in ("paper", "shade"):
        assert contrast(has["limit"], has[ground]) >= 4.5
        assert contrast(has["use"], has[ground]) >= 3
    assert contrast(has["paper"], has["accent"]) >= 4.5
    assert contrast(has["bar"], has["room"]) >= 3


def test_paper_has_greys_for_what_pictures_say() -> None:
    printed = colours()[2]
    for name in ("limit", "use", "send", "bar", "pick", "paper", "good", "doubt"):
        red, green, blue = (printed[name][i : i + 2] for i in (1, 3, 5))
        assert red == green == blue, name


def test_pages_and_pictures_have_the_same_paper_and_ink() -> None:
    for has, theme in zip(colours()[:2], THEMES, strict=True):
        assert (has["paper"], has["ink"], has["faint"]) == (PAPER[theme], INK[theme], FAINT[theme])
        drawn = PLATFORM[theme] | {"pick": PLATFORM[theme]["side"]}
        for name in (
            "paper",
            "ink",
            "faint",
            "edge",
            "shade",
            "limit",
            "use",
            "idle",
            "room",
            "pick",
        ):
            assert has[name] == drawn[name], name


def test_colours_are_named_in_variables_only() -> None:
    outside = re.sub(r":root \{.*?\}", "", CSS, flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgb|hsl", outside) == []


def test_the_style_sheet_is_short() -> None:
    assert len(CSS.encode()) <= 18 * 1024


def test_pages_heed_what_people_prefer() -> None:
    for asked in (
        "prefers-color-scheme: dark",
        "prefers-reduced-motion",
        "print",
        "max-width: 40rem",
    ):
        assert asked in CSS
    assert "outline" in CSS.split(":focus-visible")[1].split("}")[0]


def test_the_first_page_asks_what_people_want_to_know(site: Site) -> None:
    page = read(site.client.get("/", headers=PAGE).text)
    offered = [
        one.attributes["data-run"] for one in page.all("button") if "data-run" in one.attributes
    ]
    assert offered == [*tiles()]
    assert len({*offered} & PROBLEMS.keys()) == len(tiles()) == 6
