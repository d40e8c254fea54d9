"""Initial phases, such as ``2;3,1``: what actors do once before their phases repeat.

A steady state does not see them, but for the tokens that they leave. Where they need more tokens than
other initial firings make, actors go through their repeated phases meanwhile: no more often than it
takes until every channel holds what has been taken from it. Whole cycles change no steady state.
"""

from collections import deque
from collections.abc import Mapping

from steadygrid.formats.sdf3.graph import SdfActor, SdfGraph

_MOST_STEPS = 100_000
"""Of raising the cycles that are needed meanwhile, one actor at a time."""
_MOST_FIRINGS = 200_000
"""Meanwhile, of all actors."""


def split_phases(text: str) -> tuple[str, str]:
    """Part the initial phases, which may be empty, from those that repeat.

    Parameters
    ----------
    text
        The value of an attribute. A semicolon ends the initial phases.
    """
    initial, _, repeated = text.rpartition(";")
    return initial, repeated


def fire_initial_phases(graph: SdfGraph) -> list[str]:
    """Run all initial firings, and leave the tokens that are there afterwards.

    Parameters
    ----------
    graph
        Whose channels join ports that are there. They get other tokens.

    Returns
    -------
    list of str
        A sentence for each actor whose initial firings cannot end, which begins with its line.
    """
    numbers = {
        name: max((len(rates) for rates in actor.initial.values()), default=0)
        for name, actor in graph.actors.items()
    }
    faults = [
        f"line {actor.line}: actor {actor.name!r:.80}: its ports have as many initial phases as each"
        f" other; {port!r:.80} has {len(actor.initial.get(port, ())):,}, another {numbers[name]:,}"
        for name, actor in graph.actors.items()
        for port in actor.ports
        if len(actor.initial.get(port, ())) != numbers[name]
    ]
    if faults or not any(numbers.values()):
        return faults
    limits = {name: numbers[name] + more for name, more in _firings_meanwhile(graph).items()}
    tokens, fired = _run(graph, numbers, limits)
    for name, channel in graph.channels.items():
        graph.channels[name] = channel._replace(tokens=tokens[name])
    return [
        f"line {graph.actors[name].line}: actor {name!r:.80}: its initial firings lack tokens after"
        f" {fired[name]:,} of {limits[name]:,}: start the graph behind them"
        for name in graph.actors
        if fired[name] < limits[name]
    ]


def _firings_meanwhile(graph: SdfGraph) -> dict[str, int]:
    """Give the firings of whole cycles that each actor has to run. None where these are too many."""
    cycles = _cycles_meanwhile(graph)
    firings = {name: cycles[name] * _phases(graph.actors[name]) for name in graph.actors}
    return firings if sum(firings.values()) <= _MOST_FIRINGS else dict.fromkeys(firings, 0)


def _phases(actor: SdfActor) -> int:
    listed = [rates for _, rates in actor.ports.values()]
    return max(map(len, [*listed, *actor.times.values()]), default=1)


def _moved(graph: SdfGraph, end: tuple[str, str]) -> tuple[int, int]:
    """Give the tokens that initial firings move at an end of a channel, and those of a cycle."""
    actor, port = graph.actors[end[0]], end[1]
    rates = actor.ports[port][1]
    return sum(actor.initial.get(port, ())), sum(rates) * (_phases(actor) // len(rates))


def _cycles_meanwhile(graph: SdfGraph) -> dict[str, int]:
    """Give the least cycles of each actor after which no channel lacks tokens; 0 where none do.

    They are the least solution of inequalities each of which bounds one number below by another, so
    that raising what is too small comes to it.
    """
    cycles = dict.fromkeys(graph.actors, 0)
    fed: dict[str, list[tuple[str, int, int, int]]] = {}
    for channel in graph.channels.values():
        (made, per_cycle), (taken, used) = (
            _moved(graph, end) for end in (channel.source, channel.target)
        )
        lacking = taken - made - channel.tokens
        fed.setdefault(channel.target[0], []).append((channel.source[0], lacking, used, per_cycle))
    waiting = deque(graph.actors)
    for _ in range(_MOST_STEPS):
        if not waiting:
            return cycles
        name = waiting.popleft()
        for source, lacking, used, made in fed.get(name, ()):
            short = lacking + cycles[name] * used
            if made and short > cycles[source] * made:
                cycles[source] = -(-short // made)
                waiting.append(source)
    return dict.fromkeys(cycles, 0)


def _run(
    graph: SdfGraph, numbers: Mapping[str, int], limits: Mapping[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """Fire as long as tokens are there and no actor has fired as often as it may.

    Each channel has one user, so no firing takes what another one needs: the order is of no
    importance.
    """
    tokens = {name: channel.tokens for name, channel in graph.channels.items()}
    taken: dict[str, list[tuple[str, str]]] = {}
    made: dict[str, list[tuple[str, str]]] = {}
    for name, channel in graph.channels.items():
        for listed, (actor, port) in ((taken, channel.target), (made, channel.source)):
            listed.setdefault(actor, []).append((name, port))
    fired = dict.fromkeys(graph.actors, 0)
    waiting = deque(graph.actors)
    while waiting:
        name = waiting.popleft()
        firing = fired[name]
        if firing >= limits[name]:
            continue
        needs = [
            (channel, _rate(graph, name, port, firing, numbers))
            for channel, port in taken.get(name, ())
        ]
        if any(tokens[place] < rate for place, rate in needs):
            continue
        for place, rate in needs:
            tokens[place] -= rate
        for place, port in made.get(name, ()):
            tokens[place] += _rate(graph, name, port, firing, numbers)
            waiting.append(graph.channels[place].target[0])
        fired[name] += 1
        waiting.append(name)
    return tokens, fired


def _rate(graph: SdfGraph, name: str, port: str, firing: int, numbers: Mapping[str, int]) -> int:
    actor, initial = graph.actors[name], numbers[name]
    if firing < initial:
        return actor.initial[port][firing]
    rates = actor.ports[port][1]
    return rates[(firing - initial) % len(rates)]
