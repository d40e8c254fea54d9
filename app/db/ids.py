"""Ids that sort by their millisecond of birth."""

import secrets
import time

DIGITS = 12
"""Hexadecimal digits of the millisecond, behind the prefix."""


def new_id(prefix: str) -> str:
    """Make an id: the prefix and 32 hexadecimal digits."""
    return id_born(prefix, time.time_ns() // 1_000_000) + secrets.token_hex(10)


def id_born(prefix: str, millisecond: int) -> str:
    """Give what sorts just before the ids of a millisecond since the epoch, and after all older."""
    return f"{prefix}{max(0, millisecond):0{DIGITS}x}"


def id_of_age(prefix: str, seconds: float) -> str:
    """Give what sorts between the ids born more than so long ago and those born since."""
    return id_born(prefix, round(1000 * (time.time() - seconds)))
