"""``Prefer: wait`` (RFC 7240) and its query parameter."""

import re
from typing import Annotated

from fastapi import Depends, Header, Query

from app.http.parameters import WholeNumber

MOST_WAIT = 60
_WAIT = re.compile(r'wait\s*=\s*"?([0-9]{1,9})"?', re.ASCII)

_Wait = Annotated[
    WholeNumber | None,
    Query(ge=0, le=MOST_WAIT, description="seconds to wait for the end of the job"),
]
_Prefer = Annotated[
    str | None,
    Header(
        description=f"`wait=10`: wait that many seconds, at most {MOST_WAIT}, for the end of the"
        " job. Other preferences are ignored"
    ),
]


async def waiting_time(wait: _Wait = None, prefer: _Prefer = None) -> int:
    """Give the seconds to wait. The query parameter goes before the preference.

    Parameters
    ----------
    wait
        The query parameter, in seconds. None where it is left out.
    prefer
        The header field, such as ``wait=10``. None where it is left out.
    """
    if wait is not None:
        return wait
    for preference in (prefer or "").lower().split(","):
        match = _WAIT.match(preference.strip())
        if match:
            return min(int(match[1]), MOST_WAIT)
    return 0


WaitingTime = Annotated[int, Depends(waiting_time)]
"""Seconds for which a request is ready to wait."""
