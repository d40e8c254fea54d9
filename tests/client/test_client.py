"""Both clients against the real service, and against one that misbehaves."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import Any

import httpx2
import pytest

import steadygrid as sg
from app.db.engine import Database
from app.settings import Settings
from steadygrid.client import JobCancelled, RefusedRequest, ServiceUnavailable
from steadygrid.client.bodies import EventLines, check_end, pause_after
from steadygrid.client.refusals import Gone, JobFailed, refusal_of
from steadygrid.domain.errors import SchedulingError
from tests.client import sync_writer
from tests.http.bodies import BODY
from tests.http.conftest import listening, quiet
from tests.http.processes import PATIENCE
from tests.http.solving import solve_next

HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    directory = tmp_path_factory.mktemp("client")
    return quiet(f"sqlite:///{directory / 'steadygrid.db'}", directory)


@pytest.fixture(scope="module")
def url(settings: Settings) -> Iterator[str]:
    with listening(settings) as (host, port):
        yield f"http://{host}:{port}"


@pytest.fixture(scope="module")
def database(url: str, settings: Settings) -> Iterator[Database]:
    opened = Database.open(settings.effective_database_url)
    yield opened
    opened.close()


@pytest.fixture
def client(url: str) -> Iterator[sg.Client]:
    with sg.Client(url) as one:
        yield one


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let requests be repeated without a pause."""
    monkeypatch.setattr(
        "steadygrid.client.synchronous_connection.pause_after", lambda attempt, told: 0.0
    )


def question() -> "sg.Question[Any]":
    platform = sg.Platform.build().processor("M").processor("W", unit_time=2)
    return sg.master_worker(platform.link("M", "W", unit_time=1).done(), master="M", work=1)


class Dropping(httpx2.BaseTransport):
    """A network that loses each third answer, after the service has done what was asked."""

    def __init__(self) -> None:
        self._inner = httpx2.HTTPTransport()
        self.count = 0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = self._inner.handle_request(request)
        self.count += 1
        if self.count % 3 == 0:
            answer.close()
            raise httpx2.ReadError("the answer is lost", request=request)
        return answer

    def close(self) -> None:
        self._inner.close()


def test_a_hundred_submits_make_a_hundred_jobs_though_answers_are_lost(
    url: str, at_once: None
) -> None:
    lossy = Dropping()
    with sg.Client(url, transport=lossy) as client:
        made = [client.submit(BODY, labels={"test": "lossy"}).id for _ in range(100)]
        listed = [job.id for job in client.jobs(label="test:lossy", limit=40)]
        for job in client.jobs(label="test:lossy"):
            job.cancel()
            job.delete()
        assert list(client.jobs(label="test:lossy")) == []
    assert len(set(made)) == 100
    assert sorted(listed) == sorted(made)
    assert lossy.count > 150


def test_an_answer_is_that_of_solve(client: sg.Client, database: Database) -> None:
    job = client.submit(question(), name="a star", priority=3, time_limit=20)
    assert job.state == "queued"
    assert (job.document["name"], job.document["priority"]) == ("a star", 3)
    with pytest.raises(TimeoutError, match="goes on"):
        job.wait(timeout=0.05)
    solve_next(database)
    answer = job.answer(verify=True)
    own = sg.solve(question(), in_process=True, time_limit=20)
    assert answer.objective == own.objective == HALF
    assert answer.verified
    assert answer.schedule.document == own.schedule.document
    assert answer.result.computed == {"W": HALF}
    assert sg.check(answer.instance, answer.result, answer.schedule).holds
    names = [name for name, _ in job.events()]
    assert names[-1] == "end"
    assert client.check(client.job(job.id)).objective == HALF


def test_the_client_that_is_awaited_does_the_same(url: str, database: Database) -> None:
    async def ask() -> tuple[Any, list[str], list[str]]:
        async with sg.AsyncClient(url) as client:
            job = await client.submit(question())
            await asyncio.to_thread(solve_next, database)
            answer = await job.answer(verify=True)
            names = [name async for name, _ in job.events()]
            assert [one async for one in job.dispatch(2)] == [0, 0]
            assert (await job.set_epoch("2026-11-27T12:00:00Z", 1))["job"] == job.id
            view = await job.create_view(60)
            assert view["links"]["page"] == f"/view/{view['token']}"
            await job.delete_views()
            listed = [one.id async for one in client.jobs(state="succeeded")]
            assert job.id in listed
            await job.delete()
            await job.delete()
            return answer, names, listed

    answer, names, _ = asyncio.run(ask())
    assert answer.objective == HALF
    assert names[-1] == "end"


