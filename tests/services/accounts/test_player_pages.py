"""What everybody may see of a player."""

from __future__ import annotations

import pytest

from sarsen.services.accounts.player_pages import view_player
from sarsen.services.admin import actions
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.matches import matches
from sarsen.services.request import NOBODY, Request
from sarsen.storage.models import Match
from web_world import NOW, World

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
BY_SERVER = Request(NOBODY, NOW, AFTER_EVENTS)


def test_games_lost_on_time_are_told_by_their_last_event_and_not_by_words() -> None:
    world = World()
    forfeited, resumed, resigned = (
        Match.objects.get(pk=world.board(moves="a1 d4 a2 c4", options="-size=4")) for _ in range(3)
    )
    for match in (forfeited, resumed):
        matches.record_forfeit(match, BY_SERVER)  # it was the turn of ann
    actions.undo_forfeit(resumed.pk, "The relay was away.", NOW)
    resumed.refresh_from_db()
    for match in (resumed, resigned):
        matches.record_resignation(match, 0, BY_SERVER)
    Match.objects.filter(pk=forfeited.pk).update(reason="Time forfeit.")
    Match.objects.filter(pk=resigned.pk).update(reason="I ran out of time.")
    ann, bob = view_player("ann", None, NOW), view_player("bob", None, NOW)
    assert (len(ann.ended), ann.late) == (3, 1)
    assert (len(bob.ended), bob.late) == (3, 0)
