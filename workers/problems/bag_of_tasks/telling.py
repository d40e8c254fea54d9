"""How classes are told in answers."""

from collections.abc import Iterable

from steadygrid.problems.bag_of_tasks.schemas import BagClass, ClassOut


def told_classes(classes: Iterable[BagClass]) -> list[ClassOut]:
    """List the classes of all bags."""
    return [
        ClassOut(
            name=one.name,
            bag=one.bag,
            number=one.number,
            probability=one.probability,
            input_size=one.input_size,
            work=one.work,
        )
        for one in classes
    ]
