"""The stages of an answer: what they hold, what they take, and why no shorter period suits them."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

from steadygrid.kinds.layer_pipeline.referee_search import ShortPeriod
from steadygrid.kinds.layer_pipeline.referee_terms import StageTerms, Terms
from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

STAGES = ("result", "stages")


def read_stages(
    terms: Terms, result: LayerPipelineResult, findings: Findings
) -> list[StageTerms] | None:
    """Give the stages of an answer. None where they are none that can be judged.

    Parameters
    ----------
    terms
        The instance.
    result
        The answer, with a value.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ===================
    1  stages name known layers and device types, and at least one copy      `wrong_stages`
    2  they hold every layer once, in the order of the chain                 `wrong_stages`
    3  of each device type they take no more devices than there are          `too_many_devices`
    4  a stage has no more copies than `max_replicas` allows its layers      `too_many_replicas`
    5  for ``evaluate`` they are the stages that were given                  `other_plan`
    == ===================================================================== ===================
    """
    found: list[StageTerms] = []
    for i, told in enumerate(result.stages):
        first, last = (terms.position.get(name) for name in told.layers)
        known = first is not None and last is not None and told.device in terms.device_types
        if not known or told.replicas < 1:
            findings.add(
                (*STAGES, i), "wrong_stages", "The stage names no layers, no type, or no copies."
            )
            return None
        assert first is not None
        assert last is not None
        found.append(StageTerms(first, last, told.device, told.replicas))
    held = [position for stage in found for position in stage.positions]
    if held != list(range(len(terms.layers))) or not all(stage.positions for stage in found):
        findings.add(STAGES, "wrong_stages", "The stages do not hold every layer once, in order.")
        return None
    used = Counter[str]()
    for stage in found:
        used[stage.device] += stage.replicas
    for name, number in used.items():
        if number > terms.device_types[name].count:
            detail = f"The stages take {number:,} devices of {name!r}: there are {terms.device_types[name].count:,}."
            findings.add(STAGES, "too_many_devices", detail)
            return None
    for i, stage in enumerate(found):
        most = terms.most_replicas(stage.positions)
        if most is not None and stage.replicas > most:
            detail = f"The stage may have {most:,} copies, and has {stage.replicas:,}."
            findings.add((*STAGES, i, "replicas"), "too_many_replicas", detail)
    given = terms.instance.stages or ()
    asked = [(one.layers, one.device, one.replicas) for one in given]
    answered = [(one.layers, one.device, one.replicas) for one in result.stages]
    if terms.instance.method == "evaluate" and asked != answered:
        findings.add(STAGES, "other_plan", "These are not the stages that were given.")
    return found


def occupied(terms: Terms, stages: list[StageTerms]) -> dict[str, Fraction]:
    """Give the time per data set for which each resource of a plan is busy: no period is shorter."""
    update = terms.instance.update_every
    found: dict[str, Fraction] = {}
    for i, stage in enumerate(stages, 1):
        found[f"stage {i} compute"] = sum(terms.passes_of(stage), Fraction(0)) / stage.replicas
        found[f"reduce {i}"] = terms.reduce_time(stage) / update
    for i, (one, other) in enumerate(pairwise(stages), 1):
        longer = max(terms.transfers(one.last, one.device, other.device))
        found[f"boundary {i}"] = longer / min(one.replicas, other.replicas)
    return found


def check_numbers(
    terms: Terms,
    stages: list[StageTerms],
    period: Fraction,
    result: LayerPipelineResult,
    findings: Findings,
) -> None:
    """Check what the answer says of its stages, and that no resource is too busy or too small.

    Parameters
    ----------
    terms
        The instance.
    stages
        Of the answer.
    period
        Time per data set.
    result
        The answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ===================
    1  no resource is busy for longer than the period, per data set          `too_busy`
    2  `load` is the time of both passes                                     `wrong_load`
    3  `reduce_time` is that of a ring                                       `wrong_reduce_time`
    4  `memory` is what a copy needs with `in_flight` data sets              `wrong_memory`
    5  a device has as much                                                  `no_room`
    == ===================================================================== ===================
    """
    for name, time in occupied(terms, stages).items():
        if time > period:
            detail = f"{name} is busy for {show(time)} per data set."
            findings.add(("result", "period"), "too_busy", detail)
    for i, (stage, told) in enumerate(zip(stages, result.stages, strict=True)):
        memory = terms.memory(stage, told.in_flight)
        load = sum(terms.passes_of(stage), Fraction(0))
        if told.load != load:
            findings.add((*STAGES, i, "load"), "wrong_load", f"Both passes take {show(load)}.")
        reduced = terms.reduce_time(stage)
        if told.reduce_time != reduced:
            detail = f"A ring reduces the weights in {show(reduced)}."
            findings.add((*STAGES, i, "reduce_time"), "wrong_reduce_time", detail)
        if told.memory != memory:
            detail = f"A copy needs {show(memory)}."
            findings.add((*STAGES, i, "memory"), "wrong_memory", detail)
        room = terms.device_types[stage.device].memory
        if room is not None and memory > room:
            detail = f"A copy needs {show(memory)}, and {stage.device!r} has {show(room)}."
            findings.add((*STAGES, i, "memory"), "no_room", detail)


def lacking_just_below(terms: Terms, stages: list[StageTerms], period: Fraction) -> list[int]:
    """Give the stages, counted from 1, that lack memory at periods a little shorter than this."""
    short = ShortPeriod(terms, period)
    behind = 0
    found: list[int] = []
    for i in reversed(range(len(stages))):
        stage = stages[i]
        if i + 1 < len(stages):
            moved = terms.transfers(stage.last, stage.device, stages[i + 1].device)
            behind += short.whole(sum(moved, Fraction(0)))
        load = short.whole(sum(terms.passes_of(stage), Fraction(0)))
        behind = short.around(behind, load, stage.replicas)
        data_sets = short.in_flight(behind, stage.replicas) if terms.trains else 1
        room = terms.device_types[stage.device].memory
        if room is not None and terms.memory(stage, data_sets) > room:
            found.append(i + 1)
    return found[::-1]


def limits_of(terms: Terms, stages: list[StageTerms], period: Fraction) -> list[str]:
    """Name what keeps a plan from a period shorter than this. Nothing where nothing does."""
    busy = [name for name, time in occupied(terms, stages).items() if time >= period]
    if busy:
        return busy
    return [f"memory {i}" for i in lacking_just_below(terms, stages, period)]
