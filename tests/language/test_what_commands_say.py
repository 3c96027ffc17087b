"""What a command says of itself is so: each property beside something that does not follow it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from command_lines import LINES
from every_command import prepared
from sarsen.games import names
from sarsen.language.commands import COMMANDS
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player
from web_world import NOW, World

BY_NAME = {one.__name__: one for one in COMMANDS}


def _with(name: str) -> set[str]:
    return {one.__name__ for one in COMMANDS if getattr(one, name)}


def test_guests_neither_write_to_people_nor_change_what_needs_an_address() -> None:
    # Spelled out, since a guest is known by nothing but the cookie of a browser.
    writing = "Broadcast Chat SendMessage"
    answering = "Accept Decline"  # guests play programs, which neither ask nor wait
    of_accounts = (
        "Account AutoAccept ChangeAbout ChangeAddress ChangeNotices ChangePassword ChangePlace "
        "ChangeWeekends Deliveries Limit Refuse Revoke SetReviews Subscribe TakeVacation "
        "Unsubscribe"
    )
    of_lines = "Multiple"  # its lines are performed one by one
    others = {one.__name__ for one in COMMANDS} - _with("for_guests")
    assert others == set(f"{writing} {answering} {of_accounts} {of_lines}".split())


def _ask(text: str, body: str = "") -> Any:
    context = Context(names(), speaker="ann", body=tuple(body.split("\n")) if body else ())
    return read_line(text, context).command


@pytest.mark.django_db
def test_a_query_writes_nothing() -> None:
    words = prepared(World())
    actor = Actor(Player.objects.get(key="ann"))
    writing: dict[str, list[str]] = {}
    for name in _with("is_query"):
        line = LINES[BY_NAME[name]]
        with CaptureQueriesContext(connection) as queries:
            perform(_ask(line.text.format(**words), line.body), actor, "", NOW)
        writes = [one["sql"] for one in queries if not one["sql"].startswith("SELECT")]
        writing |= {name: writes} if writes else {}
    assert writing == {}


def test_a_mail_may_share_a_batch_if_nothing_after_it_is_read_or_proved_otherwise() -> None:
    assert _with("may_share_a_batch") == {"PlayMove", "Submit", "Chat", "WriteNote"}
    assert not _with("may_share_a_batch") & _with("is_of_account")
