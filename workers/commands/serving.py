"""``steadygrid serve``: the API in this process, workers next to it, nothing else to install."""

import errno
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NoReturn

import structlog

from app.db.errors import NotStartedError, NotYetError
from app.db.migrate import open_database
from app.logs import configure_logging
from app.server.capacity import TooManyConnectionsError, capacity_of, share_of
from app.server.run import GuardedServer
from app.settings import PREFIX, AuthMethod, Settings
from steadygrid.cli.terminal import Refusal, complain, shown
from workers.api_processes import ApiProcesses
from workers.embedded import DataDirectoryInUseError, EmbeddedWorkers
from workers.solver_child import UnfitSolverError, try_solver

log = structlog.get_logger(__name__)

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 30.0
"""Between two looks at a database that is not there yet. Each pause is twice the one before."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve_until_signal(settings: Settings, host: str, port: int) -> None:
    """Run API and workers until SIGTERM or Ctrl-C; running jobs are given back then.

    Parameters
    ----------
    settings
        Of the service.
    host
        Address to listen on.
    port
        0 is any free one.

    Raises
    ------
    Refusal
        The address is taken, the data directory is another's or cannot be used, or the
        application does not start.
    KeyboardInterrupt
        After Ctrl-C, when everything has ended in good order.
    """
    configure_logging(settings)
    listener = listen(host, port)
    # uvicorn raises the signal once more when it has shut down: the workers end after that.
    signal.signal(signal.SIGTERM, _leave)
    # The application reads its settings from the environment, like every other process.
    os.environ.update(settings.environment())
    greeting = _greeting(settings, host, listener)
    greeting.insert(1, f"its data are in {shown(str(settings.data_dir.absolute()))}")
    server = _server(settings, greeting)
    try:
        try_solver(settings)
        with listener, EmbeddedWorkers(settings):
            _run(server, listener)
    except DataDirectoryInUseError as error:
        raise Refusal(f"{error} Give another one with --data-dir.") from None
    except (NotStartedError, UnfitSolverError) as error:
        raise Refusal(str(error)) from None
    except OSError as error:
        raise Refusal(
            f"the data directory {shown(str(settings.data_dir))} cannot be used: {error.strerror}"
        ) from None


def serve_api_until_signal(settings: Settings, host: str, port: int, processes: int = 1) -> None:
    """Run the API alone until SIGTERM or Ctrl-C; workers are started elsewhere.

    Parameters
    ----------
    settings
        Of the service.
    host
        Address to listen on.
    port
        0 is any free one.
    processes
        How many answer there.

    Raises
    ------
    Refusal
        The address is taken, the database cannot be used, the application does not start, or
        several processes would not know of each other.
    KeyboardInterrupt
        After Ctrl-C, when everything has ended in good order.
    """
    if processes > 1:
        _check_shared_store(settings)
    configure_logging(settings)
    listener = listen(host, port)
    try:
        open_database(settings, migrate=True).close()
    except NotStartedError as error:
        raise Refusal(str(error)) from None
    signal.signal(signal.SIGTERM, _leave)
    greeting = _greeting(settings, host, listener)
    if processes == 1:
        server = _server(settings, greeting)
        with listener:
            _run(server, listener)
        return
    _check_capacity(settings, processes)
    with listener, ApiProcesses(settings, listener, processes) as served:
        served.wait()
        _greet(settings, [*greeting, f"{processes} processes answer there"])
        while True:
            signal.pause()


def _check_shared_store(settings: Settings) -> None:
    postgres = settings.effective_database_url.startswith("postgres")
    if not (postgres and settings.counts_in_redis):
        raise Refusal(
            "processes_need_shared_store: several API processes keep jobs and counts together in"
            f" PostgreSQL and Redis. Set {PREFIX}DATABASE_URL=postgresql://user@host/name and"
            f" {PREFIX}REDIS_URL=redis://host:6379/0, or leave --processes out"
        )


def _check_capacity(settings: Settings, processes: int) -> None:
    try:
        capacity_of(share_of(settings, processes))
    except TooManyConnectionsError as error:
        raise Refusal(str(error)) from None


def _server(settings: Settings, greeting: list[str]) -> GuardedServer:
    try:
        return GuardedServer(settings, greet=partial(_greet, settings, greeting))
    except TooManyConnectionsError as error:
        raise Refusal(str(error)) from None


def _greet(settings: Settings, greeting: list[str]) -> None:
    if not settings.log_json:
        complain(greeting)
        return
    for line in greeting:
        log.info("listening", said=line)


def _greeting(settings: Settings, host: str, listener: socket.socket) -> list[str]:
    url = _url(host, listener.getsockname()[1])
    where = f"open it in a browser; {url}/docs" if settings.pages else f"{url}/docs"
    greeting = [f"steadygrid listens on {url} ({where} is the API's reference); Ctrl-C stops it"]
    if AuthMethod.OFF in settings.auth_methods and settings.insecure:
        greeting.append(
            "warning: every client that reaches this address may use it and read every job"
        )
    elif AuthMethod.OFF in settings.auth_methods and host not in _LOOPBACK:
        greeting.append(
            f"warning: other machines are refused, as no key is asked for; {PREFIX}AUTH=keys"
            " and `steadygrid keys create` let them in"
        )
    return greeting


def _run(server: GuardedServer, listener: socket.socket) -> None:
    try:
        server.serve_on(listener)
    except SystemExit as error:
        if not error.code:
            raise  # the SIGTERM that `_leave` answers
    if not server.started:
        raise Refusal("the service could not start. The log above says why", 1)


def listen(host: str, port: int) -> socket.socket:
    """Take an address; port 0 is any free one.

    Parameters
    ----------
    host
        Address to listen on.
    port
        0 is any free one.

    Raises
    ------
    Refusal
        It is taken, not allowed, or not one of this machine's.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family, backlog=2048)
        # Connections inherit it; without it every answer waits 40 ms for an acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except (OSError, UnicodeError) as error:
        place = f"{shown(host)}, port {port}"
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise Refusal(f"{place} is taken already: give another port with --port") from None
        if number == errno.EACCES:
            raise Refusal(f"{place} needs more rights. Ports from 1024 on do not") from None
        reason = getattr(error, "strerror", None) or str(error)
        raise Refusal(f"cannot listen on {place}: {reason}") from None


