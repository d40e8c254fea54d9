"""Logging in with a key and out: what a browser does, and what its enemies do."""

import re
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.access.attempts import MOST
from app.db.engine import Database
from app.db.scopes import Scope
from app.main import create_app
from app.pages import words
from app.settings import Settings
from steadygrid.kinds import PROBLEMS
from tests.databases import emptied
from tests.http.conftest import ON_SQLITE, on_each_database, quiet, settings_on
from tests.pages.markup import read
from tests.pages.site import PAGE

BASE = "http://localhost"
NAME = "steadygrid-session"
SECRET = "x" * 43
BODY: Any = PROBLEMS["master_worker"].example
KIND = "/problems/master_worker"


ADDRESSES = map(str, ip_network("10.0.0.0/16").hosts())
"""Attempts are counted by address, so all people have their own."""


class People:
    """A service that asks for keys, its database, and browsers of people."""

    def __init__(self, settings: Settings, app: FastAPI, base: str = BASE) -> None:
        self.app = app
        self.base = base
        self.address = next(ADDRESSES)
        self.database = Database.open(settings.effective_database_url)

    def key(self, tenant: str = "a", *scopes: Scope) -> str:
        with self.database.write_all() as unit:
            unit.tenants.create(tenant)
            return unit.keys.create(tenant, scopes or (Scope.READ, Scope.SUBMIT))

    def browser(self, address: str | None = None) -> TestClient:
        """An empty browser; it sends the origin with what it posts, as browsers do."""
        client = (address or self.address, 5000)
        one = TestClient(self.app, self.base, follow_redirects=False, client=client)
        one.headers.update(PAGE | {"Origin": self.base})
        return one

    def logged_in(self, key: str) -> TestClient:
        browser = self.browser()
        assert log_in(browser, key).status_code == 303
        return browser

    def actions(self) -> list[str]:
        with self.database.read_all() as unit:
            return [line.action for line in unit.audit.page(100).items]


def log_in(browser: TestClient, key: str, to: str = "/jobs", **headers: str) -> Any:
    return browser.post("/login", data={"key": key, "next": to}, headers=headers)


@on_each_database
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_on(request, tmp_path_factory.mktemp("people"), auth="keys")


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[FastAPI]:
    """The service, for all tests of this module."""
    app = create_app(settings)
    with TestClient(app, BASE):
        yield app


@pytest.fixture
def people(settings: Settings, app: FastAPI) -> Iterator[People]:
    """The service without any tenant."""
    one = People(settings, app)
    yield one
    emptied(one.database)
    one.database.close()


def test_people_log_in_go_on_where_they_were_and_log_out(people: People) -> None:
    key, browser = people.key(), people.browser()
    led = browser.get("/jobs?state=failed&label=a%3Ab")
    assert (led.status_code, led.headers["Location"]) == (
        303,
        "/login?next=%2Fjobs%3Fstate%3Dfailed%26label%3Da%253Ab",
    )
    form = read(browser.get(led.headers["Location"]).text)
    (wanted,) = (one for one in form.all("input") if one.attributes.get("name") == "next")
    assert wanted.attributes["value"] == "/jobs?state=failed&label=a%3Ab"
    entered = log_in(browser, f"  {key}\n", wanted.attributes["value"])
    assert (entered.status_code, entered.headers["Location"]) == (303, wanted.attributes["value"])
    (said,) = entered.headers.get_list("Set-Cookie")
    assert re.fullmatch(rf"{NAME}=[\w-]{{43}}; HttpOnly; Path=/; SameSite=lax", said)
    assert key not in said
    page = browser.get("/jobs")
    assert page.status_code == 200
    assert page.headers["Cache-Control"] == "no-store"
    assert read(page.text).where(class_="visitor")[0].text.split() == ["a", "Log", "out"]
    assert browser.get("/login?next=/new").headers["Location"] == "/new"
    listed = browser.get("/v1/jobs")
    assert listed.status_code == 200
    assert "Cookie" in listed.headers["Vary"].split(", ")
    out = browser.post("/logout")
    assert (out.status_code, out.headers["Location"]) == (303, "/login")
    assert NAME not in browser.cookies
    assert browser.get("/v1/jobs").status_code == 401
    assert people.actions() == ["session.login", "session.logout"]


def test_a_session_that_has_ended_is_good_for_nothing(people: People) -> None:
    browser = people.logged_in(people.key())
    taken = browser.cookies[NAME]
    browser.post("/logout")
    for _ in range(2):
        again = people.browser()
        again.cookies.set(NAME, taken)
        refused = again.get("/v1/jobs")
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
        assert "WWW-Authenticate" in refused.headers
        assert again.get("/jobs").headers["Location"] == "/login?next=%2Fjobs"
        assert again.post("/logout").status_code == 303
    assert people.actions() == ["session.login", "session.logout"]


