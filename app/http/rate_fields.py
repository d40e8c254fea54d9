"""The header fields that say what is left of a quota (draft-ietf-httpapi-ratelimit-headers-10)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

POLICY: Final = "RateLimit-Policy"
LEFT: Final = "RateLimit"


@dataclass(frozen=True)
class Counted:
    """What is left of a quota in its window."""

    name: str
    most: int
    left: int
    """Below 0 if this request was too much."""
    seconds: int
    """Until all are there again."""
    window: int
    """Seconds."""
    unit: str | None = None
    """Of what is counted. None: requests."""


def rate_fields(counted: Iterable[Counted]) -> Mapping[str, str]:
    """Write the header fields of quotas. None where there are no quotas.

    Parameters
    ----------
    counted
        One for each quota.
    """
    policies, left = [], []
    for one in counted:
        unit = "" if one.unit is None else f';qu="{one.unit}"'
        policies.append(f'"{one.name}";q={one.most}{unit};w={one.window}')
        left.append(f'"{one.name}";r={max(0, one.left)};t={one.seconds}')
    return {POLICY: ", ".join(policies), LEFT: ", ".join(left)} if left else {}
