"""Rules for programs of a series, and for the times that are predicted of them."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.collective.execution import (
    BYTES_OF_UNITS,
    MOST_PIECES,
    USUAL_BYTES,
    Execution,
    PredictedTime,
    ProgramOut,
)
from steadygrid.kinds.collective.referee_carriers import Carriers, read_carriers
from steadygrid.kinds.collective.referee_completion import is_tree
from steadygrid.kinds.collective.referee_execution import (
    ChunkTree,
    Program,
    blocks_of,
    depth_of,
    replay,
)
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.schemas import CollectiveInstance, CollectiveResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

_AT: Pointer = ("result", "execution")


def check_prediction(
    instance: CollectiveInstance,
    movement: Movement,
    result: CollectiveResult,
    findings: Findings,
) -> None:
    """Check that programs do what is asked, and take the times that are predicted.

    Parameters
    ----------
    instance
        Without faults.
    movement
        The messages of the operation.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ==================================================================== =====================
    1  programs are predicted under ``multiport``, of messages that are     `no_program`
       copied or combined, in a series
    2  a program has instances, chunks of some size, and not too many moves  `wrong_program`
    3  each tree carries chunks of a message of the operation               `unknown_message`
    4  its root is the source of what is copied, or the receiver of what is `wrong_root`
       combined
    5  its routes lead over links                                           `no_link`
    6  they join all that have or get the message, once, to the root        `not_one_tree`
    7  the chunks of each message make it up                                `wrong_chunks`
    8  the busiest rank needs as many blocks as is told                     `wrong_blocks`
    9  the longest chain of routes is as long as is told                    `wrong_depth`
    10 each row is of a size that is asked for, in their order, once, and of `wrong_row`
       a program that there is
    11 each program is that of a row                                        `unused_program`
    12 the loops of a row are those of its size, and not too many to be     `wrong_loops`
       replayed
    13 its time is that of a replay, and its bandwidths are those of the    `wrong_prediction`
       time
    == ==================================================================== =====================

    Rules 8 and 9 are asked of programs without other faults, and 10 to 13 if there are none.
    """
    if result.execution is None:
        return
    carriers = read_carriers(instance.platform)
    programs = check_programs(instance, movement, carriers, result, findings)
    if programs is None:
        return
    for position, row in enumerate(result.execution.predicted):
        program = programs[row.program]
        _check_row(instance, movement, carriers, result, position, program, findings)


def check_programs(
    instance: CollectiveInstance,
    movement: Movement,
    carriers: Carriers,
    result: CollectiveResult,
    findings: Findings,
) -> list[Program] | None:
    """Check the programs of an answer without their times: rules 1 to 11 of `check_prediction`.

    Parameters
    ----------
    instance
        Without faults.
    movement
        The messages of the operation.
    carriers
        Of the platform.
    result
        An answer with programs.
    findings
        Collects the faults that are found.

    Returns
    -------
    list of Program or None
        The programs, with one loop. None where there are faults.
    """
    told = result.execution
    assert told is not None
    if (
        instance.ports != "multiport"
        or movement.different
        or movement.in_twos
        or instance.objective == "completion"
    ):
        findings.add(_AT, "no_program", "No program is predicted of such an operation.")
        return None
    programs = [
        _program(carriers, movement, position, program, findings)
        for position, program in enumerate(told.programs)
    ]
    sound = [program for program in programs if program is not None]
    before = len(findings.faults)
    if len(sound) < len(programs) or not _check_rows(instance, result, findings):
        return None
    return sound if len(findings.faults) == before else None


def _program(
    carriers: Carriers,
    movement: Movement,
    position: int,
    told: ProgramOut,
    findings: Findings,
) -> Program | None:
    """Read a program. None where it has a fault."""
    at: Pointer = (*_AT, "programs", position)
    if told.instances < 1 or told.chunk <= 0 or not told.trees:
        findings.add(
            at, "wrong_program", "A program has instances, trees, and chunks of a size above 0."
        )
        return None
    before = len(findings.faults)
    carried: Counter[str] = Counter()
    trees = []
    for number, tree in enumerate(told.trees):
        here: Pointer = (*at, "trees", number)
        message = movement.messages.get(tree.message)
        if message is None or tree.chunks < 1 or not message.size:
            findings.add(
                here,
                "unknown_message",
                f"Tree {number} carries {tree.chunks} chunks of {tree.message!r}, which has none.",
            )
            continue
        carried[tree.message] += tree.chunks
        ends = frozenset({*message.sources, *message.receivers})
        if tree.root not in (ends if movement.spread else {movement.root_and_ends(message)[0]}):
            findings.add(
                (*here, "root"), "wrong_root", f"No tree of {tree.message!r} has this root."
            )
        routes = [*map(tuple, tree.combined), *map(tuple, tree.spread)]
        if any(len(r) < 2 or not all(h in carriers.uses for h in pairwise(r)) for r in routes):
            findings.add(here, "no_link", f"A route of tree {number} takes a link that is none.")
            continue
        gathered = [tuple(route[::-1]) for route in tree.combined]
        spread = [tuple(route) for route in tree.spread]
        halves = [(gathered, movement.combined), (spread, movement.spread or not movement.combined)]
        if not all(_joins(tree.root, half, ends) if due else not half for half, due in halves):
            findings.add(
                here,
                "not_one_tree",
                f"The routes of tree {number} do not join all that have or get {tree.message!r}.",
            )
        combined = tuple(tuple(route) for route in tree.combined)
        trees.append(ChunkTree(tree.root, combined, tuple(spread), tree.chunks))
    for name, message in movement.messages.items():
        if carried[name] * told.chunk != message.size:
            findings.add(
                (*at, "trees"),
                "wrong_chunks",
                f"{carried[name]} chunks of {name!r} are not all of its {show(message.size)}.",
            )
    moves = sum(tree.chunks * len((*tree.gathered, *tree.spread)) for tree in trees)
    if moves > MOST_PIECES:
        findings.add(
            (*at, "trees"),
            "wrong_program",
            f"The program has {moves:,} moves, and at most {MOST_PIECES:,} are replayed.",
        )
    if len(findings.faults) > before:
        return None
    program = Program(trees, told.order, told.split, told.instances, 1, told.chunk)
    for name, right in (("blocks", blocks_of(program)), ("depth", depth_of(program))):
        if getattr(told, name) != right:
            findings.add((*at, name), f"wrong_{name}", f"The program has {right} {name}.")
    return program if len(findings.faults) == before else None


def _bytes_of_unit(instance: CollectiveInstance) -> Fraction:
    """Read how many bytes a unit of data has: as asked, as the platform names it, or as is usual."""
    asked, units = _settings(instance).bytes_per_unit, instance.platform.units
    if asked is None and units is not None and units.data in BYTES_OF_UNITS:
        return Fraction(BYTES_OF_UNITS[units.data])
    return Fraction(USUAL_BYTES) if asked is None else asked


def _settings(instance: CollectiveInstance) -> Execution:
    return Execution() if instance.execution is None else instance.execution


def _joins(root: str, paths: Sequence[tuple[str, ...]], ends: frozenset[str]) -> bool:
    reached = {root, *(path[-1] for path in paths)}
    return bool(paths) and reached == ends and is_tree(root, paths, ends)


def _check_rows(instance: CollectiveInstance, result: CollectiveResult, findings: Findings) -> bool:
    assert result.execution is not None
    rows, programs = result.execution.predicted, len(result.execution.programs)
    asked = iter(_settings(instance).sizes)
    sound = True
    for position, row in enumerate(rows):
        if row.bytes not in asked or row.program >= programs:  # which goes on behind it
            findings.add(
                (*_AT, "predicted", position),
                "wrong_row",
                f"Row {position} is of {row.bytes:,} bytes and program {row.program}.",
            )
            sound = False
    used = {row.program for row in rows}
    for position in range(programs):
        if sound and position not in used:
            findings.add(
                (*_AT, "programs", position),
                "unused_program",
                f"No time is predicted of program {position}.",
            )
    return sound


def _check_row(
    instance: CollectiveInstance,
    movement: Movement,
    carriers: Carriers,
    result: CollectiveResult,
    position: int,
    program: Program,
    findings: Findings,
) -> None:
    assert result.execution is not None
    row = result.execution.predicted[position]
    running = _settings(instance)
    at: Pointer = (*_AT, "predicted", position)
    if not check_loops(instance, movement, position, row, program, findings):
        return
    data = sum((message.size for message in movement.messages.values()), Fraction(0))
    share, loops = program.piece / data, row.loops
    amount = row.bytes / _bytes_of_unit(instance)
    piece = share * amount / (loops * program.instances)
    time = replay(program._replace(loops=loops, piece=piece), carriers, running.step_time)
    right = (
        None if time is None else _right_row(instance, movement, result, row, amount, data, time)
    )
    if row != right:
        findings.add(
            at,
            "wrong_prediction",
            f"{row.bytes:,} bytes take {'a time that cannot be told' if time is None else show(time)}.",
        )


def check_loops(
    instance: CollectiveInstance,
    movement: Movement,
    position: int,
    row: PredictedTime,
    program: Program,
    findings: Findings,
) -> bool:
    """Check rule 12 of `check_prediction`.

    Parameters
    ----------
    instance
        Without faults.
    movement
        The messages of the operation.
    position
        Of the row.
    row
        A predicted time.
    program
        Its program, without faults.
    findings
        Collects the fault, if it is one.

    Returns
    -------
    bool
        Whether the loops are those of the size, and not too many.
    """
    data = sum((message.size for message in movement.messages.values()), Fraction(0))
    share, piece = program.piece / data, _settings(instance).piece
    loops = max(1, -int(-share * row.bytes // (piece * program.instances)))
    moves = sum(tree.chunks * len((*tree.gathered, *tree.spread)) for tree in program.trees)
    if row.loops == loops and moves * loops * program.instances <= MOST_PIECES:
        return True
    findings.add(
        (*_AT, "predicted", position, "loops"),
        "wrong_loops",
        f"{row.bytes:,} bytes move in {loops:,} loops of {moves:,} moves, and at most"
        f" {MOST_PIECES:,} pieces are replayed.",
    )
    return False


def _right_row(
    instance: CollectiveInstance,
    movement: Movement,
    result: CollectiveResult,
    row: PredictedTime,
    amount: Fraction,
    data: Fraction,
    time: Fraction,
) -> PredictedTime:
    messages = movement.messages.values()
    number = len({name for each in messages for name in (*each.sources, *each.receivers)})
    each = {"allgather": 1, "reduce_scatter": 1, "allreduce": 2}.get(instance.operation)
    factor = Fraction(1) if each is None else each * Fraction(number - 1, number)
    bound = None if result.bound is None else result.bound.value
    return row.model_copy(
        update={
            "time": time,
            "algbw": amount / time,
            "busbw": factor * amount / time,
            "of_bound": amount / (data * bound * time) if bound is not None and bound > 0 else None,
        }
    )
