"""The least period of all plans: tests, and the least periods of the plans that they find."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.solver.model import Test
from steadygrid.kinds.layer_pipeline.solver.plans import Plan, just_below, least_period, middle
from steadygrid.kinds.layer_pipeline.solver.reaching import first_plan, plan_within, suits

_NEAR = Fraction(1, 256)
"""Of the period: so near to each other, bounds are not halved any more before the last test."""


@dataclass
class Progress:
    """What a search knows so far.

    Attributes
    ----------
    plan, period
        The best plan, and the least period that it can keep. None while there is none.
    bound
        No plan has a shorter period.
    closed
        Whether the plan's period is the least of all.
    impossible
        Whether no plan fits the memory.
    """

    plan: Plan | None = None
    period: Fraction | None = None
    bound: Fraction = Fraction(0)
    closed: bool = False
    impossible: bool = False
    tests: int = 0
    states: int = 0


def search(
    chain: Chain,
    progress: Progress,
    heartbeat: Callable[[], None],
    on_test: Callable[[Progress], None],
) -> None:
    """Find the plan with the least period, exactly.

    Parameters
    ----------
    chain
        The instance in numbers.
    progress
        Filled in as the search goes on.
    heartbeat
        Called now and then; may raise, which ends the search.
    on_test
        Called after each test.

    Notes
    -----
    If some plan keeps a period, it keeps every longer one: its schedule can be stretched. So a test
    halves what is between the bound and the best period known, and each plan that is found brings the
    least period that it can keep. The last test fails, directly below the period of the best plan.
    """
    progress.bound = work_bound(chain)
    if progress.plan is None:
        plan = first_plan(chain, heartbeat)
        if plan is None:
            progress.impossible = True
            return
        _take(chain, progress, plan)
    last = False
    while not progress.closed:
        assert progress.period is not None
        period, bound = progress.period, progress.bound
        if bound >= period:
            progress.closed = True
            _take(chain, progress, _on_few_devices(chain, progress, heartbeat))
            break
        last = not last and period - bound <= _NEAR * period
        asked = just_below(chain, period) if last else middle(chain.unit, bound, period)
        plan = _tested(chain, progress, asked, heartbeat)
        if plan is not None:
            _take(chain, progress, plan)
        elif last:
            progress.closed, progress.bound = True, period
            _take(chain, progress, _on_few_devices(chain, progress, heartbeat))
        else:
            progress.bound = asked
        on_test(progress)


def _on_few_devices(chain: Chain, progress: Progress, heartbeat: Callable[[], None]) -> Plan:
    """Give a plan with the least period that uses few devices."""
    assert progress.plan is not None
    assert progress.period is not None
    plan = _tested(chain, progress, progress.period, heartbeat)
    assert plan is not None
    return plan


def _tested(
    chain: Chain, progress: Progress, period: Fraction, heartbeat: Callable[[], None]
) -> Plan | None:
    """Give a plan that keeps a period, if there is any, and count the test."""
    progress.tests += 1
    if suits(chain, period):
        return plan_within(chain, period, heartbeat)
    test = Test(chain, period, heartbeat)
    plan = test.plan()
    progress.states += test.states
    return plan


def _take(chain: Chain, progress: Progress, plan: Plan) -> None:
    progress.plan, progress.period = plan, least_period(chain, plan)


def work_bound(chain: Chain) -> Fraction:
    r"""Give a period that no plan undercuts, by work alone.

    Notes
    -----
    With any paces :math:`y_k > 0`, all devices do at most :math:`T \sum_k y_k n_k` of work in T, and the
    layers are :math:`\sum_i \min_k y_k t_{ik}`. Here y is the reciprocal of what all layers take.
    """
    device_types = range(chain.num_device_types)
    totals = [chain.load(0, chain.num_layers, device_type) for device_type in device_types]
    paces = [1 / total if total else Fraction(1) for total in totals]
    work = sum(
        (
            min(
                paces[device_type] * chain.load(layer, layer + 1, device_type)
                for device_type in device_types
            )
            for layer in range(chain.num_layers)
        ),
        Fraction(0),
    )
    counts = [device.count for device in chain.instance.devices]
    return work / sum(pace * count for pace, count in zip(paces, counts, strict=True))