def test_faults_are_those_of_solve(client: sg.Client, tmp_path: Path) -> None:
    wrong = question().replace(master="X")
    with pytest.raises(sg.InstanceError) as here:
        sg.solve(wrong)
    with pytest.raises(sg.InstanceError) as there:
        client.submit(wrong)
    assert there.value.faults == here.value.faults
    with pytest.raises(TypeError, match="a problem is an object"):
        client.submit([])  # type: ignore[call-overload]


def test_a_cancelled_job_has_no_answer(client: sg.Client) -> None:
    job = client.submit(BODY).cancel()
    with pytest.raises(JobCancelled, match=job.id):
        job.answer()
    job.delete()
    with pytest.raises(RefusedRequest) as caught:
        client.job(job.id)
    assert caught.value.status in (404, 410)


def test_labels_of_a_job_are_set_and_removed(client: sg.Client) -> None:
    job = client.submit(BODY, labels={"a": "b", "of": "c"}).label({"a": None, "campus": "north"})
    assert job.document["labels"] == {"of": "c", "campus": "north"}
    assert [one.id for one in client.jobs(label="campus:north")] == [job.id]
    job.cancel()


def test_what_was_measured_is_told_at_once(client: sg.Client, database: Database) -> None:
    job = client.submit(question())
    solve_next(database)
    job.wait()
    told = client.replan(job, {"processors": {"W": {"unit_time": 4}}}, solve=False)
    assert told["state"] == "none"
    assert told["kept"]["same_slots"]["value"] == "1/4"


def test_what_would_help_is_a_sweep(client: sg.Client, database: Database) -> None:
    job = client.submit(question())
    solve_next(database)
    job.wait()
    study = client.what_if(job, solve=0)
    assert study.document["upgrades"][0]["resource"] == "W.compute"


def test_platforms_are_kept_under_one_id(client: sg.Client) -> None:
    platform = question()["platform"]
    kept = client.platforms.add(platform)
    assert client.platforms.add(platform.model_dump(mode="json", exclude_none=True)) == kept
    job = client.submit(question().replace(platform=kept))
    assert job.cancel().state == "cancelled"
    client.platforms.delete(kept)


def test_webhooks_are_made_once_though_answers_are_lost(client: sg.Client, url: str) -> None:
    wanted = ("https://192.0.9.1/hook", ["job.succeeded"])
    with sg.Client(url, transport=Dropping()) as lossy:
        hook, other = lossy.webhooks.add(*wanted), lossy.webhooks.add(*wanted)
        with pytest.raises(ServiceUnavailable, match="before you ask again") as lost:
            lossy.webhooks.add(*wanted)
    assert lost.value.code == "answer_lost"
    listed = [one["id"] for one in client.webhooks.all()]
    assert (listed[1:], len(set(listed))) == ([other["id"], hook["id"]], 3)
    assert client.webhooks.rotate(hook["id"])["secret"] != hook["secret"]
    changed = client.webhooks.change(hook["id"], events=["job.failed"], enabled=True)
    assert (changed["events"], changed["url"]) == (["job.failed"], wanted[0])
    sent = client.webhooks.test(hook["id"])
    assert client.webhooks.redeliver(hook["id"], sent["id"])["message"] == sent["message"]
    assert client.webhooks.delivery(hook["id"], sent["id"])["event"] == "webhook.test"
    for state, ids in (("pending", [sent["id"]]), ("failed", [])):
        assert [one["id"] for one in client.webhooks.deliveries(hook["id"], state)] == ids
    client.webhooks.change(hook["id"], enabled=False)
    assert client.webhooks.get(hook["id"])["disabled"] == "owner"
    with sg.Client(url, transport=Dropping()) as lossy:
        for webhook_id in listed:
            lossy.webhooks.delete(webhook_id)
    assert list(client.webhooks.all()) == []
    with pytest.raises(RefusedRequest) as caught:
        client.webhooks.delete(hook["id"])
    assert caught.value.status == 404


