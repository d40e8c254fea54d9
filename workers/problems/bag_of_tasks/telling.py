"""How classes are told in answers."""

from steadygrid.problems.bag_of_tasks.schemas import BagOfTasksInstance, ClassOut


def told_classes(instance: BagOfTasksInstance) -> list[ClassOut]:
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
        for one in instance.classes
    ]
