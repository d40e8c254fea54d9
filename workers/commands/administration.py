"""What `steadygrid admin` does with the database. See `workers.commands.admin`."""

import math
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname
from typing import Any

from rich.text import Text

from app.db.audit import Action
from app.db.engine import Database
from app.db.overview import FailedJob, Place
from app.db.requeues import RequeueRefusal
from app.db.workers import WorkerRecord
from app.publisher import Publisher
from app.settings import Settings, solve_queue
from steadygrid.cli.console import emit_lines
from steadygrid.cli.json_files import emit_json
from steadygrid.cli.terminal import Refusal, complain
from steadygrid.domain.job import JobState
from steadygrid.domain.nearest import nearest
from steadygrid.report.glyphs import printable
from workers.commands.database import opened, settings_of
from workers.commands.operating import actor, print_answer
from workers.draining import drain as drain_workers
from workers.health import runs_on

_LANES = {0: "", 1: "of sweeps", 2: "transient"}


def tell_jobs(tenant: str | None, data_dir: Path | None, *, as_json: bool) -> None:
    """Count jobs, and failed ones by code."""
    with opened(data_dir) as database, database.read_all() as unit:
        places = {
            place: counts
            for place, counts in sorted(unit.overview.places().items())
            if tenant in (None, place.tenant)
        }
        oldest = {
            name: (datetime.now(UTC) - since).total_seconds()
            for name, since in unit.overview.oldest_queued().items()
            if tenant in (None, name)
        }
        codes = Counter[str]()
        for which, jobs in unit.overview.ended(tenant).items():
            if which.state is JobState.FAILED:
                codes[which.detail] += jobs.number
    if as_json:
        emit_json(
            {
                "jobs": [
                    {"tenant": place.tenant, "kind": place.kind, "lane": place.lane.name.lower()}
                    | {state.value: number for state, number in counts.items()}
                    for place, counts in places.items()
                ],
                "oldest_queued_seconds": oldest,
                "failed_by_code": dict(codes),
            }
        )
        return
    emit_lines(lambda *_: list(_jobs_table(places, oldest, codes)))