def test_a_running_schedule_is_measured_and_watched_though_answers_are_lost(
    url: str, database: Database, at_once: None
) -> None:
    noon = datetime(2026, 11, 27, 12, tzinfo=UTC)
    with sg.Client(url, transport=Dropping()) as client:
        kept = client.platforms.add(question()["platform"])
        job = client.submit(question().replace(platform=kept))
        solve_next(database)
        assert list(job.dispatch(3)) == [0, 0, 0]
        rows = [row["key"] for row in job.resources(show="all", find="w", limit=1)]
        assert sorted(rows) == ["link:M->W", "link:W->M", "processor:W"]
        assert job.set_epoch(noon, 1)["epoch"] == "2026-11-27T12:00:00Z"
        assert job.epoch(noon + timedelta(seconds=3))["elapsed"] == "3"
        assert job.watch(loss=Fraction(1, 10), solve=False)["state"] == "unmeasured"
        for minute, time in enumerate((Fraction(5, 2), 4)):
            measured = {"processors": {"W": {"unit_time": time}}}
            at = noon + timedelta(minutes=minute)
            told = client.platforms.measure(kept, [{"at": at, "measured": measured}])
            assert told["version"] == minute + 1
        (newest,) = client.platforms.latest(kept)["items"]
        assert newest["value"] == "1/4"
        series = client.platforms.measurements(kept, "processor:W", end=noon + timedelta(minutes=1))
        assert [one["value"] for one in series] == ["2/5"]
        assert job.measured()["items"][0]["measured"] == "1/4"
        end = monotonic() + PATIENCE
        while job.drift()["state"] != "drifted":
            assert monotonic() < end
        assert next(client.platforms.history(kept, job.id))["kept"] == "1/4"
        client.platforms.forget(kept)
        assert client.platforms.latest(kept)["items"] == []
        job.unwatch()
        job.delete_epoch()
        for gone in (job.drift, job.epoch):
            with pytest.raises(RefusedRequest):
                gone()
        job.delete()


def answering(*answers: Any, **headers: str) -> tuple[sg.Client, list[httpx2.Request]]:
    """Give a client of a service that answers or fails so, and the requests that it gets."""
    left, seen = list(answers), []

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append(request)
        status = left.pop(0)
        if not isinstance(status, int):
            raise status("no answer", request=request)
        body = {"code": "some_code", "detail": "Some detail.", "id": "job_1", "state": "queued"}
        return httpx2.Response(status, json=body, headers=headers)

    transport = httpx2.MockTransport(handle)
    return sg.Client("http://service", key="sk_1", transport=transport), seen


@pytest.mark.parametrize("status", [429, 502, 503])
def test_a_busy_service_is_asked_again_under_the_same_key(status: int, at_once: None) -> None:
    client, seen = answering(status, status, 202)
    assert client.submit(BODY).id == "job_1"
    keys = {request.headers["Idempotency-Key"] for request in seen}
    assert (len(seen), len(keys)) == (3, 1)
    assert {request.headers["Authorization"] for request in seen} == {"Bearer sk_1"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda hooks: hooks.add("https://192.0.9.1/", ["job.failed"]),
        lambda hooks: hooks.rotate("whk_1"),
        lambda hooks: hooks.test("whk_1"),
        lambda hooks: hooks.redeliver("whk_1", "dlv_1"),
    ],
)
def test_what_must_not_be_done_twice_is_repeated_only_if_it_was_not_done(
    ask: Callable[[Any], Any], at_once: None
) -> None:
    client, seen = answering(httpx2.ConnectError, 429, httpx2.ConnectTimeout, 202)
    assert ask(client.webhooks)["id"] == "job_1"
    assert len(seen) == 4
    for answer, code in ((httpx2.ReadTimeout, "answer_lost"), (503, "some_code")):
        client, seen = answering(httpx2.ConnectError, answer)
        with pytest.raises(ServiceUnavailable) as caught:
            ask(client.webhooks)
        assert (caught.value.code, len(seen)) == (code, 2)


