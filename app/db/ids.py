"""Ids that sort by their birth."""

import re
import secrets
import time

DIGITS = 12
"""Hexadecimal digits of the millisecond, behind the prefix."""
_FINER_DIGITS = 5
"""Of the nanosecond within it."""
_NANOSECONDS = 1_000_000
"""In a millisecond."""
_RANDOM_DIGITS = 15


def new_id(prefix: str) -> str:
    """Make an id: the prefix and 32 hexadecimal digits."""
    millisecond, rest = divmod(time.time_ns(), _NANOSECONDS)
    chance = secrets.randbits(4 * _RANDOM_DIGITS)
    return f"{id_born(prefix, millisecond)}{rest:0{_FINER_DIGITS}x}{chance:0{_RANDOM_DIGITS}x}"


def is_id(prefix: str, text: str) -> bool:
    """Whether `new_id` may have made it."""
    return re.fullmatch(rf"{prefix}[0-9a-f]{{32}}", text, re.ASCII) is not None


def id_born(prefix: str, millisecond: int) -> str:
    """Give what sorts directly before the ids of a millisecond since the epoch, and after all older.

    Parameters
    ----------
    prefix
        Of the ids, such as that of jobs.
    millisecond
        Since the epoch; less than 0 counts as 0.
    """
    return f"{prefix}{max(0, millisecond):0{DIGITS}x}"


def id_of_age(prefix: str, seconds: float) -> str:
    """Give what sorts between the ids born more than so long ago and those born since.

    Parameters
    ----------
    prefix
        Of the ids, such as that of jobs.
    seconds
        The age.
    """
    return id_born(prefix, round(1000 * (time.time() - seconds)))
