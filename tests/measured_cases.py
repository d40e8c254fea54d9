"""Which cases the gate measures the coverage of: measuring doubles their time.

``--part=measured`` runs these alone, ``--part=others`` all others, without it all run. What is
measured is quick (`tests.slow_cases`) and chosen. A case that is drawn counts only where whole files
have to be covered (`tests/coverage_gate.py`): what only that reaches has no test of its own.
"""

from collections.abc import Iterator

import pytest

LEFT_OUT = ("architecture", "browser")
"""Folders of tests that run nothing of the source themselves."""
WHOLE_FOLDERS = ("exact", "master_worker", "verification")
"""Folders of tests of which the coverage sees all."""
WHOLE_FILES = ("validator", "referee")
"""Words in the names of files of which it sees all, too."""
DRAWN_BY = ("seed", "start", "number")
"""Parameters that draw an instance; of each the first two are measured."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--part``."""
    parser.addoption(
        "--part",
        choices=["measured", "others"],
        help="run what is measured for coverage, or the rest",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the part that is asked for."""
    part = config.getoption("--part")
    if part is None:
        return
    measured = list(measured_ones(items))
    among = set(measured)
    others = [item for item in items if item not in among]
    kept, left = (measured, others) if part == "measured" else (others, measured)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def measured_ones(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Give those cases whose coverage is measured."""
    for item in items:
        assert isinstance(item, pytest.Function)
        marked = any(item.get_closest_marker(name) for name in ("slow", "unmeasured"))
        if marked or item.path.parent.name in LEFT_OUT:
            continue
        if sees_all(item) or not is_drawn(item):
            yield item


def sees_all(item: pytest.Item) -> bool:
    """Tell whether each case counts."""
    path = item.path
    return path.parent.name in WHOLE_FOLDERS or any(word in path.name for word in WHOLE_FILES)


def is_drawn(item: pytest.Function) -> bool:
    """Tell whether a case is random, and not one of the first two."""
    names = getattr(getattr(item.obj, "__code__", None), "co_names", ())
    given = item.callspec.params if hasattr(item, "callspec") else {}
    later = any(given.get(name, 0) not in (0, 1) for name in DRAWN_BY)
    return hasattr(item.obj, "hypothesis") or "draws" in names or later
