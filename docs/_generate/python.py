"""The page of Python: what the package offers, for Sphinx to fill in from the docstrings."""

import inspect
from collections.abc import Iterator

import steadygrid

HEAD = """# Python

`import steadygrid as sg` gives all names of this page. Their docstrings are the reference.
"""


def page() -> str:
    """Write the page: functions first, then classes, each in the order of the alphabet."""
    lines = [HEAD]
    things = {name: getattr(steadygrid, name) for name in sorted(steadygrid.__all__)}
    classes = {name for name, thing in things.items() if inspect.isclass(thing)}
    lines += _section("Functions", "autofunction", things.keys() - classes)
    lines += _section("Classes", "autoclass", classes)
    return "\n".join(lines)


def _section(title: str, directive: str, names: set[str]) -> Iterator[str]:
    yield from (f"## {title}", "")
    for name in sorted(names):
        yield from (f"### `{name}`", "", "```{eval-rst}", f".. {directive}:: steadygrid.{name}")
        if directive == "autoclass":
            yield "   :members:"
        yield from ("```", "")
