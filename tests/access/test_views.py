"""Views at a service that asks for keys: their pages need none, and open nothing else."""

from fastapi.testclient import TestClient

from tests.access.conftest import MakeKey, bearer
from tests.http.bodies import BODY
from tests.pages.site import PAGE


def test_the_address_is_enough_for_the_page_and_for_nothing_else(
    keyed: TestClient, key: MakeKey
) -> None:
    own, other = bearer(key(tenant="own")), bearer(key(tenant="other"))
    job_id = keyed.post("/v1/jobs", json=BODY, headers=own).json()["id"]
    views = f"/v1/jobs/{job_id}/views"
    assert keyed.post(views, json={}, headers=other).status_code == 404
    refused = keyed.post(views, json={}, headers=bearer(key("read", tenant="own")))
    assert refused.json()["code"] == "missing_scope"
    told = keyed.post(views, json={}, headers=own).json()
    page = told["links"]["page"]
    for fields in (PAGE, PAGE | other, PAGE | {"Authorization": "Bearer nothing"}):
        assert keyed.get(page, headers=fields).status_code == 200
    assert keyed.get(f"/v1/jobs/{job_id}", headers=bearer(told["token"])).status_code == 401
    assert keyed.get(f"/v1/jobs/{job_id}").status_code == 401
    assert keyed.post(page).status_code in (403, 405)
    assert keyed.delete(views, headers=other).status_code == 404
    assert keyed.get(page).status_code == 200
    assert keyed.delete(views, headers=own).status_code == 204
    ended = keyed.get(page, headers=PAGE)
    assert (ended.status_code, "This view has ended" in ended.text) == (404, True)
