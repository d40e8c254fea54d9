"""The exact referee of `one_worker`."""

from fractions import Fraction

from steadygrid.kinds.one_worker.schemas import OneWorkerInstance, OneWorkerResult

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.resources import compute_resource, receive_resource, send_resource
from steadygrid.domain.schedule import USUAL_LIMITS, Schedule, ScheduleLimits
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.prices import check_prices
from steadygrid.verification.steady import SteadyInstance, views_of_one_application


def validate(
    instance: OneWorkerInstance,
    options: Options,
    result: OneWorkerResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check the envelope, that no task is cheaper than 1 at the prices, and the schedule.

    Raises
    ------
    InvalidScheduleError
        With every fault found.

    Notes
    -----
    Rules, in this order:

    == =============================================================== ====================
    1  outcome, value, bound, gap and certificate go together          see `check_envelope`
    2  the prices are of resources, not negative, and sum to the bound see `check_prices`
    3  at them a task costs at least 1                                 `cheap_allocation`
    4  the rate is the value                                           `wrong_rate`
    5  the schedule is right                                           see `verify_answer`
    == =============================================================== ====================
    """
    findings = Findings()
    check_envelope(instance, result, schedule, findings)
    time = {one.id: one.time_per_work for one in instance.platform.processors}[instance.worker]
    steady = SteadyInstance(
        read_network(instance.platform, instance.ports),
        {"task": {instance.worker: time or Fraction(0)}},
        instance.file_sizes,
        {"begin": instance.source},
    )
    at = ("result", "certificate", "prices")
    listed = result.certificate.prices
    if result.bound is not None and listed:
        check_prices(steady.network, steady.times["task"], listed, result.bound.value, findings, at)
        sent = steady.network.hops[instance.source, instance.worker].unit_time
        busy = {
            compute_resource(instance.worker): time or Fraction(0),
            send_resource(instance.source): sent,
            receive_resource(instance.worker): sent,
        }
        if sum(listed.get(name, 0) * share for name, share in busy.items()) < 1:
            findings.add(at, "cheap_allocation", "A task costs less than 1.")
    if result.objective is not None and result.rate != result.objective.value:
        findings.add(("result", "rate"), "wrong_rate", "The rate is not the value.")
    if schedule is not None:
        views = views_of_one_application(steady)
        verify_answer(views, schedule, findings, result.rate, options, result.notes, limits)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)
