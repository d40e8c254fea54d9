"""Measurements of a stored platform over HTTP: stored once, bounded, told exactly."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.models import LOCAL_TENANT
from app.db.pages import encode_token
from app.settings import Settings
from tests.http.conftest import listening
from tests.http.processes import PATIENCE
from tests.http.test_replans import FIGURE_3
from workers.sweeper import Sweeper

PLATFORM: dict[str, Any] = FIGURE_3["problem"]["platform"]
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def at(minutes: float = 0, since: datetime = NOON) -> str:
    return (since + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def speeds(when: str, **processors: Any) -> dict[str, Any]:
    """Write what was measured of some processors at a moment."""
    return {
        "at": when,
        "measured": {"processors": {name: {"speed": one} for name, one in processors.items()}},
    }


def posted(client: TestClient, platform: dict[str, Any] = PLATFORM) -> str:
    """Store a platform and give its address."""
    place: str = client.post("/v1/platforms", json=platform).json()["links"]["self"]
    return place


def post(client: TestClient, place: str, *measurements: Any) -> dict[str, Any]:
    answer = client.post(f"{place}/measurements", json={"measurements": measurements})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def counts(told: dict[str, Any]) -> tuple[int, ...]:
    return tuple(told[name] for name in ("stored", "replaced", "known", "version"))


def test_the_same_measurement_is_stored_once_and_the_newest_value_is_told(
    client: TestClient,
) -> None:
    place = posted(client)
    link = {"source": "P2", "target": "P1", "unit_time": "5/2"}
    first = speeds(at(1), P2="1/4", P3="0.50")
    first["measured"]["links"] = [link]
    assert counts(post(client, place, first, speeds(at(0), P2="1/3"))) == (4, 0, 0, 1)
    assert counts(post(client, place, first)) == (0, 0, 3, 1)
    assert counts(post(client, place, speeds(at(1), P2="1/5"))) == (0, 1, 0, 2)
    told = client.get(f"{place}/measurements").json()
    assert (told["version"], told["measured_at"]) == (2, at(1))
    assert {one["resource"]: one["value"] for one in told["items"]} == {
        "processor:P2": "1/5",
        "processor:P3": "1/2",
        "link:P1->P2": "2/5",
    }
    floats = client.get(f"{place}/measurements?numbers=float").json()["items"]
    assert [one["value"] for one in floats] == [0.4, 0.2, 0.5]
    schema = client.get("/openapi.json").json()
    for name, document in (("LatestMeasurements", told), ("Recorded", post(client, place, first))):
        component = {"$ref": f"#/components/schemas/{name}"}
        jsonschema_rs.validator_for({**component, **schema}).validate(document)
    assert client.delete(f"{place}/measurements").status_code == 204
    assert client.get(f"{place}/measurements").json()["items"] == []
    assert client.delete(place).status_code == 204
    assert client.get(f"{place}/measurements").status_code == 404
    again = client.post(f"{place}/measurements", json={"measurements": [first]})
    assert (again.status_code, again.json()["code"]) == (404, "not_found")


def test_a_series_has_pages_and_a_window(client: TestClient) -> None:
    place = posted(client)
    post(client, place, *(speeds(at(k), P2=k + 1, P3=1) for k in range(7)))
    url = f"{place}/measurements?resource=processor:P2&limit=3"
    found: list[dict[str, Any]] = []
    token = ""
    while token is not None:
        page = client.get(f"{url}{token and f'&page_token={token}'}").json()
        found += page["items"]
        token = page["next_page_token"]
    assert [(one["at"], one["value"]) for one in found] == [
        (at(k), str(k + 1)) for k in reversed(range(7))
    ]
    window = client.get(f"{url}&from={at(2)}&to={at(4)}").json()["items"]
    assert [one["value"] for one in window] == ["4", "3"]
    for wrong, name in (
        (f"{place}/measurements?resource=processor:P9", "resource"),
        (f"{place}/measurements?from={at()}", "from"),
        (f"{url}&to=yesterday", "to"),
        (f"{url}&from={at(4)}&to={at(2)}", "to"),
        (f"{url}&page_token=WzFd", "page_token"),
        (f"{url}&page_token={encode_token(['whk_' + '0' * 32])}", "page_token"),
    ):
        refused = client.get(wrong)
        assert refused.status_code == 422
        assert [one["parameter"] for one in refused.json()["errors"]] == [name]


@pytest.mark.parametrize(
    ("measurements", "faults"),
    [
        ([], [("#/measurements", "too_short")]),
        (
            [speeds(at(), P9=1), speeds("2026-11-27 12:00", P2=1)],
            [("#/measurements/1/at", "no_moment")],
        ),
        (
            [speeds(at(), P9=1, P2="1 GB/s"), {"at": at(), "measured": {}}],
            [("#/measurements/0/measured/processors/P2/speed", "unknown_unit")],
        ),
        (
            [{"at": at(), "measured": {"units": one}} for one in (None, {}, {"time": "ms"})],
            [(f"#/measurements/{i}/measured/units", "extra_forbidden") for i in range(3)],
        ),
        (
            [speeds(at(), P2="1." + "3" * 40 + "e-30")],
            [("#/measurements/0/measured/processors/P2/speed", "rational_too_long")],
        ),
        (
            [
                speeds(at(), P9=1),
                {"at": at(1), "measured": {}},
                speeds("2999-01-01T00:00:00Z", P2=1),
                speeds(at(2), P2=1),
                speeds(at(2), P2=2),
            ],
            [
                ("#/measurements/0/measured/processors/P9", "unknown_processor"),
                ("#/measurements/1/measured", "nothing_measured"),
                ("#/measurements/2/at", "in_the_future"),
                ("#/measurements/4/measured/processors/P2", "measured_twice"),
            ],
        ),
    ],
)
def test_what_cannot_be_measured_is_refused_where_it_stands(
    service: TestClient, measurements: list[Any], faults: list[tuple[str, str]]
) -> None:
    place = posted(service)
    answer = service.post(f"{place}/measurements", json={"measurements": measurements})
    told = answer.json()
    assert (answer.status_code, told["code"]) == (422, "invalid_request")
    assert [(one["pointer"], one["code"]) for one in told["errors"]] == faults
    assert service.get(f"{place}/measurements").json()["version"] == 0


def test_units_are_those_of_the_platform_and_too_many_values_are_refused(
    service: TestClient,
) -> None:
    place = posted(service, PLATFORM | {"units": {"work": "flop", "data": "MB", "time": "s"}})
    medium = {"links": [{"source": "P1", "target": "P2", "bandwidth": "10 Gbit/s"}]}
    post(service, place, speeds(at(), P2="3 kflop/s"), {"at": at(), "measured": medium})
    told = service.get(f"{place}/measurements").json()["items"]
    assert [one["value"] for one in told] == ["1250", "3000"]
    many = {"processors": {f"P{k}": {"speed": 1} for k in range(10_001)}}
    body = {"measurements": [{"at": at(), "measured": many}]}
    refused = service.post(f"{place}/measurements", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "limit_exceeded")


def test_a_platform_keeps_the_newest_rows_and_the_sweeper_forgets_old_ones(
    client: TestClient, database: Database, settings: Settings
) -> None:
    place = posted(client)
    platform = place.rpartition("/")[2]
    now = datetime.now(UTC)
    old, new = now - timedelta(days=31), now - timedelta(days=1)
    post(client, place, *(speeds(at(k, old), P2=k + 1, P3=k + 1) for k in range(5)))
    post(client, place, *(speeds(at(k, new), P2=k + 1) for k in range(4)))
    sweeper = Sweeper(database, settings.model_copy(update={"measurement_days": 30}))
    sweeper.purge()
    left = client.get(f"{place}/measurements?resource=processor:P2").json()["items"]
    assert [one["at"] for one in left] == [at(k, new) for k in reversed(range(4))]
    assert client.get(f"{place}/measurements?resource=processor:P3").json()["items"] == []
    # What was measured last stands, however long ago that was.
    values = {one["resource"]: one["value"] for one in _latest(client, place)}
    assert values == {"processor:P2": "4", "processor:P3": "5"}
    with database.write(LOCAL_TENANT) as unit:
        stored = unit.measurements.page(platform, 9, resource="processor:P2").items
        newer = [stored[0]._replace(at=now + timedelta(seconds=k)) for k in (1, 2)]
        recorded = unit.measurements.record(platform, newer, 3)
    assert recorded is not None
    assert recorded.new == 2
    left = client.get(f"{place}/measurements?resource=processor:P2").json()["items"]
    assert [one["value"] for one in left] == ["4", "4", "4"]


def _latest(client: TestClient, place: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"{place}/measurements").json()["items"]
    return found


def test_a_stream_has_all_values_first_and_then_those_that_have_changed(
    settings: Settings, client: TestClient
) -> None:
    place = posted(client)
    post(client, place, speeds(at(), P2="1/4", P3="1/4"))
    with listening(settings) as address, closing(HTTPConnection(*address, PATIENCE)) as stream:
        stream.request("GET", f"{place}/measurements/events")
        lines = (line.decode() for line in stream.getresponse())
        told = data(lines)
        assert {one["resource"] for one in told["items"]} == {"processor:P2", "processor:P3"}
        post(client, place, speeds(at(1), P2="1/5"))
        told = data(lines)
        assert [(one["resource"], one["value"]) for one in told["items"]] == [
            ("processor:P2", "1/5")
        ]
        assert told["version"] == 2


def data(lines: Any) -> dict[str, Any]:
    text = next(line for line in lines if line.startswith("data:"))
    told: dict[str, Any] = json.loads(text.removeprefix("data:"))
    return told
