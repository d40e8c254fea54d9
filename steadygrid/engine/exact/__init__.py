"""Linear programs whose every answer is proved in exact arithmetic."""

from steadygrid.engine.exact.certified import CertifiedSolution, solve_certified

__all__ = ["CertifiedSolution", "solve_certified"]
