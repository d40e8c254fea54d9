"""Studies of a job that has ended: what would help, and what to do now that speeds have changed."""
