"""Mixing allocations of one application: a master program over them, priced exactly."""