def _jobs_table(
    places: dict[Place, dict[JobState, int]], oldest: dict[str, float], codes: Counter[str]
) -> Iterator[Text]:
    head = ["tenant", "kind", "", *(state.value for state in JobState)]
    rows = [
        [place.tenant, place.kind, _LANES[place.lane]] + [f"{counts[one]:,}" for one in JobState]
        for place, counts in places.items()
    ]
    yield from table(head, rows, left=3)
    for tenant, seconds in sorted(oldest.items()):
        yield Text(f"the oldest queued job of {tenant} has waited {seconds:,.0f} s")
    for code, number in codes.most_common():
        yield Text(f"{number:,} jobs have failed with {printable(code)} since counting began")


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> Iterator[Text]:
    """Write rows in columns.

    Parameters
    ----------
    left
        How many columns begin at their left.
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = [
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield Text("  ".join(cells).rstrip(), style="bold" if row is head else "")


def tell_failed(
    code: str | None, tenant: str | None, limit: int, data_dir: Path | None, *, as_json: bool
) -> None:
    """List failed jobs."""
    with opened(data_dir) as database, database.read_all() as unit:
        found = unit.overview.failed(limit, tenant, code)
    if as_json:
        emit_json([_document(one) for one in found])
        return
    head = ["job", "tenant", "kind", "code", "finished", "attempts", "lost"]
    rows = [
        [
            one.id,
            one.tenant,
            one.kind,
            printable(one.code),
            f"{one.finished_at:%Y-%m-%d %H:%M:%S} UTC",
            str(one.attempts),
            str(one.lost),
        ]
        for one in found
    ]
    emit_lines(lambda *_: list(table(head, rows, left=5)))


def _document(one: FailedJob) -> dict[str, Any]:
    return asdict(one) | {"finished_at": one.finished_at.isoformat(timespec="seconds")}


def requeue(
    ids: Sequence[str],
    code: str | None,
    tenant: str | None,
    limit: int,
    data_dir: Path | None,
    *,
    as_json: bool,
) -> None:
    """Queue failed jobs once more."""
    if bool(ids) == (code is not None):
        raise Refusal(
            "name the jobs, or give --code CODE for the newest failed jobs with this code"
        )
    if ids and tenant is not None:
        raise Refusal("--tenant goes with --code: the ids of jobs say whose they are")
    chosen = settings_of(data_dir)
    made: dict[str, str] = {}
    refused: dict[str, str] = {}
    with opened(data_dir) as database:
        wanted = list(dict.fromkeys(ids)) or _with_code(database, code, tenant, limit)
        queues = set()
        for job in wanted:
            with database.write_all() as unit:
                done = unit.requeues.requeue(job)
                if not isinstance(done, RequeueRefusal):
                    unit.audit.write(done.tenant, actor(), Action.JOB_REQUEUED, job)
            if isinstance(done, RequeueRefusal):
                refused[job] = done.value
            else:
                made[job] = done.id
                queues.add(solve_queue(done.requires))
    _wake(chosen, queues)
    told = [f"{printable(old)} is repeated by {new}" for old, new in made.items()]
    if not wanted:
        told = ["no failed job has this code"]
    print_answer({"requeued": made, "refused": refused}, *told, as_json=as_json)
    if refused:
        complain([f"{printable(job)} is not queued: {why}" for job, why in refused.items()])
        sys.exit(1)


def _wake(chosen: Settings, queues: Collection[str]) -> None:
    """Wake workers. Where that fails the sweeper does it, and embedded workers look by themselves."""
    if chosen.redis_url is not None and queues:
        publish = Publisher(chosen.redis_url)
        with suppress(Exception):
            for queue in queues:
                publish(queue, 1)


def _with_code(database: Database, code: str | None, tenant: str | None, limit: int) -> list[str]:
    with database.read_all() as unit:
        found = unit.overview.failed(limit, tenant, code, repeated=False)
    return [one.id for one in found]


def tell_workers(data_dir: Path | None, *, as_json: bool) -> None:
    """List the workers."""
    with opened(data_dir) as database, database.read_all() as unit:
        active, held = unit.workers.active(), unit.overview.held()
    if as_json:
        emit_json(
            [
                {
                    "name": one.id,
                    "version": _version(one),
                    "jobs": held.get(one.id, 0),
                    "drained": one.drained_at is not None,
                    "started_at": one.started_at.isoformat(timespec="seconds"),
                    "seen_at": one.seen_at.isoformat(timespec="seconds"),
                }
                for one in active
            ]
        )
        return
    head = ["worker", "version", "", "seen", "jobs"]
    rows = [
        [
            printable(one.id),
            _version(one),
            "drained" if one.drained_at else "",
            f"{one.seen_at:%Y-%m-%d %H:%M:%S} UTC",
            str(held.get(one.id, 0)),
        ]
        for one in active
    ]
    emit_lines(lambda *_: list(table(head, rows, left=4)))


def _version(worker: WorkerRecord) -> str:
    return worker.versions.get("steadygrid", "unknown")


def drain(
    names: Sequence[str],
    wait: float | None,
    data_dir: Path | None,
    *,
    here: bool,
    as_json: bool,
) -> None:
    """Let workers finish their jobs and take no others."""
    seconds = settings_of(data_dir).drain_seconds if wait is None else wait
    if math.isnan(seconds):
        raise Refusal("--wait nan is no number of seconds: write one such as 300")
    with opened(data_dir) as database:
        chosen = _chosen(database, names, here=here)
        left = drain_workers(database, chosen, seconds)
    told = [f"{printable(name)} takes no more jobs" for name in chosen]
    told += [f"{printable(name)} still holds {number}" for name, number in left.items()]
    if not chosen:
        told = ["no worker of this machine was seen lately"]
    print_answer({"drained": chosen, "left": left}, *told, as_json=as_json)
    if left:
        sys.exit(1)


def resume(names: Sequence[str], data_dir: Path | None, *, here: bool, as_json: bool) -> None:
    """Let drained workers take jobs again."""
    with opened(data_dir) as database:
        chosen = _chosen(database, names, here=here)
        with database.write_all() as unit:
            unit.workers.drain(chosen, undo=True)
    told = [f"{printable(name)} takes jobs" for name in chosen]
    print_answer({"resumed": chosen}, *told, as_json=as_json)


def _chosen(database: Database, names: Sequence[str], *, here: bool) -> list[str]:
    if bool(names) == here:
        raise Refusal(
            "name the workers, as `steadygrid admin workers` lists them, or give --here for all"
            " of this machine"
        )
    with database.read_all() as unit:
        known = [one.id for one in unit.workers.active()]
    if here:
        return [name for name in known if runs_on(gethostname(), name)]
    for name in names:
        if name not in known:
            raise _unknown(name, known)
    return list(dict.fromkeys(names))


def _unknown(name: str, known: Collection[str]) -> Refusal:
    close = nearest(name, known)
    meant = f"; did you mean {close}?" if close else ""
    return Refusal(f"no worker {printable(name)} was seen in the last two minutes{meant}")
