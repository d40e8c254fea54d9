"""Questions after the answer: many answers at once, what would help, and what has changed."""
