"""Lists of jobs: what is found in them, their order, and how many there are."""

from collections.abc import Sequence

import pytest
from fastapi.testclient import TestClient

from app.jobs import listing
from tests.http.bodies import BODY
from tests.pages.site import PAGE

NAMES = ("Griffon 1", "griffon 2", "100 %", "100_", None)


def added(client: TestClient, names: Sequence[str | None] = NAMES) -> list[str]:
    answers = [client.post("/v1/jobs", json=BODY | {"name": name}) for name in names]
    return [answer.json()["id"] for answer in answers]


def listed(client: TestClient, **asked: str) -> list[str]:
    """Read all pages of two jobs."""
    found: list[str] = []
    token: str | None = ""
    while token is not None:
        more = {"page_token": token} if token else {}
        page = client.get("/v1/jobs", params={"limit": "2", **asked, **more}).json()
        found += [job["id"] for job in page["items"]]
        token = page["next_page_token"]
    return found


def test_a_part_of_the_name_or_of_the_id_finds_jobs(client: TestClient) -> None:
    ids = added(client)
    for find, places in (
        ("GRIFF", (0, 1)),
        ("on 2", (1,)),
        ("%", (2,)),
        ("_", (0, 1, 2, 3, 4)),  # in each id
        ("0_", (3,)),
        (ids[4][-12:].upper(), (4,)),
        ("\\", ()),
        ("none of these", ()),
    ):
        due = {ids[place] for place in places}
        found = set(listed(client, find=find))
        # The digits of an id are drawn: it may have the text by chance.
        assert due <= found, find
        assert found - due <= {one for one in ids if find.lower() in one}, find


def test_a_list_begins_with_the_oldest_where_that_is_asked_for(client: TestClient) -> None:
    ids = added(client)
    assert listed(client, order="oldest") == ids
    assert listed(client) == listed(client, order="newest") == ids[::-1]
    refused = client.get("/v1/jobs", params={"order": "best"})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["parameter"] == "order"


def test_a_total_is_of_all_pages_and_ends_where_counting_would_be_long(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(client)
    asked = {"limit": 1, "total": True}
    assert "total" not in client.get("/v1/jobs").json()
    assert client.get("/v1/jobs", params=asked).json()["total"] == {"jobs": 5, "more": False}
    few = client.get("/v1/jobs", params=asked | {"find": "riffon"}).json()
    assert few["total"] == {"jobs": 2, "more": False}
    monkeypatch.setattr(listing, "MOST_COUNTED", 4)
    assert client.get("/v1/jobs", params=asked).json()["total"] == {"jobs": 4, "more": True}


def test_the_page_has_the_total_and_turns_the_list_round(client: TestClient) -> None:
    ids = added(client, [f"job {number:02}" for number in range(51)])
    seen: list[str] = []
    address = "/jobs?order=oldest"
    for part in (ids[:50], ids[50:]):
        page = client.get(address, headers=PAGE).text
        assert "51 jobs, the oldest first" in page
        assert [one for one in ids if f'data-job="{one}"' in page] == part
        places = [page.index(f'data-job="{one}"') for one in part]
        assert places == sorted(places)
        seen.append(page)
        address = page.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert not address
    before = seen[1].partition('rel="prev" href="')[2].partition('"')[0].replace("&amp;", "&")
    again = client.get(before, headers=PAGE).text
    assert [one for one in ids if f'data-job="{one}"' in again] == ids[:50]
    found = client.get("/jobs?find=JOB+17", headers=PAGE).text
    assert "1 job, the newest first" in found
