"""How objects show themselves in one line."""

from typing import Any

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

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
    """Base of results: how they are shown, by what they found, and what their schema says."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Say that a written answer always names its kind, which an answer that is read may omit."""
        document = handler(schema)
        if handler.mode == "serialization":
            members = handler.resolve_ref_schema(document)
            members["required"] = ["kind", *(m for m in members["required"] if m != "kind")]
        return document

    def __repr__(self) -> str:
        found: Any = self
        objective = found.objective
        value = () if objective is None else (f"{objective.name} {objective.value}",)
        judged = "verified" if found.verified else "not verified"
        return shown_line(type(self).__name__, found.outcome.value, *value, judged)

    def __str__(self) -> str:
        return repr(self)
