"""Results that come back: pairs of orders, tried or searched for, and the answer."""
