"""The workers: everything that builds, solves, proves and reconstructs."""
