"""Jobs: submitted, watched, cancelled, answered."""
