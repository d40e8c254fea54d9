"""From shares and prices to the answer."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.one_shot import Idleness
from steadygrid.domain.rational import approximate
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.engine.scheduling.one_shot_events import load_event
from steadygrid.engine.solver import Solution
from steadygrid.kinds.divisible_chain.schemas import (
    CaseGroup,
    DivisibleChainInstance,
    DivisibleChainResult,
    Guarantee,
    LoadCompletion,
    LoadShare,
    ProofCase,
)
from steadygrid.kinds.divisible_chain.sizing import installments, startup_ratio
from steadygrid.kinds.divisible_chain.solver.bounds import PricedBound
from steadygrid.kinds.divisible_chain.solver.cases import EVERYTHING, Group
from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Chain, Shares, startup_times
from steadygrid.kinds.divisible_chain.solver.goal import Goal
from steadygrid.kinds.divisible_chain.solver.proof import Proof, holds, proof_of
from steadygrid.kinds.divisible_chain.solver.rounding import rounded_part, rounded_shares
from steadygrid.kinds.divisible_chain.solver.timing import Timing, earliest

LONGEST_BITS = 4_000
"""Of an exact answer; longer numbers, more than 1,200 digits, are rounded."""
ROUNDED_DIGITS = 60
ROUNDED_BITS = 200
"""Of shares, and of prices, that are rounded."""


def answer(
    instance: DivisibleChainInstance,
    chain: Chain,
    goal: Goal,
    method: str,
    shares: Shares,
    proof: Proof | PricedBound,
) -> Solution:
    """Time the shares and state what they achieve.

    Parameters
    ----------
    proof
        Of the program or of resources.
    """
    notes: list[str] = []
    if isinstance(proof, Proof) and _is_long(chain, shares, proof):
        short = _rounded(chain, goal, proof)
        if holds(chain, goal, short):
            proof, shares = short, rounded_shares(chain, shares, ROUNDED_DIGITS)
            notes.append(
                "the exact numbers have more than a thousand digits: the shares and the prices are"
                " rounded"
            )
    elif isinstance(proof, PricedBound) and _is_long(chain, shares):
        shares = rounded_shares(chain, shares, ROUNDED_DIGITS)
        notes.append(
            "the exact shares or dates have more than a thousand digits: the shares are rounded,"
            f" to {ROUNDED_DIGITS} digits"
        )
    timing = earliest(chain, shares)
    value = goal.value(timing.makespan, timing.completions)
    bound, of_program = proof.value, isinstance(proof, Proof)
    prices, cases = _certified(instance, chain, proof)
    timeline = Timeline(
        instance.ports, timing.makespan, tuple(_events(instance, chain, shares, timing))
    )
    participants = sorted({i for (i, _), share in shares.items() if share})
    result = DivisibleChainResult(
        outcome=Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
        method=method,
        objective=Objective(name=goal.name, value=value, approx=approximate(value)),
        bound=Bound.from_value(bound, exact=True),
        gap=relative_gap(value, bound),
        certificate=DualityCertificate(prices=prices),
        cases=cases,
        makespan=timing.makespan,
        chain=list(chain.ids),
        participants=[chain.ids[i] for i in participants],
        loads=_loads(instance, chain, timing),
        shares=_shares(instance, chain, shares),
        timeline=[load_event(event) for event in timeline.events],
        idle=_idle(chain, participants, shares, timing),
        guarantee=None,
        makespan_with_startup=_with_startup(instance, chain, shares),
        bound_source="program" if of_program else "resources",
        notes=notes,
    )
    result.guarantee = _guarantee(instance, chain, result)
    result.notes += notes_on_startup(instance)
    if not value:
        result.notes.append("nothing takes any time")
    return Solution(result, schedule=timeline)


def _rounded(chain: Chain, goal: Goal, proof: Proof) -> Proof:
    parts = [
        part if part.value is None else rounded_part(part.rules, part.prices, ROUNDED_BITS)
        for part in proof.parts
    ]
    return proof_of(chain, goal, proof.workers, parts)


def _certified(
    instance: DivisibleChainInstance, chain: Chain, proof: Proof | PricedBound
) -> tuple[dict[str, Fraction], list[ProofCase]]:
    """Give the prices of a certificate, or those of its cases."""
    if isinstance(proof, PricedBound):
        return dict(proof.prices), []
    if not proof.value:
        return {}, []  # nothing can be negative
    parts = [
        (part.rules.case, {name: price for name, price in part.prices.items() if price})
        for part in proof.parts
    ]
    if len(parts) == 1 and parts[0][0] == EVERYTHING:
        return parts[0][1], []

    def refer(group: Group) -> CaseGroup:
        piece = chain.sequence[group.steps[0]]
        return CaseGroup(
            processor=chain.ids[group.processor],
            load=instance.loads[piece.load].id,
            installment=piece.number,
        )

    return {}, [
        ProofCase(
            computes=[refer(group) for group in sorted(case.computes)],
            skips=[refer(group) for group in sorted(case.skips)],
            closing=[instance.loads[load].id for load in sorted(case.closing)],
            overtaking=[instance.loads[load].id for load in sorted(case.overtaking)],
            prices=prices,
        )
        for case, prices in parts
    ]


def _is_long(chain: Chain, shares: Shares, proof: Proof | None = None) -> bool:
    """Tell whether some share, price or date is; dates are sums of products of shares."""
    numbers = [*shares.values()]
    if proof is not None:
        numbers.append(proof.value)
        numbers += [price for part in proof.parts for price in part.prices.values()]
    if not too_long(numbers, LONGEST_BITS):
        timing = earliest(chain, shares)
        numbers = [*timing.computed.values(), *(end for row in timing.sent for end in row)]
    return too_long(numbers, LONGEST_BITS)


def _events(
    instance: DivisibleChainInstance, chain: Chain, shares: Shares, timing: Timing
) -> list[Event]:
    """List what is not empty, by start."""
    events: list[Event] = []
    for t, piece in enumerate(chain.sequence):
        load = instance.loads[piece.load].id
        beyond = ZERO
        for i in range(chain.length - 1, -1, -1):
            share = shares.get((i, t), ZERO)
            if share:
                events.append(
                    Event(
                        timing.computing[i, t],
                        timing.computed[i, t],
                        chain.ids[i],
                        load,
                        piece.number,
                        share,
                    )
                )
            beyond += share
            if beyond and i:
                events.append(
                    Event(
                        timing.sending[i - 1][t],
                        timing.sent[i - 1][t],
                        (chain.ids[i - 1], chain.ids[i]),
                        load,
                        piece.number,
                        beyond,
                    )
                )
    events.sort(key=lambda event: (event.start, event.end))
    return events


def _shares(instance: DivisibleChainInstance, chain: Chain, shares: Shares) -> list[LoadShare]:
    listed = sorted((t, i) for (i, t), share in shares.items() if share)
    return [
        LoadShare(
            load=instance.loads[chain.sequence[t].load].id,
            installment=chain.sequence[t].number,
            processor=chain.ids[i],
            fraction=shares[i, t],
        )
        for t, i in listed
    ]


def _loads(instance: DivisibleChainInstance, chain: Chain, timing: Timing) -> list[LoadCompletion]:
    counts = [0] * chain.num_loads
    for piece in chain.sequence:
        counts[piece.load] += 1
    return [
        LoadCompletion(
            load=load.id,
            completion=timing.completions[k],
            installments=counts[k],
            startup_ratio=startup_ratio(instance, load, counts[k]),
        )
        for k, load in enumerate(instance.loads)
    ]


def _idle(
    chain: Chain, participants: Sequence[int], shares: Shares, timing: Timing
) -> list[Idleness]:
    computing = dict.fromkeys(participants, ZERO)
    for (i, t), share in shares.items():
        if share:
            computing[i] += share * chain.time(i, chain.sequence[t].load)
    return [
        Idleness(
            processor=chain.ids[i],
            computing=time,
            idle=max(ZERO, timing.makespan - chain.available[i] - time),
        )
        for i, time in computing.items()
    ]


def _guarantee(
    instance: DivisibleChainInstance, chain: Chain, result: DivisibleChainResult
) -> Guarantee | None:
    if instance.objective != "makespan" or any(chain.released):
        return None
    factor = chain.length // 2 + 1 if chain.strict else chain.length
    single = len(chain.sequence) == chain.num_loads and result.outcome is Outcome.OPTIMAL
    shown = single and result.bound_source == "program"
    least = result.makespan / factor if shown and result.makespan is not None else None
    return Guarantee(factor=factor, lower_bound=least)


def _with_startup(
    instance: DivisibleChainInstance, chain: Chain, shares: Shares
) -> Fraction | None:
    times = startup_times(instance)
    if times is None:
        return None
    return earliest(chain, shares, times).makespan


def notes_on_startup(instance: DivisibleChainInstance) -> Iterator[str]:
    """Name the loads whose start-up costs exceed the ratio that was asked for."""
    most = instance.max_startup_ratio
    if most is None:
        return
    for load, count in zip(instance.loads, installments(instance), strict=True):
        ratio = startup_ratio(instance, load, count * instance.rounds)
        if ratio is None:
            yield (
                f"load {load.id!r} has no data, so that no number of installments keeps its"
                " start-up costs within any ratio: it is sent in one"
            )
        elif ratio > most:
            fewest = "its" if load.installments else "even the fewest"
            yield (
                f"load {load.id!r}: {fewest} installments, {count * instance.rounds}, send"
                f" {ratio} times its data, start-up costs included, more than the ratio {most}"
            )
