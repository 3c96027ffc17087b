"""Make Python start as if Numba and NumPy were not installed."""

import sys

for name in ("numba", "numpy", "llvmlite"):
    sys.modules[name] = None  # type: ignore[assignment]
