"""Linear programs whose every answer is proved in exact arithmetic."""

from workers.exact.certified import CertifiedSolution, solve_certified

__all__ = ["CertifiedSolution", "solve_certified"]
