"""What an allocation that carries a message runs, as the referee sees it."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from steadygrid.domain.combination import Combination
from steadygrid.domain.schedule import Allocation
from steadygrid.verification.network import Network
from steadygrid.verification.steady import SteadyInstance, Views

_RECEIVED = "received"
"""The fictitious task that uses what no combination uses."""
_MOST_KEPT = 4_096


class Moving(NamedTuple):
    """A message: who has it, or a part of what is combined, and who gets it."""

    sources: tuple[str, ...]
    receivers: tuple[str, ...]
    size: Fraction


def message_views(
    network: Network,
    messages: Mapping[str, Moving],
    copiers: frozenset[str] = frozenset(),
    combining: Mapping[str, Fraction] | None = None,
) -> Views:
    """Let each allocation run a message of its own, which is a stream.

    A file is the message and which of its data: what a source has is called like it, the outcome of
    combination k of the allocation ``--k``. What no combination uses is for the receivers. Where these
    are several, what the last combination makes of several sources is called ``--sum`` instead.

    Parameters
    ----------
    copiers
        Who may send on to several others, or combine; empty where every message moves on paths.
    combining
        Time per unit of data of a combination of two operands, by processor that can combine. None:
        combining takes no time.
    """

    @lru_cache(_MOST_KEPT)
    def view(name: str, combinations: tuple[Combination, ...]) -> SteadyInstance:
        if name not in messages:
            return SteadyInstance(network, {}, {})
        return _view(network, name, messages[name], copiers, combining, combinations)

    return Views(
        network,
        [(name, source) for name, message in messages.items() for source in message.sources],
        lambda allocation: view(allocation.message or "", allocation.combinations),
        dict.fromkeys(messages, Fraction(1)),
        _message_of,
    )


def _message_of(allocation: Allocation) -> str:
    return allocation.message or ""


def _view(
    network: Network,
    name: str,
    message: Moving,
    copiers: frozenset[str],
    combining: Mapping[str, Fraction] | None,
    combinations: tuple[Combination, ...],
) -> SteadyInstance:
    sources, receivers, size = message
    by = {f"--{combination.index}": combination for combination in combinations}
    spread = len(sources) > 1 < len(receivers)
    used = {data: outcome for outcome, one in by.items() for data in one.operands}
    makers = {source: f"{source} has it" for source in sources} | {
        "--sum" if spread and k == len(by) else outcome: outcome
        for k, outcome in enumerate(by, start=1)
    }
    times = {
        outcome: {
            processor: (len(one.operands) - 1) * size * each
            for processor, each in (combining or {}).items()
        }
        for outcome, one in by.items()
    }
    return SteadyInstance(
        network,
        {} if combining is None else times,
        {(name, data): size for data in makers},
        {makers[source]: (source,) for source in sources} | {_RECEIVED: receivers},
        relays=copiers,
        roles={(name, data): (maker, used.get(data, _RECEIVED)) for data, maker in makers.items()},
        joins={outcome: one.processor for outcome, one in by.items()} if combining is None else {},
    )
