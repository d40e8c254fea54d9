"""A module whose `run` is no function."""

run = None
