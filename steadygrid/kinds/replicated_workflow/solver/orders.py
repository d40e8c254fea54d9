"""Orders of service and lags: the shortest period of a mapping among those that are tried.

With lags that are large enough an operation never waits for its input: that is there long before. What
is left of the recurrence of `model` is (2): a period depends on the order of the files that leave each
stage, and on lags modulo the numbers of copies. So these are tried, without (1), and then lags are found
that keep the shortest period. A multiple of the modulus of an operation more leaves (2) as it was.

Which orders are tried does not depend on how files are listed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice, permutations, product
from math import factorial, prod
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.slots import FileName
from steadygrid.kinds.replicated_workflow.limits import MOST_ORDERS, MOST_SEARCHED_NODES
from steadygrid.kinds.replicated_workflow.schemas import ReplicatedWorkflowInstance
from steadygrid.kinds.replicated_workflow.solver.evaluation import (
    Evaluation,
    evaluate,
    num_nodes,
)
from steadygrid.kinds.replicated_workflow.solver.model import Service, Workflow
from steadygrid.kinds.replicated_workflow.solver.starts import Starts

Heartbeat = Callable[[], None]


def by_name(instance: ReplicatedWorkflowInstance) -> ReplicatedWorkflowInstance:
    """List the files by their names, so that their order in the question changes nothing.

    Parameters
    ----------
    instance
        Without faults.
    """
    application = instance.application
    files = tuple(sorted(application.files, key=lambda file: (file.source, file.target)))
    members = {name: getattr(instance, name) for name in type(instance).model_fields}
    members["application"] = application.model_copy(update={"files": files})
    return ReplicatedWorkflowInstance.model_construct(**members)


class Found(NamedTuple):
    """The shortest period of a mapping, and what keeps it.

    Attributes
    ----------
    period
        In units of ``1 / scale``. None where none is proved in the order of names without lags.
    evaluation
        Of that order.
    service
        Orders, and lags modulo the numbers of copies, of a shorter period. None where none is known.
    """

    period: Fraction | None
    evaluation: Evaluation
    service: Service | None


class _Orders:
    """Orders of the files of each stage, and lags by operation, as far as they matter."""

    def __init__(self, workflow: Workflow) -> None:
        self._workflow = workflow
        self.leaving: dict[int, tuple[FileName, ...]] = {}
        for operation in workflow.operations:
            if isinstance(operation.name, tuple):
                k = operation.stages[0]
                self.leaving[k] = (*self.leaving.get(k, ()), operation.name)
        shared = {o for q in workflow.queues if len(q.operations) > 1 for o in q.operations}
        first = set[int]()
        self.moduli: dict[str | FileName, int] = {}
        for o in sorted(shared):
            operation = workflow.operations[o]
            part = workflow.components[operation.stages[0]]
            # All operations of a part may lag by one more at no cost: the first never does.
            if operation.modulus > 1 and part in first:
                self.moduli[operation.name] = operation.modulus
            first.add(part)

    def service(
        self, order: Mapping[int, Sequence[FileName]], lags: Mapping[str | FileName, int]
    ) -> Service:
        """Write an order of the files of each stage, with lags, as a service."""
        names: list[str | FileName] = []
        for k, stage in enumerate(self._workflow.stages):
            names += [stage.name, *order.get(k, ())]
        return {name: lags.get(name, 0) for name in names}

    def list_few_orders(self) -> Iterator[Service] | None:
        """Give all orders with all lags. None if there are too many."""
        number = prod(factorial(min(len(files), 20)) for files in self.leaving.values())
        if number * prod(self.moduli.values()) > MOST_ORDERS:
            return None
        return (
            self.service(
                dict(zip(self.leaving, order, strict=True)),
                dict(zip(self.moduli, lags, strict=True)),
            )
            for order in product(*map(permutations, self.leaving.values()))
            for lags in product(*map(range, self.moduli.values()))
        )

    def near(self, service: Service) -> Iterator[Service]:
        """Give other orders of one stage, and another lag of one operation."""
        order: dict[int, list[FileName]] = {k: [] for k in self.leaving}
        stage = {name: k for k, files in self.leaving.items() for name in files}
        for name in service:
            if isinstance(name, tuple):
                order[stage[name]].append(name)
        for k, files in order.items():
            for other in _orders_near(files):
                yield self.service(order | {k: other}, service)
        for name, modulus in self.moduli.items():
            for lag in range(modulus):
                if lag != service[name]:
                    yield self.service(order, {**service, name: lag})


def _orders_near(files: Sequence[FileName]) -> Iterator[Sequence[FileName]]:
    """Give all orders of few files, and of many those in which two have changed places."""
    if factorial(min(len(files), 20)) <= MOST_ORDERS:
        yield from islice(permutations(files), 1, None)
        return
    for i in range(len(files) - 1):
        yield [*files[:i], files[i + 1], files[i], *files[i + 2 :]]


def search_orders(workflow: Workflow, heartbeat: Heartbeat) -> Found:
    """Find the shortest period over the orders and lags that are tried.

    All orders of the files that leave the stages with all lags modulo the numbers of copies, where
    there are at most `MOST_ORDERS`. Else one stage, or one operation, after the other is changed while
    that helps, up to so many times. No period is shorter than what a resource has to do, so the search ends
    where that is met.

    Parameters
    ----------
    workflow
        A mapping, its files by their names, without lags.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    evaluation = Evaluation()
    evaluate(workflow, evaluation, heartbeat)
    best = evaluation.period if evaluation.exact else None
    orders = _Orders(workflow)
    if best is None or best == workflow.mct:
        return Found(best, evaluation, None)
    service: Service | None = None
    start = workflow.service
    listed = orders.list_few_orders()
    tried = 0
    while True:
        improved = False
        near = orders.near(start) if listed is None else listed
        for one in chain([start] if not tried and listed is None else [], near):
            heartbeat()
            tried += 1
            if listed is None and tried > MOST_ORDERS:
                break
            period = _period_of_resources(workflow, one, heartbeat)
            if period is not None and period < best:
                best, service, start, improved = period, one, one, True
                if best == workflow.mct:
                    return Found(best, evaluation, service)
        if listed is not None or not improved or tried > MOST_ORDERS:
            return Found(best, evaluation, service)


