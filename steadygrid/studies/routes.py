"""The routes of an instance, written down: so that other speeds do not change the routes of files.

With ``routing: fixed``, files between two processors for which no route is given take the path of least
total time, and other bandwidths make another path the one of least time. Who asks what other speeds
would do, or do with a plan that is made, means the routes that the files take now.
"""

from collections.abc import Collection, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from steadygrid.domain.components import Parts
from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Link, Platform, Route
from steadygrid.submissions.submission import Submission
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes


class Pinned(NamedTuple):
    """A submission of the same value, whose routes do not depend on speeds, and what was done to it."""

    submission: Submission
    notes: tuple[str, ...]


def pinned(submission: Submission, limits: Limits | None = None) -> Pinned:
    """Write the routes that files take into an instance, where its routing is fixed.

    Every pair of processors between which a file may travel gets its route, unless it has one or there
    is only one route. Other instances stay as they are.

    Parameters
    ----------
    submission
        Without faults.
    limits
        How many routes a platform may have: `Limits.max_links`.

    Raises
    ------
    LimitError
        If that takes more routes.

    Notes
    -----
    Interchangeable processors stay so: between two of the same neighbour there is only one route.
    """
    instance = submission.instance
    if getattr(instance, "routing", None) != "fixed":
        return Pinned(submission, ())
    platform: Platform = instance.platform
    most = (limits or Limits()).max_links
    more = tuple(islice(_missing(instance), most - len(platform.routes) + 1))
    if not more:
        return Pinned(submission, ())
    if len(platform.routes) + len(more) > most:
        detail = (
            f"the routes that files take now are more than the {most:,} that a platform may have:"
            ' they cannot be kept while speeds change: ask "routing": "free", or give the routes'
        )
        at = ("problem", "platform", "routes")
        raise LimitError(detail, [Fault(at, "limit_exceeded", detail)])
    routes = (*platform.routes, *more)
    changed = platform.model_copy(update={"routes": routes})
    kept = Submission(
        submission.problem,
        instance.model_copy(update={"platform": changed}),
        submission.options,
        submission.labels,
        submission.name,
        submission.priority,
    )
    many = (
        "1 route that files take is"
        if len(more) == 1
        else f"{len(more):,} routes that files take are"
    )
    return Pinned(
        kept, (f"{many} written into the instance: with other speeds they stay as they are",)
    )


class DefaultPaths:
    """The routes that files take by default, and those of them that faster links would change.

    Parameters
    ----------
    submission
        Without faults.
    limits
        How many routes a platform may have: `Limits.max_links`.
    """

    def __init__(self, submission: Submission, limits: Limits | None = None) -> None:
        self._submission = submission
        self._limits = limits
        self._fixed = getattr(submission.instance, "routing", None) == "fixed"
        self._platform: Platform = submission.instance.platform

    def changed_by(self, links: Collection[int], factor: Fraction) -> tuple[Route, ...]:
        """List the current routes that would not be taken if links were so many times faster.

        Parameters
        ----------
        links
            Positions in the platform.

        Raises
        ------
        LimitError
            If there are too many routes to look at. See `pinned`. Not for links that all routes
            between two processors have in common.
        """
        if not self._fixed or all(self._is_in_tree(i) for i in links) or not self._default:
            return ()
        faster = tuple(
            _faster(link, factor) if i in links else link
            for i, link in enumerate(self._platform.links)
        )
        changed = self._platform.model_copy(update={"links": faster})
        fixed = FixedRoutes(read_network(changed, "multiport"), self._platform.routes)
        return tuple(
            route
            for route in self._default
            if fixed.path(route.source, route.target) != (route.source, *route.via, route.target)
        )

    def _is_in_tree(self, i: int) -> bool:
        link = self._platform.links[i]
        return self._trees.root(link.source) == self._trees.root(link.target)

    @cached_property
    def _trees(self) -> Parts[str]:
        return _trees(self._platform)

    @cached_property
    def _default(self) -> tuple[Route, ...]:
        routes = pinned(self._submission, self._limits).submission.instance.platform.routes
        return tuple(routes[len(self._platform.routes) :])


def _faster(link: Link, factor: Fraction) -> Link:
    if link.unit_time is not None:
        return link.model_copy(update={"unit_time": link.unit_time / factor})
    if link.bandwidth is None:
        raise ValueError(f"the link from {link.source!r} to {link.target!r} has no speed")
    return link.model_copy(update={"bandwidth": link.bandwidth * factor})


def _missing(instance: Any) -> Iterator[Route]:
    platform: Platform = instance.platform
    fixed = FixedRoutes(read_network(platform, "multiport"), platform.routes)
    trees = _trees(platform)
    ends = _ends(instance)
    for source in ends:
        for target in ends:
            if trees.root(source) == trees.root(target) or (source, target) in fixed.given:
                continue
            points = fixed.path(source, target)
            if points is not None:
                yield Route(source=source, target=target, via=points[1:-1])


def _ends(instance: Any) -> list[str]:
    """List the processors from which files may set out, or where they may be wanted."""
    platform: Platform = instance.platform
    if getattr(instance, "duplication", None) == "tasks_and_files":
        return list(platform.index_by_id)
    tasks = [instance.task] if hasattr(instance, "task") else instance.application.tasks
    named = {name for task in tasks for name in task.times or ()}
    named.add(getattr(instance, "master", ""))
    return [p.id for p in platform.processors if p.id in named or p.time_per_work is not None]


def _trees(platform: Platform) -> Parts[str]:
    """Join the processors of each tree that hangs on the rest by one of its own.

    Between two of one tree there is one path at most, for all directions of its links.
    """
    around: dict[str, set[str]] = {processor.id: set() for processor in platform.processors}
    for link in platform.links:
        around[link.source].add(link.target)
        around[link.target].add(link.source)
    trees = Parts[str]()
    leaves = [name for name, others in around.items() if len(others) == 1]
    while leaves:
        leaf = leaves.pop()
        for other in around[leaf]:
            trees.join(leaf, other)
            around[other].discard(leaf)
            if len(around[other]) == 1:
                leaves.append(other)
        around[leaf].clear()
    return trees
