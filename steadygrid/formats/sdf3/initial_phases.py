"""Initial phases, such as ``2;3,1``: what actors do once before their phases repeat.

A steady state does not see them, but for the tokens that they leave.
"""

from collections import deque

from steadygrid.formats.sdf3.graph import SdfGraph


def split_phases(text: str) -> tuple[str, str]:
    """Part the initial phases, which may be empty, from those that repeat.

    Parameters
    ----------
    text
        The value of an attribute; a semicolon ends the initial phases.
    """
    initial, _, repeated = text.rpartition(";")
    return initial, repeated


def fire_initial_phases(graph: SdfGraph) -> list[str]:
    """Run all initial firings, and leave the tokens that are there afterwards.

    Each channel has one user, so no firing takes what another one needs: the order is of no
    importance.

    Parameters
    ----------
    graph
        Whose channels join ports that are there; they get other tokens.

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
        initial, firing = graph.actors[name].initial, fired[name]
        if firing == numbers[name]:
            continue
        needs = [(channel, initial[port][firing]) for channel, port in taken.get(name, ())]
        if any(tokens[place] < rate for place, rate in needs):
            continue
        for place, rate in needs:
            tokens[place] -= rate
        for place, port in made.get(name, ()):
            tokens[place] += initial[port][firing]
            waiting.append(graph.channels[place].target[0])
        fired[name] += 1
        waiting.append(name)
    for name, channel in graph.channels.items():
        graph.channels[name] = channel._replace(tokens=tokens[name])
    return [
        f"line {graph.actors[name].line}: actor {name!r:.80}: its initial firings lack tokens after"
        f" {fired[name]:,} of {numbers[name]:,}: start the graph behind them"
        for name in graph.actors
        if fired[name] < numbers[name]
    ]
