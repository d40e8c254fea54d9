"""Interchangeable processors: where a task may go, of those without a task one is as good as another."""

from collections.abc import Collection, Iterable, Sequence

from steadygrid.domain.twins import twin_classes
from steadygrid.engine.mapping.tables import Tables


class Twins:
    """The classes of interchangeable processors of an instance, on its reference routes.

    Parameters
    ----------
    tables
        The instance. On reference routes none passes through a member of a class: it has one
        neighbour.

    Attributes
    ----------
    classes
        The positions of the members of each class, ascending.
    """

    def __init__(self, tables: Tables) -> None:
        instance = tables.instance
        found = twin_classes(
            tables.platform, instance.ports, instance.times_given, fixed_routes=True
        )
        self.classes = [one.members for one in found]
        self._class_of = {i: number for number, one in enumerate(self.classes) for i in one}

    def like(self, processor: int) -> Sequence[int]:
        """Give the class of a processor, or the processor alone."""
        number = self._class_of.get(processor)
        return (processor,) if number is None else self.classes[number]

    def candidates(self, processors: Iterable[int], used: Collection[int]) -> list[int]:
        """Leave out the unused members of each class but the first of them.

        To place tasks on one of the others would give a mapping with the same occupations.

        Parameters
        ----------
        processors
            Where tasks may go, ascending.
        used
            The processors that run some task.
        """
        if not self.classes:
            return list(processors)
        found: list[int] = []
        seen: set[int] = set()
        for i in processors:
            number = self._class_of.get(i)
            if number is not None and i not in used:
                if number in seen:
                    continue
                seen.add(number)
            found.append(i)
        return found


def twins_of(tables: Tables) -> Twins:
    """Give the classes of an instance, found once."""
    return tables.cached(Twins)
