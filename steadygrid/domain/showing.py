"""How objects show themselves in one line."""

from typing import Any

from pydantic import BaseModel

LONGEST_LINE = 200
"""Characters of the line that shows an object."""


def shown_line(noun: str, *parts: str) -> str:
    """Show an object in one line of at most `LONGEST_LINE` characters.

    Parameters
    ----------
    noun
        The name of its class.
    *parts
        What is said of it.
    """
    line = f"{noun}({', '.join(parts)})"
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 4]}...)"


class ShownResult(BaseModel):
    """Base of results, which are shown by what they found."""

    def __repr__(self) -> str:
        found: Any = self
        objective = found.objective
        value = () if objective is None else (f"{objective.name} {objective.value}",)
        judged = "verified" if found.verified else "not verified"
        return shown_line(type(self).__name__, found.outcome.value, *value, judged)

    def __str__(self) -> str:
        return repr(self)
