"""What is claimed about speed and memory, measured: ``make bench``."""
