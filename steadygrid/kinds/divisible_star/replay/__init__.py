"""A timeline replayed in exact arithmetic, on the star or the tree of the instance."""
