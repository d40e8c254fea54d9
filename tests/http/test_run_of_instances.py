"""A run over HTTP: what the header of the schedule says."""

from dataclasses import replace

from fastapi.testclient import TestClient

from app.db.engine import Database
from steadygrid.domain.run import RunPromise
from tests.http.bodies import schedule
from tests.http.test_schedule_parts import stored


def test_the_header_tells_a_run_in_exact_and_in_plain_numbers(
    client: TestClient, database: Database
) -> None:
    counted = RunPromise(9, None, 5, completion_time_at_most=3 * schedule().period)
    path = stored(client, database, replace(schedule(), run=counted))
    told = {"instances": "9", "completion_time_at_most": "6", "no_schedule_before": None}
    assert client.get(path).json()["run"] == told | {"ratio": None, "periods": 5}
    plain = client.get(path, params={"numbers": "float"}).json()["run"]
    assert (plain["instances"], plain["completion_time_at_most"]) == (9, 6)
    document = client.get(f"{path}/document").json()
    assert document["run"] == told | {"ratio": None, "periods": 5}
