"""Time zones by name: the one a player lives in, and the names there are."""

from __future__ import annotations

import difflib
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from sarsen.core.errors import UserError

UTC_NAME = "UTC"
EXAMPLE = "change timezone Europe/Berlin"
_NO_PLACES = frozenset({"Factory", "localtime", "posixrules"})


def zone_called(name: str) -> ZoneInfo:
    """Return a zone by its name; one that is not known (any more) counts as UTC."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo(UTC_NAME)


def read_zone(text: str) -> str:
    """Return the exact name of the zone that a player typed, in any case.

    Raises:
        UserError: There is none of this name; the hint is the nearest.
    """
    typed = "_".join(text.split()).lower()
    if not typed:
        raise UserError("Which time zone?", code="timezone-missing", hint=EXAMPLE)
    names = _names()
    if typed in names:
        return names[typed]
    near = _near(typed)
    raise UserError(
        f"There is no time zone {text[:40]!r}; they are named by region and city.",
        code="unknown-timezone",
        hint=f"change timezone {near}" if near else EXAMPLE,
    )


def zone_names() -> tuple[str, ...]:
    """Return the names of all zones there are."""
    return tuple(_names().values())


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    names = sorted(available_timezones() - _NO_PLACES)
    return {name.lower(): name for name in names}


def _near(typed: str) -> str:
    """Return the nearest name, compared with cities first; "" when nothing is near."""
    names = _names()
    # Sorted by name, so that Europe/Dublin is found before the like of Eire.
    cities = {name.rpartition("/")[2]: name for name in reversed(names) if "/" in name}
    city = typed.rpartition("/")[2]
    if city in cities:
        return names[cities[city]]
    near = difflib.get_close_matches(typed, names, n=1, cutoff=0.8)
    if near:
        return names[near[0]]
    near = difflib.get_close_matches(city, cities, n=1, cutoff=0.75)
    return names[cities[near[0]]] if near else ""
