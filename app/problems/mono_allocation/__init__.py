"""One allocation for all instances of a task graph: the contract half of the kind."""
