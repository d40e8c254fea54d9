"""Ids sort by their birth, those of one millisecond too."""

import re

import pytest

from app.db.ids import id_born, id_of_age, new_id


def test_ids_sort_by_their_birth(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = [0, 1, 999_999, 1_000_000, 1_700_000_000_123_456_789, 2**61]
    ids = []
    for moment in moments:
        monkeypatch.setattr("app.db.ids.time.time_ns", lambda at=moment: at)
        ids.append(new_id("job_"))
        assert id_born("job_", moment // 10**6) < ids[-1] < id_born("job_", moment // 10**6 + 1)
    assert ids == sorted(ids)
    assert all(re.fullmatch(r"job_[0-9a-f]{32}", one) for one in ids)
    monkeypatch.setattr("app.db.ids.time.time", lambda: 1.5)
    assert id_of_age("x_", 0.5) == id_born("x_", 1_000)
    assert id_of_age("x_", 10) == id_born("x_", 0)
