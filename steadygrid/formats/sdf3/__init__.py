"""SDF3 (XML): synchronous and cyclo-static dataflow graphs.

What becomes of what:

===================== ====================================================================
SDF3                  dataflow graph
===================== ====================================================================
actor                 actor; its times are those of one processor of its properties
port                  nothing of its own: its rate is that of the channel
channel               channel; `initialTokens` its tokens
size of a channel     a channel back with the tokens that there is room for, if asked
sequences             ``1,2,3`` one value per phase; ``3*1`` three times 1
===================== ====================================================================

A scenario-aware graph (FSM-SADF, or SADF with kernels and detectors) is read in one scenario, as if it
stayed there. Kernels and detectors are actors. A firing takes one token from each control channel.

Sizes of tokens, memories, bandwidths, constraints, architectures and mappings are left out, and said.
The format's own rule is that an actor may fire as often at once as its channels allow.

Source: Stuijk, Geilen, Basten, "SDF3: SDF for free", ACSD 2006, and the files of its distribution.
"""

from steadygrid.formats.importer import InstanceImporter, later


def importer(kind: str) -> InstanceImporter:
    """Give the importer for a kind, whose module ``sdf3`` has `import_body`."""
    return InstanceImporter(
        name="sdf3",
        kind=kind,
        content_type="application/sdf3+xml",
        title="SDF3",
        convert=later(f"steadygrid.kinds.{kind}.sdf3:import_body"),
        root="sdf3",
        parameters={
            "name": "the graph's name (default: the document's)",
            "concurrency": (
                "auto or sequential (default: auto, the rule of the format: an actor is sequential only if"
                " a channel to itself says so, and kernels and detectors always are)"
            ),
            "scenario": (
                "scenario in which a scenario-aware graph (SADF) stays (no default: the refusal lists them)"
            ),
            "processor": (
                "type of processor whose execution times are taken, where an actor has times for it"
                " (default: the last one marked as default)"
            ),
            "buffers": ("true: the size of a channel limits it, as its capacity (default: false)"),
        },
    )
