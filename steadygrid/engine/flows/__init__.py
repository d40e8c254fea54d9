"""Flows of files over the links of a platform, and the paths that they consist of."""
