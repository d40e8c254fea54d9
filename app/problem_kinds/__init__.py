"""What the service can solve: the registry of problem kinds, as others read it."""