def _period_of_resources(
    workflow: Workflow, service: Service, heartbeat: Heartbeat
) -> Fraction | None:
    """Give the period where operations wait for resources alone. None if it is not proved."""
    found = _of_resources(workflow, service, heartbeat)
    return found.period if found.exact else None


def _of_resources(workflow: Workflow, service: Service, heartbeat: Heartbeat) -> Evaluation:
    changed = workflow.in_order(service, waits_for_input=False)
    found = Evaluation()
    if num_nodes(changed, changed.moduli) <= MOST_SEARCHED_NODES:
        evaluate(changed, found, heartbeat)
    return found


def with_lags(workflow: Workflow, service: Service, heartbeat: Heartbeat) -> Workflow:
    """Find lags with which a period is kept although operations wait for their input.

    From the schedule of the resources alone: an operation that starts before its input is there is
    done for an earlier data set. Then lags are made smaller one by one, as long as the period stays.
    Where time is over they remain as they are.

    Parameters
    ----------
    workflow
        A mapping, its files by their names, without lags.
    service
        Orders, and lags modulo the numbers of copies.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    found = _of_resources(workflow, service, heartbeat)
    assert found.starts is not None
    lags = _large_lags(workflow.in_order(service), found.starts)
    kept = workflow.in_order(lags)
    try:
        if _keeps(workflow, service, found.starts.period, heartbeat):
            return workflow.in_order(service)
        for name, lag in lags.items():
            step = workflow.moduli[workflow.position[name]]
            for smaller in range(lag - step, service[name] - 1, -step):
                trial = {**lags, name: smaller}
                if not _keeps(workflow, trial, found.starts.period, heartbeat):
                    break
                lags, kept = trial, workflow.in_order(trial)
    except OutOfTime:
        pass
    return kept


def _keeps(workflow: Workflow, service: Service, period: Fraction, heartbeat: Heartbeat) -> bool:
    """Tell whether a period is proved where operations wait for their input, too."""
    changed = workflow.in_order(service)
    if not changed.advances:
        return False
    found = Evaluation()
    evaluate(changed, found, heartbeat)
    return found.exact and found.period == period


def _large_lags(workflow: Workflow, starts: Starts) -> Service:
    """Give lags with which the schedule of the resources has all input in time.

    Strictly before an operation starts, so that no closed walk of operations that wait for each other
    comes back to the same data set.
    """
    step = starts.period.numerator * (starts.unit // starts.period.denominator)
    shared = {o for q in workflow.queues if len(q.operations) > 1 for o in q.operations}
    computed: dict[int, int] = {}
    received: dict[int, int] = {}
    lags: dict[str | FileName, int] = {}
    for o, operation in enumerate(workflow.operations):
        potentials, modulus = starts.potentials[o], operation.modulus
        due = (computed if operation.is_file else received).get(operation.stages[0])
        later = 0
        if due is not None and min(potentials) <= due:
            later = -(-((due - min(potentials)) // step + 1) // modulus) * modulus
        end = later * step + max(
            start + starts.unit * operation.times[n % modulus] for n, start in enumerate(potentials)
        )
        if operation.is_file:
            receiver = operation.stages[1]
            received[receiver] = max(end, received.get(receiver, end))
        else:
            computed[operation.stages[0]] = end
        # An operation alone on its resource has one order of service, with any lag.
        lags[operation.name] = workflow.lags[o] + later if o in shared else 0
    return lags
