"""When everything happens, once it is decided how much goes where."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Chain, Shares


@dataclass(frozen=True)
class Timing:
    """The earliest dates of given shares.

    Attributes
    ----------
    sending, sent
        By link and installment, the start and end of the transfer, empty ones too.
    computing, computed
        By processor and installment of which it computes some, start and end; {(i, t): date}.
    completions
        By load, the end of its last computation.
    makespan
        The end of the last computation.
    """

    sending: list[list[Fraction]]
    sent: list[list[Fraction]]
    computing: dict[tuple[int, int], Fraction]
    computed: dict[tuple[int, int], Fraction]
    completions: list[Fraction]
    makespan: Fraction


def earliest(
    chain: Chain,
    shares: Shares,
    startup: Sequence[Fraction] | None = None,
    check: Callable[[], None] = lambda: None,
) -> Timing:
    """Let every transfer and computation start as early as the rules of program (2.2) allow.

    All of them are lower bounds on starts, in the order of the sequence, so that the least
    dates minimise the makespan and all completions at once; linear in the dates. What a
    processor computes nothing of does not concern it.

    Parameters
    ----------
    shares
        Sum to 1 for each load.
    startup
        By link, the time that a message with something in it costs besides.
    check
        Called for each installment; may raise.
    """
    links = range(chain.length - 1)
    sending: list[list[Fraction]] = [[] for _ in links]
    sent: list[list[Fraction]] = [[] for _ in links]
    computing: dict[tuple[int, int], Fraction] = {}
    computed: dict[tuple[int, int], Fraction] = {}
    idle_from = list(chain.available)
    completions = [ZERO] * chain.num_loads
    for t, piece in enumerate(chain.sequence):
        check()
        beyond = _beyond(chain, shares, t)
        for i in links:
            start = chain.released[piece.load] if i == 0 else sent[i - 1][t]
            if t == 0:
                start = max(start, chain.free[i])
            else:
                start = max(start, sent[i][t - 1])
                if chain.strict and i + 1 < len(sent):
                    start = max(start, sent[i + 1][t - 1])
            duration = beyond[i] * chain.wire[i][piece.load]
            if startup is not None and beyond[i]:
                duration += startup[i]
            sending[i].append(start)
            sent[i].append(start + duration)
        for i in range(chain.length):
            share = shares.get((i, t), ZERO)
            if not share:
                continue
            arrival = chain.released[piece.load] if i == 0 else sent[i - 1][t]
            computing[i, t] = start = max(arrival, idle_from[i])
            end = start + share * chain.time(i, piece.load)
            computed[i, t] = idle_from[i] = end
            completions[piece.load] = max(completions[piece.load], end)
    return Timing(sending, sent, computing, computed, completions, max(completions))


def _beyond(chain: Chain, shares: Shares, t: int) -> list[Fraction]:
    """Give, by link, the fraction of the load that crosses it in an installment."""
    total = ZERO
    beyond = []
    for i in range(chain.length - 1, 0, -1):
        total += shares.get((i, t), ZERO)
        beyond.append(total)
    return beyond[::-1]
