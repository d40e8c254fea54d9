"""Collections of identical task graphs: the contract half of the kind."""
