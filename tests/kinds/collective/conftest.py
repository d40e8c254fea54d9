"""What tests of collectives share."""

from collections.abc import Iterator

import pytest

from steadygrid.kinds.collective.solver import predicting


@pytest.fixture(scope="module")
def few_programs() -> Iterator[None]:
    """Try few programs: for modules that are about optima, and solve many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(predicting, "_USUAL", predicting._USUAL._replace(simulated=2_000))
        yield
