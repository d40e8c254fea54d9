"""What every resource shares of HTTP: refusals, bodies, pages, conditions, waiting."""