def test_no_client_is_led_into_a_session_of_another(people: People) -> None:
    """Whatever the cookie held before ends; of two cookies neither counts."""
    theirs, mine = people.logged_in(people.key("theirs")), people.browser()
    planted = theirs.cookies[NAME]
    mine.cookies.set(NAME, planted)
    log_in(mine, people.key("mine"))
    (own,) = (one.value for one in mine.cookies.jar if one.value != planted)
    assert theirs.get("/v1/jobs").status_code == 401
    assert people.actions() == ["session.login", "session.logout", "session.login"]
    for fields in (f"{NAME}={own}", f"other=1; {NAME}={own};"):
        assert people.browser().get("/v1/jobs", headers={"Cookie": fields}).status_code == 200
    for fields in (
        f"{NAME}={own}; {NAME}={SECRET}",
        f"{NAME}={SECRET}; {NAME}={own}",
        f"{NAME}={own}; {NAME}={own}",
        f"{NAME}={own}; {NAME}=",
        f"{NAME.upper()}={own}",
        f'{NAME}="{own}"',
    ):
        assert people.browser().get("/v1/jobs", headers={"Cookie": fields}).status_code == 401


@ON_SQLITE
@pytest.mark.parametrize(
    "wanted",
    [
        *("//evil.example", "/\\evil.example", "\\\\evil.example", "http://evil.example/"),
        *("javascript:alert(1)", "/\t/evil.example", "/\n/evil.example", " //evil.example", ""),
        *("evil.example", "/é", "/\0", "/" + "x" * 5_000, "https:evil.example", "///evil.example"),
    ],
)
def test_no_login_redirects_to_another_site(people: People, wanted: str) -> None:
    browser = people.browser()
    entered = log_in(browser, people.key(), wanted)
    assert (entered.status_code, entered.headers["Location"]) == (303, "/")
    asked = browser.get("/login", params={"next": wanted})
    assert (asked.status_code, asked.headers["Location"]) == (303, "/")


@ON_SQLITE
@pytest.mark.parametrize("wanted", ["/%2f%2fevil.example", "/%5cevil.example", "/a//b", "/?x=//y"])
def test_odd_paths_of_this_service_stay_here(people: People, wanted: str) -> None:
    location = log_in(people.browser(), people.key(), wanted).headers["Location"]
    assert location == wanted
    assert urlsplit(urljoin(BASE + "/login", location)).netloc == "localhost"


@ON_SQLITE
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost.evil.example", None]
)
def test_pages_of_other_origins_log_no_client_in_or_out(people: People, origin: str | None) -> None:
    browser = people.logged_in(people.key())
    del browser.headers["Origin"]
    foreign = {} if origin is None else {"Origin": origin}
    before = browser.cookies[NAME]
    for path, form in (("/logout", {}), ("/login", {"key": people.key("theirs")})):
        refused = browser.post(path, data=form, headers=foreign)
        assert refused.status_code == 403
        assert "foreign_origin" in refused.text
        assert "Set-Cookie" not in refused.headers
    assert browser.cookies[NAME] == before
    assert browser.get("/jobs").status_code == 200
    if origin is not None:
        stranger = people.browser()
        assert log_in(stranger, people.key(), Origin=origin).status_code == 403


@ON_SQLITE
def test_ten_attempts_a_minute_are_taken_from_an_address(people: People) -> None:
    key, browser = people.key(), people.browser()
    for number in range(MOST):
        guess = f"sk_{'a' * 8}_{number:032}"
        refused = log_in(browser, guess, "/new?a=<b>", **{"X-Forwarded-For": f"10.0.1.{number}"})
        assert refused.status_code == 401
        assert guess not in refused.text
    page = read(refused.text)
    field = next(one for one in page.all("input") if one.attributes.get("id") == "key")
    assert field.attributes["aria-invalid"] == "true"
    assert "fault" in field.attributes["aria-describedby"].split()
    assert {one.attributes.get("value") for one in page.all("input")} == {
        "/new?a=<b>",
        "steadygrid",
        None,
    }
    refused = log_in(browser, key)
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert f"{MOST} attempts" in read(refused.text).text
    assert "Set-Cookie" not in refused.headers
    assert log_in(people.browser(next(ADDRESSES)), key).status_code == 303
    assert people.actions() == ["session.login"]


