"""The least makespan of a few jobs, by trying all orders of their operations."""

from fractions import Fraction

F = Fraction
Operation = tuple[tuple[str, ...], Fraction]
"""The ports and processors that it occupies, and its time."""


def least_makespan(jobs: list[list[Operation]]) -> Fraction:
    """Try all orders in which the operations of jobs can be started as early as possible."""
    best: list[Fraction] = []

    def extend(
        place: tuple[int, ...],
        ready: tuple[Fraction, ...],
        free: dict[str, Fraction],
        end: Fraction,
    ) -> None:
        if best and end >= best[0]:
            return
        left = [j for j, job in enumerate(jobs) if place[j] < len(job)]
        if not left:
            best[:] = [end]
            return
        seen = set()
        for j in left:
            alike = (place[j], ready[j], tuple(jobs[j][place[j] :]))
            if alike in seen:
                continue
            seen.add(alike)
            resources, time = jobs[j][place[j]]
            begin = max([ready[j], *(free.get(name, F(0)) for name in resources)])
            after = begin + time
            extend(
                (*place[:j], place[j] + 1, *place[j + 1 :]),
                (*ready[:j], after, *ready[j + 1 :]),
                {**free, **dict.fromkeys(resources, after)},
                max(end, after),
            )

    extend((0,) * len(jobs), (F(0),) * len(jobs), {}, F(0))
    return best[0]
