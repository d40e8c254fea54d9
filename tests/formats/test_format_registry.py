import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.formats import IMPORTERS, guess_importer
from tests.formats.simgrid_documents import SIMGRID, zone


def test_every_importer_is_listed_under_its_noun_and_content_type():
    for (noun, content_type), importer in IMPORTERS.items():
        assert (importer.noun, importer.content_type) == (noun, content_type)
        assert importer.title
        assert all(sentence for sentence in importer.parameters.values())


def test_a_file_name_finds_its_importer():
    assert guess_importer("platform", "grids/G5K.XML") is SIMGRID
    assert guess_importer("platform", "platform.json") is None
    assert guess_importer("application", "platform.xml") is None


def test_a_parameter_that_the_format_lacks_is_refused_with_those_it_has():
    with pytest.raises(InstanceError) as caught:
        SIMGRID.read(zone('<host id="a" speed="1f"/>'), {"colour": "red"})
    (fault,) = caught.value.faults
    assert fault.code == "unknown_parameter"
    assert fault.detail == "SimGrid platform XML has no parameter 'colour' (it has: apart, name)"
