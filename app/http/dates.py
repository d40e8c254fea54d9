"""Dates of schedules as query parameters: exact, in the time units of the platform."""

from fractions import Fraction
from typing import Annotated

from app.http.parameters import documented
from app.http.refusals import refused_parameter
from steadygrid.domain.rational import parse_exact, parse_rational

MOST_DATE = 1100
"""Longest text of a date; sums of longer ones may have more digits than can be printed."""

Date = Annotated[str, documented(r"^[0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?)$", MOST_DATE)]


def read_date(name: str, text: str) -> Fraction:
    """Read a date; `Refusal` ``invalid_request`` that names the parameter.

    Parameters
    ----------
    name
        Of the parameter.
    text
        An exact number, such as ``25/2``.
    """
    if len(text) <= MOST_DATE:
        for parse in (parse_rational, parse_exact):
            try:
                return parse(text)
            except ValueError:
                continue
    raise refused_parameter(
        name, "not_a_rational", 'expected a number of at least 0, such as "12" or "25/2"'
    )
