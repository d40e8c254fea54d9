"""Dataflow graphs: the contract half of the kind."""
