"""One round of whole items: the distribution, its bounds, and the answer."""
