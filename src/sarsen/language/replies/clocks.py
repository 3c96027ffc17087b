"""Replies about vacations, time zones and weekends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class VacationTaken:
    """A vacation is taken or planned; days in ISO form, both included.

    Attributes:
        today: Where the player lives.
        left: The years concerned, each with the days that are left of its allowance.
    """

    first_day: str
    last_day: str
    today: str
    left: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class VacationEnded:
    """The present vacation has ended, the planned ones are forgotten, or both."""

    was_away: bool
    was_planned: bool
    left: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class TimezoneChanged:
    """A player lives in a zone; `at` is when that was said, in ISO form."""

    zone: str
    at: str


@dataclass(frozen=True)
class LanguageChanged:
    """A player is spoken to in a language, by its code."""

    language: str


@dataclass(frozen=True)
class WeekendsChanged:
    """Weekends count, or do not, in games to come."""

    are_off: bool


ClockReply = VacationTaken | VacationEnded | TimezoneChanged | LanguageChanged | WeekendsChanged
