"""What documents say of stored data is what the server does."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from sarsen import help as help_pages
from sarsen.services.accounts import guests
from sarsen.services.admin.cleanup import RETENTIONS

DOCUMENT = Path(__file__).parents[3] / "docs" / "what-is-kept.md"
TEXTS = Path(help_pages.__file__).parent / "texts"
# Of Django, without rows that say anything of anybody.
NOBODYS = {"Permission", "Group", "ContentType"}
# The items of the players' page that tell a time, in their order.
TOLD = (
    *("puzzle_reports", "inbound", "letters", "announcements", "reports", "signups"),
    *("asked", "invitations", "stream", "attempts", "known_places"),
)


def in_days(kept: timedelta) -> str:
    """Return a time as the document writes it."""
    if kept < timedelta(hours=1):
        return f"{kept.seconds // 60} minutes"
    return f"{kept.days} day{'' if kept.days == 1 else 's'}"


def rows() -> dict[str, str]:
    """Return the row of the document for each table."""
    found = {}
    for line in DOCUMENT.read_text("utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| tables"):
            for name in line.split("|")[1].split(","):
                found[name.strip()] = line
    return found


def test_every_table_stands_in_the_document() -> None:
    tables = {model.__name__ for model in apps.get_models()} - NOBODYS
    assert tables == set(rows())


def test_the_document_has_the_times_of_the_clean_up() -> None:
    told = rows()
    wrong = [
        (kind.model.__name__, in_days(kind.kept))
        for kind in RETENTIONS
        if kind.kept and in_days(kind.kept) not in told[kind.model.__name__]
    ]
    assert not wrong
    assert f"{settings.SESSION_COOKIE_AGE // 86_400} days" in told["WebSession"]


def test_no_other_row_promises_a_time() -> None:
    bounded = {kind.model.__name__ for kind in RETENTIONS} | {"Question"}
    promised = {name for name, row in rows().items() if re.search(r"\d+ (?:days?|minutes)", row)}
    assert promised <= bounded


@pytest.mark.parametrize(
    ("path", "days"),
    [("privacy.md", r"(\d+) days"), ("locale/de/privacy.md", r"(\d+) Tage")],
)
def test_the_page_for_players_has_the_same_times(path: str, days: str) -> None:
    kept = {kind.name: kind.kept.days for kind in RETENTIONS}
    wanted = [kept[name] for name in TOLD]
    wanted += [settings.SESSION_COOKIE_AGE // 86_400, guests.LASTS.days]
    text = (TEXTS / path).read_text("utf-8")
    assert [int(number) for number in re.findall(days, text)] == wanted
