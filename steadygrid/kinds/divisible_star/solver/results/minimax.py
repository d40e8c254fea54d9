r"""The least maximum of a few affine functions over shares, in double precision.

.. math:: \min_{a \ge 0, \sum a = 1} \; \max_i \; \Big( b_i + \sum_j m_{ij} a_j \Big)

by the simplex method on a dense tableau. For heuristics only: what comes out is a guess, which its
callers compute again in exact arithmetic.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
TOLERANCE = 1e-11
"""Of reduced costs and pivots, where the greatest coefficient is 1."""
MOST_PIVOTS = 20
"""Per row and column; then the shares so far have to do."""


def least_maximum(rows: Floats, offsets: Floats) -> tuple[float, Floats]:
    """Solve a game with offsets.

    Parameters
    ----------
    rows
        Of m functions of n shares, none negative.
    offsets
        Of the functions, none negative.

    Returns
    -------
    The least maximum, and the shares.
    """
    count, size = rows.shape
    scale = float(rows.max() + offsets.max()) or 1.0
    rows, offsets = rows / scale, offsets / scale
    alone = rows + offsets[:, None]
    first = int(alone.max(axis=0).argmin())
    top = int(alone[:, first].argmax())
    # With T and the first share put in, the variables are the other shares and all slacks.
    against = rows - rows[:, [first]]
    lines = [i for i in range(count) if i != top]
    tableau = np.zeros((count + 1, size + count + 1))
    tableau[: count - 1, :size] = against[lines] - against[top]
    tableau[np.arange(count - 1), size + np.array(lines, int)] = 1
    tableau[: count - 1, size + top] = -1
    tableau[: count - 1, -1] = alone[top, first] - alone[lines, first]
    tableau[count - 1, :size] = tableau[count - 1, -1] = 1
    # The last line is the goal: T less what the entering variables take from it.
    tableau[count, :size], tableau[count, size + top] = against[top], 1
    tableau[count, -1] = -alone[top, first]
    basis = [*(size + i for i in lines), first]
    for _ in range(MOST_PIVOTS * (count + size)):
        if not _pivot(tableau, basis):
            break
    shares = np.zeros(size + count)
    shares[basis] = tableau[:-1, -1]
    return -float(tableau[-1, -1]) * scale, np.maximum(shares[:size], 0.0)


def _pivot(tableau: Floats, basis: list[int]) -> bool:
    """Make one step; tell whether there was one to make."""
    entering = int(tableau[-1, :-1].argmin())
    if tableau[-1, entering] > -TOLERANCE:
        return False
    column = tableau[:-1, entering]
    with np.errstate(all="ignore"):
        ratios = np.where(column > TOLERANCE, tableau[:-1, -1] / column, np.inf)
    line = int(ratios.argmin())
    if ratios[line] == np.inf:
        return False
    tableau[line] /= tableau[line, entering]
    factors = tableau[:, entering].copy()
    factors[line] = 0
    tableau -= np.outer(factors, tableau[line])
    basis[line] = entering
    return True
