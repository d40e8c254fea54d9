"""What the referee says of an answer: what holds, and what it did not judge."""

from typing import Any, NamedTuple

from steadygrid.domain.errors import InvalidScheduleError, format_pointer
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Outcome, Proof, Result, proof_of
from steadygrid.domain.judging import not_judged
from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import Submission, schedule_limits


class Verdict(NamedTuple):
    """What holds of an answer that the referee accepted.

    Attributes
    ----------
    holds
        What was proved and what had to be believed, in a clause.
    not_judged
        What the result says and no rule looks at: JSON pointers into it, with ``*`` for every member
        of a list.
    """

    holds: str
    not_judged: tuple[str, ...]

    @property
    def document(self) -> dict[str, Any]:
        """Give it JSON-ready."""
        return {
            "accepted": True,
            "holds": self.holds,
            "not_judged": list(self.not_judged),
            "faults": [],
        }


def judge(
    submission: Submission, result: Result, schedule: AnySchedule | None, limits: Limits
) -> Verdict:
    """Let the referee alone judge an answer, in exact arithmetic.

    Parameters
    ----------
    submission
        What was asked, with its options.
    result
        The answer.
    schedule
        Of the answer. None where it has none.
    limits
        Within which an exact schedule is due.

    Raises
    ------
    InvalidScheduleError
        If the referee refuses it; everything it found is listed.
    """
    instance = submission.instance
    submission.problem.validate(
        instance, submission.options, result, schedule, schedule_limits(limits)
    )
    return Verdict(what_holds(result, schedule), not_judged(instance, result))


def refusal(error: InvalidScheduleError) -> dict[str, Any]:
    """Give what the referee found JSON-ready, in the form of `Verdict.document`."""
    return {
        "accepted": False,
        "holds": None,
        "not_judged": [],
        "faults": [
            {"part": part, "pointer": format_pointer(tuple(steps)), "code": code, "detail": detail}
            for (part, *steps), code, detail in (
                (fault.pointer or ("result",), fault.code, fault.detail) for fault in error.faults
            )
        ],
    }


def what_holds(result: Result, schedule: AnySchedule | None) -> str:
    """Say what the referee has proved, and what it had to believe.

    Parameters
    ----------
    result
        The answer.
    schedule
        Of the answer. None where it has none.
    """
    proof = proof_of(result)
    if proof is Proof.EXACT:
        return "every rule holds, in exact arithmetic"
    if result.outcome is Outcome.UNKNOWN:
        return "every rule holds, and nothing is proved"
    holds = "every rule holds" if schedule is None else "the schedule holds"
    if proof is Proof.NONE:
        return f"{holds}. The bound is not proved"
    if result.outcome is Outcome.OPTIMAL:
        return f"{holds}, optimality rests on the search alone"
    return f"{holds}. The bound is the search's word"
