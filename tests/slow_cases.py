"""Which tests are slow: ``make test`` leaves them out, ``make test-slow`` runs them, the gate both.

The gate measures the coverage of some quick tests (`tests.measured_cases`).

``tests/slow.txt`` names them, a function on each line. A run with ``--costs=FOLDER`` writes down
what each case takes of the processors, in seconds, its child processes included. Then

    python -m tests.slow_cases FOLDER

says whether the list is still true, and with ``--write`` writes it anew. What counts is the share
of the whole run, not the seconds: a busy or slow machine takes longer for all of it. Times only
advise; a line that names no test fails.
"""

import argparse
import os
import resource
import sys
from collections.abc import Generator, Iterable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

LIST = Path(__file__).with_name("slow.txt")
UNMEASURED = Path(__file__).with_name("unmeasured.txt")
"""Names those that take long and reach nothing that others do not (`tests.measured_cases`)."""
WRITTEN = Fraction(1, 5_000)
"""Share of all processor time that a case may take on average, before ``--write`` lists its function."""
SLOW = Fraction(1, 2_000)
"""Share from which a function has to be listed: higher, since no two runs are alike."""
QUICK = Fraction(1, 100_000)
"""Share below which a function must not be listed."""
ALL_QUICK = Fraction(1, 2)
"""Share that all functions which are not listed may take together."""


class Cost(NamedTuple):
    """What the cases of a test function take."""

    seconds: Fraction
    """Of the processors, all cases together."""
    cases: int

    @property
    def mean(self) -> Fraction:
        """What a case takes on average."""
        return self.seconds / self.cases


def function_of(case: str) -> str:
    """Give the node id of a test without its parameters."""
    return case.partition("[")[0]


def listed(place: Path = LIST) -> frozenset[str]:
    """Read a list of test functions."""
    return frozenset(place.read_text(encoding="utf-8").split())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--costs``."""
    parser.addoption(
        "--costs", metavar="FOLDER", help="write what each case takes of the processors here"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases of listed functions."""
    slow = listed()
    for item in items:
        if function_of(item.nodeid) in slow:
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down what a case takes, fixtures included."""
    folder = item.config.getoption("--costs")
    before = processor_seconds()
    done = yield
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with (Path(folder) / f"{os.getpid()}.tsv").open("a", encoding="utf-8") as file:
            file.write(f"{processor_seconds() - before:.3f}\t{item.nodeid}\n")
    return done


def processor_seconds() -> float:
    """Give what this process and its children that have ended took of the processors."""
    own, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def read_costs(folder: Path) -> dict[str, Cost]:
    """Give what each test function takes.

    Raises
    ------
    SystemExit
        Nothing was written there.
    """
    found: dict[str, Cost] = {}
    for path in sorted(folder.glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            seconds, _, case = line.partition("\t")
            before = found.get(function_of(case), Cost(Fraction(0), 0))
            found[function_of(case)] = Cost(before.seconds + Fraction(seconds), before.cases + 1)
    if not found:
        raise SystemExit(f"no costs are in {folder}: run pytest with --costs={folder}")
    return found


def strangers(costs: dict[str, Cost], names: Iterable[str]) -> list[str]:
    """Say which names on the list are no test that ran.

    Parameters
    ----------
    costs
        By test function, of a run of all tests.
    names
        The functions that are listed.
    """
    return [
        f"{name} is no test that ran: strike it out" for name in sorted(set(names) - costs.keys())
    ]


def advice(costs: dict[str, Cost], names: Iterable[str]) -> list[str]:
    """Say where the list does not fit what tests took.

    Parameters
    ----------
    costs
        By test function, of a run of all tests.
    names
        The functions that are listed.

    Returns
    -------
    list of str
        Sentences, each with what to do; empty where the list fits.
    """
    slow, total = frozenset(names), sum((cost.seconds for cost in costs.values()), Fraction(0))
    said = []
    for name, cost in sorted(costs.items(), key=lambda item: -item[1].mean):
        told = f"a case of {name} takes {float(100_000 * cost.mean / total):.1f} of 100,000 parts of the run"
        if name in slow and cost.mean < QUICK * total:
            said.append(f"{told}: strike it out")
        elif name not in slow and cost.mean > SLOW * total:
            said.append(f"{told}: make it quicker, or list it")
    quick = sum((cost.seconds for name, cost in costs.items() if name not in slow), Fraction(0))
    if quick > ALL_QUICK * total:
        share = float(100 * quick / total)
        said.append(f"what is not listed takes {share:.0f} % of the run: make tests quicker")
    return said


def slowest(costs: dict[str, Cost], names: Iterable[str]) -> list[str]:
    """Give the list as it should be; what is listed and between both limits stays.

    Parameters
    ----------
    costs
        By test function, of a run of all tests.
    names
        The functions that are listed.
    """
    kept, total = frozenset(names), sum((cost.seconds for cost in costs.values()), Fraction(0))
    return sorted(
        name
        for name, cost in costs.items()
        if cost.mean > WRITTEN * total or (name in kept and cost.mean >= QUICK * total)
    )


def main() -> int:
    """Compare the list with a run, or write it anew, and give the exit code."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true", help="write the list anew")
    arguments = parser.parse_args()
    costs = read_costs(arguments.folder)
    if arguments.write:
        LIST.write_text("".join(f"{name}\n" for name in slowest(costs, listed())), encoding="utf-8")
    wrong = strangers(costs, listed() | listed(UNMEASURED))
    for line in (*wrong, *advice(costs, listed())):
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
