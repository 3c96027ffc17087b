"""Addresses that cannot be read are refused with one that works, and never ignored in silence."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from every_command import prepared
from sarsen.core.errors import BadOption
from sarsen.core.options import read_options
from sarsen.games import load, names
from sarsen.learning.analysis import mended_options
from sarsen.storage.models import Player
from web_world import World

pytestmark = pytest.mark.django_db
ODD_OPTIONS = (
    "size", "size=5", "-size", "-size=x", "-size=0", "-size=99", "-SIZE=99", "-bogus", "bogus",
    "-nogaps=3", "nogaps", "-size=5 -size=6", "-size=99 -bogus -nogaps=1", "size 5", "-", "--",
)  # fmt: skip


@pytest.fixture
def numbers() -> dict[str, Any]:
    return prepared(World())


def working_address(page: bytes) -> str:
    """Return the address that a page of a refusal links as one that works."""
    found = re.search(r'<a rel="nofollow" href="([^"]*)"', page.decode())
    assert found, "no address that works"
    return unescape(found[1])


# Pages with parameters that take a number or one of some words.
TAKEN = [
    ("/games/druid/try/?moves=a1&", "at"),
    ("/games/druid/try/?", "partner"),
    ("/analyse/druid/?moves=a1&", "at"),
    ("/analyse/druid/?", "ask"),
    ("/boards/{board}/?", "as"),
    ("/boards/{board}/text/?", "as"),
    ("/boards/{board}/variations/?", "ply"),
    ("/contests/?", "kind"),
    ("/contests/{contest}/?", "tier"),
    ("/news/?", "before"),
    ("/challenges/?", "game"),
    ("/challenges/?", "speed"),
    ("/games/druid/challenge/?", "change"),
    ("/learn/druid/win/?", "ask"),
    ("/records.txt?", "after"),
    ("/games/druid/records.jsonl?", "after"),
    ("/my/?", "as"),
    ("/my/next/?", "after"),
]


@pytest.mark.parametrize(("page", "name"), TAKEN)
def test_unreadable_parameter_is_refused_with_an_address_that_works(
    page: str, name: str, numbers: dict[str, Any], client: Client
) -> None:
    client.force_login(Player.objects.get(key="ann"), "django.contrib.auth.backends.ModelBackend")
    page = page.format(**numbers)
    for value in ("xx", "-1", "%00", "99999999999999999999", "²"):
        refused = client.get(f"{page}{name}={value}&utm_source=mail")
        assert refused.status_code == 422, f"{page}{name}={value}"
        assert f"<code>{name}</code>" in refused.content.decode()
        other = working_address(refused.content)
        assert f"{name}=" not in other
        assert "utm_source=mail" in other
        assert client.get(other).status_code in (200, 302), other
    for value in ("", "&gclid=7"):
        assert client.get(f"{page}{name}={value}").status_code in (200, 302)


@pytest.mark.parametrize(
    ("page", "other"),
    [
        ("/analyse/gyges/?from=S 231123/f/f/f/f/321123", "position=S 231123/f/f/f/f/321123"),
        ("/search/?from=2026-01-31&result=won", "since=2026-01-31"),
        ("/games/druid/history/?from=2026-01-31", "since=2026-01-31"),
        ("/games/gyges/try/?position=S 231123/f/f/f/f/321123", "/analyse/gyges/?position="),
        ("/games/gyges/try/?from=S 231123/f/f/f/f/321123", "/analyse/gyges/?position="),
        ("/games/druid/try/?from=xx", "/analyse/druid/"),
        ("/analyse/druid/?from=xx&moves=a1", "/analyse/druid/?moves=a1"),
        ("/analyse/druid/?from=c1 zz", "/analyse/druid/"),
        ("/search/?from=xx&result=won", "result=won"),
    ],
)
def test_what_another_door_calls_otherwise_is_refused_by_the_name_here(
    page: str, other: str, client: Client
) -> None:
    refused = client.get(page)
    assert refused.status_code == 422
    working = working_address(refused.content)
    assert other in re.sub(r"\+", " ", working).replace("%2F", "/")
    assert client.get(working).status_code == 200


LINES = [
    *(f"options={options}" for options in ODD_OPTIONS),
    *(f"options={options}&moves=a1 b2" for options in ODD_OPTIONS),
    "moves=zz",
    "moves=a1 zz b2",
    "moves=a1 a1",
    "moves=%00",
    "moves=" + "a1 " * 400,
    "options=-size=99&moves=a1 zz",
]


@pytest.mark.parametrize("page", ["/games/{}/try/", "/analyse/{}/", "/games/{}/openings/"])
@pytest.mark.parametrize("game", names())
def test_line_in_an_address_that_is_refused_names_an_address_that_works(
    page: str, game: str, client: Client
) -> None:
    refused_lines = 0
    for line in LINES:
        answer = client.get(f"{page.format(game)}?{line}")
        if answer.status_code == 200:
            continue
        refused_lines += 1
        assert answer.status_code == 422, line
        other = working_address(answer.content)
        assert client.get(other).status_code == 200, f"{line}: {other}"
    assert refused_lines > len(LINES) / 2


@pytest.mark.parametrize("game", names())
def test_hint_of_a_refused_option_is_an_option_that_works(game: str) -> None:
    """Where it is an option at all: others list what there is."""
    declared, hinted = load(game).info.options, 0
    for options in ODD_OPTIONS:
        try:
            read_options(declared, options)
        except BadOption as refusal:
            if refusal.hint.startswith("-"):
                hinted += 1
                read_options(declared, refusal.hint)
    assert hinted > 3 or not declared


@pytest.mark.parametrize("game", names())
def test_refused_options_are_mended_in_as_many_steps_as_they_are(game: str) -> None:
    declared = load(game).info.options
    for options in ODD_OPTIONS:
        mended = options
        for _ in options.split():
            try:
                read_options(declared, mended)
            except BadOption as refusal:
                mended = mended_options(refusal, mended)
        read_options(declared, mended)


def test_mended_option_keeps_what_was_meant() -> None:
    with pytest.raises(BadOption) as refused:
        read_options(load("druid").info.options, "size=5")
    assert mended_options(refused.value, "size=5 -nogaps") == "-nogaps -size=5"
