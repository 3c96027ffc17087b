"""The weekly letter about contests, and those about seats, as their readers get them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from contest_world import DAY, ContestWorld
from sarsen.doors.mail.letters import write_letter
from sarsen.services.contests import weekly
from sarsen.services.mail.outgoing import DueLetter
from sarsen.storage.models import OutgoingMail

pytestmark = pytest.mark.django_db
START = datetime(2027, 3, 2, 12, tzinfo=UTC)  # a Tuesday


def written(kind: str, userid: str, language: str = "") -> str:
    """Return the text of a player's newest letter of a kind."""
    mail = OutgoingMail.objects.filter(kind=kind, player__key=userid).latest("pk")
    assert mail.player is not None
    mail.player.language = language
    due = DueLetter(
        mail.pk,
        mail.kind,
        mail.facts,
        mail.address,
        mail.player,
        "",
        mail.queued_at,
        0,
        mail.event,
    )
    return write_letter(due).text


def test_letter() -> None:
    world = ContestWorld(START)
    world.make("ann", "bob", "cid", "dora", game="druid", options="-size=8")
    world.now += DAY
    for one, others in (("ann", ("bob", "cid", "dora")), ("bob", ("cid", "dora"))):
        for other in others:
            world.win(one, other)
    weekly.sweep(START + 6 * DAY)
    print(written("contest-week", "dora"))
    print(written("contest-week", "dora", "de"))
    assert 0