def check_for_work(settings: Settings) -> None:
    """Look whether a production worker could work; wait for a database that is not there yet.

    SIGTERM ends the waiting, and with it the process.

    Raises
    ------
    Refusal
        The database cannot be used however long it is waited for, or no solver process can start.
    """
    _check(settings, try_solver, _wait_for_database)


def check_for_sending(settings: Settings) -> None:
    """Wait for a database that is not there yet, as `check_for_work`.

    Raises
    ------
    Refusal
        The database cannot be used however long it is waited for.
    """
    _check(settings, _wait_for_database)


def _check(settings: Settings, *looks: Callable[[Settings], None]) -> None:
    configure_logging(settings)
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        for look in looks:
            look(settings)
    except (NotStartedError, UnfitSolverError) as error:
        raise Refusal(str(error)) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _wait_for_database(settings: Settings) -> None:
    began, pause = time.monotonic(), 0.0
    while True:
        try:
            open_database(settings, migrate=False).close()
        except NotYetError as error:
            pause = min(2 * pause or FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
            log.warning("waiting_for_database", cause=str(error), seconds=pause)
            time.sleep(pause)
        else:
            break
    if pause:
        log.warning("database_is_there", seconds=round(time.monotonic() - began, 1))


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)


def settings_for(settings: Settings, data_dir: Path | None) -> Settings:
    """Put the data elsewhere, if asked; refuse a broker, which `serve` has no use for.

    Parameters
    ----------
    settings
        Of the service.
    data_dir
        Where the data are to be. None: where the settings say.

    Raises
    ------
    Refusal
        A broker is configured: that is a production worker's setting.
    """
    if settings.redis_url is not None:
        raise Refusal(
            "STEADYGRID_REDIS_URL is set, but `serve` works without a broker: unset it, or run"
            " `steadygrid worker` and `steadygrid api`"
        )
    return settings if data_dir is None else settings.model_copy(update={"data_dir": data_dir})
