"""What is asked of an export to MSCCL, read from texts."""

import re
from collections.abc import Mapping, Sequence

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.formats.exporter import Parameter
from steadygrid.formats.msccl.document import PROTOCOLS, Settings
from steadygrid.formats.msccl.limits import NAME

_NAME = re.compile(rf"[A-Za-z0-9_.-]{{1,{NAME}}}", re.ASCII)
_BYTES = re.compile(r"[0-9]{1,18}", re.ASCII)
_FLAGS = {"0": False, "1": True, "false": False, "true": True}

PARAMETERS: Mapping[str, Parameter] = {
    "rank": Parameter(
        "a participant: rank 0 first, given once for each of them; default: all participants in"
        " the order of the problem, or of its platform where it does not list them",
        repeated=True,
    ),
    "name": Parameter(
        f"of the algorithm, at most {NAME} letters, digits, `_`, `.` and `-`;"
        f" default {Settings().name}"
    ),
    "proto": Parameter(f"protocol: {', '.join(PROTOCOLS)}; default {Settings().proto}"),
    "inplace": Parameter(
        "`true` if the input of a rank is its part of the output buffer; default `false`"
    ),
    "min_bytes": Parameter("smallest output buffer for which it is taken; default 0"),
    "max_bytes": Parameter(
        f"largest output buffer for which it is taken; default {Settings().max_bytes}"
    ),
}


def read_settings(given: Mapping[str, Sequence[str]]) -> Settings:
    """Read all parameters but `rank`.

    Raises
    ------
    InstanceError
        With every fault found, each at the name of its parameter.
    """
    default = Settings()
    values = {name: texts[0] for name, texts in given.items() if name != "rank" and texts}
    name = values.get("name", default.name)
    proto = next((p for p in PROTOCOLS if p == values.get("proto", default.proto)), None)
    inplace = _FLAGS.get(values.get("inplace", "false"))
    least, most = (
        values.get(one, str(getattr(default, one))) for one in ("min_bytes", "max_bytes")
    )
    faults = []
    if not _NAME.fullmatch(name):
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
    if not faults and int(least) > int(most):
        faults.append(Fault(("min_bytes",), "invalid_size", "it is more than max_bytes"))
    if faults or proto is None or inplace is None:
        raise InstanceError(faults=faults)
    return Settings(name, proto, inplace, int(least), int(most))
