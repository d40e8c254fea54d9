"""A program that an answer exports, as it is simulated."""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from steadygrid.domain.errors import Fault

Factors = Callable[[], float]
"""Gives the factor by which the next time is wrong."""


class ExportedProgram(Protocol):
    """One run of a program, for one size of its operation."""

    @property
    def size(self) -> int:
        """Bytes of the operation."""

    @property
    def amount(self) -> Fraction:
        """Operations of the instance that are as much."""

    @property
    def predicted(self) -> Fraction:
        """Time of the run, as the answer says."""

    @property
    def pieces(self) -> int:
        """What is sent, one by one."""

    def faults(self) -> list[Fault]:
        """Find why it cannot be run, with pointers from the result on."""

    def time(self, factors: Callable[[str], Factors] | None, check: Callable[[], None]) -> Fraction:
        """Run it.

        Parameters
        ----------
        factors
            Gives the factors of what one processor sends to another, by ``P1->P2``. None: all times are
            exact.
        check
            Called now and then; may raise.
        """
