"""Periodic schedules, round by round less coarse, until the period is that of real firings.

In the first round every actor repeats after one cycle. The largest ratio of the graph of (2) in
`model` is the least period of such a schedule. Suppose the actors C of its critical circuit are
unfolded so far that turns of all of them advance alike: ``q_a / gcd(q_c, c in C)`` divides ``K_a``.
Then every dependency on the circuit is one of real firings and no schedule is faster. Else they are
unfolded so far, and so on. A circuit that does not advance has no ratio and is treated in the same
manner: if it is one of real firings, the graph is in deadlock.

Source: Bodin, Munier-Kordon, Dupont de Dinechin (see `model`), section 4.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, inf, lcm

import numpy as np

from steadygrid.engine.cycles.graph import Integers
from steadygrid.engine.cycles.ratio import Critical, NoProgress, critical
from steadygrid.kinds.dataflow.solver.model import Heartbeat, TooLargeError, Unfolded, Unfolding
from steadygrid.kinds.dataflow.solver.net import Net

ROUND_SHARE = 0.7
"""Of the time that is left, for a round after the first; then smaller ones have the rest."""
ROUNDS_OF_TIME = 3
"""What a smaller round, its starts and the referee take, in times of the round."""
MOST_FACTOR = 1 << 16
"""Least prime factors are looked for below. What has none is taken for prime, which a round is too
large for anyway."""

OnRound = Callable[[int, Fraction], None]


@dataclass(frozen=True)
class Circuit:
    """A cycle of the graph of a round: its edges, each from a firing to one that waits for it."""

    unfolded: Unfolded
    edges: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """The schedule of a round: the best one that repeats so often."""

    unfolded: Unfolded
    critical: Critical

    @property
    def period(self) -> Fraction:
        """Time per iteration."""
        scale = self.unfolded.net.scale
        return self.critical.ratio * self.unfolded.height_unit / scale


@dataclass
class Progress:
    """What the rounds have found so far.

    Attributes
    ----------
    schedule
        The last one. None better is known.
    suspects, refused
        Actors of the last critical circuit; of the one whose round was too large.
    circuit
        Of real firings: the critical one, or one that does not advance.
    deadlock
        Whether that one does not advance.
    too_large, too_long
        Whether the next round would be more than is allowed; whether because it takes too long.
    """

    schedule: Schedule | None = None
    suspects: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    circuit: Circuit | None = None
    deadlock: bool = False
    too_large: bool = False
    too_long: bool = False
    rounds: int = 0
    nodes: int = 0
    edges: int = 0
    policy_rounds: int = 0


def run_rounds(
    net: Net,
    progress: Progress,
    heartbeat: Heartbeat,
    on_round: OnRound,
    left: Callable[[], float] = lambda: inf,
) -> None:
    """Make rounds until they are finished, or too large. What is found is left in `progress`.

    Where the next round is too large, or takes too long, smaller ones follow as long as they fit.

    Parameters
    ----------
    heartbeat
        What it raises ends the rounds.
    on_round
        Told the number of the round and the period of its schedule.
    left
        Gives the seconds that are left.
    """
    patience = _Patience(heartbeat, left)
    turns = [1] * len(net.actors)
    rounds: _Rounds | None = None
    try:
        if any(not time for actor in net.actors for time in actor.times):
            # Later rounds begin where these end: then no circuit without tokens is left at all.
            live = Unfolding(net, live=True, heartbeat=patience)
            _Rounds(live, progress, patience).until_alive(turns)
            if progress.deadlock:
                return
        timed = Unfolding(net, live=False, heartbeat=patience)
        rounds = _Rounds(timed, progress, patience)
        rounds.until_exact(turns, on_round)
    except TooLargeError as refused:
        progress.too_large = True
        progress.too_long = isinstance(refused, _TooLongError)
        if rounds is not None and progress.schedule is not None:
            rounds.as_far_as_fits(on_round)


def make_first_round(net: Net, progress: Progress, heartbeat: Heartbeat, on_round: OnRound) -> bool:
    """Make the round in which no actor is unfolded, and leave its circuit, of real firings or not.

    Parameters
    ----------
    heartbeat
        What it raises ends the round.
    on_round
        Told the number of the round and the period of its schedule.

    Returns
    -------
    bool
        Whether firings without time are known not to wait for each other in a circle.
    """
    patience = _Patience(heartbeat, lambda: inf)
    turns, ordered = [1] * len(net.actors), True
    if any(not time for actor in net.actors for time in actor.times):
        live = Unfolding(net, live=True, heartbeat=patience)
        _, found = _Rounds(live, progress, patience).make(turns)
        ordered = isinstance(found, Critical)
    timed = Unfolding(net, live=False, heartbeat=patience)
    unfolded, found = _Rounds(timed, progress, patience).make(turns)
    if isinstance(found, Critical):
        progress.schedule = Schedule(unfolded, found)
        progress.circuit = Circuit(unfolded, found.cycle)
        on_round(progress.rounds, progress.schedule.period)
    else:
        progress.circuit, progress.deadlock = Circuit(unfolded, found), True
    return ordered


class _TooLongError(TooLargeError):
    """A round takes more than its share of the time."""


class _Patience:
    """A heartbeat that ends a round which takes more than its share of the time.

    Parameters
    ----------
    heartbeat
        Called each time; may raise.
    left
        Gives the seconds that are left of all.
    """

    def __init__(self, heartbeat: Heartbeat, left: Callable[[], float]) -> None:
        self._heartbeat, self.left = heartbeat, left
        self._least = -inf

    def __call__(self) -> None:
        """Raise where the time is over."""
        self._heartbeat()
        if self.left() < self._least:
            raise _TooLongError

    def grant(self, share: float) -> None:
        """Let the next round take a share of the time that is left; 1: all of it."""
        left = self.left()
        self._least = (1 - share) * left if share < 1 and left < inf else -inf


class _Rounds:
    """Rounds with the same times."""

    def __init__(self, unfolding: Unfolding, progress: Progress, patience: _Patience) -> None:
        self._unfolding, self._progress, self._heartbeat = unfolding, progress, patience
        self._before: tuple[Unfolded, Integers] | None = None
        self._seconds_per_node = 0.0

    def until_alive(self, turns: list[int]) -> None:
        """Go on until a schedule is found, or that there is none."""
        while True:
            unfolded, found = self.make(turns)
            if isinstance(found, Critical):
                return
            if not _raised(unfolded, found, turns):
                self._end_in_deadlock(unfolded, found)
                return

    def until_exact(self, turns: list[int], on_round: OnRound) -> None:
        """Go on until the schedule is the best of all, or there is none."""
        progress = self._progress
        while True:
            self._heartbeat.grant(1 if progress.schedule is None else ROUND_SHARE)
            unfolded, found = self.make(turns)
            self._heartbeat.grant(1)
            if isinstance(found, Critical):
                schedule = Schedule(unfolded, found)
                progress.schedule = schedule
                on_round(progress.rounds, schedule.period)
                if not found.ratio:
                    return
                cycle = found.cycle
            else:
                cycle = found
            progress.suspects = unfolded.actors_on(cycle)
            if _raised(unfolded, cycle, turns):
                continue
            if isinstance(found, Critical):
                progress.circuit = real_circuit(Circuit(unfolded, cycle), self._heartbeat)
            else:
                self._end_in_deadlock(unfolded, cycle)
            return

    def as_far_as_fits(self, on_round: OnRound) -> None:
        """Go on with smaller rounds, where the next one is too large: as long as one fits.

        Unfolded further, a schedule never gets longer. So each round's is as good as the last one's.
        The actors of the critical circuit are unfolded by one prime factor more at a time: all of them
        if that fits, else one, of the least factor, then with the longest part of the circuit. A round
        fits the time if it, its starts, and the referee take what is left, a node of each as long as
        those of the rounds before.
        """
        progress = self._progress
        progress.refused = progress.suspects
        schedule = progress.schedule
        while schedule is not None and schedule.critical.ratio:
            schedule = self._made_one_that_fits(schedule, on_round)
            if schedule is None:
                return
            cycle = schedule.critical.cycle
            progress.suspects = schedule.unfolded.actors_on(cycle)
            if not _raised(schedule.unfolded, cycle, [*schedule.unfolded.turns]):
                progress.circuit = real_circuit(Circuit(schedule.unfolded, cycle), self._heartbeat)
                progress.too_large = progress.too_long = False
                return

    def _made_one_that_fits(self, before: Schedule, on_round: OnRound) -> Schedule | None:
        """Make the first of the next rounds that is not too large. None if all are."""
        actors = before.unfolded.net.actors
        for turns in _smaller_rounds(before.unfolded, before.critical.cycle):
            nodes = sum(k * len(actor.times) for k, actor in zip(turns, actors, strict=True))
            if ROUNDS_OF_TIME * nodes * self._seconds_per_node > self._heartbeat.left():
                continue
            self._heartbeat.grant(ROUND_SHARE)
            try:
                unfolded, found = self.make(turns)
            except TooLargeError:
                continue
            finally:
                self._heartbeat.grant(1)
            # There was a schedule before, so there is one.
            assert isinstance(found, Critical)
            schedule = self._progress.schedule = Schedule(unfolded, found)
            on_round(self._progress.rounds, schedule.period)
            return schedule
        return None

    def _end_in_deadlock(self, unfolded: Unfolded, cycle: tuple[int, ...]) -> None:
        circuit = Circuit(unfolded, cycle)
        self._progress.circuit = real_circuit(circuit, self._heartbeat, live=True)
        self._progress.deadlock = True

    def make(self, turns: Sequence[int]) -> tuple[Unfolded, Critical | tuple[int, ...]]:
        """Find the critical circuit, or the edges of one that does not advance."""
        progress, begun = self._progress, self._heartbeat.left()
        unfolded = self._unfolding.unfold(turns)
        progress.rounds += 1
        progress.nodes = max(progress.nodes, unfolded.graph.nodes)
        progress.edges = max(progress.edges, len(unfolded.graph.sources))
        policy = None if self._before is None else carried(*self._before, unfolded)
        self._heartbeat()
        try:
            found = critical(unfolded.graph, policy=policy, heartbeat=self._heartbeat)
        except NoProgress as fault:
            return unfolded, fault.cycle
        if begun < inf:
            self._seconds_per_node = (begun - self._heartbeat.left()) / unfolded.graph.nodes
        progress.policy_rounds += found.statistics.policy_rounds
        self._before = unfolded, found.policy
        return unfolded, found


def wanted(net: Net, members: Sequence[int]) -> list[int]:
    """Say how often actors must be unfolded so that their turns advance alike.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    members
        Numbers of the actors.

    Returns
    -------
    list of int
        In the order of `members`.
    """
    common = gcd(*(net.actors[actor].repetitions for actor in members))
    return [net.actors[actor].repetitions // common for actor in members]


def _raised(unfolded: Unfolded, cycle: Sequence[int], turns: list[int]) -> bool:
    """Unfold the actors on a cycle as far as real firings need; tell whether they were not."""
    members = unfolded.actors_on(cycle)
    due = wanted(unfolded.net, members)
    short = any(turns[actor] % k for actor, k in zip(members, due, strict=True))
    for actor, k in zip(members, due, strict=True):
        turns[actor] = lcm(turns[actor], k)
    return short


def _smaller_rounds(unfolded: Unfolded, cycle: Sequence[int]) -> Iterator[list[int]]:
    """Give rounds between one and the next, the ones to try first."""
    now = [*unfolded.turns]
    due = [*now]
    _raised(unfolded, cycle, due)
    share: Counter[int] = Counter()
    for edge in cycle:
        actor = unfolded.actor(int(unfolded.graph.sources[edge]))
        if actor is not None:
            share[actor] += int(unfolded.graph.times[edge])
    short = sorted(
        (actor for actor in share if due[actor] > now[actor]), key=lambda one: (-share[one], one)
    )
    factors = {actor: _least_factor(due[actor] // now[actor]) for actor in short}
    singly = [[actor] for actor in sorted(short, key=lambda one: factors[one])]
    for some in (short, *singly) if len(short) > 1 else singly:
        larger = [*now]
        for actor in some:
            larger[actor] *= factors[actor]
        yield larger


def _least_factor(number: int) -> int:
    """Give the least prime factor of a number above 1, or the number if it has none up to a bound."""
    return next((p for p in range(2, MOST_FACTOR) if number % p == 0), number)


def real_circuit(circuit: Circuit, heartbeat: Heartbeat, *, live: bool = False) -> Circuit:
    """Find a circuit of real firings among the actors of one that need not be.

    Parameters
    ----------
    circuit
        Of actors that may be unfolded too little.
    heartbeat
        Called now and then; may raise, which ends the work.
    live
        Whether every firing counts as one unit of time, which shows circuits that do not advance.
    """
    net = circuit.unfolded.net
    members = circuit.unfolded.actors_on(circuit.edges)
    due = wanted(net, members)
    if [circuit.unfolded.turns[actor] for actor in members] == due:
        return circuit
    unfolded = Unfolding(net.among(members), live=live, heartbeat=heartbeat).unfold(due)
    try:
        return Circuit(unfolded, critical(unfolded.graph, heartbeat=heartbeat).cycle)
    except NoProgress as fault:
        return Circuit(unfolded, fault.cycle)


def carried(before: Unfolded, policy: Integers, now: Unfolded) -> Integers:
    """Carry a policy over to a round in which some actors are unfolded further.

    A node follows an edge that leads where the policy led the node that it comes from.

    Parameters
    ----------
    before
        The graph of the last round.
    policy
        Edge that each of its nodes follows; negative where it stops.
    now
        The graph of this round.

    Returns
    -------
    array of int
        Edge that each node of `now` follows; -1 where it stops.
    """
    origin = _origins(before, now)
    channel_before, channel_now = _channels(before), _channels(now)
    followed = policy[origin]
    leads = np.where(followed >= 0, np.asarray(before.graph.targets)[followed], -1)
    by = np.where(followed >= 0, channel_before[followed], -1)
    sources, targets = np.asarray(now.graph.sources), np.asarray(now.graph.targets)
    kept = np.flatnonzero((leads[sources] == origin[targets]) & (by[sources] == channel_now))
    carried_on = np.full(now.graph.nodes, -1, dtype=np.int64)
    carried_on[sources[kept]] = kept
    return carried_on


def _origins(before: Unfolded, now: Unfolded) -> Integers:
    """Say from which node each node comes. What stands between phases, from some node between them."""
    origin = np.zeros(now.graph.nodes, dtype=np.int64)
    for place in range(len(now.turns)):
        size = before.starts[place + 1] - before.starts[place]
        nodes = np.arange(now.starts[place + 1] - now.starts[place])
        origin[now.starts[place] : now.starts[place + 1]] = before.starts[place] + nodes % size
    for place, block in enumerate(now.blocks):
        first, old = now.between[place], before.blocks[place]
        nodes = np.arange(block.between)
        if old.between:
            origin[first : first + block.between] = before.between[place] + nodes % old.between
    return origin


def _channels(unfolded: Unfolded) -> Integers:
    sizes = np.diff(np.array(unfolded.first_edges))
    return np.repeat(np.arange(len(sizes)), sizes)
