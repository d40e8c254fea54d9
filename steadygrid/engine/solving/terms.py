"""Linear sums for the rules of a model."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from pyomo.core.expr.numeric_expr import LinearExpression, MonomialTermExpression

Term = tuple[Fraction | int, Any]
"""A coefficient and a variable."""
Terms = list[Term]


def linear(terms: Iterable[Term]) -> LinearExpression:
    """Sum up terms, in the form that is read without a walk (see `steadygrid.engine.solving.reading`)."""
    return LinearExpression([MonomialTermExpression(term) for term in terms])
