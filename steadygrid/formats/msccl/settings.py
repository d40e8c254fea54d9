"""What is asked of an export to MSCCL, read from texts."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.formats.exporter import Parameter
from steadygrid.formats.msccl.dialects import DIALECT_NAMES
from steadygrid.formats.msccl.document import PROTOCOLS, Settings
from steadygrid.formats.msccl.fitting import Plan
from steadygrid.formats.msccl.limits import NAME
from steadygrid.formats.msccl.moves import ORDERS, SPLITS

_NAME = re.compile(rf"[A-Za-z0-9_.-]{{1,{NAME}}}", re.ASCII)
_BYTES = re.compile(r"[0-9]{1,18}", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,4}", re.ASCII)
_Choice = TypeVar("_Choice", bound=str)
_FLAGS = {"0": False, "1": True, "false": False, "true": True}

INSTANCES = 32
"""Parallel copies at most: each has a channel of its own, and there are 32."""

PARAMETERS: Mapping[str, Parameter] = {
    "rank": Parameter(
        "a participant: rank 0 first, given once for each of them; default: all participants in"
        " the order of the problem, or of its platform where it does not list them",
        repeated=True,
    ),
    "name": Parameter(
        f"of the algorithm, at most {NAME} letters, digits, `_`, `.` and `-`;"
        " default steadygrid_ and the operation"
    ),
    "proto": Parameter(f"protocol: {', '.join(PROTOCOLS)}; default {Settings().proto}"),
    "inplace": Parameter(
        "`true` if the input of a rank is its part of the output buffer; default `false`"
    ),
    "min_bytes": Parameter("smallest output buffer for which it is taken; default 0"),
    "max_bytes": Parameter(
        f"largest output buffer for which it is taken; default {Settings().max_bytes}"
    ),
    "dialect": Parameter(
        "whose parser reads it: `msccl` (microsoft/msccl) or `executor`"
        " (Azure/msccl-executor-nccl, RCCL); default `msccl`"
    ),
    "split": Parameter(
        "which moves between two ranks share a pair of blocks. `arc`: all of them. `halves` or"
        " `thirds`: those of a half or third of all depths. `depth`: those of one depth. Default:"
        " that of the predicted program, else `arc`"
    ),
    "order": Parameter(
        "of moves: `depth`, or `start`, by their start in a run where blocks take what is ready;"
        " default that of the predicted program, else `depth`"
    ),
    "instances": Parameter(
        f"parallel copies, each with an equal part of every chunk: 1 to {INSTANCES}; default 1"
    ),
}


def read_settings(given: Mapping[str, Sequence[str]], plan: Plan | None = None) -> Settings:
    """Read all parameters but `rank`.

    Parameters
    ----------
    given
        Texts by name.
    plan
        What is taken where nothing is given.

    Raises
    ------
    InstanceError
        With every fault found, each at the name of its parameter.
    """
    default = Settings()
    plan = plan or default.plan
    values = {name: texts[0] for name, texts in given.items() if name != "rank" and texts}
    name = values.get("name")
    proto = next((p for p in PROTOCOLS if p == values.get("proto", default.proto)), None)
    inplace = _FLAGS.get(values.get("inplace", "false"))
    least, most = (
        values.get(one, str(getattr(default, one))) for one in ("min_bytes", "max_bytes")
    )
    faults: list[Fault] = []
    if name is not None and not _NAME.fullmatch(name):
        detail = f"expected 1 to {NAME} of the letters A-Z and a-z, digits, '_', '.' and '-'"
        faults.append(Fault(("name",), "invalid_name", detail))
    if proto is None:
        detail = f"the protocol is one of: {', '.join(PROTOCOLS)}"
        faults.append(Fault(("proto",), "unknown_protocol", detail))
    if inplace is None:
        faults.append(Fault(("inplace",), "invalid_flag", "expected true or false"))
    for place, text in (("min_bytes", least), ("max_bytes", most)):
        if not _BYTES.fullmatch(text):
            detail = "expected a number of bytes, at most 18 digits"
            faults.append(Fault((place,), "invalid_size", detail))
    dialect = _choose("dialect", DIALECT_NAMES, values, default.dialect, faults)
    split = _choose("split", SPLITS, values, plan.split, faults)
    order = _choose("order", ORDERS, values, plan.order, faults)
    copies = values.get("instances", str(plan.instances))
    if not _COUNT.fullmatch(copies) or not 1 <= int(copies) <= INSTANCES:
        detail = f"expected a whole number from 1 to {INSTANCES}"
        faults.append(Fault(("instances",), "invalid_count", detail))
    if not faults and int(least) > int(most):
        faults.append(Fault(("min_bytes",), "invalid_size", "it is more than max_bytes"))
    if faults or proto is None or inplace is None:
        raise InstanceError(faults=faults)
    return Settings(
        name or "",
        proto,
        inplace,
        int(least),
        int(most),
        dialect,
        Plan(split, order, int(copies)),
    )


def _choose(
    place: str,
    known: Sequence[_Choice],
    values: Mapping[str, str],
    default: _Choice,
    faults: list[Fault],
) -> _Choice:
    """Read one of a few words; add a fault where it is another."""
    text = values.get(place, default)
    for word in known:
        if word == text:
            return word
    faults.append(Fault((place,), f"unknown_{place}", f"it is one of: {', '.join(known)}"))
    return default
