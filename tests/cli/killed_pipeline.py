"""A module that is killed when it is imported."""

import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
