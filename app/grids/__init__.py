"""Running grids: what is measured of platforms, and what running schedules still do there."""
