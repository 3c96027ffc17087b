"""Time zones, as people type them: `Berlin`, `PST`, `GMT-5`."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted

UTC_NAME = "UTC"
EXAMPLE = "change timezone Europe/Berlin"
_CITY = Phrase("Send `change timezone` with the name of a large city near you.")
_OFFSET = re.compile(r"(?:(?:etc/)?(?:gmt|utc|z))?_?[+-]_?\d{1,2}(?:[:.]?\d\d)?", re.ASCII)
# Short words such as AEST and EST are alike, and hours apart: these are meant, of those in use.
_MIN_ALIKE = 5
_MEANT = {
    **dict.fromkeys(("pst", "pdt", "pacific"), "America/Los_Angeles"),
    **dict.fromkeys(("mdt", "mountain"), "America/Denver"),
    **dict.fromkeys(("cdt", "central"), "America/Chicago"),
    **dict.fromkeys(("edt", "eastern"), "America/New_York"),
    **dict.fromkeys(("bst", "uk", "england"), "Europe/London"),
    **dict.fromkeys(("cest", "mez", "mesz", "germany", "deutschland"), "Europe/Berlin"),
    **dict.fromkeys(("ist", "india", "delhi", "new_delhi", "mumbai", "bangalore"), "Asia/Kolkata"),
    **dict.fromkeys(("china", "beijing", "peking", "shenzhen"), "Asia/Shanghai"),
    **dict.fromkeys(("jst", "osaka"), "Asia/Tokyo"),
    **dict.fromkeys(("aest", "aedt"), "Australia/Sydney"),
}
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
    if _OFFSET.fullmatch(typed):
        raise UserError(
            "{typed} is an offset, which many places change twice a year, and which some programs "
            "count the other way round. Name a city in your time zone.",
            code="timezone-offset",
            hint=_CITY,
            typed=quoted(text),
        )
    near = _near(typed)
    raise UserError(
        "There is no time zone {typed}; they have names like Europe/Berlin.",
        code="unknown-timezone",
        hint=f"change timezone {near}" if near else _CITY,
        typed=quoted(text),
    )


def is_zone(name: str) -> bool:
    """Return whether a zone has exactly this name."""
    return _names().get(name.lower()) == name


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
    if typed in _MEANT:
        return _MEANT[typed]
    if len(typed) < _MIN_ALIKE:
        return ""
    near = difflib.get_close_matches(typed, names, n=1, cutoff=0.8)
    if near:
        return names[near[0]]
    near = difflib.get_close_matches(city, cities, n=1, cutoff=0.75)
    return names[cities[near[0]]] if near else ""
