"""What prices prove of a load at given orders: on a tree, and on a star."""
