"""Processes that live long seldom look for garbage that refers to itself, and still find it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from sarsen.server.setup import THRESHOLDS, collect_rarely


@pytest.fixture
def usual() -> Iterator[None]:
    """Let nothing of it stay behind in this process."""
    held = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*held)


@pytest.mark.usefixtures("usual")
def test_what_is_loaded_is_left_alone_and_what_comes_later_is_found() -> None:
    collect_rarely()
    assert gc.get_threshold() == THRESHOLDS
    assert gc.get_freeze_count() > 10_000

    class Ring:
        other: Ring

    one, two = Ring(), Ring()
    one.other, two.other = two, one
    gone = weakref.ref(one)
    del one, two
    kept = [[] for _ in range(2 * THRESHOLDS[0])]  # type: ignore[var-annotated]
    assert gone() is None
    assert len(kept) == 2 * THRESHOLDS[0]
