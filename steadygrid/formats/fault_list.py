"""The faults of a foreign document, each with its line or its pointer."""

from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer

MOST_FAULTS = 20


class FaultList:
    """Collects at most twenty faults; then, and when it is asked to, it raises them."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []

    def add(self, place: int | str | Pointer, code: str, detail: str) -> None:
        """Note a fault.

        Parameters
        ----------
        place
            A line, or what stands before the sentence, or a walk through JSON or YAML.
        code
            Stable name of the fault.
        detail
            What is wrong, and the remedy.
        """
        self._faults.append(_fault(place, code, detail))
        if len(self._faults) >= MOST_FAULTS:
            self.stop()

    def stop(self) -> None:
        """Raise `InstanceError` if there are faults."""
        if self._faults:
            raise InstanceError(faults=self._faults)


def refused(place: int | str | Pointer, code: str, detail: str) -> InstanceError:
    """Make the error of a single fault.

    Parameters
    ----------
    place, code, detail
        As of `FaultList.add`.
    """
    return InstanceError(faults=[_fault(place, code, detail)])


def _fault(place: int | str | Pointer, code: str, detail: str) -> Fault:
    if isinstance(place, tuple):
        return Fault(place, code, detail)
    before = f"line {place}: " if isinstance(place, int) else f"{place}: " if place else ""
    return Fault((), code, f"{before}{detail}")


def limit_error(number: int, noun: str, limit: int) -> LimitError:
    """Make the error that says what there is too much of.

    Parameters
    ----------
    number
        How many there are.
    noun
        What they are, in the plural.
    limit
        How many are accepted.
    """
    detail = f"{number:,} {noun}. At most {limit:,} are accepted"
    return LimitError(detail, [Fault((), "limit_exceeded", detail)])
