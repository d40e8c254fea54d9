"""One round with latencies: searches for participants and an order, and the answer."""
