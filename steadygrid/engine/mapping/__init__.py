"""Mappings of the tasks of a graph onto processors: what they take, and how they change.

`tables` reads an instance by index, `fastest` orders the processors of a task, `routes` finds the
routes of files. `occupation` keeps exact loads up to date as tasks move, `screen` looks at all
moves at once in floats, and `transfers` says what the files of a mapping take on the routes that
they go.
"""


class NoMapping(Exception):
    """A method finds no mapping of this instance. Its text says why, for a person.

    Attributes
    ----------
    proved
        Whether there is none at all, by any method.
    """

    def __init__(self, reason: str, *, proved: bool = False) -> None:
        super().__init__(reason)
        self.proved = proved
