"""Which cases the gate measures the coverage of: measuring doubles their time.

They have the mark ``measured``. While any other case runs, coverage stands still. What is measured is
quick (`tests.slow_cases`) and chosen. Drawn cases, and all but the first few of a function's parameters,
count only where whole files have to be covered (`tests/coverage_gate.py`): what only they reach has
no test of its own. Functions in ``tests/unmeasured.txt`` take long and reach nothing that others do
not.
"""

import os
import sys
import threading
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

import pytest

from tests.slow_cases import UNMEASURED, function_of, listed

LEFT_OUT = ("architecture", "browser")
"""Folders of tests that run nothing of the source themselves."""
WHOLE_FOLDERS = ("exact", "master_worker", "verification")
"""Folders of tests of which the coverage sees all."""
WHOLE_FILES = ("checks", "faults", "referee", "twins", "validator")
"""Words in the names of files of which it sees all, too."""
_MOST_CASES = 5
"""Cases of a function that are measured where it has more parameters."""
_FIRST = "gw0"
"""The process of tests that pytest-xdist starts first."""
_OF_CHILDREN = "COVERAGE_PROCESS_CONFIG"
"""The variable by which child processes know that they are measured."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is measured."""
    for item in measured_ones(items):
        item.add_marker(pytest.mark.measured)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: Any) -> Generator[None, object, object]:
    """Measure what is loaded by collecting the tests in one process: all of them load the same."""
    worker = getattr(session.config, "workerinput", {"workerid": _FIRST})["workerid"]
    if worker == _FIRST:
        return (yield)
    with paused():
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let coverage stand still while a case runs that is not measured."""
    if item.get_closest_marker("measured") is not None:
        return (yield)
    trace = sys.gettrace()
    with paused(), loading_traced(trace):
        return (yield)


@contextmanager
def loading_traced(trace: Any) -> Iterator[None]:
    """Trace what loads a module: a module is loaded once, and no later case would show its lines."""
    kind: Any = SourceFileLoader
    load = kind.exec_module

    def load_traced(loader: SourceFileLoader, module: ModuleType) -> None:
        before = sys.gettrace()
        sys.settrace(before or trace)
        try:
            load(loader, module)
        finally:
            sys.settrace(before)

    kind.exec_module = load_traced
    try:
        yield
    finally:
        kind.exec_module = load


@contextmanager
def paused() -> Iterator[None]:
    """Trace nothing, in this process and in those that it starts.

    `Coverage.stop` and `Coverage.start` would wrap ``os._exit`` once more each time.
    """
    trace, of_threads = sys.gettrace(), threading.gettrace()
    children = os.environ.pop(_OF_CHILDREN, None)
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        threading.settrace(of_threads)
        sys.settrace(trace)
        if children is not None:
            os.environ[_OF_CHILDREN] = children


def measured_ones(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Give those cases whose coverage is measured."""
    left_out = listed(UNMEASURED)
    before: Counter[str] = Counter()
    for item in items:
        assert isinstance(item, pytest.Function)
        marked = any(item.get_closest_marker(name) for name in ("slow", "unmeasured"))
        function = function_of(item.nodeid)
        if marked or function in left_out or item.path.parent.name in LEFT_OUT:
            continue
        if sees_all(item) or not (before[function] >= _MOST_CASES or is_drawn(item)):
            yield item
        before[function] += 1


def sees_all(item: pytest.Item) -> bool:
    """Tell whether each case counts."""
    path = item.path
    return path.parent.name in WHOLE_FOLDERS or any(word in path.name for word in WHOLE_FILES)


def is_drawn(item: pytest.Function) -> bool:
    """Tell whether a case draws what it examines."""
    names = getattr(getattr(item.obj, "__code__", None), "co_names", ())
    return hasattr(item.obj, "hypothesis") or "draws" in names
