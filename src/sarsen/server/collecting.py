"""How often a process that lives long looks for garbage which refers to itself."""

from __future__ import annotations

import gc

# Objects made before a look at the new ones, and looks before one at older ones. With Python's
# own (700, 10, 10) such looks, with all of Django in memory, took a fifth of a move by mail.
# Little of ours refers to itself; what does stays for some moves longer.
THRESHOLDS = (10_000, 20, 100)


def collect_rarely() -> None:
    """Look less often, and never again at what was loaded by now, which stays for good."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