@pytest.mark.parametrize("status", [404, 410])
def test_what_a_lost_answer_has_deleted_is_gone(status: int, at_once: None) -> None:
    client, seen = answering(httpx2.ReadError, status)
    client.platforms.delete("plt_1")
    assert len(seen) == 2
    client, _ = answering(httpx2.ConnectError, status)
    with pytest.raises(RefusedRequest):
        client.platforms.delete("plt_1")


@pytest.mark.parametrize(
    ("status", "raised"),
    [(409, RefusedRequest), (410, Gone), (422, sg.InstanceError), (413, sg.LimitError)],
)
def test_a_refusal_is_not_asked_again(status: int, raised: type[Exception]) -> None:
    client, seen = answering(status)
    with pytest.raises(raised, match=r"Some detail\."):
        client.submit(BODY)
    assert len(seen) == 1


def test_what_takes_too_long_is_told() -> None:
    client, seen = answering(503, **{"Retry-After": "60"})
    with pytest.raises(ServiceUnavailable) as caught:
        client.submit(BODY)
    assert (caught.value.status, caught.value.code, len(seen)) == (503, "some_code", 1)


def test_without_a_service_the_address_is_not_reached() -> None:
    with (
        sg.Client("http://127.0.0.1:9", timeout=0.1) as client,
        pytest.raises(ServiceUnavailable) as caught,
    ):
        client.submit(BODY)
    assert caught.value.code == "unreachable"


def test_a_broken_stream_is_resumed_after_its_last_event(at_once: None) -> None:
    asked: list[str | None] = []

    class Broken(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b'id: 7\nevent: state\ndata: {"state": "running"}\n\nid: 8\nevent: sta'
            raise httpx2.ReadError("broken")

    def handle(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/events"):
            asked.append(request.headers.get("Last-Event-ID"))
            return httpx2.Response(200, stream=Broken())
        return httpx2.Response(200, json={"id": "job_1", "state": "succeeded"})

    client = sg.Client("http://service", transport=httpx2.MockTransport(handle))
    job = client.submit(BODY)
    job.document["state"] = "running"
    events = list(job.events())
    assert asked == [None, "7", "7"]
    assert [name for name, _ in events] == ["state"] * 3 + ["end"]
    assert events[-1][1]["state"] == "succeeded"


def test_pauses_double_up_to_a_longest_one() -> None:
    for attempt, longest in ((1, 0.2), (2, 0.4), (5, 3.2), (6, 5.0), (60, 5.0)):
        assert longest / 2 <= pause_after(attempt, None) <= longest
    assert pause_after(1, "7") == 7
    assert pause_after(1, "Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert pause_after(1, "soon") <= 0.2


def test_lines_of_an_event_are_put_together() -> None:
    lines = EventLines()
    given = (": ping", "", "id: 3", "event: end", 'data: {"a":', "data: 1}", "")
    assert [event for line in given if (event := lines.take(line))] == [("end", {"a": 1})]
    assert lines.last_id == "3"


def test_a_failed_job_says_why() -> None:
    failed = {"id": "job_1", "state": "failed", "error": {"code": "poison", "detail": "Again."}}
    with pytest.raises(JobFailed, match="Again") as caught:
        check_end(failed)
    assert caught.value.code == "poison"


def test_pointers_are_read_as_they_are_written() -> None:
    errors = [{"pointer": "#/problem/a~1b~0/3/x%20y", "code": "c", "detail": "d"}]
    refused: SchedulingError = refusal_of(422, {"errors": errors})
    assert refused.faults[0].pointer == ("problem", "a/b~", 3, "x y")
    assert isinstance(refusal_of(500, None), RefusedRequest)


@pytest.mark.parametrize("name", sync_writer.PAIRS)
def test_the_client_that_blocks_is_as_its_script_writes_it(name: str) -> None:
    other = sync_writer.PAIRS[name]
    written = sync_writer.written((sync_writer.FOLDER / name).read_text(encoding="utf-8"), other)
    assert (sync_writer.FOLDER / other).read_text(encoding="utf-8") == written


def test_both_clients_have_the_same_names() -> None:
    def names(of: Callable[..., Any]) -> set[str]:
        return {name for name in dir(of) if not name.startswith("_")}

    assert names(sg.Client) == names(sg.AsyncClient)
