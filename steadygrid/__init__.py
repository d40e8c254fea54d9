"""Exact, verified steady-state schedules for heterogeneous platforms: what the field talks about."""
