"""Rules for the plan of one operation, whose time is replayed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.roles import SUM
from steadygrid.domain.schedule import Allocation
from steadygrid.kinds.collective.execution import MOST_PIECES, CompletionPlan
from steadygrid.kinds.collective.referee_carriers import Carriers
from steadygrid.kinds.collective.referee_execution import ChunkTree, Program, blocks_of, replay
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

_AT: Pointer = ("result", "plan")


def at_ends(movement: Movement) -> Movement:
    """Let only those copy and combine that have or get a message: they run programs."""
    messages = movement.messages.values()
    ends = {name for each in messages for name in (*each.sources, *each.receivers)}
    return replace(movement, copiers=frozenset(ends))


def check_series(result: CollectiveResult, findings: Findings) -> None:
    """Check that what belongs to one operation stands in no answer about a series.

    Parameters
    ----------
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =============================================== ===================
    1  there is no plan                                `wrong_plan`
    2  the bound is not proved by a cut of a completion `wrong_certificate`
    == =============================================== ===================
    """
    if result.plan is not None:
        findings.add(_AT, "wrong_plan", "Only a completion has a plan.")
    if result.certificate.type == "completion_cut":
        findings.add(
            ("result", "certificate", "type"),
            "wrong_certificate",
            "What one operation takes at least bounds no throughput.",
        )


def check_completion(
    instance: CollectiveInstance,
    carriers: Carriers,
    movement: Movement,
    result: CollectiveResult,
    listed: Sequence[Allocation],
    schedule: AnySchedule | None,
    findings: Findings,
) -> None:
    """Check that the trees of one operation, run as its plan says, take the time that is reported.

    Parameters
    ----------
    instance
        Without faults.
    carriers
        The links of its platform, and what else limits them.
    movement
        The messages of the operation, see `at_ends`.
    result
        The answer, but for its schedule.
    listed
        Its allocations.
    schedule
        Of the answer.
    findings
        Holds the faults of the allocations, and collects those that are found.

    Notes
    -----
    Rules, in this order:

    == ================================================================== =====================
    1  there is no schedule: the operation runs once                      `schedule_of_once`
    2  there is a plan where there is a value, and only there             `wrong_plan`
    3  it has instances and pieces, one or more, and chunks of some size  `wrong_plan`
    4  each allocation carries whole chunks, one or more; none of nothing `no_whole_chunks`
    5  its routes are one tree between those that have or get the message `not_one_tree`
    6  hops, pieces and instances are at most `MOST_PIECES` together      `too_many_pieces`
    7  the busiest rank needs as many blocks as the plan says             `wrong_blocks`
    8  the value is the time of a replay                                  `wrong_completion`
    == ================================================================== =====================

    Rules 6 to 8 are asked where there are no other faults.
    """
    if schedule is not None:
        findings.add(
            ("schedule",), "schedule_of_once", "One operation runs once: it has no schedule."
        )
    plan = result.plan
    if (plan is None) != (result.objective is None):
        findings.add(_AT, "wrong_plan", "A completion has a plan, and nothing else has one.")
    if plan is None or result.objective is None:
        return
    if plan.instances < 1 or plan.pieces < 1 or plan.chunk <= 0:
        findings.add(
            _AT, "wrong_plan", "A plan has instances, pieces, and chunks of a size above 0."
        )
        return
    trees = [_tree(movement, plan, allocation, findings) for allocation in listed]
    if findings:
        return
    moved = [tree for tree in trees if tree is not None]
    program = Program(
        moved,
        plan.order,
        plan.split,
        plan.instances,
        plan.pieces,
        plan.chunk / (plan.instances * plan.pieces),
    )
    hops = sum(tree.chunks * len((*tree.gathered, *tree.spread)) for tree in moved)
    pieces = hops * plan.instances * plan.pieces
    if pieces > MOST_PIECES:
        findings.add(
            (*_AT, "pieces"),
            "too_many_pieces",
            f"The plan has {pieces:,} pieces, and at most {MOST_PIECES:,} are replayed.",
        )
        return
    blocks = blocks_of(program)
    if plan.blocks != blocks:
        findings.add((*_AT, "blocks"), "wrong_blocks", f"The busiest rank needs {blocks} blocks.")
    given = instance.execution
    time = replay(program, carriers, given.step_time if given else Fraction(0))
    if time != result.objective.value:
        told = "cannot be told" if time is None else show(time)
        findings.add(
            ("result", "objective", "value"),
            "wrong_completion",
            f"The completion of these trees, by this plan, is {told}, not"
            f" {show(result.objective.value)}.",
        )


def _tree(
    movement: Movement, plan: CompletionPlan, allocation: Allocation, findings: Findings
) -> ChunkTree | None:
    """Read a tree. None where it is none, or carries nothing."""
    at: Pointer = ("result", "allocations", allocation.index)
    message = movement.messages.get(allocation.message or "")
    if message is None:
        return None
    chunks = allocation.rate * message.size / plan.chunk
    if chunks.denominator != 1 or (chunks < 1 and message.size):
        findings.add(
            (*at, "rate"),
            "no_whole_chunks",
            f"Allocation {allocation.index} carries {show(chunks)} chunks.",
        )
        return None
    if not all(len(transfer.path) > 1 for transfer in allocation.transfers):
        _add_not_one_tree(allocation, findings)
        return None
    gathered = [t.path for t in allocation.transfers if movement.combined and t.file[1] != SUM]
    spread = [t.path for t in allocation.transfers if not movement.combined or t.file[1] == SUM]
    (root, *more) = {*(path[-1] for path in gathered)} - {*(path[0] for path in gathered)} or {
        spread[0][0] if spread else ""
    }
    joined = frozenset({*message.sources, *message.receivers})
    sound = (
        not more
        and (not gathered or is_tree(root, [path[::-1] for path in gathered], joined))
        and (not spread or is_tree(root, spread, joined))
    )
    if not sound:
        _add_not_one_tree(allocation, findings)
        return None
    if not chunks:
        return None
    return ChunkTree(root, tuple(gathered), tuple(spread), int(chunks))


def _add_not_one_tree(allocation: Allocation, findings: Findings) -> None:
    findings.add(
        ("result", "allocations", allocation.index, "transfers"),
        "not_one_tree",
        f"The routes of allocation {allocation.index} are not one tree between all that have or get"
        f" {allocation.message!r}.",
    )


def is_tree(root: str, routes: Sequence[tuple[str, ...]], joined: frozenset[str]) -> bool:
    """Tell whether routes lead from a root to some others, all of whom are among those joined.

    Parameters
    ----------
    root
        Where the tree begins.
    routes
        From there on, in any order.
    joined
        Who may be the end of one.
    """
    entered = Counter(route[-1] for route in routes)
    if root in entered or max(entered.values()) > 1 or not joined.issuperset({root, *entered}):
        return False
    reached, waiting = {root}, [root]
    for here in waiting:
        new = [route[-1] for route in routes if route[0] == here]
        reached.update(new)
        waiting += new
    return len(reached) == len(routes) + 1
