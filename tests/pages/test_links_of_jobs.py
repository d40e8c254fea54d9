"""Links in the documents of jobs and of what is stored: each leads to what there is, and to nothing else."""

import pytest

from app.db.stored_answers import StoredAnswer
from app.picture_process import report_of
from steadygrid.pictures.gallery import entries_of
from tests.pages.conftest import Site


def pictures_of(site: Site, job: str) -> list[str]:
    with site.database.read("local") as unit:
        stored: StoredAnswer | None = unit.jobs.stored_answer(job)
    return [] if stored is None else [entry.name for entry in entries_of(report_of(stored))]


def test_links_of_jobs_lead_to_what_there_is(site: Site) -> None:
    for name, own in site.jobs.items():
        job = site.client.get(f"/v1/jobs/{own}").json()
        links = job["links"]
        for part in ("result", "schedule", "trace"):
            path = job["schedule"] and f"/v1/schedules/{job['schedule']}"
            path = path if part == "schedule" else f"/v1/jobs/{own}/{part}"
            there = path is not None and site.client.get(path).status_code == 200
            assert links.get(part) == (path if there else None), (name, part)
        drawn = pictures_of(site, own)
        assert ("pictures" in links) == (drawn != []), name
        if "pictures" in links:
            listed = site.client.get(links["pictures"]).json()["items"]
            assert [one["name"] for one in listed] == drawn, name
        assert ("cancel" in links) == (job["finished_at"] is None), name


def test_only_platforms_have_pictures(site: Site) -> None:
    platform = site.client.get(f"/v1/platforms/{site.platform}").json()
    (listed,) = site.client.get("/v1/platforms").json()["items"]
    assert listed["links"] == platform["links"]
    assert site.client.get(platform["links"]["pictures"]).json()["items"] != []
    application = site.client.get(f"/v1/applications/{site.application}").json()
    assert [*application["links"]] == ["self"]


def test_what_cannot_be_drawn_here_has_no_pictures(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("app.jobs.documents", "app.http.stored"):
        monkeypatch.setattr(f"{place}.pictures_installed", lambda: False)
    for path in (f"/v1/jobs/{site.jobs['feasible']}", f"/v1/platforms/{site.platform}"):
        assert "pictures" not in site.client.get(path).json()["links"]
