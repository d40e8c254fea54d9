"""Replicated workflows: the contract half of the kind."""
