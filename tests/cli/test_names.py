from workers.console.glyphs import UNICODE
from workers.console.names import Names


def test_host_names_lose_their_domain() -> None:
    names = Names(["griffon-1.nancy.grid5000.fr", "griffon-2.nancy.grid5000.fr", "hub"])
    assert names.of("griffon-2.nancy.grid5000.fr") == "griffon-2"
    assert names.of("hub") == "hub"
    assert (
        names.of_resource("griffon-1.nancy.grid5000.fr.compute", 60, UNICODE) == "griffon-1.compute"
    )
    assert (
        names.of_resource("hub->griffon-1.nancy.grid5000.fr.link", 60, UNICODE)
        == "hub->griffon-1.link"
    )
    assert (
        names.of_resource("griffon-1.nancy.grid5000.fr--hub.half", 60, UNICODE)
        == "griffon-1--hub.half"
    )


def test_nobody_is_taken_for_somebody_else() -> None:
    names = Names(["node.east.example.org", "node.west.example.org", "x.example.org.long.name"])
    assert names.of("node.east.example.org") == "node.east.example.org"
    assert names.of("x.example.org.long.name") == "x"


def test_short_names_stay_as_they_are() -> None:
    names = Names(["v1.0", "v2.0"])
    assert names.of("v1.0") == "v1.0"
    assert names.of_resource("v1.0.send", 60, UNICODE) == "v1.0.send"
    assert names.of_resource("backbone.medium", 60, UNICODE) == "backbone.medium"


def test_both_ends_of_a_long_link_can_be_recognised() -> None:
    names = Names(["shore_gateway", "hill_gateway", "harbour_gateway"])
    link = names.of_resource("shore_gateway->harbour_gateway.link", 26, UNICODE)
    assert link == "shor…eway->harb…eway.link"
    assert names.of_resource("harbour_gateway.compute", 15, UNICODE) == "har…way.compute"
