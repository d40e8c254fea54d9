"""Stars with latencies, results or rounds: plans, their shares, dates and bounds, and the answer."""
