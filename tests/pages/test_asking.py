"""The form of a new job works without a script."""

import json
from typing import Any

import pytest

from app.pages import asking
from steadygrid.kinds import PROBLEMS
from tests.pages.markup import read
from tests.pages.site import Site

PAGE = {"Accept": "text/html"}
EXAMPLE: dict[str, Any] = dict(PROBLEMS["master_worker"].example)


def posted(site: Site, body: str, do: str = "check", file: str = "", **more: Any) -> Any:
    parts = {"body": (None, body), "do": (None, do), "file": ("x.json" if file else "", file)}
    return site.client.post("/new", files=parts, headers=PAGE, follow_redirects=False, **more)


def test_what_can_be_solved_is_said_so_and_stays_in_the_form(site: Site) -> None:
    answer = posted(site, json.dumps(EXAMPLE))
    assert answer.status_code == 200
    page = read(answer.text)
    assert page.where(class_="good")[0].text.startswith("It can be solved as it stands")
    assert json.loads(page.where(id="body")[0].text) == EXAMPLE


def test_each_fault_is_told_with_its_place(site: Site) -> None:
    answer = posted(site, json.dumps(EXAMPLE | {"problem": EXAMPLE["problem"] | {"master": "<X>"}}))
    assert answer.status_code == 422
    page = read(answer.text)
    assert "#/problem/master" in page.where(class_="faults")[0].text
    assert "unknown_processor" in page.where(class_="faults")[0].text
    assert "<X>" in page.where(class_="faults")[0].text


def test_it_submits_and_leads_to_the_job(site: Site) -> None:
    answer = posted(site, json.dumps(EXAMPLE), "solve")
    assert answer.status_code == 303
    job = answer.headers["Location"].rpartition("/")[2]
    kind = site.client.get(f"/v1/jobs/{job}").json()["kind"]
    assert kind == "master_worker"
    site.client.post(f"/v1/jobs/{job}/cancel")
    site.client.delete(f"/v1/jobs/{job}")


def test_a_file_is_the_body_or_its_platform(site: Site) -> None:
    platform = {"processors": [{"id": "A", "speed": 1}]}
    answer = posted(site, json.dumps(EXAMPLE), "check", json.dumps(platform))
    assert answer.status_code == 422
    page = read(answer.text)
    assert "#/problem/master" in page.where(class_="faults")[0].text
    shown = json.loads(page.where(id="body")[0].text)
    assert shown["problem"]["platform"] == platform
    answer = posted(site, "", "check", json.dumps(EXAMPLE))
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("body", "file", "told"),
    [
        ("{", "", "not acceptable JSON"),
        ("[" * 10_000, "", "not acceptable JSON"),
        ("", "", "not acceptable JSON"),
        ("[]", "", "expected a JSON object"),
        ("[]", '{"processors": []}', "no member problem"),
        ("{}", "{", "name in double quotes"),
    ],
)
def test_what_is_no_body_is_told(site: Site, body: str, file: str, told: str) -> None:
    answer = posted(site, body, "check", file)
    assert 400 <= answer.status_code < 500
    assert told in read(answer.text).text


@pytest.mark.parametrize(
    "content", [b"", b"x", b"--b\r\n" * 9, b"--b\r\nContent-Disposition: x\r\n"]
)
def test_a_form_that_is_none_is_refused(site: Site, content: bytes) -> None:
    kind = "multipart/form-data; boundary=b"
    answer = site.client.post("/new", content=content, headers=PAGE | {"Content-Type": kind})
    assert 400 <= answer.status_code < 500
    nested = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (i, i + 1)
        for i in range(3_000)
    )
    kind = "multipart/form-data; boundary=b0"
    answer = site.client.post("/new", content=nested, headers=PAGE | {"Content-Type": kind})
    assert 400 <= answer.status_code < 500


def test_a_form_is_not_longer_than_one_that_a_person_fills_in(site: Site) -> None:
    answer = posted(site, "x" * asking.LONGEST_FORM)
    assert answer.status_code == 413


def test_pages_of_other_origins_ask_nothing(site: Site) -> None:
    answer = site.client.post(
        "/new", files={"do": (None, "solve")}, headers=PAGE | {"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
