"""Bodies of ``POST /v1/jobs`` that get their platform or application from another file."""

from collections.abc import Mapping
from typing import Any

from steadygrid.cli.terminal import Refusal
from steadygrid.formats import Noun
from steadygrid.kinds import PROBLEMS

_FIXED = (
    '"routing": "fixed" is written into the body: files keep to the routes of the imported platform.'
    ' With "routing": "free" they may take any way, also such as are never taken where routes are'
    " static, and the throughput may be more than can be had there"
)


def put_into(body: Any, noun: Noun, document: Mapping[str, Any]) -> tuple[Any, list[str]]:
    """Put an imported platform or application into a body.

    Where routes are those of the imported platform, they are meant: a kind that knows fixed
    routing is asked for it, unless the body says something else.

    Parameters
    ----------
    body
        As JSON has it.
    noun
        ``platform`` or ``application``.
    document
        The imported one.

    Returns
    -------
    tuple
        The body, and what was written into it without being asked for.

    Raises
    ------
    Refusal
        If the body has no problem that the document could be a part of.
    """
    problem = body.get("problem") if isinstance(body, Mapping) else None
    if not isinstance(problem, Mapping):
        raise Refusal('--into: the body needs a member "problem", with a "kind"')
    known = PROBLEMS.get(str(problem.get("kind")))
    if known is None or noun not in known.instance.model_fields:
        kinds = ", ".join(k for k, p in PROBLEMS.items() if noun in p.instance.model_fields)
        raise Refusal(f"--into: its kind has no {noun}; those that have one: {kinds}")
    filled = {**problem, noun: document}
    notes = []
    if noun == "platform" and "routing" in known.instance.model_fields and "routing" not in problem:
        filled["routing"] = "fixed"
        notes.append(_FIXED)
    return {**body, "problem": filled}, notes
