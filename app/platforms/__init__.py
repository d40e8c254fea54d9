"""Stored platforms, which jobs may refer to."""
