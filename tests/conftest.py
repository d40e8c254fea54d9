"""What every test shares: how Hypothesis draws, and where real services are."""

import gc
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

pytest_plugins = ["tests.slow_cases", "tests.measured_cases"]

every_answer.watch()

settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("STEADYGRID_HYPOTHESIS", "steady"))


def pytest_configure() -> None:
    """Collect no garbage while all tests are collected: nothing of that is any."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage from now on, seldom, and never among what was there before the first test.

    Exact numbers and syntax trees are many small objects: otherwise they make Python look through
    all modules and all tests again and again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run two tests more than there are cores: many wait, for processes and for deadlines.

    Each process collects all tests anew, which takes it a quarter of a minute.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return cores + 2


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    """Let a test fail whose answers are of no use, even where it has caught that."""
    found = yield
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
