"""Circuits of more firings than an answer lists: all of them, as numbers."""

from collections.abc import Container, Iterator, Sequence

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.kinds.dataflow.referee_graph import Graph
from steadygrid.kinds.dataflow.schemas import (
    MOST_LISTED,
    CircuitArrays,
    CircuitCertificate,
    CircuitStep,
    CoverCertificate,
    DataflowInstance,
    DataflowResult,
    RowsCertificate,
    TooShortCertificate,
)
from steadygrid.verification.findings import Findings

ARRAYS: Pointer = ("result", "certificate", "circuit")
LISTED: Pointer = ("result", "critical_circuit")


def circuit_arrays(result: DataflowResult) -> CircuitArrays | None:
    """Give the circuit of an answer as numbers. None where all of it is listed.

    Parameters
    ----------
    result
        The answer, but for its schedule.
    """
    certificate = result.certificate
    if isinstance(
        certificate, CircuitCertificate | CoverCertificate | RowsCertificate | TooShortCertificate
    ):
        return certificate.circuit
    return None


def check_arrays(
    graph: Graph, arrays: CircuitArrays, listed: Sequence[CircuitStep], findings: Findings
) -> bool:
    """Check that numbers are those of a long circuit of which the first firings are listed.

    Parameters
    ----------
    graph
        Actors and channels by number.
    arrays
        All firings of the circuit.
    listed
        The first ones.
    findings
        Collects the faults that are found.

    Returns
    -------
    bool
        Whether they are.

    Notes
    -----
    Rules, in this order:

    == ====================================================================== ==================
    1  there are as many firings as actors and channels                       `wrong_circuit`
    2  there are more than a list holds, and the list is full                 `wrong_circuit`
    3  actors are numbers of actors, channels those of channels, or -1        `wrong_circuit`
    4  firings are 0 or later                                                 `wrong_firing`
    5  the list begins as the numbers do                                      `wrong_circuit`
    == ====================================================================== ==================
    """
    count = len(arrays.actors)
    if not count == len(arrays.firings) == len(arrays.channels):
        detail = "There are not as many actors, firings and channels."
        findings.add(ARRAYS, "wrong_circuit", detail)
        return False
    if count <= MOST_LISTED or len(listed) != MOST_LISTED:
        findings.add(
            ARRAYS,
            "wrong_circuit",
            f"Numbers are given of circuits of more than {MOST_LISTED:,} firings, of which the first"
            f" {MOST_LISTED:,} are listed.",
        )
        return False
    channels = {-1, *(n for n in {*arrays.channels} if graph.numbered(n) is not None)}
    known: tuple[tuple[str, Sequence[int], Container[int]], ...] = (
        ("actors", arrays.actors, range(len(graph.names))),
        ("channels", arrays.channels, channels),
    )
    for name, numbers, those in known:
        for j, number in enumerate(numbers):
            if number not in those:
                detail = f"{number} is none of the {name}."
                findings.add((*ARRAYS, name, j), "wrong_circuit", detail)
                return False
    for j, firing in enumerate(arrays.firings):
        if firing < 0:
            detail = "Firings are counted from 0."
            findings.add((*ARRAYS, "firings", j), "wrong_firing", detail)
            return False
    for j, (step, told) in enumerate(zip(listed, _numbered(graph, arrays), strict=False)):
        if (step.actor, step.firing, step.channel) != told:
            detail = f"The numbers say firing {told[1]} of {told[0]!r} here."
            findings.add((*LISTED, j), "wrong_circuit", detail)
            return False
    return True


def all_steps(instance: DataflowInstance | Graph, result: DataflowResult) -> Sequence[CircuitStep]:
    """List all firings of the critical circuit, those too that the answer gives as numbers.

    A firing that is not listed takes the first token that it takes of those that the one before
    makes, if it takes any of them.

    Parameters
    ----------
    instance
        The graph.
    result
        The answer, but for its schedule. Its numbers are those of the graph.
    """
    listed, arrays = result.critical_circuit or (), circuit_arrays(result)
    if arrays is None:
        return listed
    graph = instance if isinstance(instance, Graph) else Graph(instance)
    steps = [*listed]
    before = arrays.firings[len(listed) - 1]
    numbers = zip(arrays.actors, arrays.firings, arrays.channels, strict=True)
    for actor, firing, place in [*numbers][len(listed) :]:
        channel = graph.numbered(place)
        token = None
        if channel is not None:
            token = max(channel.made(before).first, channel.taken(firing).first)
        steps.append(
            CircuitStep.model_construct(
                actor=graph.names[actor],
                firing=firing,
                channel=None if channel is None else channel.name,
                token=token,
                time=graph.time(actor, firing),
            )
        )
        before = firing
    return steps


def at_numbers(faults: Sequence[Fault]) -> Iterator[Fault]:
    """Move faults of firings that are not listed to their numbers.

    Parameters
    ----------
    faults
        Of all firings, as if they were listed.
    """
    for fault in faults:
        pointer = fault.pointer
        place = pointer[len(LISTED)] if len(pointer) > len(LISTED) else 0
        if pointer[: len(LISTED)] == LISTED and int(place) >= MOST_LISTED:
            yield fault._replace(pointer=(*ARRAYS, "firings", place))
        else:
            yield fault


def _numbered(graph: Graph, arrays: CircuitArrays) -> Iterator[tuple[str, int, str | None]]:
    for actor, firing, place in zip(arrays.actors, arrays.firings, arrays.channels, strict=True):
        channel = graph.numbered(place)
        yield graph.names[actor], firing, None if channel is None else channel.name
