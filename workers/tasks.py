"""The Celery side: one task, and the processes around it.

The broker's message only says that the table is worth a look, and is always acknowledged: which
job is taken is the table's matter, or Redis would decide who waits. See `workers.wakes`
for who sends the next one.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import structlog
from celery import Task
from celery.apps import worker as program
from celery.signals import (
    setup_logging,
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
    worker_shutting_down,
)
from celery.utils.log import get_multiprocessing_logger

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.logs import configure_logging
from app.publisher import Publisher
from app.settings import SOLVE_TASK, Settings, solve_queue
from app.tracing import Tracing
from workers.broker_troubles import keep_to_one_line
from workers.celery_app import app
from workers.counts import Counts
from workers.registration import OUR_SKILLS, Registration, worker_name
from workers.service_process import ServiceProcess
from workers.supervisor import Ran, Supervisor
from workers.wakes import Wakes

log = structlog.get_logger(__name__)

_DRAINED_SECONDS = 600.0
"""Less than the time that Celery gives to a task."""


class _MainProcess:
    """What the process that forks the others keeps."""

    stop: tuple[int, int] | None = None
    helpers: tuple[ServiceProcess, ...] = ()
    """The sweeper, and the sender unless that runs elsewhere."""


class _PoolProcess:
    """What each forked process keeps from task to task."""

    supervisor: Supervisor | None = None
    registration: Registration | None = None
    wakes: Wakes | None = None


def _prepare(**_: Any) -> None:
    settings = Settings()
    configure_logging(settings)
    keep_to_one_line()
    # Inherited by every forked process: its end is the word to give jobs back.
    _MainProcess.stop = os.pipe()


def _log_as_we_do(**_: Any) -> None:
    """Keep Celery from setting up a log of its own, which it does where nothing listens.

    Its process pool has a log apart, which would write lines of its own form past those of the
    service.
    """
    get_multiprocessing_logger().propagate = True


def _start_helpers(**_: Any) -> None:
    modules = ["workers.sweeper"]
    if Settings().worker_senders:
        modules.append("workers.sender")
    _MainProcess.helpers = tuple(map(ServiceProcess, modules))
    for helper in _MainProcess.helpers:
        helper.start()


def _give_jobs_back(**_: Any) -> None:
    if _MainProcess.stop is not None:
        with suppress(OSError):
            os.close(_MainProcess.stop[1])


def _stop_helpers(**_: Any) -> None:
    for helper in _MainProcess.helpers:
        helper.ask_to_stop()
    for helper in _MainProcess.helpers:
        helper.stop()


def _open(**_: Any) -> None:
    assert _MainProcess.stop is not None
    reading, writing = _MainProcess.stop
    with suppress(OSError):
        os.close(writing)
    settings = Settings()
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    worker = worker_name()
    counts = Counts()
    registration = Registration(database, worker, counts)
    assert settings.redis_url is not None
    publish = Publisher(settings.redis_url)
    _PoolProcess.wakes = Wakes(database, publish, settings.tenant_running_jobs)
    _PoolProcess.registration = registration
    _PoolProcess.supervisor = Supervisor(database, settings, worker, reading, counts=counts)
    _PoolProcess.supervisor.warm_up()
    # Afterwards: it has a thread, and only a process without others forks.
    _PoolProcess.supervisor.tracing = Tracing.open("worker", settings.traces_url)
    registration.keep()


def _close(**_: Any) -> None:
    if _PoolProcess.supervisor is not None:
        _PoolProcess.supervisor.close()
        if _PoolProcess.supervisor.tracing is not None:
            _PoolProcess.supervisor.tracing.close()
    if _PoolProcess.registration is not None:
        _PoolProcess.registration.end()


setup_logging.connect(_log_as_we_do)
worker_init.connect(_prepare)
worker_ready.connect(_start_helpers)
worker_shutting_down.connect(_give_jobs_back)
worker_shutdown.connect(_stop_helpers)
worker_process_init.connect(_open)
worker_process_shutdown.connect(_close)


@app.task(name=SOLVE_TASK, bind=True)  # type: ignore[untyped-decorator]
def solve_job(task: Task, _look: str) -> None:
    """Work on the job whose turn it is, if there is one, and see that the others are woken."""
    queue = task.request.delivery_info["routing_key"]
    supervisor, wakes = _PoolProcess.supervisor, _PoolProcess.wakes
    assert supervisor is not None
    assert wakes is not None
    structlog.contextvars.clear_contextvars()
    if supervisor.stopping:
        wakes.put_back(queue)
        return
    with suppress(DatabaseUnavailableError):  # the sweeper wakes a worker when it is back
        ran = supervisor.run(partial(wakes.wake_others, queue))
        if ran is Ran.RETURNED:
            wakes.wake_others(queue)  # also those who are older than this worker may take it
        if ran is Ran.DRAINED:
            # Others take the message. This process takes none as long as it is in this task.
            wakes.put_back(queue)
            supervisor.wait_while_drained(_DRAINED_SECONDS)
        elif ran is not Ran.NOTHING:
            wakes.peers()


def run_worker(concurrency: int = 1, log_level: str = "WARNING") -> None:
    """Be a production worker until SIGTERM: Celery with forked processes, a sweeper and a sender.

    Parameters
    ----------
    concurrency
        Jobs at a time. Each has a forked process and a solver process.
    log_level
        Of Celery's own log. The service's own log follows the settings.

    Raises
    ------
    ValueError
        If the settings name no broker.
    """
    settings = Settings()
    if settings.redis_url is None:
        raise ValueError("STEADYGRID_REDIS_URL names no broker. `steadygrid serve` needs none")
    configure_logging(settings)
    if settings.log_json:
        # What Celery says of signals it writes past every log, to standard output.
        program.safe_say = lambda *_: None
    arguments: Sequence[str] = (
        "--quiet",
        "worker",
        "--pool=prefork",
        f"--concurrency={concurrency}",
        f"--loglevel={log_level}",
        f"--queues={','.join(map(solve_queue, range(OUR_SKILLS.level + 1)))}",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
    )
    app.worker_main(argv=list(arguments))
