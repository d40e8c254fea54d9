"""Parts that bodies have in common, as those of the jobs of a sweep have: they are read once."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from steadygrid.domain.limits import Limits
from steadygrid.kinds.shared.piecewise import findings_by_pieces
from steadygrid.submissions.changes import CHANGES
from steadygrid.submissions.submission import Submission, parse_submission

M = TypeVar("M", bound=BaseModel)


class Known(NamedTuple):
    """A problem, and what was read of it.

    Parts of another problem count as the same where they are the same objects, as `apply_patch`
    leaves what it does not change. Neither may be changed meanwhile.
    """

    document: Mapping[str, Any]
    instance: BaseModel

    def read(self, model: type[M], document: Mapping[str, Any]) -> M | None:
        """Read another problem, but for the parts that are the same.

        Parameters
        ----------
        model
            What it should be.
        document
            As it was sent.

        Returns
        -------
        BaseModel or None
            None: it has faults, which only a reading of all of it can tell.
        """
        if model is not type(self.instance):
            return None
        mixed = _mixed(document, self.document, self.instance)
        if next(findings_by_pieces(model, mixed), None) is not None:
            return None
        with suppress(ValidationError):
            return model.model_validate(mixed)
        return None


class Reader:
    """Reads bodies one after the other. What they share with the first good one is read once."""

    def __init__(self) -> None:
        self._known: Known | None = None

    def read(self, body: Any, limits: Limits) -> Submission:
        """Read a body. See `parse_submission`.

        Parameters
        ----------
        body
            As JSON has it.
        limits
            How large a problem may be.
        """
        submission = parse_submission(body, limits, self._known)
        if self._known is None and CHANGES not in body:
            self._known = Known(body["problem"], submission.instance)
        return submission


def _mixed(part: Any, before: Any, read: Any) -> Any:
    """Give a part with what was read of it, wherever that is an object that is the same as before."""
    if isinstance(read, BaseModel) and isinstance(part, Mapping):
        if part is before:
            return read
        fields = type(read).model_fields
        return {
            name: _mixed(member, before.get(name), getattr(read, name))
            if name in fields
            else member
            for name, member in part.items()
        }
    if isinstance(read, Mapping) and isinstance(part, Mapping):
        return {name: _mixed(one, before.get(name), read.get(name)) for name, one in part.items()}
    if isinstance(read, tuple) and isinstance(part, list) and len(part) == len(read):
        return [_mixed(*three) for three in zip(part, before, read, strict=True)]
    return part
