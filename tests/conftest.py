"""What every test shares: how Hypothesis draws, and where real services are."""

import os
import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
import structlog
from hypothesis import HealthCheck, settings
from sqlalchemy import create_engine, make_url, text

from steadygrid import solving
from tests import every_answer

# Children look for modules where they are installed, not in the working folder; the tests give
# them some of their own, such as a pipeline that misbehaves.
_PATHS = (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH"))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, _PATHS))

pytest_plugins = ["tests.slow_cases"]

every_answer.watch()

WHOLE_FOLDERS = ("exact", "master_worker", "verification")
"""Folders of tests of which the coverage sees all."""
WHOLE_FILES = ("validator", "referee")
"""Words in the names of files of which it sees all, too."""

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("STEADYGRID_HYPOTHESIS", "steady"))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run one test more than there are cores: some wait, for processes and for deadlines.

    Each process collects all tests anew, which takes it half a minute.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return cores + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to the coverage the cases that are chosen: it makes those that are drawn twice as long.

    What only a random instance reaches has no test of its own, but where whole files have to be
    covered (see `tests/coverage_gate.py`) it counts.
    """
    for item in items:
        assert isinstance(item, pytest.Function)
        path = item.path
        if path.parent.name in WHOLE_FOLDERS or any(word in path.name for word in WHOLE_FILES):
            continue
        given = item.callspec.params if hasattr(item, "callspec") else {}
        names = getattr(getattr(item.obj, "__code__", None), "co_names", ())
        drawn = hasattr(item.obj, "hypothesis") or "draws" in names
        chosen = all(given.get(name, 0) in (0, 1) for name in ("seed", "start", "number"))
        if drawn or not chosen:
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Let the coverage patch the end of a process once: it does so whenever it goes on.

    And let a test fail whose answers are of no use, even where it has caught that.
    """
    leave = os._exit
    try:
        found = yield
    finally:
        vars(os)["_exit"] = leave
    every_answer.ANSWERS.raise_first()
    return found


@pytest.fixture
def few_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try few programs of collectives: for tests that are about optima, and solve many."""
    from steadygrid.kinds.collective.solver import efforts  # loads the solver

    few = efforts.USUAL._replace(simulated=2_000)
    monkeypatch.setattr(efforts, "USUAL", few)


@pytest.fixture(scope="session", autouse=True)
def _children_hear_ctrl_c() -> None:
    """Give what tests start the default way to hear Ctrl-C, in the background of a script too.

    There the shell has it ignored, and a process inherits that; what is caught it does not. This
    process itself goes on ignoring it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)


@pytest.fixture(autouse=True)
def _every_line_can_be_caught() -> None:
    """Undo what a service of an earlier test has set, which may be to say next to nothing."""
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def _no_solver_process_is_kept() -> Iterator[None]:
    """Give each test a solver process of its own: settings of the test before are none of its."""
    yield
    solving.close()


def _named_service(variable: str) -> str:
    url = os.environ.get(variable)
    if not url:
        pytest.skip(f"{variable} names no server")
    return url


@contextmanager
def new_postgres_database() -> Iterator[str]:
    """Give an empty database on the server that STEADYGRID_TEST_POSTGRES names, and drop it."""
    server = make_url(_named_service("STEADYGRID_TEST_POSTGRES"))
    name = f"steadygrid_test_{uuid4().hex}"
    engine = create_engine(
        server.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        yield server.set(database=name).render_as_string(hide_password=False)
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        engine.dispose()


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """Give an empty database of the test's own."""
    with new_postgres_database() as url:
        yield url


@pytest.fixture
def redis_url() -> str:
    """Give the Redis database that STEADYGRID_TEST_REDIS names."""
    return _named_service("STEADYGRID_TEST_REDIS")
