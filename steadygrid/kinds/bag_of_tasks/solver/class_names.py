"""How classes are reported in answers."""

from collections.abc import Sequence

from steadygrid.kinds.bag_of_tasks.schemas import BagClass, CellOut, ClassOut


def told_classes(
    classes: Sequence[BagClass], cells: Sequence[CellOut | None] = ()
) -> list[ClassOut]:
    """List classes, with their cells where they are such.

    Parameters
    ----------
    classes
        Of the program that was solved.
    cells
        One for each class, None where it is none; empty where no class is a cell.
    """
    return [
        ClassOut(
            name=one.name,
            bag=one.bag,
            number=one.number,
            probability=one.probability,
            input_size=one.input_size,
            work=one.work,
            cell=cell,
        )
        for one, cell in zip(classes, cells or [None] * len(classes), strict=True)
    ]
