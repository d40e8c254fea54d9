"""A solver process that does what the name of each job says, in place of the real one.

``wayward_solver PARENT MEMORY``; names: ``sleep``, ``die``, ``memory``, ``break``; others are answered.
"""

import os
import sys
import time
from typing import Any

from steadygrid.engine import answer_process

_ANSWER = answer_process.answer


def answer(submission: Any, *arguments: Any) -> Any:
    match (submission.name or "").split():
        case ["sleep", seconds]:
            time.sleep(float(seconds))
        case ["die"]:
            os._exit(5)
        case ["memory"]:
            raise MemoryError
        case ["break"]:
            raise ArithmeticError("this says something of the instance")
    return _ANSWER(submission, *arguments)


if __name__ == "__main__":
    setattr(answer_process, "answer", answer)  # noqa: B010 - another signature
    answer_process.main(sys.argv[1:])
