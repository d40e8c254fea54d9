"""What keeps the throughput from being higher, and what more of it could bring at most."""

from fractions import Fraction
from math import ceil

from steadygrid.domain.job import Outcome
from steadygrid.domain.resources import link_resource
from steadygrid.report.glyphs import Glyphs
from steadygrid.report.quantities import decimal_text, percent
from steadygrid.report.report import Report

_LONGEST_NAME = 34


def bottleneck(report: Report, width: int, glyphs: Glyphs) -> str | None:
    r"""Name the resource with the highest price, or else one that is always busy.

    None if there is none, or where the value is no throughput. Where several limit alike, none of
    them is named alone.

    Parameters
    ----------
    width
        Most cells of the resource's name.

    Notes
    -----
    Let :math:`u_r` be the time of a resource that an instance takes, and :math:`y` prices at
    which every execution of an instance costs at least 1: the throughput is at most
    :math:`\sum_r y_r`. Doubling r halves :math:`u_r`; with :math:`2 y_r` in place of :math:`y_r`
    every execution costs the same as before, so the throughput is then at most
    :math:`\sum_r y_r + y_r`.
    """
    objective = report.result.objective
    if objective is None or objective.minimised or not objective.value:
        return None
    if report.view.alike:
        return report.view.alike
    prices = _prices(report)
    if not prices:
        return _busiest(report, width, glyphs)
    resource = min(prices, key=lambda r: (-prices[r], r))
    kind = resource.rpartition(".")[2]
    doubled = report.view.doubled.get(kind)
    alike = sum(price == prices[resource] for price in prices.values()) - 1
    text = _name(report, resource, width, glyphs)
    text += (f" (like {alike:,} more)" if alike else "") + _busy(report, resource)
    if doubled is None:
        return text
    extra = prices[resource]
    if kind == "link":
        extra += prices.get(_opposite(report, resource), Fraction(0))
    best = sum(prices.values(), Fraction(0)) + extra
    gain = _gain_bound(best / objective.value - 1)
    return f"{text}. The price says at most +{gain} for {doubled}"


def _prices(report: Report) -> dict[str, Fraction]:
    """Give prices at which every execution costs at least 1. None where they prove something else.

    What was merely simulated has no schedule that these resources limit, only a bound. What was
    given and is not the best is limited by others.
    """
    result = report.result
    if report.schedule is None and result.outcome is Outcome.FEASIBLE:
        return {}
    if report.view.given and result.outcome is Outcome.FEASIBLE:
        return {}
    if not result.certificate.adds_up or result.bound is None or not result.bound.exact:
        return {}
    return {resource: price for resource, price in result.certificate.prices.items() if price}


def _busiest(report: Report, width: int, glyphs: Glyphs) -> str | None:
    if report.result.outcome is Outcome.BOUND_ONLY:
        return None
    named = report.view.bottleneck
    if named is None:
        shares = report.occupation
        always = sorted(resource for resource, share in shares.items() if share == 1)
        named = always[0] if always else None
    return None if named is None else _name(report, named, width, glyphs) + _busy(report, named)


def _busy(report: Report, resource: str) -> str:
    share = report.occupation.get(resource)
    return "" if share is None else f", {percent(share)} busy"


def _name(report: Report, resource: str, width: int, glyphs: Glyphs) -> str:
    return report.names.of_resource(
        resource.removesuffix(".medium"), min(_LONGEST_NAME, width), glyphs
    )


def _opposite(report: Report, resource: str) -> str:
    """Name the other direction of a full-duplex link, which grows with this one.

    Nothing where a ``simplex`` link stands for itself.
    """
    source, _, target = resource.removesuffix(".link").partition("->")
    for link in () if report.platform is None else report.platform.links:
        if link.duplex == "full" and {link.source, link.target} == {source, target}:
            return link_resource(target, source)
    return ""


def _gain_bound(gain: Fraction) -> str:
    """Write a gain in per cent, rounded up: it is a bound."""
    digits = 1 if gain >= Fraction(1, 10) else 10
    return f"{decimal_text(Fraction(ceil(gain * 100 * digits), digits))} %"
