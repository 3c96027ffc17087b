"""A search for a kernel: compiled, or interpreted where the kernel is plain Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from sarsen.search.contract import Kernel
from sarsen.search.rules_kernel import MOST_POSITIONS, interpreted
from sarsen.search.thinking import absent
from sarsen.search.thought import Budget

_OPTIONAL = ("evaluate", "order", "prove", "rollout")


def run(search: ModuleType, entry: str, kernel: Kernel, parts: Sequence[str], *work: Any) -> int:
    """Call a search with functions of a kernel, its constants, and room to work."""
    functions = [_part(kernel, name) for name in parts]
    if kernel.is_compiled:
        return int(getattr(search, entry)(*functions, kernel.constants, *work))
    # Hashes overflow, as they do in compiled code, without a word.
    with np.errstate(over="ignore"):
        return int(interpreted(search)[entry](*functions, kernel.constants, *work))


def affordable(kernel: Kernel, budget: Budget) -> Budget:
    """Bound the nodes for a kernel that remembers every position it has seen."""
    if kernel.is_compiled:
        return budget
    return replace(budget, nodes=min(budget.nodes or MOST_POSITIONS, MOST_POSITIONS))


def _part(kernel: Kernel, name: str) -> Callable[..., int]:
    own: Callable[..., int] | None = getattr(kernel, name)
    if own is None and name in _OPTIONAL:
        stand_in: Callable[..., int] = getattr(absent, name)
        return stand_in
    assert own is not None
    return own
