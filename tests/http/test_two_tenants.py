"""Two tenants, walked over every route and every id: neither learns of the other or changes it."""

import re
import time
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.scopes import Scope
from app.settings import Settings
from tests.databases import small_schedule
from tests.db.test_tenants import contents
from tests.http.bodies import BODY, SWEEP, body, claim, finish
from tests.http.conftest import ON_SQLITE, listening, on_each_database, settings_on
from tests.http.processes import PATIENCE
from tests.http.routes import paths
from tests.http.test_traces import TRACE
from tests.pages.site import PAGE

NO_FIELDS: dict[str, str] = {}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
KEY = "the same key"
OF_ONE = {
    "job_id",
    "schedule_id",
    "sweep_id",
    "platform_id",
    "application_id",
    "replan_id",
    "webhook_id",
    "delivery_id",
}
"""Parameters of paths that name something of one tenant."""
OTHER = {"kind": "cell", "name": "gantt", "format": "csv", "tab": "question"}
"""Other parameters of paths, with a value that some answer has."""
QUERIES = {
    "/v1/jobs/{job_id}": ("", "?wait=60"),
    "/v1/jobs/{job_id}/export": ("?format=pnml",),
    "/v1/jobs/{job_id}/replan": ("", "?validate_only=true"),
    "/v1/jobs/{job_id}/what-if": ("", "?validate_only=true"),
    "/v1/platforms/{platform_id}/export": ("?format=graphml",),
    "/v1/schedules/{schedule_id}/export": ("?format=csv",),
    "/v1/replans/{replan_id}": ("", "?wait=60"),
    "/v1/platforms/{platform_id}/measurements": ("", "?resource=processor:W"),
    "/v1/jobs/{job_id}/epoch": ("?at=2026-11-27T12:00:00Z",),
}
"""What to ask where the path alone is not all there is."""
COMPARISON = "/compare?job={job_id}&job={another}"
REPLAN = "/v1/jobs/{job_id}/replan"
WHAT_IF = "/v1/jobs/{job_id}/what-if"
WEBHOOK = "/v1/webhooks/{webhook_id}"
DELIVERY = f"{WEBHOOK}/deliveries/{{delivery_id}}"
MEASUREMENTS = "/v1/platforms/{platform_id}/measurements"
SLOWER = {"processors": {"W": {"speed": "1/3"}}}
SENT: dict[str, Any] = {
    "/v1/jobs/{job_id}": {"labels": {"color": "blue", "of": None}},
    REPLAN: {"measured": SLOWER},
    WHAT_IF: {"solve": 0},
    WEBHOOK: {"enabled": True},
    MEASUREMENTS: {"measurements": [{"at": "2026-11-27T12:00:00Z", "measured": SLOWER}]},
    "/v1/jobs/{job_id}/drift": {"loss": "1/2"},
    "/v1/jobs/{job_id}/views": {},
    "/v1/jobs/{job_id}/epoch": {"epoch": "2026-11-27T12:00:00Z", "unit_seconds": 1},
}
"""What is posted, by the path."""
DRAFT = "/new?job={job_id}"
LEFT = re.compile(
    r"about [0-9,]+ \w+ left|Now period [0-9,]+ runs, and [^<]* of it is over"
    r"|<path [^>]*class=\"now keep\"[^>]*>"
)
"""What is about a moment, and not about who asks."""
CHANGES = {
    f"{WHAT_IF}?validate_only=true",
    "/v1/jobs/{job_id}/cancel",
    f"{REPLAN}?validate_only=true",
    "/v1/sweeps/{sweep_id}/cancel",
    "/v1/sweeps/{sweep_id}/retry",
}
DELETED = {
    "job_id": "/v1/jobs/{job_id}",
    "sweep_id": "/v1/sweeps/{sweep_id}",
    "platform_id": "/v1/platforms/{platform_id}",
    "application_id": "/v1/applications/{application_id}",
    "replan_id": "/v1/replans/{replan_id}",
    "webhook_id": WEBHOOK,
}
NOT_SHOWN = {
    "/v1/jobs/{job_id}/views",
    "/v1/jobs/{job_id}/export?format=pnml",
    "/v1/schedules/{schedule_id}/rows",
    REPLAN,
    WHAT_IF,
    f"{WEBHOOK}/rotate",
    f"{WEBHOOK}/test",
    f"{DELIVERY}/redeliver",
}
"""What the one kind of jobs here does not have, or no request of these tests gets."""
LISTS = {
    "/v1/jobs": (
        "",
        "?limit=1",
        "?state=succeeded&state=queued&state=failed",
        "?kind=master_worker",
        "?outcome=optimal",
        "?label=color:red",
        "?name=first",
        "?sweep=none",
    ),
    "/v1/replans": ("", "?limit=1", f"?of_job=job_{'0' * 32}"),
    "/v1/sweeps": ("", "?limit=1"),
    "/v1/webhooks": ("", "?limit=1"),
    "/v1/summary": ("",),
    "/v1/info": ("",),
    "/v1/platforms": ("", "?limit=1"),
    "/v1/applications": ("", "?limit=1"),
    "/": ("",),
    "/jobs": ("", "?state=succeeded", "?label=color:red", "?name=first", "?outcome=optimal"),
    "/compare": ("",),
    "/replans": ("",),
    "/sweeps": ("",),
    "/new": ("",),
    "/platforms": ("",),
    "/applications": ("",),
}
"""What shows all that one tenant has."""
STREAM = "/v1/events"
ENDLESS = {
    "/v1/jobs/{job_id}/measured/events",
    "/v1/platforms/{platform_id}/measurements/events",
}
"""Streams of a tenant's own documents. They have no end, so the tests ask only as another tenant."""
OF_NO_TENANT = {
    "/docs",
    "/docs/guide",
    "/docs/assets",
    "/livez",
    "/login",
    "/logout",
    "/metrics",
    "/openapi.json",
    "/operations",
    "/problems",
    "/problems/{kind}",
    "/readyz",
    "/static/vega.js",
    "/static/vega-{name}.js",
    "/static/{name}",
    "/v1/problems",
    "/v1/problems/{kind}",
}
"""What knows no tenants."""
VIEW = "/view/{token}"
"""What a secret in the address opens, for any caller: see tests/access/test_views.py."""


