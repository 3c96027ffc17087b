"""How many examples Hypothesis draws for a test that needs another number than most."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100  # of the long run, and of Hypothesis


def examples(number: int) -> settings:
    """Return settings that draw so many examples in the long run, and a quarter elsewhere."""
    return settings(max_examples=number * settings().max_examples // USUAL)
