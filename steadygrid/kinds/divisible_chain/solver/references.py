"""The methods of the literature that the linear program is compared with.

They decide on installments and shares. When everything happens follows, see `timing`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.rounding import rounded_down
from steadygrid.kinds.divisible_chain.solver.chain import ZERO, Chain, Piece, Shares
from steadygrid.kinds.divisible_chain.solver.timing import earliest

LONG_BITS = 1_024
"""Denominators from which on shares of these methods are rounded."""
SHORT_BITS = 256

Fractions = Mapping[int, Fraction]
"""Part of an installment by processor. They sum to 1."""


class NoAnswerError(Exception):
    """Why a method has no answer for an instance that has many."""


class Division(NamedTuple):
    """How a method divides the loads."""

    chain: Chain
    """With the installments that the method chose."""
    shares: Shares


def simple(chain: Chain, check: Callable[[], None] = lambda: None) -> Division:
    """Give each processor a part of each load in proportion to its speed.

    Source: the heuristic SIMPLE of the thesis of Gallet, section 2.6.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    check
        Not called.
    """
    return _single_installments([_by_speed(chain, load) for load in range(chain.num_loads)], chain)


def single_load(chain: Chain, check: Callable[[], None] = lambda: None) -> Division:
    """Divide each load as if it were alone on the chain.

    Source: SINGLELOAD of the thesis of Gallet, section 2.6, after Min Wong and Veeravalli: the
    origin of time is the date at which the first link is free, all processors finish together.

    Parameters
    ----------
    chain
        Processors, links and the sequence of installments.
    check
        Not called.
    """
    return _single_installments([_together(chain, load) for load in range(chain.num_loads)], chain)


def heuristic_b(
    chain: Chain, finish_together: Callable[[Chain], Fractions], check: Callable[[], None]
) -> Division:
    """Divide load after load in one installment, as well as the loads before allow.

    Parameters
    ----------
    finish_together
        Divides the only load of a chain so that its last processor finishes first.

    Source: Heuristic B of Min Wong, Veeravalli and Barlas, as the thesis of Gallet characterises
    it in 2.3.4 and 2.7. Each load by itself is optimised, in the state that the loads before it
    left, in one installment even where processors then wait for their data.
    """
    single = chain.with_installments((1,) * chain.num_loads)
    shares: dict[tuple[int, int], Fraction] = {}
    progress = _Progress(chain)
    for load in range(chain.num_loads):
        check()
        alone = progress.alone(load, 1)
        parts = _shortened(finish_together(alone))
        progress.pass_on(alone, {(i, 0): part for i, part in parts.items()})
        shares.update({(i, load): part for i, part in parts.items() if part})
    return Division(single, shares)


def multi_installment(
    chain: Chain, most: int | None, check: Callable[[], None] = lambda: None, default: int = 100
) -> Division:
    r"""Divide each load in installments that arrive before any processor is idle.

    The first load is divided as by `single_load`. A later load k is computed by all processors
    from the finish :math:`T` of the one before, in proportion to their speeds. Let :math:`X_i` be
    the time of link i for what it carries of a whole load, :math:`Y_i = \sum_{p<i} X_p` and
    :math:`C = \sum_p X_p`. Let E be the time of a whole load on all processors together, and t the
    date from which the first link can carry it. The first installment is so large that it has come
    down the chain at T,

    .. math:: L_1 = (T - t) / C

    and each next one so that it is there when the last is computed,

    .. math:: L_{l+1} = L_l B / C, \quad B = C + E - H, \quad
        H = \max_i \frac{R_i C - Y_i E}{C - Y_i}

    where :math:`R_i` is how long an installment keeps link i from carrying the next one:
    :math:`X_i`, and :math:`X_{i+1}` besides under strict one-port. The last is what is left.

    Parameters
    ----------
    most
        Installments per load. The last of them takes all that is left, divided as by
        `single_load` where that is more than arrives in time. None: as many as it takes, up to
        `default`, and no answer where no number is enough.

    Raises
    ------
    NoAnswerError
        If the installments get smaller so fast that they never make up the load.

    Source: Min Wong, Veeravalli and Barlas, equations (1), (5), (27) and (38), as quoted in the
    thesis of Gallet, section 2.3.
    """
    pieces: list[Piece] = []
    shares: dict[tuple[int, int], Fraction] = {}
    progress = _Progress(chain)
    for load in range(chain.num_loads):
        check()
        parts = [_together(chain, load)]
        sizes = [Fraction(1)]
        if load:
            by_speed = _by_speed(chain, load)
            sizes, forced = _sizes(chain, load, by_speed, progress, most, default)
            # Who has to wait for the last installment anyway does not share it by speed.
            parts = [by_speed] * (len(sizes) - forced) + parts * forced
        own = {
            (i, number): size * part
            for number, (size, row) in enumerate(zip(sizes, parts, strict=True))
            for i, part in row.items()
            if part
        }
        progress.pass_on(progress.alone(load, len(sizes)), own)
        shares.update({(i, len(pieces) + number): share for (i, number), share in own.items()})
        pieces += [Piece(load, number) for number in range(1, len(sizes) + 1)]
    return Division(replace(chain, sequence=tuple(pieces)), shares)


class _Progress:
    """How far the loads before have come.

    Attributes
    ----------
    available
        By processor, when it has computed them.
    free
        By link, from when it can carry the next load.
    finish
        When all of them are done.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self.available = list(chain.available)
        self.free = list(chain.free)
        self.finish = ZERO

    def alone(self, load: int, installments: int) -> Chain:
        """Give the chain with one load only, free from when the loads before leave it."""
        chain = self._chain
        return Chain(
            chain.ids,
            chain.strict,
            tuple(Piece(0, number) for number in range(1, installments + 1)),
            tuple((row[load],) for row in chain.work),
            tuple((row[load],) for row in chain.wire),
            tuple(self.available),
            (chain.released[load],),
            tuple(self.free),
        )

    def pass_on(self, alone: Chain, shares: Shares) -> None:
        """Let the next load pass."""
        timing = earliest(alone, shares)
        for (i, _), end in timing.computed.items():
            self.available[i] = max(self.available[i], end)
        ends = [dates[-1] for dates in timing.sent]
        for link, end in enumerate(ends):
            self.free[link] = end
            if alone.strict and link + 1 < len(ends):
                self.free[link] = max(end, ends[link + 1])
        self.finish = max(self.finish, timing.makespan)


