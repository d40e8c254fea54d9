"""A process that purges for ever, one job at a time, to be killed."""

import sys

from app.db.engine import Database
from workers import pieces, retention

if __name__ == "__main__":
    retention.MOST_AT_ONCE = 1
    pieces.PAUSE_SECONDS = 0.0
    everything = retention.Retention(Database.open(sys.argv[1]), 90)
    while True:
        everything.go_on_if_due()
