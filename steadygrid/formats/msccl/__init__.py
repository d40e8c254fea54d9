"""MSCCL XML: algorithms for collective operations of GPUs.

The rules are those of the parser of microsoft/msccl (``src/graph/topo.cc``, ``src/graph/xml.cc``)
and the limits those of ``src/include/msccl.h`` and ``src/graph/xml.h``. The other rules are those of
Azure/msccl-executor-nccl (``src/misc/msccl/msccl_parser.cc``, ``src/include/msccl/msccl_struct.h``).
"""