def _sizes(
    chain: Chain,
    load: int,
    parts: Fractions,
    progress: _Progress,
    most: int | None,
    default: int,
) -> tuple[list[Fraction], bool]:
    """Give the sizes of the installments of a load, and whether the last comes too late."""
    crossing = [
        sum((p for i, p in parts.items() if i > link), ZERO) for link in range(chain.length - 1)
    ]
    wires = [part * chain.wire[link][load] for link, part in enumerate(crossing)]
    whole = sum(wires, ZERO)
    if not whole:
        return [Fraction(1)], False
    window = progress.finish - max(chain.released[load], progress.free[0])
    # A load that is released too late leaves all processors waiting: nothing is gained by parts.
    if window >= whole or window <= 0:
        return [Fraction(1)], window <= 0
    each = max((chain.time(i, load) * part for i, part in parts.items()), default=ZERO)
    factor = (whole + each - _stride(chain, wires, whole, each)) / whole
    first = _short(window / whole)
    if most is None and not _enough(first, factor):
        raise NoAnswerError(
            f"the installments of load {load + 1} would shrink by the factor {factor} from"
            f" {first} of it on, and never make it up: no number of them is enough; set"
            " max_installments to let the last one take all that is left"
        )
    limit = default if most is None else most
    sizes: list[Fraction] = []
    left, size = Fraction(1), first
    while left > size and len(sizes) + 1 < limit and size > 0:
        sizes.append(size)
        left -= size
        size = _short(size * factor)
    return [*sizes, left], left > size


def _short(value: Fraction) -> Fraction:
    """Round down what has become long: the next load's numbers are made of it."""
    if value.denominator.bit_length() <= LONG_BITS:
        return value
    return rounded_down(value, SHORT_BITS)


def _shortened(parts: Fractions) -> Fractions:
    """Shorten parts so that they still sum to 1."""
    short = {i: _short(part) for i, part in parts.items()}
    largest = max(short, key=lambda i: short[i])
    short[largest] += 1 - sum(short.values(), ZERO)
    return short


def _enough(first: Fraction, factor: Fraction) -> bool:
    """Tell whether first (1 + factor + factor^2 + ...) gets to 1 after finitely many terms."""
    return factor >= 1 or first / (1 - factor) > 1


def _stride(chain: Chain, wires: Sequence[Fraction], whole: Fraction, each: Fraction) -> Fraction:
    """Give H: how much later the next installment may start, per size of this one."""
    before = ZERO
    strides = []
    for link, wire in enumerate(wires):
        blocked = wire
        if chain.strict and link + 1 < len(wires):
            blocked += wires[link + 1]
        if wire:
            strides.append((blocked * whole - before * each) / (whole - before))
        before += wire
    return max(strides)


def _by_speed(chain: Chain, load: int) -> Fractions:
    """Divide in proportion to the speeds."""
    able = chain.able(load)
    times = {i: chain.time(i, load) for i in able}
    if not all(times.values()):
        return {able[0]: Fraction(1)}
    total = sum((1 / time for time in times.values()), ZERO)
    return {i: 1 / time / total for i, time in times.items()}


def _together(chain: Chain, load: int) -> Fractions:
    r"""Divide so that all processors finish together on an idle chain.

    For two that follow each other, :math:`w_i \alpha_i = (\sum_{l > i} \alpha_l) c
    + w_{i+1} \alpha_{i+1}`, c the time of the links between them; from the last one backwards.
    """
    able = chain.able(load)
    times = {i: chain.time(i, load) for i in able}
    if not all(times.values()):
        return {able[0]: Fraction(1)}
    parts = {able[-1]: Fraction(1)}
    total = Fraction(1)
    for i, following in zip(able[-2::-1], able[:0:-1], strict=True):
        wire = sum((chain.wire[link][load] for link in range(i, following)), ZERO)
        parts[i] = (total * wire + parts[following] * times[following]) / times[i]
        total += parts[i]
    return {i: part / total for i, part in parts.items()}


def _single_installments(parts: Sequence[Fractions], chain: Chain) -> Division:
    single = chain.with_installments((1,) * chain.num_loads)
    return Division(
        single,
        {(i, load): part for load, row in enumerate(parts) for i, part in row.items() if part},
    )
