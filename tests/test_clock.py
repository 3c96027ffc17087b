"""Tests with a database begin at the time at which their world is played, on whatever day."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from clock import NOW


def test_what_the_world_plays_has_just_been_played_on_whatever_day(db: None) -> None:
    assert timedelta(0) <= timezone.now() - NOW < timedelta(hours=1)


def test_pages_of_a_browser_show_a_world_of_its_own_day() -> None:
    """A browser has the machine's clock: boards of another day would be late one day."""
    fixed = [
        path.name
        for path in Path(__file__).parent.rglob("*.py")
        if "live_server" in (text := path.read_text(encoding="utf-8"))
        and re.search(r"import .*\bNOW\b", text)
    ]
    # The tests' conftest sets the clock of all others, and pictures set that of their pages.
    assert sorted(fixed) == ["conftest.py", "pictures.py", Path(__file__).name]
