"""Changes of a body that are sent with it: a large platform, and one bandwidth that is another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from steadygrid.domain.errors import (
    Fault,
    InstanceError,
    LimitError,
    Pointer,
    SchedulingError,
)
from steadygrid.domain.patch import Patched, read_patch

CHANGES = "changes"
"""The member of a body that lists them."""
MOST_CHANGES = 1_000
MOST_LOOKED_AT = 1_200_000
"""Members that the targets of all changes together may look at, those that are changed counted five times:
about two seconds."""
MOST_EXPLAINED = 20
"""Changes that lead nowhere: after so many no more are made, since each is explained by all names."""
_NOT_STORED = ("unknown_platform", "unknown_application")

E = TypeVar("E", bound=SchedulingError)


@dataclass(frozen=True)
class ChangedBody:
    """A body after its changes were made, and which of them made what.

    Attributes
    ----------
    body
        Without the member `CHANGES`. What no change touches is shared with the one that was sent.
    owners
        The number of the change that was the last to put something at a place.
    """

    body: Any
    owners: Mapping[Pointer, int]

    def blamed(self, error: E) -> E:
        """Let the faults of the changed body walk the one that was sent.

        Parameters
        ----------
        error
            Its pointers walk `body`.
        """
        if not self.owners:
            return error
        faults = dict.fromkeys(map(self._blame, error.faults))
        return type(error)(faults=faults) if faults else error

    def _blame(self, fault: Fault) -> Fault:
        walk = fault.pointer
        owned = [depth for depth in range(1, len(walk) + 1) if walk[:depth] in self.owners]
        if not owned:
            return fault
        depth = max(owned, key=lambda each: (self.owners[walk[:each]], each))
        pointer = (CHANGES, self.owners[walk[:depth]], "value", *walk[depth:])
        code, detail = fault.code, fault.detail
        if code in _NOT_STORED and depth == len(walk):
            code = "not_storable"
            detail = f"a change cannot put the id of a stored {walk[1]}: name it in the problem"
        return Fault(walk, code, detail).moved(pointer)


def changed_body(body: Mapping[str, Any]) -> ChangedBody:
    """Make the changes of a body, one after the other.

    Parameters
    ----------
    body
        Of ``POST /v1/jobs``, references resolved. It stays as it is.

    Raises
    ------
    InstanceError
        For changes that are none, or that lead nowhere: ``/changes/3/at``.
    LimitError
        For more than `MOST_CHANGES`, or targets that look at more than `MOST_LOOKED_AT` members.
    """
    if CHANGES not in body:
        return ChangedBody(body, {})
    given = body[CHANGES]
    if isinstance(given, list | tuple) and len(given) > MOST_CHANGES:
        detail = f"{len(given):,} changes, and at most {MOST_CHANGES:,} are accepted"
        raise LimitError(detail, [Fault((CHANGES,), "limit_exceeded", detail)])
    changes = read_patch(given, (CHANGES,))
    rest = {name: value for name, value in body.items() if name != CHANGES}
    rest.setdefault("options", {})
    patched = Patched(rest, MOST_LOOKED_AT)
    owners: dict[Pointer, int] = {}
    faults: list[Fault] = []
    for number, change in enumerate(changes):
        at: Pointer = (CHANGES, number, "scale" if change.at is None else "at")
        try:
            owners |= dict.fromkeys(patched.make(change), number)
        except InstanceError as error:
            faults += (fault.moved(at) for fault in error.faults)
            if len(faults) >= MOST_EXPLAINED:
                break
        except LimitError as error:
            raise LimitError(faults=[fault.moved(at) for fault in error.faults]) from None
    if faults:
        raise InstanceError(faults=faults)
    return ChangedBody(patched.document, owners)
