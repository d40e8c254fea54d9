"""The commands that the service adds to `steadygrid`."""
