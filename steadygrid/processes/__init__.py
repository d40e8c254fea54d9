"""Child processes: how the two ends talk, and how a child ends with its parent."""
