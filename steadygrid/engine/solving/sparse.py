"""What is used of `scipy.sparse`, loaded without what Pyomo would load along with it.

Pyomo watches imports: with any part of SciPy it also loads `scipy.stats`, which nothing here needs
and which takes longer than a small solve.
"""

import sys

from pyomo.common.dependencies import DeferredImportCallbackFinder

_watching = [one for one in sys.meta_path if isinstance(one, DeferredImportCallbackFinder)]
for _one in _watching:
    sys.meta_path.remove(_one)
try:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components, dijkstra, floyd_warshall
finally:
    sys.meta_path[:0] = _watching

__all__ = ["connected_components", "csr_array", "dijkstra", "floyd_warshall"]
