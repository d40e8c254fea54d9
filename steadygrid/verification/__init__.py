"""The referee: exact checks that share no code with what they check."""
