"""Where columns are looked for: nearer to the prices that prove most."""

import numpy as np

from steadygrid.engine.matching.centre import Centre


def test_the_centre_is_where_the_bound_is_least() -> None:
    """Two edges of a half each: the bound is half their prices, and the heaviest matching."""
    centre = Centre(np.array([0.5, 0.5, 1.0]))
    tried = np.array([0.0, 0.0, 0.0])
    assert (centre.between(tried, 0.75) == tried).all()
    centre.learn(np.array([0.0, 0.0, 2.0]), 2.0)
    centre.learn(np.array([1.0, 1.0, 0.0]), -0.5)
    centre.learn(np.array([1.0, 0.0, 1.0]), 1.0)
    assert centre.between(tried, 0.75).tolist() == [0.75, 0.75, 0.0]
