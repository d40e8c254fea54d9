"""The state of a workflow before data set 0: one turn of all rows is played from it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from steadygrid.kinds.replicated_workflow.limits import MOST_TURN_OPERATIONS
from steadygrid.kinds.replicated_workflow.referee_view import Workflow
from steadygrid.verification.exact import common_denominator, show
from steadygrid.verification.findings import Findings

_AT = ("result", "certificate", "state")


def check_state(
    workflow: Workflow,
    period: Fraction,
    state: Mapping[str, Fraction],
    findings: Findings,
    *,
    proves_bound: bool,
) -> None:
    """Check that a state repeats: one turn of all rows later everything is free so much later.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    period
        Time per data set.
    state
        By resource, when it is free before a turn of all rows.
    findings
        Collects the faults that are found.
    proves_bound
        Whether it shall prove that no schedule is faster.

    Notes
    -----
    Rules, in this order:

    == ======================================================================== =================
    1  it is one of an order of service without lags                            `wrong_lag`
    2  the state names every resource that an operation uses, and no other      `wrong_resources`
    3  a turn is short enough to be played                                      `too_long`
    4  after it no resource is free more than ``rows * period`` later           `not_repeating`
    5  where the state shall prove that no schedule is faster, all resources of `not_repeating`
       some part are free exactly so much later
    == ======================================================================== =================

    Rule 5: a part of processors that send nothing to others.

    When all resources are free is a function of when they were one turn before: it never falls where
    they are free later, and moves with them. So the first inequality says that earliest starts need no
    more than `period` per data set for ever, and equality on a part that nothing else enters that they
    need no less.
    """
    if any(workflow.lags.values()):
        findings.add(_AT, "wrong_lag", "Turns are played in an order of service without lags.")
        return
    parts = _parts(workflow)
    if state.keys() != parts.resources.keys():
        odd = min(state.keys() ^ parts.resources.keys())
        findings.add(_AT, "wrong_resources", f"{odd!r} is in the state, or used, but not both.")
        return
    if workflow.rows * len(workflow.operations) > MOST_TURN_OPERATIONS:
        findings.add(_AT, "too_long", "A turn of all rows is too long to be played.")
        return
    turn = workflow.rows * period
    after = played(workflow, state)
    moved = {name: after[name] - state[name] for name in after}
    late = next((name for name, time in moved.items() if time > turn), None)
    if late is not None:
        findings.add(
            _AT,
            "not_repeating",
            f"After all rows {late!r} is free {show(moved[late])} later, and not after {show(turn)}.",
        )
    elif proves_bound and not any(
        all(moved[name] == turn for name in names) for names in parts.groups()
    ):
        findings.add(
            _AT,
            "not_repeating",
            f"No part of the processors is free exactly {show(turn)} later after all rows: this does"
            " not prove that nothing is faster.",
        )


def resources_of(workflow: Workflow) -> list[str]:
    """Name every resource that an operation uses."""
    return list(_parts(workflow).resources)


def _parts(workflow: Workflow) -> "_Parts":
    parts = _Parts()
    for o, operation in enumerate(workflow.operations):
        for n in range(operation.modulus):
            parts.join(workflow.place(o, n), workflow.resources(o, n))
    return parts


class _Parts:
    """Processors that files join, and the resources of each part."""

    def __init__(self) -> None:
        self.resources: dict[str, str] = {}
        """The processor of each."""
        self._leader: dict[str, str] = {}

    def join(self, place: str | tuple[str, str], resources: tuple[str, ...]) -> None:
        """Note the place of an operation and what it keeps busy."""
        names = place if isinstance(place, tuple) else (place,)
        for name in names:
            self._leader.setdefault(name, name)
        for name, resource in zip(names, resources, strict=True):
            self.resources[resource] = name
        self._leader[self._lead(names[-1])] = self._lead(names[0])

    def _lead(self, name: str) -> str:
        while self._leader[name] != name:
            self._leader[name] = name = self._leader[self._leader[name]]
        return name

    def groups(self) -> Iterator[list[str]]:
        """List the resources of each part."""
        found: dict[str, list[str]] = {}
        for resource, name in self.resources.items():
            found.setdefault(self._lead(name), []).append(resource)
        yield from found.values()


def played(workflow: Workflow, state: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Play all rows from a state, each operation as early as it can; give the state after them.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    state
        By resource, when it is free.

    Returns
    -------
    dict
        By resource, when it is free after a turn of all rows.
    """
    operations = workflow.operations
    times = [workflow.times(o) for o in range(len(operations))]
    scale = common_denominator([*state.values(), *(time for row in times for time in row)])
    resources = {name: i for i, name in enumerate(state)}
    free = [_scaled(time, scale) for time in state.values()]
    scaled = [[_scaled(time, scale) for time in row] for row in times]
    held = [
        [
            tuple(resources[name] for name in workflow.resources(o, n))
            for n in range(operation.modulus)
        ]
        for o, operation in enumerate(operations)
    ]
    done: list[int | Fraction] = [0] * len(workflow.stages)
    """When what a stage computes, or has to wait for, is there."""
    plan = [
        (operation.modulus, operation.stage, operation.receiver, scaled[o], held[o])
        for o, operation in enumerate(operations)
    ]
    least = min(free)
    for n in range(workflow.rows):
        done = [least] * len(done)
        for modulus, stage, receiver, taken, kept in plan:
            residue = n % modulus
            start = done[stage]
            for resource in kept[residue]:
                start = max(start, free[resource])
            end = start + taken[residue]
            for resource in kept[residue]:
                free[resource] = end
            if receiver is None:
                done[stage] = end
            elif end > done[receiver]:
                done[receiver] = end
    return {name: Fraction(free[i]) / scale for name, i in resources.items()}


def _scaled(value: Fraction, scale: int) -> int | Fraction:
    whole, rest = divmod(scale, value.denominator)
    return value.numerator * whole if not rest else value * scale
