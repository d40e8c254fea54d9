"""What operators ask: alive, ready, metrics, version and limits."""
