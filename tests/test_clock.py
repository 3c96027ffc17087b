"""Tests with a database begin at the time at which their world is played."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from clock import NOW


def test_what_the_world_plays_has_just_been_played_on_whatever_day(db: None) -> None:
    assert timedelta(0) <= timezone.now() - NOW < timedelta(hours=1)
