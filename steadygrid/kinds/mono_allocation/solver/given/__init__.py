"""A mapping that is given: the `path_rule` of its files, its `answer`, and `moves` of one task."""