class Tenant(NamedTuple):
    """A tenant that asks, and its documents."""

    name: str
    headers: dict[str, str]
    ids: dict[str, list[str]]
    """By the parameter of paths; the first ones have all that there may be."""


@on_each_database
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_on(request, tmp_path_factory.mktemp("tenants"), auth="keys", header_seconds=600)


def tenant(database: Database, name: str) -> Tenant:
    with database.write_all() as unit:
        unit.tenants.create(name)
        key = unit.keys.create(name, [Scope.READ, Scope.SUBMIT])
    return Tenant(name, {"Authorization": f"Bearer {key}"}, {name: [] for name in OF_ONE})


def platform(name: str) -> dict[str, Any]:
    return BODY["problem"]["platform"] | {"name": name}


def application(name: str) -> dict[str, Any]:
    return {"name": name, "tasks": [{"id": "T", "work": 1}], "files": []}


def furnish(client: TestClient, database: Database, asker: Tenant) -> None:
    """Give a tenant something of everything; all have one body, label, key and schedule."""
    jobs, name = asker.ids["job_id"], asker.name
    listen(client, asker)

    def post() -> str:
        headers = asker.headers | {"Idempotency-Key": f"{KEY} {len(jobs)}"}
        more = {"name": f"first {name}", "labels": {"color": "red", "of": name}}
        answer = client.post("/v1/jobs", json=BODY | more, headers=headers)
        assert answer.status_code == 202, answer.text
        jobs.append(answer.json()["id"])
        return jobs[-1]

    def cancel(job: str) -> None:
        client.post(f"/v1/jobs/{job}/cancel", headers=asker.headers)

    own = small_schedule(slots=2 + len(name))
    made = []
    for value in (2, 3):
        first, _ = SWEEP["parameters"]
        sweep = SWEEP | {"parameters": [first | {"values": [value]}], "name": f"first {name}"}
        answer = client.post("/v1/sweeps", json=sweep, headers=asker.headers)
        assert answer.status_code == 202, answer.text
        asker.ids["sweep_id"].append(answer.json()["id"])
        made.append(claim(database))
        finish(database, made[-1], own, TRACE)
    for schedule in (own, None):
        post()
        finish(database, claim(database), schedule, TRACE)
    post()
    failed = claim(database)
    with database.write_all() as unit:
        unit.queue.fail(failed, {"code": "internal", "detail": name})
    post()
    claim(database)
    cancelling = post()
    claim(database)
    cancel(cancelling)
    cancel(post())
    gone = post()
    cancel(gone)
    assert client.delete(f"/v1/jobs/{gone}", headers=asker.headers).status_code == 204
    post()
    jobs += [one.job_id for one in made]
    for job in jobs[:2]:
        record = client.get(f"/v1/jobs/{job}", headers=asker.headers).json()
        asker.ids["schedule_id"].append(record["schedule"])
    answer = client.post(REPLAN.format(job_id=jobs[0]), json=SENT[REPLAN], headers=asker.headers)
    assert answer.status_code == 202, answer.text
    asker.ids["replan_id"].append(answer.json()["id"])
    jobs.append(answer.json()["job"])
    cancel(jobs[-1])
    answer = client.post(WHAT_IF.format(job_id=jobs[0]), json=SENT[WHAT_IF], headers=asker.headers)
    assert answer.status_code == 202, answer.text
    asker.ids["sweep_id"].insert(1, answer.json()["id"])
    for noun, document in (("platform", platform(name)), ("application", application(name))):
        answer = client.post(f"/v1/{noun}s", json=document, headers=asker.headers)
        assert answer.status_code == 201, answer.text
        asker.ids[f"{noun}_id"].append(answer.json()["id"])
    first, (own_platform,) = f"/v1/jobs/{jobs[0]}", asker.ids["platform_id"]
    start = {"epoch": "2026-11-27T12:00:00Z", "unit_seconds": 1}
    for path, asked in (("drift", {"platform": own_platform, "loss": "1/2"}), ("epoch", start)):
        answer = client.put(f"{first}/{path}", json=asked, headers=asker.headers)
        assert answer.status_code == 200, answer.text
    place = MEASUREMENTS.format(platform_id=own_platform)
    answer = client.post(place, json=SENT[MEASUREMENTS], headers=asker.headers)
    assert answer.status_code == 200, answer.text
    _wait_until_evaluated(client, f"{first}/drift", asker.headers)


