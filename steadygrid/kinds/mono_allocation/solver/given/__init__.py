"""A mapping that is given, as it is: `ways` of its files, its `answer`, and `moves` of one task."""
