import gc

from steadygrid.engine.solving.collection import uncollected


def test_the_collector_rests_meanwhile_and_is_left_as_it_was():
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
