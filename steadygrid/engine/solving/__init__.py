"""The only solver calls: Pyomo model -> exact standard form -> HiGHS, and the control of a solve.

Importing this package teaches Pyomo that `fractions.Fraction` is a number, so that expression
trees keep exact coefficients.
"""

from fractions import Fraction

from pyomo.common.numeric_types import RegisterNumericType

RegisterNumericType(Fraction)
