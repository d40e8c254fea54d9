"""An answer as the graph of its platform: how busy each part is, and what its prices are."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.occupation import occupation
from steadygrid.domain.platform import Platform
from steadygrid.domain.resources import compute_resource, link_resource
from steadygrid.formats.exporter import Answer, Exported
from steadygrid.formats.fault_list import refused
from steadygrid.formats.graphs.written import check_sayable, graphml_text
from steadygrid.formats.schedule_exports.activities import periodic

_OF_PROCESSORS = ("compute", "send", "receive", "port")


def write_graphml(answer: Answer, _parameters: Mapping[str, Sequence[str]]) -> Exported:
    """Write the platform of an answer in GraphML, with ``use`` and prices.

    Parameters
    ----------
    answer
        With its schedule and what was asked.

    Raises
    ------
    InstanceError
        ``not_periodic``, or ``not_in_format`` where a graph cannot say what the platform is.
    """
    schedule = periodic(answer)
    platform = getattr(answer.instance, "platform", None)
    if not isinstance(platform, Platform):
        raise refused("", "not_in_format", "the problem has no platform: there is no graph of it")
    check_sayable(platform)
    sizes = {} if answer.file_sizes is None else answer.file_sizes
    used = occupation(platform, sizes, schedule, "multiport")
    prices = answer.result.certificate.prices
    nodes: defaultdict[str, dict[str, Fraction]] = defaultdict(dict)
    edges: defaultdict[tuple[str, str], dict[str, Fraction]] = defaultdict(dict)
    for processor in platform.processors:
        if (use := used.get(compute_resource(processor.id))) is not None:
            nodes[processor.id]["use"] = use
        for sort in _OF_PROCESSORS:
            if (price := prices.get(f"{processor.id}.{sort}")) is not None:
                nodes[processor.id]["price" if sort == "compute" else f"price_{sort}"] = price
    for arc in platform.arcs:
        ends = platform.processors[arc.source].id, platform.processors[arc.target].id
        for name, values in (("use", used), ("price", prices)):
            if (value := values.get(link_resource(*ends))) is not None:
                edges[ends][name] = value
    note = "use is the share of the time that a part is busy. What is idle, or has price 0, is left out"
    return Exported(graphml_text(platform, nodes, edges), (note,))
