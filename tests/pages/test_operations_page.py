"""The page for operators: all tenants, for who may see them."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.db.engine import Database
from app.db.new_jobs import NewJob
from app.db.scopes import Scope
from app.main import create_app
from tests.db.test_overview import shift
from tests.http.conftest import quiet
from tests.pages.site import PAGE
from workers.registration import OUR_SKILLS


def test_operators_see_all_tenants_and_others_none(tmp_path: Path) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path, auth="keys")
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        database: Database = client.app.state.resources.database  # type: ignore[attr-defined]
        keys = {}
        for name, scopes in (("a", [Scope.READ, Scope.ADMIN]), ("b", [Scope.READ, Scope.SUBMIT])):
            with database.write(name) as unit:
                unit.tenants.create(name)
                keys[name] = PAGE | {"Authorization": f"Bearer {unit.keys.create(name, scopes)}"}
                unit.jobs.add(NewJob.create("cell", {}))
        with database.write_all() as unit:
            claim = unit.queue.claim("w<1>", OUR_SKILLS, 30)
            assert claim is not None
        shift(database, claim.job_id, claimed_at=7230)
        with database.write_all() as unit:
            unit.queue.fail(claim, {"code": "<b>odd</b>", "detail": ""})
            unit.workers.seen("w<1>", OUR_SKILLS, {"steadygrid": "1.2"})
            unit.workers.drain(["w<1>"])
        page = client.get("/operations", headers=keys["a"])
        assert page.status_code == 200
        assert [f'<th scope="row">{name}</th>' in page.text for name in ("a", "b", "local")] == [
            True
        ] * 3
        assert claim.job_id in page.text
        assert "&lt;b&gt;odd&lt;/b&gt;" in page.text
        assert "<b>odd" not in page.text
        assert "no more jobs" in page.text
        # Since ever, and today.
        assert page.text.count("<td>2 hours</td>") == 2
        assert "No sweeper" in page.text
        assert "No workers" not in page.text
        other = client.get("/operations", headers=keys["b"])
        assert other.status_code == 403
        assert claim.job_id not in other.text
        assert [">Operations<" in client.get("/", headers=keys[one]).text for one in "ab"] == [
            True,
            False,
        ]


@pytest.mark.parametrize("auth", ["off"])
def test_an_empty_service_has_the_page_too(tmp_path: Path, auth: str) -> None:
    settings = quiet(f"sqlite:///{tmp_path / 'x.db'}", tmp_path, auth=auth)
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        page = client.get("/operations", headers=PAGE)
    assert page.status_code == 200
    assert "No workers" in page.text
