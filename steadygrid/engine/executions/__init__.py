"""Schedules carried out operation by operation: by the clock, by order, or as instances come.

`steps` reads what an instance does, `parts` what a period does with it; `ordered` keeps orders and
dates, `dispatched` hands out instances. Nothing here is shared with what builds schedules.
"""
