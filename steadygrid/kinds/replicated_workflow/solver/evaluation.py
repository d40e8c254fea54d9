"""The period of a mapped workflow, by the quickest exact means.

Where it is computed, the recurrence is unfolded by a modulus of its own for each operation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from steadygrid.engine.cycles.graph import Graph, whole
from steadygrid.engine.cycles.ratio import Critical, critical, least_starts
from steadygrid.engine.cycles.rounds import Unfolded, lifted
from steadygrid.engine.solving.sparse import connected_components, csr_array
from steadygrid.kinds.replicated_workflow.limits import (
    MOST_CYCLE_NODES,
    MOST_ROWS,
    MOST_TURN_OPERATIONS,
)
from steadygrid.kinds.replicated_workflow.schemas import MOST_CYCLE_STEPS
from steadygrid.kinds.replicated_workflow.solver.model import Workflow
from steadygrid.kinds.replicated_workflow.solver.starts import (
    Starts,
    Walk,
    shortest_round,
    turn_of_a_resource,
)
from steadygrid.kinds.replicated_workflow.solver.turns import Heartbeat, NoOverlapTurns

FIRST_NODES = 20_000
"""Of graphs that are tried before turns are played."""
MOST_EARLIEST_NODES = 500_000
"""Of a graph whose least starts are computed."""


@dataclass
class Evaluation:
    """What is known of the period.

    Attributes
    ----------
    period
        The best so far, in units of ``1 / scale``. None while there is none.
    starts
        A schedule with this period. None if it is not listed.
    exact
        Whether no period is shorter.
    interrupted
        Whether time was over before anything was proved.
    walk
        Operations that prove it.
    state
        Another proof: see `Repeating.state`.
    rounds, nodes, edges, policy_rounds, turns
        What it took. The largest graph counts.
    unfolding, last
        Moduli of the next round by operation, and the last one that was ended.
    """

    period: Fraction | None = None
    starts: Starts | None = None
    exact: bool = False
    interrupted: bool = False
    walk: Walk | None = None
    state: Sequence[Fraction] | None = None
    rounds: int = 0
    nodes: int = 0
    edges: int = 0
    policy_rounds: int = 0
    turns: int | None = None
    unfolding: list[int] = field(default_factory=list)
    last: tuple[Unfolded, Critical] | None = None


def evaluate(workflow: Workflow, found: Evaluation, heartbeat: Heartbeat) -> None:
    """Find the period. What is found is kept even if the heartbeat ends the work.

    Where it is all that some resource has to do, the turn of that resource is the proof. Graphs by residue are unfolded as far as a critical cycle needs. Where that takes many nodes,
    because many resources are nearly critical, and only one thing is done at a time, whole turns are
    played.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    found
        Where period, schedule and proof are kept.
    heartbeat
        Called now and then; may raise, which ends the work.

    Notes
    -----
    *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, section 6.4, whose Petri
    nets have ``rows`` times as many nodes as there are operations.
    """
    playable = (
        workflow.no_overlap
        and workflow.waits_for_input
        and not any(workflow.lags)
        and workflow.rows * len(workflow.operations) <= MOST_TURN_OPERATIONS
    )
    found.unfolding = list(workflow.moduli)
    if playable:
        _rounds(workflow, FIRST_NODES, found, heartbeat)
        if not found.exact or (found.walk and len(found.walk.steps) > MOST_CYCLE_STEPS):
            _evaluate_turns(workflow, found, heartbeat)
    _rounds(workflow, MOST_CYCLE_NODES, found, heartbeat)
    if found.period == workflow.mct:
        found.walk = turn_of_a_resource(workflow)


def _rounds(workflow: Workflow, most_nodes: int, found: Evaluation, heartbeat: Heartbeat) -> None:
    """Unfold until a critical cycle is one of the workflow, or the graph has too many nodes."""
    while not found.exact and num_nodes(workflow, found.unfolding) <= most_nodes:
        _round(workflow, found, heartbeat)


def _round(workflow: Workflow, found: Evaluation, heartbeat: Heartbeat) -> None:
    unfolded = unfold(workflow, found.unfolding)
    policy = None
    if found.last is not None:
        policy = lifted(*found.last, unfolded, heartbeat)
    best = critical(unfolded.graph, policy=policy, heartbeat=heartbeat)
    found.last = unfolded, best
    found.rounds += 1
    found.nodes = max(found.nodes, unfolded.graph.nodes)
    found.edges = max(found.edges, len(unfolded.graph.sources))
    found.policy_rounds += best.statistics.policy_rounds
    owners = set(unfolded.owner[np.asarray(unfolded.graph.sources)[list(best.cycle)]].tolist())
    owners.discard(-1)
    needed = lcm(*(workflow.moduli[o] for o in owners))
    real = all(found.unfolding[o] % needed == 0 for o in owners)
    exact = real or best.ratio == workflow.mct
    if exact or sum(found.unfolding) <= MOST_ROWS:
        starts = _starts(unfolded, best, heartbeat, least=exact)
        found.period, found.starts = best.ratio, starts
    if real:
        found.walk = _walk(workflow, unfolded, best, needed)
    found.exact = exact
    for o in owners:
        found.unfolding[o] = lcm(found.unfolding[o], needed)


def _starts(unfolded: Unfolded, best: Critical, heartbeat: Heartbeat, *, least: bool) -> Starts:
    potentials = best.potentials
    if least and unfolded.graph.nodes <= MOST_EARLIEST_NODES:
        potentials = least_starts(unfolded.graph, best, heartbeat=heartbeat)
    numbers = np.bincount(unfolded.owner[unfolded.owner >= 0])
    ends = np.cumsum(numbers).tolist()
    values = [potentials[end - number : end] for number, end in zip(numbers, ends, strict=True)]
    earliest = min(min(one) for one in values)
    return Starts(
        best.ratio,
        best.ratio.denominator,
        [[value - earliest for value in one] for one in values],
    )


def _walk(workflow: Workflow, unfolded: Unfolded, best: Critical, needed: int) -> Walk:
    """Follow a critical cycle from operation to operation. Its residues fit by `needed`."""
    edges = list(best.cycle)
    nodes = np.asarray(unfolded.graph.sources)[edges]
    owners = unfolded.owner[nodes]
    heights = np.asarray(unfolded.graph.heights)[edges].tolist()
    turn = int(np.argmax(owners >= 0))
    number = int(owners[turn])
    data_set = first = int(nodes[turn] - np.argmax(unfolded.owner == number)) % needed
    steps: list[tuple[int, int]] = []
    for i in (*range(turn, len(edges)), *range(turn)):
        if owners[i] >= 0:
            steps.append((int(owners[i]), data_set))
        data_set += heights[i]
    return shortest_round(workflow, steps, data_set - first)


def _evaluate_turns(workflow: Workflow, found: Evaluation, heartbeat: Heartbeat) -> None:
    turns = NoOverlapTurns(workflow, heartbeat)
    repeating = turns.repeating()
    if repeating is None:
        return
    starts = walk = None
    if workflow.rows * len(workflow.operations) <= MOST_ROWS:
        starts = turns.least_starts(repeating.period)
        if starts is None or repeating.period > workflow.mct:
            played = turns.starts(repeating)
            walk = turns.critical_walk(repeating, played)
            starts = starts or played
    found.turns, found.state, found.exact = repeating.turns, repeating.state, True
    found.period, found.starts, found.walk = repeating.period, starts, walk


def num_groups(workflow: Workflow) -> int:
    """Count the parts of the operations that can wait for each other, directly or not."""
    size = len(workflow.operations)
    before, after, _ = zip(*workflow.dependencies, strict=True)
    matrix = csr_array((np.ones(len(before)), (before, after)), shape=(size, size))
    number, _ = connected_components(matrix, connection="strong")
    return int(number)


def num_nodes(workflow: Workflow, unfolding: Sequence[int]) -> int:
    """Count the nodes of an unfolded graph, without building it.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    unfolding
        Modulus of each operation.
    """
    nodes = sum(unfolding)
    for before, after, _ in workflow.dependencies:
        common = gcd(unfolding[before], unfolding[after])
        if common not in (unfolding[before], unfolding[after]):
            nodes += common
    return nodes


def unfold(workflow: Workflow, unfolding: Sequence[int]) -> Unfolded:
    """Let every operation have a start for each residue of the data set by its modulus.

    Its cycles include all those of the recurrence, so that its largest ratio is no less than the
    period, and its potentials are a schedule. The nodes are the operations with their residues, in
    order. Those behind them stand for classes of residues, through which operations of different
    moduli wait for each other.

    Parameters
    ----------
    workflow
        The mapped stages and their operations, in the order of service.
    unfolding
        Modulus of each operation.

    Notes
    -----
    Start ``u_o(n % K_o) + n T`` for data set n: what `after` for residue b waits for are all
    residues a with ``b = a + shift`` modulo ``gcd(K_before, K_after)``.
    """
    owner = np.repeat(np.arange(len(unfolding)), unfolding)
    nodes = len(owner)
    first = np.cumsum(unfolding) - unfolding
    sources, targets, times, heights = [], [], [], []
    tables = [whole(operation.times) for operation in workflow.operations]
    for before, after, shift in workflow.dependencies:
        common = gcd(unfolding[before], unfolding[after])
        ours = np.arange(unfolding[before])
        repeats = unfolding[before] // len(tables[before])
        lasting = np.tile(tables[before], repeats)
        if common == unfolding[before]:
            theirs = np.arange(unfolding[after])
            ours = (theirs - shift) % common
            lasting = lasting[ours]
            ends = first[after] + theirs
        elif common == unfolding[after]:
            ends = first[after] + (ours + shift) % common
        else:
            ends = nodes + (ours + shift) % common
            theirs = np.arange(unfolding[after])
            sources.append(nodes + theirs % common)
            targets.append(first[after] + theirs)
            times.append(np.zeros(len(theirs), dtype=np.int64))
            heights.append(np.zeros(len(theirs), dtype=np.int64))
            nodes += common
        sources.append(first[before] + ours)
        targets.append(ends)
        times.append(lasting)
        heights.append(np.full(len(ours), shift, dtype=np.int64))
    graph = Graph(nodes, *map(np.concatenate, (sources, targets, times, heights)))
    joining = np.full(nodes - len(owner), -1)
    return Unfolded(graph, np.concatenate((owner, joining)))
