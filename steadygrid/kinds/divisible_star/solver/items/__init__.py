"""One round of whole items: their distribution, its bounds, and the answer."""
