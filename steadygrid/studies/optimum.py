"""What studies of many optima leave out of a submission."""

from dataclasses import replace

from steadygrid.submissions.submission import Submission


def optimum_alone(submission: Submission, *, asked: bool) -> Submission:
    """Leave out what is found besides the optimum and takes long.

    Parameters
    ----------
    submission
        Without faults.
    asked
        Whether that is left out even where the body asks for it.
    """
    alone = submission.problem.optimum_alone
    if alone is None:
        return submission
    return replace(submission, instance=alone(submission.instance, asked))
