"""A fixed piece of plain Python, the yardstick of everything that only computes."""

from __future__ import annotations

import time

STEPS = 200_000


def calibration() -> float:
    """Return the processor seconds of 200,000 steps of integers, a list and a dict.

    A figure divided by this one is nearly the same on a slower or busier machine.
    """
    began = time.process_time()
    counts = [0] * 1024
    last: dict[int, int] = {}
    number = 1
    for step in range(STEPS):
        number = (number * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
        counts[number >> 21] += 1
        last[number & 255] = step
    assert sum(counts) == STEPS
    assert len(last) == 256
    return time.process_time() - began
