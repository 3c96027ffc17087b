"""Make Python start as if Numba and NumPy were not installed."""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

MISSING = {"numba", "numpy", "llvmlite"}


class OtherFinder(PathFinder):
    """Find all but these; `None` in `sys.modules` would be taken for NumPy by psycopg."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in MISSING:
            return None
        return super().find_spec(fullname, path, target)


sys.meta_path[sys.meta_path.index(PathFinder)] = OtherFinder
