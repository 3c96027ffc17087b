"""Names of release 0.4 that plug-ins import from places where they are no longer.

They go on working for one release, and warn of it; release 0.6 takes this file away.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def renamed(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` of a module that finds earlier names where they are today.

    Args:
        names: By the earlier name: `sarsen.drawing.scene.Stroke`.
    """

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        place, _, present = names[name].rpartition(".")
        text = f"{module}.{name} is {place}.{present} now; release 0.6 knows no other name."
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return getattr(import_module(place), present)

    return find


def keep_module(module: str, names: Mapping[str, str]) -> None:
    """Let a module that is gone be imported, for the names that it had."""
    kept: Any = ModuleType(module, f"Earlier names; see {__name__}.")
    kept.__getattr__ = renamed(module, names)
    sys.modules[module] = kept
