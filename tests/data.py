"""Where the real inputs lie, if this machine has them."""

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_data(name: str) -> Path:
    """Give the path of a real input, or skip the test where the folder is absent."""
    path = Path(os.environ.get("STEADYGRID_SHARED_DATA", _BESIDE)) / name
    if not path.exists():
        pytest.skip(f"{name} is not on this machine")
    return path
