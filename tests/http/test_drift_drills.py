"""The service is killed while schedules are evaluated: no loss is forgotten, and none planned twice."""

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from app.db.clock import current_time
from app.db.engine import Database
from app.db.grid_tables import watches
from app.db.migrate import upgrade
from app.settings import Settings
from tests.databases import emptied
from tests.http.conftest import on_each_database, settings_on
from tests.http.processes import Served, served, until
from tests.http.solving import solve_next
from tests.http.test_measurements import PLATFORM, at, speeds
from tests.http.test_replans import FIGURE_3

KILLS = 2


@on_each_database
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return settings_on(request, tmp_path_factory.mktemp("drills"))


def ask(service: Served, method: str, path: str, body: Any = None) -> Any:
    sent = None if body is None else json.dumps(body).encode()
    answer = service.ask(method, path, sent)
    assert answer.status < 300, answer.content
    return json.loads(answer.content)


def test_a_service_that_is_killed_makes_one_plan_for_each_loss(
    settings: Settings, tmp_path: Path
) -> None:
    place = job = ""
    chance = random.Random(20261127)
    database = Database.open(settings.effective_database_url)
    upgrade(database)
    for loss in range(KILLS + 1):
        # The process before is dead, and so long that its leases are over.
        with database.engine.connect() as connection, connection.begin():
            connection.execute(update(watches).values(lease_until=current_time(-1)))
        with served(
            tmp_path, covered=False, database_url=settings.effective_database_url
        ) as service:
            if not job:
                place = ask(service, "POST", "/v1/platforms", PLATFORM)["links"]["self"]
                problem = FIGURE_3["problem"] | {"platform": place.rpartition("/")[2]}
                job = "/v1/jobs/"
                job += ask(service, "POST", "/v1/jobs", FIGURE_3 | {"problem": problem})["id"]
                solve_next(database)
                ask(service, "PUT", f"{job}/drift", {"loss": "1/20"})

            def seen(service: Served = service, url: str = f"{job}/drift") -> bool:
                return ask(service, "GET", url)["state"] not in ("waiting", "delayed")

            until(seen)
            plans = ask(service, "GET", f"/v1/replans?of_job={job.rpartition('/')[2]}")["items"]
            assert len(plans) == loss
            assert len({one["job"] for one in plans}) == loss
            if loss < KILLS:
                slower = speeds(at(loss), P2=f"{9 - loss}/20", P3=f"{9 - loss}/20")
                ask(service, "POST", f"{place}/measurements", {"measurements": [slower]})
                time.sleep(chance.uniform(0, 0.6))
                service.process.kill()
                service.process.wait()
    emptied(database)
    database.close()
