"""A service for tests: ``PARENT FILE [stubborn]`` writes its process id and waits."""

import os
import signal
import sys
import time
from pathlib import Path

from steadygrid.processes.lifeline import die_with_parent

die_with_parent(int(sys.argv[1]))
if "stubborn" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with Path(sys.argv[2]).open("a") as file:
    file.write(f"{os.getpid()} {os.environ.get('STEADYGRID_LOG_LEVEL')}\n")
if "brief" in sys.argv:
    sys.exit(1)
time.sleep(60)
