"""What the referee found, collected so that one look shows all of it."""

from collections.abc import Iterable

from steadygrid.domain.errors import Fault, Pointer

_OF_BAG = {("begin", "task"): "the input file", ("task", "end"): "the output file"}


def named(file: tuple[str, str]) -> str:
    """Name a file in a sentence, by its two tasks or, of a bag of tasks, by what it is."""
    return _OF_BAG.get(file) or f"file {' -> '.join(file)!r}"


class Findings:
    """Faults in the order in which the rules were checked.

    Parameters
    ----------
    most
        Faults that are kept. The rest is only counted, so that a schedule which is wrong in
        a million places is refused as fast as a right one is accepted.
    """

    def __init__(self, most: int = 200) -> None:
        self._most = most
        self._kept: list[Fault] = []
        self._total = 0

    def __bool__(self) -> bool:
        return self._total > 0

    def add(self, pointer: Pointer, code: str, sentence: str) -> None:
        """Note a fault: where in the answer, the rule's name, a sentence that names the place.

        Parameters
        ----------
        pointer
            Where in the answer.
        code
            Name of the rule.
        sentence
            What is wrong. It names the place.
        """
        self._total += 1
        if len(self._kept) < self._most:
            self._kept.append(Fault(pointer, code, sentence))

    def take(self, faults: Iterable[Fault]) -> None:
        """Note faults that were found apart.

        Parameters
        ----------
        faults
            In the order in which their rules were checked.
        """
        for fault in faults:
            self.add(*fault)

    @property
    def faults(self) -> list[Fault]:
        """All faults that were kept, and how many were not."""
        more = self._total - len(self._kept)
        if not more:
            return list(self._kept)
        return [*self._kept, Fault((), "more_faults", f"There are {more:,} more faults.")]
