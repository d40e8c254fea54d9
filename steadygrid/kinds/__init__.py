"""The registry of problem kinds: a kind is imported when it is asked for, and no other with it.

Called, ``steadygrid.problems()``, it gives the kinds by name. Each has a ``title``, a
``description``, its ``methods``, its ``sources``, and an ``example`` that can be solved as it is.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from steadygrid.domain.problem import Problem

GROUP = "steadygrid.kinds"
"""Entry points of kinds in other distributions: ``name = "package:PROBLEM"``. The solver of such a
kind is ``SOLVER`` of ``package.solver``, which only the pipeline imports."""
BUILT_IN = (
    "master_worker",
    "task_graph",
    "mono_allocation",
    "collective",
    "divisible_chain",
    "divisible_star",
    "cell",
    "bag_of_tasks",
    "replicated_workflow",
    "dataflow",
    "layer_pipeline",
    "simulation",
)
"""The kinds of this distribution: folders next to this file."""

SOLVES = 14
"""What this version solves: everything that requires no more.

It rises by one with each kind or feature that workers of the version before cannot solve. That kind
or feature requires the new number:

1. Ports of one transfer at a time.
2. Paid latencies, network cards, and collective operations.
3. Divisible loads on stars and trees.
4. Bags of tasks.
5. Replicated workflows.
6. Memory of processors, and intervals of a chain of tasks.
7. Dataflow graphs.
8. Judging mappings and allocations that are given.
9. Jobs of sweeps.
10. Routes that are missing, and processors that stand for several.
11. Runs, and second objectives.
12. Whole chunks, programs and the completion of one operation of `collective`. Pipelines of layers.
13. Places of the channels of dataflow graphs, and orders of service of replicated workflows.
14. Transient jobs, and simulations.
"""
RUNS_SINCE = 11
"""Workers that solve less cannot read a run."""
TRANSIENT_SINCE = 14
"""Workers that solve less do not look where transient jobs wait."""


class UnusableKindError(KeyError):
    """A kind of another distribution cannot be used.

    Attributes
    ----------
    code
        ``ambiguous_kind``: two distributions give it. ``kind_unavailable``: it cannot be imported,
        or it is no kind of this name.
    detail
        A sentence that names the distributions or the reason.
    """

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        self.detail = detail
        super().__init__(detail)


class Registry(Mapping[str, Problem[Any, Any]]):
    """The kinds by name: those of `BUILT_IN`, then those of other distributions.

    What other distributions give is looked for when a name is asked for that is not built in, and
    when all kinds are listed. What of theirs cannot be used is not listed; `unusable` has it. A
    built-in kind cannot be replaced.
    """

    def __init__(self) -> None:
        self._own: dict[str, Problem[Any, Any]] = {}
        self._foreign: dict[str, Problem[Any, Any]] = {}
        self._refused: dict[str, UnusableKindError] = {}
        self._plugged: dict[str, list[EntryPoint]] | None = None

    def package(self, kind: str) -> str:
        """Name the package of a kind. Nothing is imported.

        Raises
        ------
        KeyError
            If there is no such kind; `UnusableKindError` if two distributions give it.
        """
        return f"{__name__}.{kind}" if kind in BUILT_IN else self._point(kind).module

    def __getitem__(self, kind: str) -> Problem[Any, Any]:
        if kind not in BUILT_IN:
            return self._plugged_in(kind)
        if kind not in self._own:
            self._own[kind] = import_module(self.package(kind)).PROBLEM
        return self._own[kind]

    def __contains__(self, kind: object) -> bool:
        return kind in BUILT_IN or (isinstance(kind, str) and self.get(kind) is not None)

    def __iter__(self) -> Iterator[str]:
        yield from BUILT_IN
        yield from (kind for kind in self._plugins() if kind not in BUILT_IN and kind in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def unusable(self) -> Mapping[str, UnusableKindError]:
        """Give the kinds of other distributions that cannot be used, and why."""
        return {kind: trouble for kind in self._plugins() if (trouble := self.trouble(kind))}

    def trouble(self, kind: str) -> UnusableKindError | None:
        """Say why what another distribution gives under a name cannot be used, if it cannot."""
        with suppress(KeyError):
            self._plugged_in(kind)
        return self._refused.get(kind)

    def _plugged_in(self, kind: str) -> Problem[Any, Any]:
        if kind in self._refused:
            raise self._refused[kind]
        if kind not in self._foreign:
            try:
                self._foreign[kind] = _load(kind, self._point(kind))
            except UnusableKindError as error:
                self._refused[kind] = error
                raise
        return self._foreign[kind]

    def _point(self, kind: str) -> EntryPoint:
        points = self._plugins()[kind]
        givers = [*(["steadygrid itself"] if kind in BUILT_IN else []), *map(_giver, points)]
        if len(givers) > 1:
            raise UnusableKindError(
                "ambiguous_kind",
                f"the kind {kind!r} is given by {' and by '.join(givers)}: remove all but one",
            )
        return points[0]

    def _plugins(self) -> dict[str, list[EntryPoint]]:
        if self._plugged is None:
            found: dict[str, list[EntryPoint]] = {}
            for point in entry_points(group=GROUP):
                found.setdefault(point.name, []).append(point)
            self._plugged = dict(sorted(found.items()))
        return self._plugged


def _giver(point: EntryPoint) -> str:
    """Name the distribution of an entry point, and what it gives."""
    return f"{'a package' if point.dist is None else point.dist.name} ({point.value})"


def _load(kind: str, point: EntryPoint) -> Problem[Any, Any]:
    try:
        found = point.load()
    except Exception as error:
        raise _unavailable(kind, point, f"{type(error).__name__}: {error}") from error
    if not isinstance(found, Problem):
        raise _unavailable(kind, point, f"{point.value} is no Problem")
    if found.kind != kind:
        raise _unavailable(kind, point, f"{point.value} is the kind {found.kind!r}")
    return found


def _unavailable(kind: str, point: EntryPoint, reason: str) -> UnusableKindError:
    return UnusableKindError(
        "kind_unavailable", f"the kind {kind!r} of {_giver(point)} cannot be used: {reason}"
    )


PROBLEMS = Registry()


class _Registry(ModuleType):
    """A package that can be called, since a function of its name would hide it."""

    def __call__(self) -> Mapping[str, Problem[Any, Any]]:
        """Give the kinds of problem."""
        return PROBLEMS


sys.modules[__name__].__class__ = _Registry
