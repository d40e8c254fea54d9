"""Stored applications, which jobs may refer to."""