def test_a_session_may_do_what_its_key_may(people: People) -> None:
    browser = people.logged_in(people.key("a", Scope.READ))
    job = people.logged_in(people.key("a")).post("/v1/jobs", json=BODY).json()["id"]
    refused = browser.post(f"/v1/jobs/{job}/cancel")
    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert browser.get("/metrics").status_code == 403
    shown = "".join(browser.get(path).text for path in ("/", f"/jobs/{job}", "/new", KIND))
    assert "data-act=" not in shown
    assert "data-run=" not in shown
    assert "data-do=" not in shown
    assert words.READS_ONLY in shown
    assert browser.post("/logout").status_code == 303
    assert people.actions() == ["session.login", "session.login", "session.logout"]


def test_other_tenants_have_no_pages(people: People) -> None:
    mine, theirs = people.logged_in(people.key("mine")), people.logged_in(people.key("theirs"))
    job = theirs.post("/v1/jobs", json=BODY).json()["id"]
    platform = theirs.post("/v1/platforms", json=BODY["problem"]["platform"]).json()["id"]
    for path in (f"/jobs/{job}", f"/platforms/{platform}", f"/compare?job={job}&job={job}"):
        assert theirs.get(path).status_code == 200, path
        assert mine.get(path).status_code == 404, path
    for path in ("/", "/jobs", "/platforms"):
        assert job not in mine.get(path).text
        assert platform not in mine.get(path).text


def test_a_bearer_counts_more_than_a_cookie(people: People) -> None:
    browser, other = people.logged_in(people.key("a")), people.key("b")
    browser.post("/v1/jobs", json=BODY)
    assert len(browser.get("/v1/jobs").json()["items"]) == 1
    bearer = {"Authorization": f"Bearer {other}"}
    assert browser.get("/v1/jobs", headers=bearer).json()["items"] == []
    assert browser.get("/v1/jobs", headers={"Authorization": "Bearer x"}).status_code == 401


def test_a_session_ends_with_its_key(people: People) -> None:
    key = people.key()
    browser = people.logged_in(key)
    with people.database.write_all() as unit:
        assert unit.keys.revoke(key.split("_")[1])
    assert browser.get("/jobs").headers["Location"] == "/login?next=%2Fjobs"
    assert browser.get("/login").status_code == 200
    assert log_in(browser, key).status_code == 401


@ON_SQLITE
@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"key=" + b"x" * 10_000, "application/x-www-form-urlencoded", 413),
        (b'{"key": "sk_"}', "application/json", 415),
        (b"a=1&" * 1_000, "application/x-www-form-urlencoded", 401),
        (b"key=%00%ff%ed%a0%80", "application/x-www-form-urlencoded", 401),
        (b"\xff\xfe", "application/x-www-form-urlencoded", 401),
        (b"", "application/x-www-form-urlencoded", 401),
    ],
)
def test_what_is_no_form_with_a_key_is_refused(
    people: People, content: bytes, kind: str, status: int
) -> None:
    answer = people.browser().post("/login", content=content, headers={"Content-Type": kind})
    assert answer.status_code == status
    assert read(answer.text)


def test_over_tls_only_this_very_host_sets_and_sees_the_cookie(tmp_path: Path) -> None:
    base = "https://grid.example.org"
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path, auth="keys", public_url=base)
    people = People(settings, create_app(settings), base)
    with people.browser() as browser:
        entered = log_in(browser, people.key())
        said = entered.headers["Set-Cookie"]
        assert re.fullmatch(
            rf"__Host-{NAME}=[\w-]{{43}}; HttpOnly; Path=/; SameSite=lax; Secure", said
        )
        own = said.partition("=")[2].partition(";")[0]
        assert browser.get("/v1/jobs").status_code == 200
        plain = people.browser().get("/v1/jobs", headers={"Cookie": f"{NAME}={own}"})
        assert plain.status_code == 401
        assert "Secure" in browser.post("/logout").headers["Set-Cookie"]
    people.database.close()


@pytest.mark.parametrize("chosen", [{"auth": "off"}, {"auth": "keys", "pages": False}])
def test_no_client_logs_in_where_there_is_nothing_to_log_in_to(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path, **chosen)
    people = People(settings, create_app(settings))
    with people.browser() as browser:
        assert browser.get("/login").status_code == 404
        assert log_in(browser, "sk_").status_code in (404, 405)
        assert browser.post("/logout").status_code in (404, 405)
        assert "Set-Cookie" not in browser.get("/").headers
        assert "/logout" not in browser.get("/").text
    people.database.close()
