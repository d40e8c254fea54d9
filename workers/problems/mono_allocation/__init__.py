"""One allocation for all instances of a task graph: the solving half of the kind."""
