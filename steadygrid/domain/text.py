"""Names and labels: text that every database, terminal and URL can carry."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints
from pydantic_core import PydanticCustomError


def _plain(text: str) -> str:
    if text.isprintable():
        return text
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise PydanticCustomError(
            "control_character", "control characters and lone surrogates are not allowed"
        )
    return text


def _unambiguous(text: str) -> str:
    if "->" in text or "--" in text:
        raise PydanticCustomError(
            "invalid_id", 'an id cannot contain "->" or "--": they name links in answers'
        )
    if text[:1] == "-" or text[-1:] == "-":
        raise PydanticCustomError(
            "invalid_id",
            'an id cannot begin or end with "-": resources of answers would share a name. Put any'
            " other character there",
        )
    return text


PlainText = Annotated[str, StringConstraints(strict=True, max_length=200), AfterValidator(_plain)]
"""At most 200 characters, none of them a control character."""

Identifier = Annotated[
    str,
    StringConstraints(strict=True, min_length=1, max_length=200),
    AfterValidator(_plain),
    AfterValidator(_unambiguous),
]
"""A non-empty `PlainText` without ``->`` and ``--``, and without ``-`` at either end.

So ``A--B.half`` and ``A->B.link`` can be read in one manner only: what names are joined by is the
first place where it stands.
"""


class Frozen(BaseModel):
    """Base of all nouns: immutable, strict, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