def _wait_until_evaluated(client: TestClient, url: str, headers: dict[str, str]) -> None:
    """Wait until nothing of a tenant changes by itself."""
    while client.get(url, headers=headers).json()["state"] == "waiting":
        time.sleep(0.05)


def listen(client: TestClient, asker: Tenant) -> None:
    """Give a tenant two webhooks, and a delivery to the first of them."""
    wanted = {"url": "https://192.0.9.1/", "events": ["job.succeeded"]}
    for _ in range(2):
        answer = client.post("/v1/webhooks", json=wanted, headers=asker.headers)
        assert answer.status_code == 201, answer.text
        asker.ids["webhook_id"].append(answer.json()["id"])
    test = client.post(f"{answer.json()['links']['self']}/test", headers=asker.headers)
    asker.ids["delivery_id"].append(test.json()["id"])
    asker.ids["webhook_id"].reverse()


def sent(asked: str) -> Any:
    """Give what is sent with a request, whatever its method is."""
    return SENT.get(asked.partition("?")[0])


def unknown(one: str) -> str:
    """Give an id that never was, and looks like one that is."""
    return one[:-8] + one[-8:][::-1].translate(
        str.maketrans("0123456789abcdef", "fedcba9876543210")
    )


def questions(client: TestClient) -> list[tuple[str, str]]:
    """Give what can be asked of ids: the name of the id, and the path with its query."""
    application: Any = client.app
    found = [("job_id", COMPARISON), ("job_id", DRAFT)]
    for path in paths(application):
        for name in OF_ONE & set(re.findall(r"{(.*?)}", path)):
            found += [(name, path + query) for query in QUERIES.get(path, ("",))]
    return found


def answers(
    client: TestClient, method: str, asked: str, given: Mapping[str, str], headers: dict[str, str]
) -> tuple[Any, ...]:
    """Give all that an answer tells, but for the ids that were asked for."""
    answer = client.request(method, asked.format_map(given), headers=headers, json=sent(asked))
    told = answer.status_code, sorted(answer.headers.items()), answer.text
    return tuple(re.sub("|".join(given.values()), "...", str(part)) for part in told)


@ON_SQLITE
def test_every_route_is_walked(client: TestClient) -> None:
    application: Any = client.app
    names = {path: {*re.findall(r"{(.*?)}", path)} for path in paths(application)}
    of_ids = {path for path, given in names.items() if given & OF_ONE}
    assert names.keys() - of_ids == {*LISTS, STREAM, VIEW, *OF_NO_TENANT}
    assert set().union(*(names[path] for path in of_ids)) <= OF_ONE | OTHER.keys()


