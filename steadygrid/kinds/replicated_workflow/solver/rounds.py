"""The recurrence of a workflow, unfolded by a modulus of its own for each operation."""

from collections.abc import Sequence
from math import gcd

import numpy as np

from steadygrid.engine.cycles.graph import Graph, whole
from steadygrid.engine.cycles.rounds import Unfolded
from steadygrid.kinds.replicated_workflow.solver.model import Workflow


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
    order; those behind them stand for classes of residues, through which operations of different
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