@ON_SQLITE
def test_an_id_of_another_tenant_answers_like_one_that_never_was(
    client: TestClient, database: Database
) -> None:
    owner, stranger = tenant(database, "a"), tenant(database, "b")
    furnish(client, database, owner)
    mine = client.post("/v1/jobs", json=BODY, headers=stranger.headers).json()["id"]
    before = contents(database, "a"), contents(database, "b")
    for name, asked in questions(client):
        first, *others = owner.ids[name]
        pair = {one: owner.ids[one][0] for one in ("webhook_id", "delivery_id")}
        shown = OTHER | pair | {"another": owner.ids["job_id"][1], name: first}
        method = "POST" if asked in CHANGES else "GET"
        own_path = asked.format_map(shown)
        tags = ["*"]
        if asked not in ENDLESS:
            answer = client.request(method, own_path, headers=owner.headers, json=sent(asked))
            assert answer.status_code < 300 or asked in NOT_SHOWN, (asked, answer.text)
            tags.append(answer.headers.get("etag", "none"))
        conditions = [{"If-None-Match": tag} for tag in tags]
        ways = [(own, method, NO_FIELDS) for own in others for method in ("GET", "POST", "DELETE")]
        ways += [(first, method, NO_FIELDS) for method in METHODS]
        ways += [(first, "GET", fields) for fields in (PAGE, *conditions)]
        for own, method, more in ways:
            given = OTHER | pair | {"another": mine, name: own}
            told = answers(client, method, asked, given, stranger.headers | more)
            given[name] = unknown(own)
            assert told == answers(client, method, asked, given, stranger.headers | more)
            assert told[0] in ("404", "405", "422"), (method, asked)
    assert (contents(database, "a"), contents(database, "b")) == before


def looks(client: TestClient, asker: Tenant) -> dict[str, str]:
    """Give all that a tenant can read of what is its own, by what was asked."""
    asked = [path + query for path, queries in LISTS.items() for query in queries]
    pair = {one: asker.ids[one][0] for one in ("webhook_id", "delivery_id")}
    for name, path in questions(client):
        asked += [
            path.format_map(OTHER | pair | {"another": asker.ids["job_id"][1], name: own})
            for own in asker.ids[name][:2]
            if path not in ENDLESS
        ]
    return {url: LEFT.sub("", client.get(url, headers=asker.headers).text) for url in asked}


def test_what_a_tenant_reads_is_the_same_alone_beside_another_and_after_it(
    client: TestClient, database: Database
) -> None:
    reader, other = tenant(database, "b"), tenant(database, "another")
    furnish(client, database, reader)
    alone = looks(client, reader)
    furnish(client, database, other)
    assert looks(client, reader) == alone
    token = client.get("/v1/jobs?limit=1", headers=other.headers).json()["next_page_token"]
    behind = client.get(f"/v1/jobs?page_token={token}", headers=reader.headers).json()
    assert {job["id"] for job in behind["items"]} < {*reader.ids["job_id"]}
    for name, path in DELETED.items():
        for own in other.ids[name]:
            client.post(f"/v1/jobs/{own}/cancel", headers=other.headers)
            gone = client.delete(path.format_map({name: own}), headers=other.headers)
            assert gone.status_code in (204, 404, 409)
    assert looks(client, reader) == alone
    assert reader.ids["schedule_id"][1] == other.ids["schedule_id"][1]
    for own in other.ids["schedule_id"]:
        assert client.get(f"/v1/schedules/{own}", headers=other.headers).status_code == 404


def test_what_another_tenant_has_stored_cannot_be_referred_to(
    client: TestClient, database: Database
) -> None:
    owner, stranger = tenant(database, "a"), tenant(database, "b")
    furnish(client, database, owner)
    (own,) = owner.ids["platform_id"]
    for query in ("", "?validate_only=true"):
        refused = [
            client.post(f"/v1/jobs{query}", json=body(platform=one), headers=stranger.headers)
            for one in (own, unknown(own))
        ]
        assert refused[0].status_code == 422
        assert refused[0].text.replace(own, "") == refused[1].text.replace(unknown(own), "")
    made = client.post("/v1/platforms", json=platform("a"), headers=stranger.headers)
    assert (made.status_code, made.json()["id"]) == (201, own)
    referring = client.post("/v1/jobs", json=body(platform=own), headers=stranger.headers)
    assert referring.status_code == 202


def test_a_stream_tells_of_the_tenant_s_own_jobs_only(
    settings: Settings, client: TestClient, database: Database
) -> None:
    listener, other = tenant(database, "b"), tenant(database, "a")
    with listening(settings) as address, closing(HTTPConnection(*address, PATIENCE)) as stream:
        stream.request("GET", STREAM, headers=listener.headers)
        lines = (line.decode() for line in stream.getresponse())
        assert any(line == "event: summary\n" for line in lines)
        for asker in (other, listener):
            made = client.post("/v1/jobs", json=BODY, headers=asker.headers)
        ours, told = {made.json()["id"], '"queued":1'}, {'"queued":0'}
        while not ours <= told:
            told |= {*re.findall(r'job_[0-9a-f]{32}|"queued":\d+', next(lines))}
    assert told == ours | {'"queued":0'}
